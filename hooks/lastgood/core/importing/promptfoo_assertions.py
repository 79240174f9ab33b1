"""promptfoo's assertion types, one row each: what a golden case holds of it, or why it can hold nothing."""

from __future__ import annotations

from lastgood.core.importing.drafts import Held, Unexpressed, with_draft
from lastgood.core.importing.patterns import any_of, cased, literal, of_javascript, whole
from lastgood.core.importing.promptfoo_calls import (
    f1,
    step_count,
    tool_args,
    tool_sequence,
    tool_unused,
    tool_used,
    valid_tools_call,
)
from lastgood.core.kinds import is_number
from lastgood.core.value import TYPE_CHECKING, value

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from lastgood.errors import LastgoodError

    Make = Callable[[Any, "Around"], Held]


@value(frozen=True)
class Around:
    """What an assertion may refer to beside its value: the tools that the providers are given, None for none."""

    tools: Any = None
    threshold: Any = None


@value(frozen=True)
class Row:
    """One assertion type: what it becomes, in words for the documentation; `make` is None where it becomes nothing."""

    becomes: str
    make: Make | None


def held(kind: str, wanted: Any, around: Around) -> Held:
    """What a golden case holds of one assertion; Unexpressed when it can hold nothing."""
    row = ROWS.get(kind) or ROWS.get(kind.removeprefix("not-"))
    if row is None:
        raise Unexpressed("is no assertion type of promptfoo's that is known here")
    if row.make is None or kind not in ROWS:
        raise Unexpressed(row.becomes if row.make is None else "its opposite is nothing that a golden case says")
    return row.make(wanted, around)


def _text(wanted: Any) -> str:
    if isinstance(wanted, str) and wanted:
        return wanted
    if is_number(wanted):
        return str(int(wanted)) if isinstance(wanted, float) and wanted.is_integer() else str(wanted)
    raise Unexpressed("its value is no text")


def _texts(wanted: Any) -> list[str]:
    if isinstance(wanted, str):
        wanted = _between_commas(wanted)
    if not isinstance(wanted, list) or not wanted:
        raise Unexpressed("its value is no list of texts")
    return [_text(one) for one in wanted]


def _between_commas(text: str) -> list[str]:
    import csv

    try:
        rows = list(csv.reader([text.replace("\n", " ")], skipinitialspace=True))
    except csv.Error:
        return [text]
    return [part.strip() for row in rows for part in row if part.strip()]


def _require(*patterns: str) -> Held:
    return Held(expect={"require_patterns": list(patterns)})


def _forbid(*patterns: str) -> Held:
    return Held(expect={"forbid_patterns": list(patterns)})


def _equals(wanted: Any, _around: Around) -> Held:
    if isinstance(wanted, (dict, list)):
        return Held(expect={"fields": {"": {"eq": wanted}}})
    if isinstance(wanted, bool):
        wanted = str(wanted).lower()
    text = wanted if wanted == "" else _text(wanted)
    if not text.strip():
        return Held(expect={"length": {"eq": 0}})
    return Held(expect={"require_patterns": [whole(text)], "length": {"eq": len(text.strip())}})


def _is_json(wanted: Any, _around: Around) -> Held:
    if wanted in (None, "", {}, True):
        return Held(expect={"json": True})
    if not isinstance(wanted, dict):
        raise Unexpressed("its value is no JSON Schema")
    return Held(expect={"json": True}, schema=with_draft(wanted))


def _regex(wanted: Any, _around: Around) -> Held:
    return _require(cased(of_javascript(_a_pattern(wanted))))


def _not_regex(wanted: Any, _around: Around) -> Held:
    return _forbid(cased(of_javascript(_a_pattern(wanted))))


def _a_pattern(wanted: Any) -> str:
    if not isinstance(wanted, str) or not wanted:
        raise Unexpressed("its value is no pattern")
    return wanted


def _count(wanted: Any, _around: Around) -> Held:
    bounds = wanted if isinstance(wanted, dict) else {"eq": wanted}
    names = {"eq": "eq", "min": "ge", "max": "le"}
    if not bounds or not bounds.keys() <= names.keys() or not all(type(size) is int for size in bounds.values()):
        raise Unexpressed("its value is no whole number, and no bounds of one")
    return Held(expect={"length": {names[name]: size for name, size in bounds.items()}})


_MODEL = "a model's judgement: nothing here asks a model to grade"
_CODE = "code of its own: a golden case runs none"
_SCORE = "a score with a threshold: an assertion here holds or fails"
_MEASURE = "a measure of the run, not of what was said: `lastgood eval` reports it"
_SPANS = "spans of a trace: a completion here is calls and text"

ROWS: dict[str, Row] = {
    "equals": Row(
        "`require_patterns` of the whole text, with `length`; of an object or array, `fields` with `eq`", _equals
    ),
    "contains": Row("`require_patterns`, letter case counted", lambda w, _: _require(any_of([_text(w)]))),
    "not-contains": Row("`forbid_patterns`, letter case counted", lambda w, _: _forbid(any_of([_text(w)]))),
    "icontains": Row("`require_patterns`", lambda w, _: _require(any_of([_text(w)], fold=True))),
    "not-icontains": Row("`forbid_patterns`", lambda w, _: _forbid(any_of([_text(w)], fold=True))),
    "contains-all": Row(
        "`require_patterns`, one a text, letter case counted", lambda w, _: _require(*[any_of([t]) for t in _texts(w)])
    ),
    "icontains-all": Row(
        "`require_patterns`, one a text", lambda w, _: _require(*[any_of([t], fold=True) for t in _texts(w)])
    ),
    "contains-any": Row(
        "`require_patterns`, one for all of them, letter case counted", lambda w, _: _require(any_of(_texts(w)))
    ),
    "icontains-any": Row(
        "`require_patterns`, one for all of them", lambda w, _: _require(any_of(_texts(w), fold=True))
    ),
    "not-contains-any": Row(
        "`forbid_patterns`, one a text, letter case counted", lambda w, _: _forbid(*[any_of([t]) for t in _texts(w)])
    ),
    "not-icontains-any": Row(
        "`forbid_patterns`, one a text", lambda w, _: _forbid(*[any_of([t], fold=True) for t in _texts(w)])
    ),
    "regex": Row("`require_patterns`, letter case counted, where RE2 has the pattern", _regex),
    "not-regex": Row("`forbid_patterns`, likewise", _not_regex),
    "starts-with": Row(
        "`require_patterns` that begins with `\\A`", lambda w, _: _require(f"\\A{cased(literal(_text(w)))}")
    ),
    "not-starts-with": Row(
        "`forbid_patterns` that begins with `\\A`", lambda w, _: _forbid(f"\\A{cased(literal(_text(w)))}")
    ),
    "ends-with": Row(
        "`require_patterns` that ends with `\\s*\\z`",
        lambda w, _: _require(f"{cased(literal(_text(w).rstrip()))}\\s*\\z"),
    ),
    "not-ends-with": Row(
        "`forbid_patterns` that ends with `\\s*\\z`",
        lambda w, _: _forbid(f"{cased(literal(_text(w).rstrip()))}\\s*\\z"),
    ),
    "character-count": Row("`length`", _count),
    "is-json": Row("`json`; with a schema also `output_schema`, its file below `golden/schemas/`", _is_json),
    "is-valid-openai-tools-call": Row(
        "`call_count` of at least one, `tools`, and of the parameters' schemas `args` and `closed_args`",
        valid_tools_call,
    ),
    "tool-call-f1": Row("`must_call` and `tools`, where every name must fit (threshold 1)", f1),
    "trajectory:tool-used": Row("`must_call`; with `min` or `max`, `call_count`", tool_used),
    "not-trajectory:tool-used": Row("`must_not_call`", tool_unused),
    "trajectory:tool-args-match": Row("`calls` of at least that call; mode `exact`: `closed`", tool_args),
    "trajectory:tool-sequence": Row("`call_order`; mode `exact`: `calls`, in that order and no others", tool_sequence),
    "trajectory:step-count": Row("`call_count`, where steps of type `tool` are counted", step_count),
    **{
        name: Row(_MODEL, None)
        for name in (
            "llm-rubric", "agent-rubric", "search-rubric", "research-rubric", "model-graded-closedqa",
            "model-graded-factuality", "factuality", "g-eval", "answer-relevance", "context-faithfulness",
            "context-recall", "context-relevance", "conversation-relevance", "similar", "similar:cosine", "similar:dot",
            "similar:euclidean", "classifier", "moderation", "guardrails", "is-refusal", "pi", "select-best",
            "max-score", "human", "trajectory:goal-success",
        )
    },
    **{name: Row(_CODE, None) for name in ("javascript", "python", "ruby", "webhook")},
    **{
        name: Row(_SCORE, None)
        for name in ("levenshtein", "bleu", "gleu", "meteor", "rouge-n", "perplexity", "perplexity-score")
    },
    **{name: Row(_MEASURE, None) for name in ("latency", "cost", "finish-reason", "tokens-used")},
    **{name: Row(_SPANS, None) for name in ("trace-span-count", "trace-span-duration", "trace-error-spans")},
    "skill-used": Row("metadata of a provider, which a completion here has not", None),
    "word-count": Row("a number of words: `length` counts characters", None),
    "contains-json": Row("JSON somewhere in a text: here a text is one JSON value or none", None),
    **{
        name: Row("a syntax that nothing here parses", None)
        for name in ("is-xml", "contains-xml", "is-html", "contains-html", "is-sql", "contains-sql")
    },
    **{
        name: Row("the call in the text: lastgood reads calls from a trace", None)
        for name in ("is-valid-function-call", "is-valid-openai-function-call")
    },
    "not-equals": Row("the opposite of a whole text: `forbid_patterns` would also forbid it inside JSON", None),
    "not-contains-all": Row("that one of several is missing, which no assertion says", None),
    "not-icontains-all": Row("that one of several is missing, which no assertion says", None),
    "not-is-json": Row("that a text is no JSON, which no assertion says", None),
}  # fmt: skip


def why_not(exc: LastgoodError) -> str:
    """The reason in an error, with its place where it has one."""
    return f"{exc.what} (at {exc.pointer})" if exc.pointer else exc.what
