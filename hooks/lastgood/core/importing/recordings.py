"""What brooder and agentsnap recorded: the calls of a golden run as a case, and the run as a completion to accept.

Both tools hold a new run against the recorded one: the same tools, in the same order, with the same arguments. That is
what a case says. The text they hold too is what a baseline is for, and it gets there as every baseline does: a person
looks at it and records it.
"""

from __future__ import annotations

import json

from lastgood.core.importing.drafts import CaseFile, Draft, Held, Ids, Imported, Loss, Said, Unexpressed, slug
from lastgood.core.strict_json import same
from lastgood.core.value import TYPE_CHECKING
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    Calls = list[dict[str, Any]]

_REDACTED = "[REDACTED]"  # what brooder puts in the place of what looks like a secret
_NEWEST = 2  # of brooder's baseline format
_MOST_CALLS = 1000
_ONLY_TEXT = (
    "holds an exact text and no call, and the completer answers text: that is a baseline's; write a case with an "
    "assertion, and record what it answers"
)


def brooder(documents: Mapping[str, Any], prompt_id: str, config: Any = None, *, traces: bool = True) -> Imported:
    """The baselines of one agent, path → document; `config` is what brooder.yaml says, None without one.

    `traces`: whether the completer tells its calls. Of a run without any, a case holds that there are none; where the
    completer cannot tell, that holds nothing.
    """
    return _read(documents, prompt_id, lambda found: _of_brooder(found, _Loose(config)), traces=traces)


def agentsnap(documents: Mapping[str, Any], prompt_id: str, *, traces: bool = True) -> Imported:
    """The snapshots of one folder, path → document; `traces` as above."""
    return _read(documents, prompt_id, _of_agentsnap, traces=traces)


Parts = tuple["dict[str, Any]", "Calls", Held, Said, str]


def _read(documents: Mapping[str, Any], prompt_id: str, take: Callable[[Any], Parts], *, traces: bool) -> Imported:
    drafts, losses, ids = [], [], Ids()
    for path, found in documents.items():
        stem = path.rpartition("/")[2].removesuffix(".json")
        try:
            given, calls, held, said, case_id = take(found)
            if not calls and not traces:
                raise Unexpressed(_ONLY_TEXT)
            case = CaseFile(prompt_id, ids.give(slug(case_id or stem, "case"), given), given)
            left = case.add(held)
            losses += [Loss(path, "", name, why) for name, why in left]
            drafts.append(Draft(case.object(), path, "", said))
        except LastgoodError as exc:
            losses.append(Loss(path, exc.pointer, "recording", exc.what))
    return Imported(tuple(drafts), {}, tuple(losses))


def agents_of(documents: Mapping[str, Any]) -> dict[str, list[str]]:
    """Agent → the paths of its baselines, as brooder's documents say."""
    found: dict[str, list[str]] = {}
    for path, document in documents.items():
        variants = _variants(document)
        agent = variants[0].get("agent") if variants and isinstance(variants[0], dict) else None
        found.setdefault(agent if isinstance(agent, str) else "", []).append(path)
    return found


# brooder --------------------------------------------------------------------------------------------------------------


class _Loose:
    """Which arguments brooder was told not to hold, or not exactly: they are left open here."""

    def __init__(self, config: Any) -> None:
        normalize = config.get("normalize") if isinstance(config, dict) else None
        self._all = normalize if isinstance(normalize, dict) else {}
        tools = self._all.get("tools")
        self._tools = tools if isinstance(tools, dict) else {}

    def rule(self, tool: str, argument: str, held: Any) -> dict[str, Any]:
        """The rule of one argument of one tool."""
        own = self._tools.get(tool)
        for scope in (own if isinstance(own, dict) else {}, self._all):
            within = scope.get("tolerance")
            if argument in _list(scope.get("ignore")) or argument in _keys(scope.get("relative_tolerance")):
                return {"optional": True}
            if isinstance(within, dict) and argument in within and _number(held) and _number(within[argument]):
                return {"near": {"value": held, "within": within[argument]}}
        return {"eq": held}


def _list(found: Any) -> list[Any]:
    return found if isinstance(found, list) else []


def _keys(found: Any) -> list[Any]:
    return list(found) if isinstance(found, dict) else []


def _number(found: Any) -> bool:
    return isinstance(found, (int, float)) and not isinstance(found, bool)


def _variants(found: Any) -> list[Any]:
    if not isinstance(found, dict):
        return []
    return _list(found["variants"]) if "variants" in found else [found]


def _of_brooder(found: Any, loose: _Loose) -> Parts:
    variants = _variants(found)
    version = found.get("schema_version", 1) if isinstance(found, dict) else 1
    if not variants or not all(isinstance(run, dict) and isinstance(run.get("trajectory"), list) for run in variants):
        raise Unexpressed("is no baseline of brooder's: no run with a trajectory")
    if type(version) is not int or version > _NEWEST:
        raise Unexpressed(f"is of a newer brooder: schema_version {version!r}, and {_NEWEST} is known")
    run = variants[0]
    meta = run.get("meta")
    for sign in ("crashed", "runaway"):
        if isinstance(meta, dict) and meta.get(sign):
            raise Unexpressed(f"the agent {'crashed' if sign == 'crashed' else 'ran away'} when it was recorded")
    calls = _steps(run)
    if any(not same(_plain(calls), _plain(_steps(other))) for other in variants[1:]):
        raise Unexpressed(f"{len(variants)} accepted variants call differently, and a case holds one set of calls")
    inputs = run.get("inputs")
    given = inputs if isinstance(inputs, dict) else {"inputs": inputs}
    left: list[tuple[str, str]] = []
    if len({_text(other.get("output")) for other in variants}) > 1:
        left.append(("variants", f"of {len(variants)} accepted outputs the first is put forward: a baseline holds one"))
    rules = [_call(call, loose, left) for call in calls]
    said = Said(_text(run.get("output")), tuple(calls), _model(run.get("model")))
    return given, calls, _exactly(rules, tuple(left)), said, str(run.get("case_id") or "")


def _steps(run: Mapping[str, Any]) -> Calls:
    found = []
    for nth, step in enumerate(run["trajectory"]):
        if not isinstance(step, dict):
            raise Unexpressed("a step of the trajectory is no object")
        if step.get("kind") == "tool":
            call = _named(step, f"/trajectory/{nth}")
            found.append(call | ({"result": step["result"]} if step.get("result") is not None else {}))
    return found


def _call(call: Mapping[str, Any], loose: _Loose, left: list[tuple[str, str]]) -> dict[str, Any]:
    args: dict[str, Any] = {}
    for name, held in call["arguments"].items():
        if _REDACTED in json.dumps(held):
            left.append((f"{call['name']}.{name}", "was redacted, so nobody knows its value; it has to be there"))
            args[name] = {"type": ["string", "number", "boolean", "array", "object", "null"]}
        else:
            args[name] = loose.rule(call["name"], name, held)
    return {"name": call["name"], "args": args, "closed": True}


# agentsnap ------------------------------------------------------------------------------------------------------------


def _of_agentsnap(found: Any) -> Parts:
    if not isinstance(found, dict) or not isinstance(found.get("trace"), list):
        raise Unexpressed("is no snapshot of agentsnap's: has no trace")
    if "input" not in found:
        raise Unexpressed("no input was recorded, so nobody can ask it again")
    given = found["input"] if isinstance(found["input"], dict) else {"input": found["input"]}
    events = [event for event in found["trace"] if isinstance(event, dict)]
    made = [_named(event, "/trace") for event in events if event.get("type") == "tool_call"]
    results = [event.get("result") for event in events if event.get("type") == "tool_call"]
    calls = [call | ({"result": r} if r is not None else {}) for call, r in zip(made, results, strict=True)]
    if not calls:  # what the model asked for, where nothing that ran was wrapped
        asked = [one for event in events for one in _list(event.get("tool_requests"))]
        calls = [_named(one, "/trace") for one in asked if isinstance(one, dict)]
    rules = [
        {"name": call["name"], "args": {name: {"eq": held} for name, held in call["arguments"].items()}, "closed": True}
        for call in calls
    ]
    said = Said(_text(found.get("output", "")), tuple(calls), _model(found.get("model")))
    return given, calls, _exactly(rules, ()), said, ""


# Both -----------------------------------------------------------------------------------------------------------------


def _named(step: Mapping[str, Any], pointer: str) -> dict[str, Any]:
    name, args = step.get("name"), step.get("args", {})
    if not isinstance(name, str) or not name or not isinstance(args, dict):
        raise Unexpressed("a call has no name, or arguments that are no object", pointer=pointer)
    return {"name": name, "arguments": args}


def _exactly(rules: Calls, left: tuple[tuple[str, str], ...]) -> Held:
    """These calls in this order and no others."""
    if not rules:
        return Held(assertions={"no_calls": True}, left=left)
    if len(rules) > _MOST_CALLS:
        raise Unexpressed(f"makes more than {_MOST_CALLS} calls")
    return Held(assertions={"calls": {"match": "exact", "order": "subsequence", "of": rules}}, left=left)


def _plain(calls: Iterable[Mapping[str, Any]]) -> Any:
    return [[call["name"], call["arguments"]] for call in calls]


def _text(output: Any) -> str:
    return output if isinstance(output, str) else json.dumps(output, ensure_ascii=False)


def _model(found: Any) -> str:
    return found if isinstance(found, str) and found != "unknown" else ""
