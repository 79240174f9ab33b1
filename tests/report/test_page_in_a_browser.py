"""The page in a real browser, without a network: filters, search, keys, texts on demand, and a completion that harms.

What a test does is one more script of the page, allowed by its hash beside the page's own; the browser prints the page
as it stands afterwards.
"""

from __future__ import annotations

import base64
import hashlib
import json
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from documents import document, migration, of_prompt, told
from html_page import Page
from lastgood.report.html import page
from waiting import HOSTILE, HUGE

if TYPE_CHECKING:
    from pathlib import Path

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-dev-shm-usage"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions"),
    *("--host-resolver-rules=MAP * ~NOTFOUND", "--virtual-time-budget=60000", "--dump-dom"),
)

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no chromium on PATH: the page was not opened in a browser")

# Runs the steps, an async function, and leaves what it told, and every fault of the page, at its end.
DRIVER = """
(async () => {
  const told = {}, faults = [];
  addEventListener("error", (event) => faults.push(event.message));
  addEventListener("securitypolicyviolation", (event) => faults.push(`${event.violatedDirective} ${event.blockedURI}`));
  const t = {
    $: (selector) => document.querySelector(selector),
    all: (selector) => [...document.querySelectorAll(selector)],
    frame: () => new Promise((done) => setTimeout(done, 100)),
    set: async (selector, value) => {
      t.$(selector).value = value;
      t.$(selector).dispatchEvent(new Event("input", { bubbles: true }));
      await t.frame();
    },
    click: async (selector) => { t.$(selector).click(); await t.frame(); },
    key: async (key) => {
      const target = document.activeElement ?? document.body;
      target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
      await t.frame();
    },
    shown: () => t.all(".case").filter((node) => node.checkVisibility()).map((node) => node.id),
  };
  try { await (STEPS)(t, told); } catch (fault) { faults.push(String(fault)); }
  const block = document.createElement("pre");
  block.id = "told";
  block.textContent = JSON.stringify({ told, faults, title: document.title });
  document.body.append(block);
})();
"""


def opened(folder: Path, steps: str, *prompts: dict[str, Any], width: int = 1200) -> dict[str, Any]:
    """What a test's steps told of the page in the browser; fails when the page had a fault, or broke its own policy."""
    driver = DRIVER.replace("STEPS", f"async (t, told) => {{ {steps} }}")
    text = page(document(*prompts))
    allowed = base64.b64encode(hashlib.sha256(driver.encode()).digest()).decode()
    text = text.replace("script-src ", f"script-src 'sha256-{allowed}' ", 1)
    file = folder / "page.html"
    file.write_text(text.replace("</body>", f"<script>{driver}</script></body>"), encoding="utf-8")
    assert BROWSER
    done = subprocess.run(
        [BROWSER, *FLAGS, f"--window-size={width},900", f"--user-data-dir={folder / 'profile'}", file.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    printed = Page(done.stdout)
    (block,) = [element for element in printed.elements("pre") if element.get("id") == "told"]
    found: dict[str, Any] = json.loads(printed.text_of(block))
    assert found["faults"] == []
    assert found["title"].endswith("lastgood")  # nothing of a completion ran
    return dict(found["told"])


ONE = of_prompt(
    "one",
    told("bad", "FAIL"),
    told("hedged", kinds=["preface", "length"], marks=["hedging phrase appeared: 'I think'"]),
    told("plain", new="nothing to see"),
    told("fresh", "NEW", diff=["@@ -0,0 +1 @@", "+Fresh AIR"]),
    told("held", "PASS", new="steady"),
    history=[migration(1), migration(2)],
)
TWO = of_prompt("two", told("other"), told("quiet", "PASS"))


def test_filters_search_and_what_they_say(tmp_path: Path) -> None:
    steps = """
        told.start = [t.shown(), t.$("#shown").textContent];
        await t.set("#kind", "preface"); told.kind = t.shown(); await t.set("#kind", "!"); told.marked = t.shown();
        await t.set("#kind", "");
        await t.set("#prompt", "two"); told.prompt = [t.shown(), t.$("#shown").textContent]; await t.set("#prompt", "");
        await t.click("input[value=DIFF]"); told.verdict = t.shown(); await t.click("input[value=DIFF]");
        await t.set("#search", "fresh air"); told.search = t.shown();
        await t.set("#search", "steady"); told.folded = t.shown();
        await t.set("#search", "nowhere at all"); told.nothing = [t.shown(), t.$("#empty").checkVisibility()];
        await t.click("#clear"); told.end = [t.shown().length, t.$("#search").value];
    """
    every = ["one/bad", "one/hedged", "one/plain", "one/fresh", "one/held", "two/other", "two/quiet"]
    assert opened(tmp_path, steps, ONE, TWO) == {
        "start": [every, "7 of 7 cases"],
        "kind": ["one/hedged"],
        "marked": ["one/hedged"],
        "prompt": [["two/other", "two/quiet"], "2 of 7 cases"],
        "verdict": ["one/bad", "one/fresh", "one/held", "two/quiet"],
        "search": ["one/fresh"],
        "folded": ["one/held"],
        "nothing": [[], True],
        "end": [7, ""],
    }


def test_keys(tmp_path: Path) -> None:
    steps = """
        const at = () => document.activeElement.id;
        await t.key("j"); told.first = at(); await t.key("j"); told.second = at(); await t.key("k"); told.back = at();
        await t.key("k"); told.stays = at();
        await t.key("o"); told.opened = t.$("[id='one/bad'] details").open;
        await t.key("/"); told.search = at();
        await t.key("j"); told.typed = at();
        await t.key("Escape"); told.left = at() === "search";
        await t.key("?"); told.help = t.$("#keys").open;
        t.$("#keys button").click(); await t.frame(); told.closed = t.$("#keys").open;
    """
    assert opened(tmp_path, steps, ONE, TWO) == {
        "first": "one/bad",
        "second": "one/hedged",
        "back": "one/bad",
        "stays": "one/bad",
        "opened": True,
        "search": "search",
        "typed": "search",
        "left": False,
        "help": True,
        "closed": False,
    }


def test_a_completion_that_means_harm_does_none(tmp_path: Path) -> None:
    harm = {name: [HOSTILE] for name in ("failures", "explanations", "moves", "marks")}
    call = {"name": HOSTILE, "arguments": {HOSTILE: HOSTILE}, "result": HOSTILE}
    step = {"state": "added", "old_place": 0, "new_place": 1, "old": None, "new": call}
    long = HOSTILE + HUGE
    cases = [
        told(
            HOSTILE,
            status,
            new=long,
            input={HOSTILE: HOSTILE},
            steps=[step],
            diff=["@@ -0,0 +1 @@", "+" + long],
            **harm,
        )
        for status in ("FAIL", "NEW")
    ]
    steps = """
        told.images = t.all("img").length;
        told.cases = t.shown().length;
        await t.click("button.whole");
        const whole = t.$(".texts pre").textContent;
        told.whole = [whole.length > 1000000, whole.includes("\\\\u202e"), whole.includes("\\u202e")];
        await t.set("#search", "gnp.exe"); told.found = t.shown().length;
    """
    found = opened(tmp_path, steps, of_prompt("one", cases[0]), of_prompt("two", cases[1]))
    assert found == {"images": 0, "cases": 2, "whole": [True, True, False], "found": 2}


@pytest.mark.parametrize(("width", "sides"), [(1200, "table-cell"), (500, "block")], ids=["a screen", "a telephone"])
def test_both_sides_stand_beside_or_below_one_another(tmp_path: Path, width: int, sides: str) -> None:
    steps = """
        const cells = t.all("[id='one/plain'] table.hunks td.line");
        told.sides = getComputedStyle(cells[0]).display;
        told.below = cells[1].getBoundingClientRect().top > cells[0].getBoundingClientRect().top;
        told.over = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    """
    found = opened(tmp_path, steps, ONE, TWO, width=width)
    assert found == {"sides": sides, "below": sides == "block", "over": 0}


def test_two_thousand_cases_open_and_are_filtered(tmp_path: Path) -> None:
    cases = [told(f"case-{n}", kinds=["preface"] if n % 2 else ["text"]) for n in range(2000)]
    steps = """
        told.all = t.$("#shown").textContent;
        await t.set("#kind", "preface"); told.half = t.$("#shown").textContent;
        await t.set("#search", "case-1999"); told.one = t.shown();
    """
    assert opened(tmp_path, steps, of_prompt("one", *cases)) == {
        "all": "2000 of 2000 cases",
        "half": "1000 of 2000 cases",
        "one": ["one/case-1999"],
    }
