"""The page: nothing is fetched, nothing of a completion is markup, everything is said in words too."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from itertools import pairwise
from typing import Any

import pytest

from documents import document, migration, of_prompt, told
from html_page import Element, Page
from lastgood.report.html import page
from waiting import HOSTILE


def drawn(*prompts: dict[str, Any], **changes: Any) -> Page:
    return Page(page(document(*prompts, **changes)))


def words(found: Page, element: Element) -> str:
    return " ".join(found.text_of(element).split())


def one(found: Page, tag: str, **attributes: str) -> Element:
    (element,) = [e for e in found.elements(tag) if all(e.get(name) == text for name, text in attributes.items())]
    return element


def hashed(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


ALL = (told("a", "FAIL"), told("b"), told("c", "NEW", diff=["@@ -0,0 +1 @@", "+fresh"]), told("d", "PASS"))


# What the page may do


def test_only_its_own_script_and_style_may_run() -> None:
    found = drawn(of_prompt("one", *ALL))
    policy = dict(
        part.strip().split(" ", 1)
        for part in one(found, "meta", **{"http-equiv": "Content-Security-Policy"})["content"].split(";")
    )
    (style,) = found.elements("style")
    (script,) = [element for element in found.elements("script") if "type" not in element]
    assert policy == {
        "default-src": "'none'",
        "script-src": hashed(found.text_of(script)),
        "style-src": hashed(found.text_of(style)),
        "base-uri": "'none'",
        "form-action": "'none'",
        "require-trusted-types-for": "'script'",
    }


def test_the_policy_stands_before_what_it_rules() -> None:
    text = page(document(of_prompt("one", *ALL)))
    assert text.index("Content-Security-Policy") < min(
        text.index("<style"), text.index("<script"), text.index("<title")
    )


def test_nothing_is_fetched() -> None:
    found = drawn(of_prompt("one", *ALL), of_prompt("two", *ALL))
    references = [
        (e.tag, n, e[n]) for n in ("src", "href", "action", "data", "srcset", "poster") for e in found.having(n)
    ]
    assert references
    assert [r for r in references if not (r[0] == "a" and r[1] == "href" and r[2].startswith("#"))] == []
    assert re.findall(r"@import|url\(|https?://|fetch\(|XMLHttp|import\(", page(document(of_prompt("one", *ALL)))) == []


def test_no_element_carries_style_or_script_of_its_own() -> None:
    found = drawn(of_prompt("one", *ALL, history=[migration(1)]))
    assert [name for e in found.elements() for name in e if name == "style" or name.startswith("on")] == []


# What a completion may not do

EVERYWHERE = ("id", "path", "failures", "explanations", "moves", "marks", "diff", "input", "old", "new")


@pytest.mark.parametrize("where", EVERYWHERE)
@pytest.mark.parametrize("status", ["FAIL", "DIFF", "NEW", "PASS"])
def test_nothing_of_a_case_is_markup(where: str, status: str) -> None:
    text: Any = HOSTILE
    if where in ("failures", "explanations", "moves", "marks"):
        text = [HOSTILE]
    elif where == "diff":
        text = ["@@ -0,0 +1 @@", *("+" + line for line in HOSTILE.split("\n"))]
    elif where == "input":
        text = {HOSTILE: [HOSTILE]}
    plain, harmed = told("x", status), told("x", status, **{where: text})
    if where == "failures":
        harmed["explanations"] = [HOSTILE]
    tags = [e.tag for e in drawn(of_prompt("one", harmed)).elements()]
    assert tags.count("script") == [e.tag for e in drawn(of_prompt("one", plain)).elements()].count("script")
    assert "img" not in tags


@pytest.mark.parametrize("where", ["prompt_id", "completer", "path", "started_at", "stale", "unanswered", "obsolete"])
def test_nothing_of_a_prompt_is_markup(where: str) -> None:
    text: Any = [HOSTILE] if where in ("stale", "unanswered", "obsolete") else HOSTILE
    found = drawn(of_prompt("one", *ALL) | {where: text})
    assert len(found.elements("script")) == 2
    assert found.elements("img") == []


@pytest.mark.parametrize("where", ["reason", "accepted_by", "accepted_at"])
def test_nothing_of_a_migration_is_markup(where: str) -> None:
    found = drawn(of_prompt("one", *ALL, history=[migration(1, **{where: HOSTILE})]))
    assert len(found.elements("script")) == 2
    assert found.elements("img") == []


def test_nothing_of_a_tool_call_is_markup() -> None:
    call = {"name": HOSTILE, "arguments": {HOSTILE: HOSTILE}, "result": HOSTILE, "error": {"why": HOSTILE}}
    step = {"state": "added", "old_place": 0, "new_place": 1, "old": None, "new": call}
    found = drawn(of_prompt("one", told("x", steps=[step])))
    assert len(found.elements("script")) == 2
    assert found.elements("img") == []
    assert "result" in words(found, one(found, "section", **{"aria-label": "Tool calls"}))


def test_what_cannot_be_seen_is_spelled_out() -> None:
    found = drawn(of_prompt("one", told("x", diff=["@@ -0,0 +1 @@", *("+" + line for line in HOSTILE.split("\n"))])))
    spelled = [found.text_of(e) for e in found.elements("span") if e.get("class") == "unseen"]
    assert spelled == ["\\u202e", "\\u202c", "\\u200b", "\\x00\\x07\\x1b", "\\ufffe"]
    every = "".join(map(found.text_of, found.elements("table")))
    assert not [sign for sign in "\u202e\u202c\u200b\x00\x07\x1b\ufffe" if sign in every]


def test_letters_of_other_scripts_and_joined_emoji_stay() -> None:
    text = "שלום عليكم नमस्ते 👩‍👩‍👧 日本"
    found = drawn(of_prompt("one", told("x", diff=["@@ -0,0 +1 @@", "+" + text])))
    assert text in found.text_of(found.elements("table")[1])


def test_a_lone_surrogate_can_be_written() -> None:
    text = page(document(of_prompt("one", told("x", "FAIL", new="\ud800", diff=[]), path="prompts/\udcff.txt")))
    assert "\\ud800" in text
    text.encode("utf-8")


def test_texts_that_the_page_carries_end_no_script() -> None:
    long = (HOSTILE + "\n") * 300
    found = drawn(of_prompt("one", told("x", "NEW", new=long, diff=["@@ -0,0 +1 @@", "+" + long.replace("\n", " ")])))
    (old, new) = json.loads(found.data("whole"))["one/x"]
    assert old == ""
    assert new.count("</script>") == 600
    assert not {"<", ">", "&"} & set(found.data("whole"))


def test_what_no_page_can_carry_is_named_by_its_command() -> None:
    huge = "x" * 5_000_000
    cases = [told(name, "NEW", new=huge, diff=["@@ -0,0 +1 @@", "+" + huge]) for name in ("first", "second")]
    found = drawn(of_prompt("one", *cases))
    assert list(json.loads(found.data("whole"))) == ["one/first"]
    assert "Whole: lastgood report --json report.json" in words(found, one(found, "article", id="one/second"))
    assert len(page(document(of_prompt("one", *cases)))) < 5_200_000


# What it says


@pytest.mark.parametrize(
    ("cases", "title", "meaning"),
    [
        (ALL, "1 of 4 cases fails", "Nothing can be accepted"),
        (ALL[1:], "1 of 3 completions moved", "a regression report, not a success"),
        (ALL[2:], "1 completion never accepted yet", "nobody has read these answers"),
        (ALL[3:], "Nothing moved", "every answer is the accepted one"),
        ((), "Nothing was answered", "No case of this run"),
    ],
    ids=["broken", "moved", "new", "held", "nothing"],
)
def test_it_begins_with_what_it_comes_to(cases: tuple[dict[str, Any], ...], title: str, meaning: str) -> None:
    found = drawn(of_prompt("one", *cases))
    assert words(found, one(found, "h1")) == title
    assert meaning in words(found, one(found, "p", **{"class": "meaning"}))
    assert words(found, one(found, "title")).startswith(title)


def test_unstable_answers_have_their_place() -> None:
    moved = {name: told("y")[name] for name in ("diff", "added", "removed")}
    item = of_prompt("one", told("x", "UNSTABLE", **moved), told("y"))
    item["counts"] |= {"UNSTABLE": 1}
    found = drawn(item, counts={"PASS": 0, "FAIL": 0, "DIFF": 1, "NEW": 0, "UNSTABLE": 1})
    assert words(found, one(found, "h1")) == "1 of 2 cases is unstable"
    assert [e["data-status"] for e in found.having("data-status")] == ["UNSTABLE", "DIFF"]
    heads = [words(found, e) for e in found.elements("th")]
    assert heads[2:] == ["one answer", "another answer", "accepted aaaaaaaaaaaa", "now bbbbbbbbbbbb"]
    assert {e["data-count"]: found.text_of(e) for e in found.having("data-count")} == {
        "FAIL": "0",
        "UNSTABLE": "1",
        "DIFF": "1",
        "NEW": "0",
        "PASS": "0",
    }


def test_only_unstable_is_not_nothing_moved() -> None:
    found = drawn(of_prompt("one", told("x", "UNSTABLE"), told("y", "PASS")))
    assert words(found, one(found, "h1")) == "1 of 2 cases is unstable"
    assert "nothing of that can be accepted" in words(found, one(found, "p", **{"class": "meaning"}))


def test_what_keeps_a_run_from_being_accepted_is_said() -> None:
    item = of_prompt(
        "one", told("x"), lacking=["<x>"], note="one was answered by <b>new</b>", stale=["the <i>prompt</i> moved"]
    )
    found = drawn(item)
    warnings = [words(found, e) for e in found.elements("p") if e.get("class") == "warning"]
    assert warnings == [
        "Stale: the <i>prompt</i> moved",
        "Not asked often enough to be accepted: <x>",
        "one was answered by <b>new</b>",
    ]


def test_the_gravest_stand_first_and_those_with_a_mark_before_the_rest() -> None:
    marked = told("marked", marks=["hedging phrase appeared: 'I think'"])
    found = drawn(of_prompt("one", told("held", "PASS"), told("plain"), marked, told("bad", "FAIL")))
    assert [e["id"] for e in found.having("data-status")] == ["one/bad", "one/marked", "one/plain", "one/held"]
    assert "1 with a mark: read it first." in words(found, one(found, "p", **{"class": "meaning"}))


def test_every_kind_of_move_and_every_prompt_can_be_chosen() -> None:
    found = drawn(of_prompt("one", told("a"), told("b", kinds=["preface", "length"])), of_prompt("two", told("c")))
    options = {name: [words(found, o) for o in find(found, name)] for name in ("prompt", "kind")}
    assert options == {
        "prompt": ["All prompts", "one", "two"],
        "kind": ["Any kind of move", "text (2)", "preface (1)", "length (1)"],
    }
    assert {e["data-kinds"] for e in found.having("data-kinds")} == {"text", "preface length"}


def find(found: Page, name: str) -> list[Element]:
    return [child for child in one(found, "select", id=name).children if isinstance(child, Element)]


def test_a_diff_says_in_words_and_signs_what_its_colours_say() -> None:
    found = drawn(of_prompt("one", told("x")))
    moved = [words(found, e) for e in found.elements("td") if e.get("class") == "line"][-2:]
    assert moved == ["−removed: the old line", "+added: the new line"]  # noqa: RUF001  # a minus
    assert [found.text_of(e) for e in found.elements("mark")][-2:] == ["old", "new"]


def test_a_very_long_diff_of_a_prompt_is_cut_and_said_to_be() -> None:
    found = drawn(of_prompt("one", told("x"), prompt_diff=["@@ -0,0 +1,3000 @@", *(f"+line {n}" for n in range(3000))]))
    (aside,) = found.elements("aside")
    assert "line 1999" in found.text_of(aside)
    assert "line 2000" not in found.text_of(aside)
    assert "1000 more lines: git diff has them." in words(found, aside)


def test_screen_readers_find_their_way() -> None:
    found = drawn(of_prompt("one", *ALL, history=[migration(1)]), of_prompt("two", told("z")))
    assert one(found, "html")["lang"] == "en"
    assert [len(found.elements(tag)) for tag in ("main", "footer", "h1")] == [1, 1, 1]
    ids = [e["id"] for e in found.having("id")]
    assert len(ids) == len(set(ids))
    for attribute in ("aria-labelledby", "for"):
        assert {e[attribute] for e in found.having(attribute)} <= set(ids), attribute
    assert {e["href"][1:] for e in found.elements("a")} <= set(ids)
    for element in found.elements("table"):
        assert element.children
        assert any(isinstance(c, Element) and c.tag == "caption" for c in element.children)
    labelled = [e for e in found.elements("input", "select") if not inside(e, "label")]
    assert labelled == []
    assert all(e.get("aria-label") or e.get("aria-labelledby") for e in found.elements("article", "aside"))
    assert all(e.get("aria-hidden") or e.get("role") == "img" for e in found.elements("svg"))
    levels = [int(e.tag[1]) for e in found.elements("h1", "h2", "h3", "h4")]
    assert all(after <= before + 1 for before, after in pairwise(levels))


def inside(element: Element, tag: str) -> bool:
    return element.parent is not None and (element.parent.tag == tag or inside(element.parent, tag))


def test_the_history_is_a_drawing_and_a_list() -> None:
    history = [migration(1, moved=0, added=3), migration(2), migration(3, length=None), migration(4)]
    found = drawn(of_prompt("one", told("x"), history=history))
    plot = one(found, "svg", **{"class": "plot"})
    assert [e.tag for e in found.elements("circle", "polyline") if inside(e, "svg")].count("circle") == 4
    assert "4 migrations" in plot["aria-label"]
    rows = [words(found, e) for e in found.elements("li") if inside(e, "aside")]
    assert rows[0] == "now 1 moved; 12 characters"
    assert rows[1] == "0004 Reason 4 1 moved, 2 kept; 40 characters Ada, 2026-11-30"
    assert rows[2] == "0003 Reason 3 1 moved, 2 kept Ada, 2026-11-30"
    assert rows[4] == "0001 Reason 1 3 added, 2 kept; 10 characters Ada, 2026-11-30"
    assert "ada@example.com" not in found.text_of(found.top)


def test_the_style_knows_the_dark_the_narrow_and_the_printed_page() -> None:
    style = drawn(of_prompt("one", told("x"))).elements("style")[0]
    text = "".join(child for child in style.children if isinstance(child, str))
    for query in ("prefers-color-scheme: dark", "max-width", "print", "prefers-reduced-motion"):
        assert query in text


def contrast(first: str, second: str) -> float:
    def light(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((light(first), light(second)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_every_text_stands_out_from_what_it_stands_on(scheme: int) -> None:
    style = "".join(map(str, drawn(of_prompt("one", told("x"))).elements("style")[0].children))
    blocks = re.findall(r":root \{(.*?)\}", style, re.DOTALL)[: scheme + 1]
    colours = dict(pair for block in blocks for pair in re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block))
    for ground in ("paper", "sheet", "wash"):
        for ink in ("ink", "soft", "link", "fail", "diff", "new", "pass"):
            assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)
    for ink, ground in (
        ("ink", "del-mark"),
        ("ink", "ins-mark"),
        ("del-ink", "del"),
        ("ins-ink", "ins"),
        ("ink", "del"),
        ("ink", "ins"),
        ("fail", "del"),
    ):
        assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)
