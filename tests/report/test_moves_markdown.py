"""A comment on a pull request: it fits, it folds, and nothing that a completer says is taken for markup."""

from __future__ import annotations

import re
from typing import Any

import pytest

from lastgood.report.moves_markdown import MOST_CHARACTERS, markdown

STATUSES = ("PASS", "FAIL", "DIFF", "NEW", "UNSTABLE")


def case(case_id: str = "one", status: str = "DIFF", **parts: Any) -> dict[str, Any]:
    return {
        "id": case_id,
        "status": status,
        "from": "a" * 64,
        "to": "b" * 64,
        "moves": ["text"],
        "marks": [],
        "failures": [],
        "explanations": [],
        "added": 1,
        "removed": 1,
        "diff": ["@@ -1 +1 @@", "-old", "+new"],
        "diff_truncated": 0,
        "diff_whole": "",
        "said": [],
        "said_truncated": 0,
        "said_whole": "",
        **parts,
    }


def of(*cases: dict[str, Any], **parts: Any) -> str:
    prompt: dict[str, Any] = {
        "prompt_id": "billing",
        "completer": "stub",
        "from": "c" * 64,
        "to": "d" * 64,
        "stale": [],
    }
    prompt |= {"unanswered": [], "obsolete": [], "lacking": [], "note": "", "cases": list(cases), **parts}
    tally = {status: sum(one["status"] == status for one in cases) for status in STATUSES}
    return markdown({"token": "0123456789ab", "counts": tally, "prompts": [prompt]}, "accept: make record REASON='…'")


def test_the_whole_of_it() -> None:
    assert of(case(marks=["hedging phrase appeared: 'I think'"]), case("two", "PASS")) == (
        "### lastgood: 100% pass, 1 moved, 0 new, 0 failed: a regression report, not a success\n"
        "\n"
        "**<code>billing</code>** <code>cccccccccccc → dddddddddddd</code>, completer <code>stub</code>\n"
        "\n"
        "\n"
        "1 of 2 as before.\n"
        "\n"
        "| | case | digest | what |\n"
        "| --- | --- | --- | --- |\n"
        "| DIFF | <code>one</code> | `aaaaaaaaaaaa → bbbbbbbbbbbb` | <code>text</code>, "
        "**!** <code>hedging phrase appeared&#58; &#39;I think&#39;</code> |\n"
        "\n"
        "<details open><summary>DIFF <code>one</code>, +1 −1</summary>\n"  # noqa: RUF001  # a minus
        "\n"
        "```diff\n"
        "-old\n"
        "+new\n"
        "```\n"
        "\n"
        "</details>\n"
        "\n"
        "`! 1 with a mark: read it first`  \n"
        "`token 0123456789ab`  \n"
        "<code>accept&#58; make record REASON=&#39;…&#39;</code>\n"
    )


@pytest.mark.parametrize("fence", ["```", "``````", "~~~", "</details>", "````diff"])
def test_no_completion_ends_its_own_block(fence: str) -> None:
    out = of(case(diff=["@@ -1 +1,2 @@", "-a", f"+{fence}", "+# b"]))
    opening = re.search(r"^(`{3,})diff$", out, re.MULTILINE)
    assert opening
    inside = out[opening.end() :].split(f"\n{opening[1]}\n")[0]
    assert inside == f"\n-a\n+{fence}\n+# b"


NASTY = "a|b`c`<img src=x>*d*_e_[f](g) #1 @all &amp; $x$ https://example.org\n::error::"


@pytest.mark.parametrize(
    "out",
    [
        of(case(NASTY)),
        of(case(moves=[NASTY], marks=[NASTY])),
        of(case(status="FAIL", failures=[NASTY], explanations=[""], diff=[])),
        of(case(), stale=[NASTY], obsolete=[NASTY], unanswered=[NASTY], prompt_id=NASTY, completer=NASTY),
    ],
    ids=["id", "moves", "failures", "prompt"],
)
def test_names_and_reasons_are_no_markup(out: str) -> None:
    assert "<img" not in out
    assert "@all" not in out
    assert "https://" not in out
    assert not [line for line in out.splitlines() if line.startswith("::")]
    for row in (line for line in out.splitlines() if line.startswith("| ") and "---" not in line):
        assert row.count("|") == 5


def test_a_failure_shows_why_and_what_was_said() -> None:
    out = of(case(status="FAIL", explanations=["forbidden: 'I think'"], said=["I think", "so"], diff=[], moves=[]))
    assert "```diff\nforbidden: 'I think'\n| I think\n| so\n```" in out


def test_long_diffs_are_folded_and_cut_and_it_is_said() -> None:
    lines = [f"+line {number} {'x' * 50}" for number in range(1000)]
    out = of(case(diff=["@@ -0,0 +1,1000 @@", *lines], diff_truncated=500))
    assert "<details><summary>" in out
    shown = sum(line.startswith("+line") for line in out.splitlines())
    assert 100 < shown < 300
    assert f"… {1500 - shown:,} more lines: `lastgood diff --format json` has all of it." in out


def test_it_always_fits_and_names_what_it_left_out() -> None:
    lines = [f"+line {number} {'`' * 40}" for number in range(200)]
    cases = [case(f"case-{number}", diff=["@@ -0,0 +1,200 @@", *lines]) for number in range(60)]
    cases[59] = case("hedged", marks=["hedging phrase appeared: 'I think'"])
    out = of(*cases)
    assert len(out) <= MOST_CHARACTERS
    assert "**Not shown, for a comment holds no more:** " in out
    assert "<summary>DIFF <code>hedged</code>" in out
    assert len(of(*(case(f"{'long-name-' * 12}{number}") for number in range(2000)))) <= MOST_CHARACTERS


def test_names_of_what_was_left_out_are_whole_or_not_there() -> None:
    lines = [f"+line {number} {'`' * 40}" for number in range(200)]
    out = of(*(case(f"{'n.' * 60}{number}", diff=["@@ -0,0 +1,200 @@", *lines]) for number in range(60)))
    left_out = next(line for line in out.splitlines() if line.startswith("**Not shown"))
    assert left_out.count("<code>") == left_out.count("</code>") > 0
    assert left_out.endswith(" more")
    assert len(out) <= MOST_CHARACTERS
