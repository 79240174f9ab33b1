"""`report`: the pending run as page, JUnit, Markdown, annotations and JSON, which all say the same."""

from __future__ import annotations

import json
import re
import shutil
import sys
from typing import Any
from xml.etree import ElementTree

import pytest

from html_page import Page
from repository import Repository, case
from waiting import HUGE, waiting


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory, environment: None) -> Repository:
    """One of each verdict, pending; nothing in it is written to by a test."""
    return waiting(tmp_path_factory.mktemp("waiting") / "repo")


@pytest.fixture(scope="module")
def report(everything: Repository) -> dict[str, Any]:
    everything.lastgood("report", "--json", ".lastgood/report.json", code=1)
    found: dict[str, Any] = json.loads(everything.read(".lastgood/report.json"))
    return found


@pytest.fixture(scope="module")
def page(everything: Repository) -> Page:
    everything.lastgood("report", "--html", ".lastgood/page.html", code=1)
    return Page(everything.read(".lastgood/page.html"))


def case_of(report: dict[str, Any], case_id: str) -> dict[str, Any]:
    (found,) = [row for item in report["prompts"] for row in item["cases"] if row["id"] == case_id]
    return dict(found)


def prompt_of(report: dict[str, Any], prompt_id: str) -> dict[str, Any]:
    (found,) = [item for item in report["prompts"] if item["prompt_id"] == prompt_id]
    return dict(found)


# What is written where, and the exit code


def test_without_a_form_it_writes_the_page_and_says_where(pending: Repository) -> None:
    assert pending.lastgood("report").out == "wrote .lastgood/report.html\n"
    assert pending.read(".lastgood/report.html").startswith("<!doctype html>")
    assert pending.git("status", "--porcelain", "-uall").out == " M prompts/billing.txt\n"


def test_several_forms_are_written_at_once(pending: Repository) -> None:
    done = pending.lastgood(
        "report", "--html", "a/p.html", "--junit", "j.xml", "--markdown", "m.md", "--json", "r.json"
    )
    assert done.out == "wrote a/p.html\nwrote j.xml\nwrote m.md\nwrote r.json\n"
    assert all((pending.root / name).stat().st_size for name in ("a/p.html", "j.xml", "m.md", "r.json"))


def test_the_same_run_gives_the_same_bytes(pending: Repository) -> None:
    forms = {"--html": "page.html", "--junit": "junit.xml", "--json": "report.json", "--markdown": "report.md"}
    words = [word for pair in forms.items() for word in pair]
    pending.lastgood("report", *words)
    first = [pending.read(name) for name in forms.values()]
    pending.lastgood("report", *words)
    assert [pending.read(name) for name in forms.values()] == first


@pytest.mark.parametrize(
    ("prompt", "words", "code"),
    [
        pytest.param("say: paid", (), 0, id="held"),
        pytest.param("say: refunded", (), 0, id="moved"),
        pytest.param("say: refunded", ("--fail-on-diff",), 3, id="moved, and that counts"),
        pytest.param("say: I think", (), 1, id="broken"),
        pytest.param("say: I think", ("--fail-on-diff",), 1, id="broken before moved"),
    ],
)
def test_the_exit_code_is_the_verdict_of_the_run(
    repo: Repository, prompt: str, words: tuple[str, ...], code: int
) -> None:
    repo.write({"prompts/billing.txt": f"Answer with the status of an order.\n{prompt}\n"})
    repo.lastgood("eval", code=None)
    repo.lastgood("report", *words, code=code)
    repo.lastgood("report", "--json", "r.json", *words, code=code)
    assert json.loads(repo.read("r.json"))["verdict"] == code


def test_nothing_pending_cannot_be_told(repo: Repository) -> None:
    done = repo.lastgood("report", code=4)
    assert done.err == "lastgood: no pending run of stub\n  run  lastgood eval -c stub\n"
    assert not (repo.root / ".lastgood/report.html").exists()


@pytest.mark.parametrize("form", ["--html", "--junit", "--markdown", "--json"])
def test_an_empty_file_name_is_refused(pending: Repository, form: str) -> None:
    assert "must name a file, and is empty" in pending.lastgood("report", form, "", code=4).err


def test_a_file_that_cannot_be_written_is_named(pending: Repository) -> None:
    pending.write({"taken": "a file\n"})
    assert "taken/page.html: cannot be written" in pending.lastgood("report", "--html", "taken/page.html", code=4).err


def test_one_prompt_alone(pending: Repository) -> None:
    pending.lastgood("report", "-p", "billing", "--json", "r.json")
    found = json.loads(pending.read("r.json"))
    assert [item["prompt_id"] for item in found["prompts"]] == ["billing"]
    assert found["token"] == pending.token("-p", "billing")


def test_without_jinja_the_page_is_refused_and_the_rest_is_written(pending: Repository) -> None:
    program = (
        "import sys; sys.modules.update(jinja2=None, markupsafe=None);"
        "from lastgood.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    done = pending.run(sys.executable, "-c", program, "report", code=4)
    assert done.err == (
        "lastgood: the page needs Jinja2, which is not installed\n"
        f"  do   {sys.executable} -m pip install 'jinja2>=3.1'\n"
    )
    pending.run(sys.executable, "-c", program, "report", "--junit", "j.xml", "--markdown", "m.md", "--github")


def test_what_a_report_needs_is_loaded_by_no_other_command(pending: Repository) -> None:
    program = (
        "import sys; from lastgood.cli import main; main(sys.argv[1:]);"
        "print('loaded', *sorted({'jinja2', 'markupsafe'} & set(sys.modules)), file=sys.stderr)"
    )
    for words in (["diff"], ["status"], ["check"], ["report", "--junit", "j.xml", "--json", "r.json"]):
        assert pending.run(sys.executable, "-c", program, *words, code=None).err.endswith("loaded\n"), words


# One document, and its projections


def test_the_document_is_that_of_diff_and_more(everything: Repository, report: dict[str, Any]) -> None:
    diff = json.loads(everything.lastgood("diff", "--format", "json", code=1).out)
    assert {name: report[name] for name in ("token", "counts")} == {name: diff[name] for name in ("token", "counts")}
    for told, item in zip(diff["prompts"], report["prompts"], strict=True):
        assert {name: item[name] for name in told if name != "cases"} == {
            name: told[name] for name in told if name != "cases"
        }
        for row, found in zip(told["cases"], item["cases"], strict=True):
            kept = [name for name in row if row["status"] != "FAIL" or name not in ("diff", "added", "removed", "said")]
            assert {name: found[name] for name in kept} == {name: row[name] for name in kept}


COUNTS = {"PASS": 1, "FAIL": 1, "DIFF": 2, "NEW": 2, "UNSTABLE": 0}


def test_every_form_counts_the_same(everything: Repository, report: dict[str, Any], page: Page) -> None:
    done = everything.lastgood(
        "report", "--junit", ".lastgood/j.xml", "--markdown", ".lastgood/m.md", "--github", code=1
    )
    assert report["counts"] == COUNTS
    assert {status: sum(item["counts"][status] for item in report["prompts"]) for status in COUNTS} == COUNTS
    # the page: its figures, and the cases that are there
    assert {node["data-count"]: int(page.text_of(node)) for node in page.having("data-count")} == COUNTS
    statuses = [node["data-status"] for node in page.having("data-status")]
    assert {status: statuses.count(status) for status in COUNTS} == COUNTS
    # JUnit
    root = ElementTree.fromstring(everything.read(".lastgood/j.xml"))
    assert (root.attrib["tests"], root.attrib["failures"]) == ("6", "1")
    told = [(one.attrib["name"], one.attrib["value"]) for one in root.iter("property")]
    assert {s: sum(int(n) for name, n in told if name == f"lastgood.{s}") for s in COUNTS} == COUNTS
    # Markdown: its first line, and its rows
    markdown = everything.read(".lastgood/m.md")
    assert markdown.startswith("### lastgood: 83% pass, 2 moved, 2 new, 1 failed\n")
    rows = re.findall(r"^\| (FAIL|DIFF|NEW) \|", markdown, re.MULTILINE)
    assert {s: rows.count(s) for s in ("FAIL", "DIFF", "NEW")} == {s: COUNTS[s] for s in ("FAIL", "DIFF", "NEW")}
    # GitHub
    levels = re.findall(r"^::(\w+) ", done.out, re.MULTILINE)
    assert {level: levels.count(level) for level in set(levels)} == {"error": 1, "warning": 2, "notice": 2}
    assert "83% pass, 2 moved, 2 new, 1 failed\n" in done.out


def test_a_failing_case_shows_what_became_of_the_accepted_answer(report: dict[str, Any]) -> None:
    found = case_of(report, "failing")
    assert (found["old"], found["new"]) == ("Good morning to all.", "As an AI I have no mornings.")
    assert found["diff"][1:] == ["-Good morning to all.", "+As an AI I have no mornings."]


def test_a_trace_is_told_call_by_call(report: dict[str, Any]) -> None:
    steps = [
        (step["state"], step["old_place"], step["new_place"], (step["new"] or step["old"])["name"])
        for step in case_of(report, "orders")["steps"]
    ]
    assert steps == [("same", 1, 1, "get_order"), ("added", 0, 2, "search"), ("changed", 2, 3, "notify")]
    assert case_of(report, "orders")["steps"][1]["new"]["result"] == {"hits": []}


def test_a_case_is_found_in_its_file(report: dict[str, Any]) -> None:
    found = case_of(report, "moved")
    assert found["path"] == "golden/policy/suite.json"
    assert found["line"] > 1


# The prompt and its history


def test_the_prompts_own_diff_is_from_the_pinned_text_to_this(report: dict[str, Any]) -> None:
    policy = prompt_of(report, "policy")
    assert policy["prompt_state"] == "moved"
    assert policy["prompt_diff"][1:] == [
        " Answer in one line.",
        "-Tone: plain.",
        "+Tone: warm.",
        " A longer hello",
    ]
    assert (prompt_of(report, "agent")["prompt_state"], prompt_of(report, "agent")["prompt_diff"]) == ("same", [])


def test_the_pinned_text_is_found_behind_later_commits(pending: Repository) -> None:
    pending.git("add", "-A")
    pending.commit("edited without a migration")
    pending.write({"prompts/billing.txt": "say: lost\n"})
    pending.lastgood("eval")
    pending.lastgood("report", "--json", "r.json")
    billing = prompt_of(json.loads(pending.read("r.json")), "billing")
    assert "-say: paid" in billing["prompt_diff"]
    assert "+say: lost" in billing["prompt_diff"]


def test_a_text_that_git_does_not_have_is_said_to_be_missing(pending: Repository) -> None:
    shutil.rmtree(pending.root / ".git")
    pending.git("init", "-q", "-b", "main")
    pending.git("add", "-A")
    pending.commit("squashed: nothing of before")
    pending.lastgood("report", "--json", "r.json", "--html", "p.html")
    assert prompt_of(json.loads(pending.read("r.json")), "billing")["prompt_state"] == "lost"
    assert "is not in git's history here" in pending.read("p.html")


def test_a_first_baseline_has_no_pinned_text(repo: Repository) -> None:
    shutil.rmtree(repo.root / "baselines")
    repo.lastgood("eval")
    repo.lastgood("report", "--json", "r.json", "--html", "p.html")
    billing = prompt_of(json.loads(repo.read("r.json")), "billing")
    assert (billing["prompt_state"], billing["history"], billing["counts"]["NEW"]) == ("first", [], 2)
    assert "this run would be the first" in repo.read("p.html")


def test_a_stale_run_says_so_in_every_form(pending: Repository) -> None:
    pending.write({"prompts/billing.txt": "another\n"})
    pending.lastgood("report", "--html", "p.html", "--junit", "j.xml", "--markdown", "m.md", "--json", "r.json")
    assert prompt_of(json.loads(pending.read("r.json")), "billing")["prompt_state"] == "lost"
    for name in ("p.html", "j.xml", "m.md"):
        assert "the prompt moved since the run" in pending.read(name), name


def test_the_history_is_that_of_log(everything: Repository, report: dict[str, Any]) -> None:
    logged = json.loads(everything.lastgood("log", "policy", "--json").out)[::-1]
    history = prompt_of(report, "policy")["history"]
    assert [row["hash"] for row in history] == [row["hash"] for row in logged]
    assert [(row["reason"], row["moved"], row["added"], row["kept"]) for row in history] == [
        ("First", 0, 3, 0),
        ("A longer hello", 1, 0, 2),
    ]


def test_lengths_are_those_of_the_completions_that_each_migration_accepted(report: dict[str, Any]) -> None:
    policy = prompt_of(report, "policy")
    assert [row["length"] for row in policy["history"]] == [len("Good morning."), len("Good morning to all.")]
    assert policy["length"] == len("I think returns are free.\nThey take five days.")


def test_an_unanswered_and_a_retired_case_are_named(pending: Repository) -> None:
    pending.lastgood("catalog", "retire", "two", "--reason", "x")
    pending.write({"golden/billing/three.json": json.dumps({"prompt_id": "billing", **case("three")})})
    pending.lastgood("catalog", "ship")
    pending.lastgood("eval", "-p", "billing", "-k", "one")
    pending.lastgood("report", "--html", "p.html", "--junit", "j.xml", "--json", "r.json")
    assert json.loads(pending.read("r.json"))["unanswered"] == 1
    page = pending.read("p.html")
    assert "Not answered by this run: <code>three</code>" in page
    assert "their baselines end: <code>two</code>" in page
    root = ElementTree.fromstring(pending.read("j.xml"))
    (three,) = [one for one in root.iter("testcase") if one.attrib["name"] == "three"]
    assert [child.tag for child in three] == ["skipped"]


# What is cut is said to be, and reachable


def test_a_line_of_a_megabyte_is_bounded_and_whole_in_the_page(page: Page) -> None:
    (article,) = [node for node in page.having("data-status") if node["id"] == "policy/huge"]
    shown = page.text_of(article)
    assert len(shown) < 3_000
    assert "999,523 characters" in shown
    assert "Show it whole (1,000,003 characters)" in shown
    assert json.loads(page.data("whole"))["policy/huge"] == ["", HUGE]
