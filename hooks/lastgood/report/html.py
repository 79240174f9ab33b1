"""The report as one page: nothing is fetched, nothing of a completion is markup, and only our own script may run."""

from __future__ import annotations

import base64
import json
import os
import sys
from functools import cache
from hashlib import sha256
from urllib.parse import quote

from lastgood.core.judgement import DIFF, FAIL, NEW, PASS, UNSTABLE
from lastgood.core.sha256 import SHORT
from lastgood.core.shell import quoted
from lastgood.core.text_diff import pretty
from lastgood.core.value import TYPE_CHECKING
from lastgood.errors import LastgoodError
from lastgood.report.document import VERDICTS
from lastgood.report.plot import plot
from lastgood.report.printable import told_apart
from lastgood.report.sides import sides
from lastgood.report.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from jinja2 import Environment
    from markupsafe import Markup

_INSTALL = f"{quoted(sys.executable)} -m pip install 'jinja2>=3.1'"
_FOLDER = os.path.join(os.path.dirname(__file__), "page")
_ORDER = tuple(VERDICTS)
_ONE_LINE = 48  # characters of JSON that is not laid out
_MOST_OF_A_PROMPT = 2_000  # rows of its own diff
_MOST_SHOWN = 6_000  # characters of one text that is no diff
_MOST_WHOLE = 8_000_000  # characters of texts that the page carries whole because it shows only a part
_SCRIPT = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}  # the rest is ASCII already


def page(document: Mapping[str, Any]) -> str:
    """The page of a report's document; LastgoodError when what draws it is not installed."""
    template = _environment().get_template("report.html.j2")  # first of all: where it is not installed, it says so
    whole: dict[str, list[str]] = {}
    prompts = [_prompt(item, whole) for item in document["prompts"]]
    style, script = (_asset(name) for name in ("report.css", "report.js"))
    return template.render(
        report=document,
        prompts=prompts,
        headline=_headline(document),
        tally=[(status, VERDICTS[status], document["counts"][status]) for status in _verdicts(document)],
        bar=_bar(document),
        marked=sum(bool(case["marks"]) for item in prompts for case in item["cases"]),
        style=style,
        script=script,
        whole=_embedded(whole),
        policy=policy(style, script),
    )


def policy(style: str, script: str) -> str:
    """What the page may do: show itself, styled and moved by these two texts; nothing may be fetched or sent."""
    allowed = f"script-src {_source(script)}; style-src {_source(style)}"
    return f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"


def _source(text: str) -> str:
    return f"'sha256-{base64.b64encode(sha256(text.encode('utf-8')).digest()).decode('ascii')}'"


@cache
def _asset(name: str) -> Markup:
    from markupsafe import Markup

    with open(os.path.join(_FOLDER, name), encoding="utf-8") as file:
        return Markup(file.read())  # noqa: S704  # our own file, which holds no end tag: a test reads it


@cache
def _environment() -> Environment:
    try:
        import jinja2
    except ModuleNotFoundError:
        raise LastgoodError("the page needs Jinja2, which is not installed", fix=_INSTALL) from None
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "seen": _visible,
        "short": lambda digest: digest[:SHORT],
        "counted": counted,
        "moment": _moment,
    }
    return environment


def _visible(text: str) -> Markup:
    """Text of a completion, escaped, with what cannot be seen spelled out and marked as such."""
    from markupsafe import Markup, escape

    hidden = Markup('<span class="unseen">{}</span>')
    return Markup("").join(hidden.format(piece) if unseen else escape(piece) for unseen, piece in told_apart(text))


def _moment(stamp: str) -> str:
    """`2026-12-01T03:49:57Z` as people read it."""
    return f"{stamp[:10]} {stamp[11:16]} UTC"


def _plain(text: str) -> str:
    return "".join(piece for _, piece in told_apart(text))


def _headline(document: Mapping[str, Any]) -> dict[str, str]:
    found, total = document["counts"], document["total"]
    if found[FAIL]:
        title = f"{found[FAIL]} of {counted(total, 'case')} {'fails' if found[FAIL] == 1 else 'fail'}"
        return {"title": title, "meaning": "Nothing can be accepted before what fails is mended."}
    if found[UNSTABLE]:
        title = f"{found[UNSTABLE]} of {counted(total, 'case')} {'is' if found[UNSTABLE] == 1 else 'are'} unstable"
        return {"title": title, "meaning": "Asked again, the answer was another: nothing of that can be accepted."}
    if found[DIFF]:
        title = f"{found[DIFF]} of {counted(total, 'completion')} moved"
        return {"title": title, "meaning": "Every assertion holds: a regression report, not a success."}
    if found[NEW]:
        title = f"{counted(found[NEW], 'completion')} never accepted yet"
        return {"title": title, "meaning": "Every assertion holds; nobody has read these answers so far."}
    if not total:
        return {"title": "Nothing was answered", "meaning": "No case of this run has an answer."}
    return {"title": "Nothing moved", "meaning": "Every assertion holds, and every answer is the accepted one."}


def _verdicts(document: Mapping[str, Any]) -> list[str]:
    return [status for status in _ORDER if status in document["counts"]]


def _bar(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The share of each status, in thousandths of the width."""
    parts, at = [], 0.0
    for status in _verdicts(document):
        width = 1000 * document["counts"][status] / (document["total"] or 1)
        if width:
            parts.append({"status": status, "x": round(at, 2), "width": round(max(width - 4, 2), 2)})
        at += width
    return parts


def _prompt(item: Mapping[str, Any], whole: dict[str, list[str]]) -> dict[str, Any]:
    cases = [_case(item, case, whole) for case in item["cases"]]
    cases.sort(key=lambda case: (_ORDER.index(case["status"]), not case["marks"]))
    return {
        **item,
        "anchor": quote(item["prompt_id"], safe=""),
        "sides": sides(item["prompt_diff"], most=_MOST_OF_A_PROMPT),
        "plot": plot(item) if item["history"] else None,
        "now": _listed((word, item["counts"][status]) for status, word in VERDICTS.items() if status in item["counts"]),
        "history": [_accepted(row) for row in item["history"]],
        "open": [case for case in cases if case["status"] != PASS],
        "passed": [case for case in cases if case["status"] == PASS],
    }


def _accepted(row: Mapping[str, Any]) -> dict[str, Any]:
    """A migration; the mail address of who accepted it stays in git."""
    counts = _listed((name, row[name]) for name in ("moved", "added", "removed", "kept"))
    return {**row, "who": row["accepted_by"].partition(" <")[0], "counts": counts}


def _listed(counts: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{count} {word}" for word, count in counts if count) or "none"


def _case(item: Mapping[str, Any], case: Mapping[str, Any], whole: dict[str, list[str]]) -> dict[str, Any]:
    anchor = f"{quote(item['prompt_id'], safe='')}/{quote(case['id'], safe='')}"
    found = sides(case["diff"])
    said = None if case["diff"] or case["new"] is None else _beginning(pretty(case["new"]))
    if found.cut or (said and said["hidden"]):
        texts = [_plain(pretty(text)) if text is not None else "" for text in (case["old"], case["new"])]
        kept = sum(len(text) for pair in whole.values() for text in pair)
        if kept + sum(map(len, texts)) <= _MOST_WHOLE:
            whole[anchor] = texts
    return {
        **case,
        "anchor": anchor,
        "labels": _labels(case),
        "sides": found,
        "said": said,
        "asked": _beginning(json.dumps(case["input"], indent=2, ensure_ascii=False)),
        "steps": [{**step, "old": _call(step["old"]), "new": _call(step["new"])} for step in case["steps"]],
        "whole": anchor in whole,
        "cut": found.cut or bool(said and said["hidden"]),
        "size": max(len(case["old"] or ""), len(case["new"] or "")),
    }


def _labels(case: Mapping[str, Any]) -> tuple[str, str]:
    """What stands above the two sides of a diff; no left one where nothing was accepted."""
    if case["status"] == UNSTABLE:
        return "one answer", "another answer"
    return f"accepted {case['from'][:SHORT]}" if case["old"] is not None else "", f"now {case['to'][:SHORT]}"


def _call(call: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if call is None:
        return None
    told = {name: _beginning(_laid_out(call[name])) for name in ("arguments", "result", "error") if name in call}
    return {"name": call["name"], "result": None, "error": None, **told}


def _laid_out(found: Any) -> str:
    if isinstance(found, str):
        return found
    line = json.dumps(found, ensure_ascii=False)
    return line if len(line) <= _ONE_LINE else json.dumps(found, indent=2, ensure_ascii=False)


def _beginning(text: str) -> dict[str, Any]:
    return {"text": text[:_MOST_SHOWN], "hidden": max(0, len(text) - _MOST_SHOWN)}


def _embedded(whole: Mapping[str, list[str]]) -> Markup:
    """As JSON that no text in it can end, whatever it holds."""
    from markupsafe import Markup

    return Markup(json.dumps(whole).translate({ord(sign): spelled for sign, spelled in _SCRIPT.items()}))  # noqa: S704
