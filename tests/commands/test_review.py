"""`review` at a real terminal: what is shown, which keys do what, and what is left behind."""

from __future__ import annotations

import json
import os
import re
import signal
from textwrap import dedent

import pytest

from repository import LASTGOOD, STUB, Repository, case, suite
from terminal import CTRL_C, Person, at_terminal

BILLING = "baselines/stub/billing/"
KEYS = "? help"
WHY = "Why may they move? "


@pytest.fixture(autouse=True)
def _no_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")


def person(repo: Repository, *words: str, size: tuple[int, int] = (80, 24), **env: str) -> Person:
    return Person(repo, LASTGOOD, "review", *words, size=size, env={"TERM": "xterm-256color", **env})


def state(repo: Repository) -> dict[str, bytes]:
    return repo.files()


def migrations(repo: Repository) -> list[str]:
    return sorted(path.name for path in (repo.root / BILLING / "migrations").iterdir())


def test_one_after_another_then_why_then_recorded(pending: Repository) -> None:
    ada = person(pending)
    first = ada.reads(KEYS)
    assert first.endswith(
        "1 of 2  billing  3aec1afd765b → bef6cc63192e  stub\n"
        "DIFF one  13ea8aeab5eb → f2136f57aa80  value /status, length +11%\n"
        "\n"
        "   {\n"
        '  -  "status": "paid",\n'
        '  +  "status": "refunded",\n'
        '     "order_id": "ord_one"\n'
        "   }\n"
        "\n"
        "a accept  A +1 alike  r reject  s skip  w whole  p prompt  q quit  ? help"
    )
    ada.types("a")
    assert "2 of 2  billing" in ada.reads(KEYS)
    ada.types("a")
    assert ada.reads(WHY).endswith("2 to review: 2 accepted\nbilling: 2 moved\nWhy may they move? ")
    ada.types("  Refunds are said,   says Ada\n")
    code, shown = ada.leaves()
    assert (code, "recorded stub/billing: 0002_refunds-are-said-says-ada\n" in shown) == (0, True)
    written = json.loads(pending.read(f"{BILLING}migrations/0002_refunds-are-said-says-ada.json"))
    assert written["reason"] == "Refunds are said, says Ada"
    pending.git("add", "-A")
    pending.lastgood("check")


def test_it_records_exactly_what_record_does(pending: Repository, tmp_path_factory: pytest.TempPathFactory) -> None:
    before = state(pending)
    ada = person(pending)
    ada.reads(KEYS)
    ada.types("A")
    ada.reads(WHY)
    ada.types("wanted\n")
    assert ada.leaves()[0] == 0
    by_review = {path: data for path, data in state(pending).items() if data != before.get(path)}
    pending.git("checkout", "--", "baselines")
    (pending.root / BILLING / "migrations/0002_wanted.json").unlink()
    pending.accept("wanted", "-p", "billing")
    by_record = {path: data for path, data in state(pending).items() if data != before.get(path)}
    assert by_review.keys() == by_record.keys()
    baselines = [path for path in by_record if "migrations" not in path and not path.endswith("HEAD")]
    assert [by_review[path] for path in baselines] == [by_record[path] for path in baselines]


@pytest.mark.parametrize("typed", ["\n", "   \n", "…\n", "'…'\n", "...\n"], ids=repr)
def test_no_reason_is_no_reason(pending: Repository, typed: str) -> None:
    ada = person(pending)
    ada.reads(KEYS)
    ada.types("A")
    ada.reads(WHY)
    ada.types(typed)
    assert "a migration needs a reason, and that is none" in ada.reads(WHY)
    ada.types("\x04")
    code, shown = ada.leaves()
    assert (code, migrations(pending)) == (3, ["0001_first-baseline.json"])
    assert "not recorded; decisions are kept, next: lastgood review -c stub" in shown


def test_a_rejected_case_keeps_the_others_from_being_recorded(pending: Repository) -> None:
    before = state(pending)
    ada = person(pending)
    ada.reads(KEYS)
    ada.types("ar")
    code, shown = ada.leaves()
    assert (code, state(pending)) == (3, before)
    assert (
        "2 to review: 1 accepted, 1 rejected\n"
        "billing is not recorded: a baseline is at one pin, so all its answers are accepted or none\n"
        "  rejected: two\n"
        "  next: edit prompts/billing.txt, then lastgood eval -p billing -c stub\n"
    ) in shown


def test_a_skipped_case_is_asked_again_and_nothing_is_recorded_before(pending: Repository) -> None:
    ada = person(pending)
    ada.reads(KEYS)
    ada.types("sa")
    code, shown = ada.leaves()
    assert (code, migrations(pending)) == (3, ["0001_first-baseline.json"])
    assert "  skipped: one\n  next: lastgood review -p billing -c stub\n" in shown
    ada = person(pending)
    assert "DIFF one" in ada.reads(KEYS)
    ada.types("a")
    ada.reads(WHY)
    ada.types("wanted\n")
    assert ada.leaves()[0] == 0


def test_leaving_keeps_what_was_decided(pending: Repository) -> None:
    ada = person(pending)
    ada.reads(KEYS)
    ada.types("aq")
    code, shown = ada.leaves()
    assert code == 3
    assert "2 to review: 1 accepted, 1 not decided\ndecisions are kept; next: lastgood review -c stub\n" in shown
    ada = person(pending)
    assert "2 of 2  billing" in ada.reads(KEYS)
    ada.types("q")
    assert ada.leaves()[0] == 3


def test_a_new_run_forgets_decisions_about_answers_that_changed_and_no_others(pending: Repository) -> None:
    ada = person(pending)
    ada.reads(KEYS)
    ada.types("A")
    ada.reads(WHY)
    ada.types("\x04")
    ada.leaves()
    only_two = 'if request["order_id"] == "ord_two":\n    said = ["gone"]\nprint('
    pending.write({"stub.py": dedent(STUB).replace("print(", only_two)})
    pending.lastgood("eval", "-p", "billing")
    ada = person(pending, "-p", "billing")
    shown = ada.reads(KEYS)
    assert "2 of 2" in shown
    assert "DIFF two" in shown
    ada.types("q")
    assert "1 accepted, 1 not decided" in ada.leaves()[1]


def test_a_run_that_moved_while_it_was_reviewed_is_refused(pending: Repository) -> None:
    ada = person(pending)
    ada.reads(KEYS)
    ada.types("A")
    ada.reads(WHY)
    before = state(pending)
    journal = pending.root / ".lastgood/runs/stub/billing/run.jsonl"
    journal.write_text(journal.read_text().replace("ord_one", "ord_uno"))
    ada.types("wanted\n")
    code, shown = ada.leaves()
    assert (code, state(pending)) == (4, before)
    assert "is not of this run" in shown


def test_ctrl_c_keeps_decisions_and_gives_the_terminal_back(pending: Repository) -> None:
    ada = person(pending)
    ada.reads(KEYS)
    ada.types("a")
    ada.reads(KEYS)
    ada.types(CTRL_C.decode())
    code, shown = ada.leaves()
    assert (code, "lastgood: interrupted" in shown, "Traceback" in shown) == (130, True, False)
    ada = person(pending)
    assert "2 of 2  billing" in ada.reads(KEYS)
    os.kill(ada.process.pid, signal.SIGTERM)
    assert ada.leaves()[0] == 130


def test_keys_of_other_screens(pending: Repository) -> None:
    ada = person(pending)
    ada.reads(KEYS)
    ada.types("p")
    shown = ada.reads("-- any key goes back --")
    assert re.search(r"3aec1afd765b \(commit [0-9a-f]{12}\) → bef6cc63192e\nprompts/billing\.txt\n", shown)
    assert "\n-say: paid\n+say: refunded\n" in shown
    ada.types(" i")
    assert '  "order_id": "ord_one"' in ada.reads("-- any key goes back --")
    ada.types(" w")
    assert '+  "status": "refunded",' in ada.reads("-- any key goes back --")
    ada.types(" ?")
    assert "r  reject: the prompt is to be edited" in ada.reads("-- any key goes back --")
    ada.types(" ")
    ada.reads(KEYS)
    ada.types("rb")
    ada.reads("1 of 2  billing  3aec1afd765b → bef6cc63192e  stub  rejected")
    ada.types("q")
    ada.leaves()


def test_arrows_and_other_keys_do_nothing(pending: Repository) -> None:
    ada = person(pending)
    ada.reads(KEYS)
    ada.types("\x1b[A\x1b[B\x1bOA\x1b[1;5Axyz\né")
    ada.types("r")
    assert "2 of 2" in ada.reads(KEYS)
    ada.types("q")
    assert "1 rejected, 1 not decided" in ada.leaves()[1]


LONG = """\
    import json, sys
    request = json.load(sys.stdin)
    order = request["order_id"]
    said = "The order %s is paid and will leave our house on Friday, I think, by the carrier that you chose. " % order
    print(json.dumps({"status": said * 4, "order_id": order, "lines": list(range(300))}))
    """


@pytest.fixture
def long(repo: Repository) -> Repository:
    """Long lines, and more of them than a screen holds."""
    loose = [case(name, expect={"length": {"le": 100000}}) for name in ("one", "two")]
    repo.write({"golden/billing/suite.json": suite("billing", *loose), "stub.py": LONG.replace(", I think", "")})
    repo.git("rm", "-rq", "--cached", "golden/billing", "baselines/stub/billing")
    repo.run("rm", "-r", "golden/billing/catalog.json", "baselines/stub/billing")
    repo.lastgood("catalog", "ship")
    repo.accept("long", "-p", "billing")
    repo.write({"stub.py": LONG.replace("range(300)", "range(500)")})
    repo.lastgood("eval", "-p", "billing")
    return repo


def rows(shown: str) -> list[str]:
    """The rows of the last screen."""
    bare = re.sub(r"\x1b\[[0-9;]*[mHJ]", "", shown)
    return bare.rpartition("-" * 40)[2].split("\n")[1:]


@pytest.mark.parametrize("size", [(80, 24), (80, 50), (40, 20), (200, 60)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_screen_fits_its_terminal(long: Repository, size: tuple[int, int]) -> None:
    ada = person(long, size=size)
    shown = rows(ada.reads("help"))
    assert len(shown) < size[1]
    assert max(map(len, shown)) <= size[0]
    assert "! hedging phrase appeared: 'I think'" in shown
    assert re.search(r"… [\d,]+ more rows: w shows them", "\n".join(shown))
    assert size[0] < 80 or "{+, I think+}" in "".join(row.strip() for row in shown)
    ada.types("w")
    page = rows(ada.reads("q back --"))
    assert len(page) < size[1]
    ada.types("qq")
    ada.leaves()


@pytest.mark.parametrize("size", [(80, 24), (40, 20)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_case_that_fails_in_many_ways_leaves_room_for_its_answer(repo: Repository, size: tuple[int, int]) -> None:
    ways = case("one", expect={"required_keys": [f"key_{number}" for number in range(40)]})
    repo.write({"golden/billing/suite.json": suite("billing", ways)})
    repo.git("rm", "-rq", "--cached", "golden/billing", "baselines/stub/billing")
    repo.run("rm", "-r", "golden/billing/catalog.json", "baselines/stub/billing")
    repo.lastgood("catalog", "ship")
    repo.lastgood("eval", "-p", "billing", code=1)
    ada = person(repo, size=size)
    shown = rows(ada.reads("help"))
    assert len(shown) < size[1]
    assert shown[0].startswith("1 of 1  billing")
    assert '  | {"status": "paid", "order_id": "ord_on' in "\n".join(shown) or '  |   "status": "paid",' in shown
    assert "more rows: w shows them" in "\n".join(shown)
    ada.types("w")
    page = ada.reads("ck --\r")
    while "key_39" not in page:
        assert "more rows: any key; q back --" in page
        ada.types(" ")
        page = ada.reads(" --\r")
    ada.types("qqq")
    ada.leaves()


def test_the_screen_is_drawn_again_when_the_window_changes(long: Repository) -> None:
    ada = person(long, size=(120, 24))
    wide = rows(ada.reads(KEYS))
    ada.resize((50, 40))
    narrow = rows(ada.reads("help"))
    assert max(map(len, wide)) > 80
    assert max(map(len, narrow)) <= 50
    assert len(narrow) > 24
    ada.types("q")
    ada.leaves()


def test_colour_only_where_it_is_wanted(pending: Repository) -> None:
    ada = person(pending, NO_COLOR="")
    shown = ada.reads("help")
    assert "\x1b[7;32mrefunded\x1b[0m" in shown
    assert "\x1b[H\x1b[2J" in shown
    ada.types("q")
    ada.leaves()
    ada = person(pending, NO_COLOR="1")
    assert "\x1b" not in ada.reads(KEYS)
    ada.types("q")
    assert "\x1b" not in ada.leaves()[1]


def test_a_dumb_terminal_is_asked_by_lines(pending: Repository) -> None:
    ada = person(pending, TERM="dumb")
    ada.reads("> ")
    ada.types("accept\n")
    assert "2 of 2" in ada.reads("> ")
    ada.types("a\n")
    ada.reads(WHY)
    ada.types("wanted\n")
    code, shown = ada.leaves()
    assert (code, "\x1b" in shown) == (0, False)


def test_what_fails_cannot_be_accepted(repo: Repository) -> None:
    repo.write({"prompts/billing.txt": "say: I think\n"})
    repo.lastgood("eval", code=1)
    before = state(repo)
    ada = person(repo, "-p", "billing")
    shown = ada.reads(KEYS)
    assert "FAIL one" in shown
    assert '  |   "status": "I think",\n' in shown
    assert "a accept" not in shown
    ada.types("aAss")
    code, shown = ada.leaves()
    assert (code, state(repo)) == (1, before)
    assert "  fails: one, two\n  next: edit prompts/billing.txt, then lastgood eval -p billing -c stub\n" in shown


def test_a_new_case_and_a_pin_that_alone_moved(repo: Repository) -> None:
    repo.write({"golden/billing/three.json": json.dumps({"prompt_id": "billing", **case("three")})})
    repo.lastgood("catalog", "ship")
    repo.write({"prompts/support.txt": "Help the customer, please.\nsay: pending\n"})
    repo.lastgood("eval")
    ada = person(repo)
    assert "NEW three" in ada.reads(KEYS)
    ada.types("a")
    shown = ada.reads(WHY)
    assert "billing: 1 new\nsupport: no completion moved, its pin does\n" in shown
    ada.types("A third order\n")
    code, shown = ada.leaves()
    assert (code, shown.count("recorded stub/")) == (0, 2)


def test_one_prompt_is_recorded_and_the_other_waits(repo: Repository) -> None:
    repo.write({"prompts/billing.txt": "say: refunded\n", "prompts/support.txt": "say: lost\n"})
    repo.lastgood("eval")
    ada = person(repo)
    ada.reads(KEYS)
    ada.types("Ar")
    shown = ada.reads(WHY)
    assert "support is not recorded" in shown
    ada.types("wanted\n")
    code, shown = ada.leaves()
    assert (code, "recorded stub/billing" in shown, "recorded stub/support" in shown) == (3, True, False)


def test_nothing_moved_nothing_to_review(repo: Repository) -> None:
    repo.lastgood("eval")
    code, shown = at_terminal(repo, LASTGOOD, "review", typed=b"")
    assert (code, shown) == (0, "nothing to review: this is what was accepted last\n")


def test_a_stale_run_is_refused_before_anybody_reads_it(pending: Repository) -> None:
    pending.write({"prompts/billing.txt": "another\n"})
    code, shown = at_terminal(pending, LASTGOOD, "review", "-p", "billing", typed=b"")
    assert (code, "the run of billing is stale" in shown) == (4, True)


def test_without_a_terminal_it_is_refused(pending: Repository) -> None:
    assert pending.lastgood("review", code=4).err == (
        "lastgood: a review needs a terminal; elsewhere, read the diff and record it by its token\n"
        "  run  lastgood diff\n"
    )


@pytest.mark.parametrize("env", [{"CI": "true"}, {"PRE_COMMIT": "1"}], ids=str)
def test_in_ci_and_in_hooks_it_is_refused(pending: Repository, env: dict[str, str]) -> None:
    code, shown = at_terminal(pending, LASTGOOD, "review", typed=b"", env=env)
    assert (code, "recording is refused" in shown, shown.count("\n")) == (4, True, 1)
