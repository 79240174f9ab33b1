"""The audit of trees in memory: one row a way of being wrong, and what is said of it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from lastgood.commands.survey import survey
from lastgood.core import strict_json
from lastgood.core.catalog import dump_catalog, read_catalog
from lastgood.core.shipping import retire
from lastgood.core.tree import Tree
from lastgood.core.value import replace
from lastgood.core.verdict import CANNOT_TELL, OUT_OF_STEP
from memory_tree import (
    CATALOG,
    FIRST,
    HEAD,
    NOWHERE,
    ONE,
    PROMPT,
    SECOND,
    SUITE,
    TWO,
    Files,
    accepted,
    case,
    dumped,
    findings,
    history,
    in_step,
    look,
    merged,
    plain,
    shipped,
    suite,
    twice,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


CORE = Path(__file__).resolve().parents[2] / "hooks/lastgood/core"


def test_what_is_in_step_has_no_finding() -> None:
    assert findings(in_step()) == ()
    assert findings(twice()) == ()


def edited(files: Files, path: str, **changes: Any) -> Files:
    """With some keys of a JSON file changed."""
    return {**files, path: strict_json.dump({**json.loads(files[path]), **changes})}


def pin_edited(files: Files, path: str, end: str, **changes: str) -> Files:
    return edited(files, path, **{end: {**json.loads(files[path])[end], **changes}})


def without(files: Files, *paths: str) -> Files:
    return {path: data for path, data in files.items() if path not in paths}


def moved(files: Files, old: str, new: str) -> Files:
    return {**without(files, old), new: files[old]}


def replaced(files: Files, path: str, old: str, new: str) -> Files:
    data = files[path].decode()
    assert old in data
    return {**files, path: data.replace(old, new).encode()}


def configured(more: str, files: Files | None = None) -> Files:
    """With more lines of configuration (top-level keys first)."""
    files = files or in_step()
    return {**files, "lastgood.toml": more.encode() + b"\n" + files["lastgood.toml"]}


def retired(files: Files, *case_ids: str) -> Files:
    catalog = read_catalog(CATALOG, files[CATALOG])
    cases = [fact for _, fact in look(files).prompts["billing"].suite.cases]
    for case_id in case_ids:
        catalog = retire(catalog, next(r for r in catalog.rows if r.case_id == case_id), cases, "not needed", "")
    return {**files, CATALOG: dump_catalog(catalog)}


def head_of(files: Files, path: str) -> bytes:
    """The HEAD line of one migration of the tree."""
    found = next(m for c in look(files).prompts["billing"].chains for m in c.migrations if m.path == path)
    return (found.head_line + "\n").encode()


def two_heads() -> Files:
    """Two migrations that follow the first."""
    left = accepted({**in_step(), PROMPT: b"Say refunded.\n"}, "refunded", "second")
    right = accepted({**in_step(), PROMPT: b"Say refunded.\n"}, "refunded", "another")
    return left | {path: data for path, data in right.items() if "another" in path}


OUT, CANT = OUT_OF_STEP, CANNOT_TELL
MIGRATIONS = "baselines/stub/billing/migrations/"

# What is wrong → (the tree, [(code, verdict, path)…] that must be found and nothing else, words of the messages).
ROWS: dict[str, tuple[Callable[[], Files], list[tuple[str, int, str]], list[str]]] = {
    # prompts
    "prompt moved": (
        lambda: {**in_step(), PROMPT: b"Say refunded.\n"},
        [("prompt-moved", OUT, PROMPT)],
        ["the prompt moved, its baseline did not"],
    ),
    "one byte of a prompt moved": (
        lambda: {**in_step(), PROMPT: in_step()[PROMPT] + b"\n"},
        [("prompt-moved", OUT, PROMPT)],
        ["moved"],
    ),
    "prompt without baseline": (
        lambda: shipped(plain()),
        [("no-baseline", OUT, PROMPT)],
        ["no baseline of 'stub': nobody has accepted what this prompt answers"],
    ),
    "prompt without cases": (
        lambda: {**in_step(), "prompts/new.txt": b"x"},
        [("no-cases", OUT, "prompts/new.txt")],
        ["has no golden cases, so nothing would notice when it moves"],
    ),
    "no prompt": (
        lambda: without(plain(), PROMPT, SUITE),
        [("no-prompt", CANT, "lastgood.toml")],
        ["no file of the tree matches prompts/**"],
    ),
    "every prompt unguarded": (
        lambda: configured('unguarded = ["prompts/**"]', without(plain(), SUITE)),
        [("no-prompt", CANT, "lastgood.toml")],
        ["(1 are unguarded)"],
    ),
    "two prompts of one id": (
        lambda: {**in_step(), "prompts/billing.md": b"x"},
        [("prompt-collision", CANT, PROMPT), ("prompt-moved", OUT, "prompts/billing.md")],
        ["two prompts share the id 'billing': prompts/billing.md has it too"],
    ),
    "prompt of a reserved name": (
        lambda: {**in_step(), "prompts/schemas.txt": b"x"},
        [("prompt-name", CANT, "prompts/schemas.txt")],
        ["is what lastgood calls files and folders of its own"],
    ),
    "prompt whose name is not UTF-8": (
        lambda: {**in_step(), "prompts/\udcff.txt": b"x"},
        [("prompt-name", CANT, "prompts/\udcff.txt")],
        ["is not UTF-8"],
    ),
    "declared file that is not there": (
        lambda: {**in_step(), "lastgood.toml": in_step()["lastgood.toml"] + b'[prompt.x]\nfiles = ["tools/*.json"]\n'},
        [("prompt-file-missing", CANT, "lastgood.toml")],
        ["the prompt 'x' names 'tools/*.json', which matches no file of the tree"],
    ),
    "prompt gone, cases and baselines left": (
        lambda: {**without(in_step(), PROMPT), "prompts/other.txt": b"x"},
        [("prompt-gone", OUT, CATALOG), ("prompt-gone", OUT, HEAD), ("no-cases", OUT, "prompts/other.txt")],
        ["golden cases without a prompt: no prompt 'billing'", "baseline of stub without a prompt"],
    ),
    # golden cases
    "case edited in place": (
        lambda: replaced(in_step(), SUITE, '"order": "two"', '"order": "2"'),
        [("case-edited", OUT, SUITE), ("suite-moved", OUT, HEAD)],
        ["case 'two' version 1 was edited in place after it shipped (case_hash", "golden cases moved"],
    ),
    "case lost": (
        lambda: {**in_step(), SUITE: suite(case("one"))},
        [("case-lost", OUT, CATALOG), ("suite-moved", OUT, HEAD)],
        ["case 'two' version 1 is shipped, but its object is not in the tree"],
    ),
    "retired case lost": (
        lambda: {**accepted(retired(in_step(), "two"), reason="second"), SUITE: suite(case("one"))},
        [("case-lost", OUT, CATALOG)],
        ["case 'two' version 1 is shipped"],
    ),
    "case not shipped": (
        lambda: {**in_step(), "golden/billing/new.json": dumped({"prompt_id": "billing", **case("new")})},
        [("case-unshipped", OUT, "golden/billing/new.json"), ("suite-moved", OUT, HEAD)],
        ["case 'new' version 1 is not in the catalog yet"],
    ),
    "no catalog": (
        lambda: without(in_step(), CATALOG),
        [("no-catalog", OUT, CATALOG)],
        ["no catalog: 2 golden cases of this prompt never shipped"],
    ),
    "catalog edited": (
        lambda: edited(in_step(), CATALOG, suite_hash="0" * 16),
        [("catalog-edited", OUT, CATALOG)],
        ["says suite_hash 0000000000000000, its rows give"],
    ),
    "catalog of another prompt": (
        lambda: edited(in_step(), CATALOG, prompt_id="support"),
        [("misplaced", CANT, CATALOG)],
        ["is the catalog of 'support'"],
    ),
    "suite of another prompt": (
        lambda: edited(in_step(), SUITE, prompt_id="support"),
        [("misplaced", CANT, SUITE)],
        ["says prompt_id 'support', but lies in the folder of 'billing'"],
    ),
    "case twice": (
        lambda: {**in_step(), "golden/billing/two.json": dumped({"prompt_id": "billing", **case("two")})},
        [
            ("case-doubled", CANT, "golden/billing/two.json"),
            ("case-edited", OUT, "golden/billing/two.json"),
            ("suite-moved", OUT, HEAD),
        ],
        [f"case 'two' version 1 is also in {SUITE}"],
    ),
    "two versions active": (
        lambda: {**in_step(), SUITE: suite(case("one"), case("two"), case("two", 2))},
        [("case-doubled", CANT, SUITE), ("case-unshipped", OUT, SUITE), ("suite-moved", OUT, HEAD)],
        ["case 'two' version 2 and version 1 are both active; only one can be asked"],
    ),
    "ids that some disks take for one": (
        lambda: {**in_step(), "golden/billing/new.json": dumped({"prompt_id": "billing", **case("ONE")})},
        [
            ("case-collision", CANT, "golden/billing/"),
            ("case-unshipped", OUT, "golden/billing/new.json"),
            ("suite-moved", OUT, HEAD),
        ],
        ["the case ids 'ONE' and 'one' would be one file on some disks"],
    ),
    "every case retired": (
        lambda: retired(in_step(), "one", "two"),
        [("empty-suite", CANT, CATALOG), ("suite-moved", OUT, HEAD)],
        ["no case is active: nothing would be checked"],
    ),
    "schema that is not there": (
        lambda: accepted(shipped({**plain(), SUITE: suite(case("one", expect={"output_schema": "reply"}))})),
        [("schema-missing", CANT, "golden/schemas/reply.json")],
        ["is not in the tree, and is the output schema of case 'one'"],
    ),
    "schema that does not parse": (
        lambda: {
            **accepted(shipped({**plain(), SUITE: suite(case("one", expect={"output_schema": "reply"}))})),
            "golden/schemas/reply.json": b"{",
        },
        [("malformed", CANT, "golden/schemas/reply.json")],
        [""],
    ),
    "suite pinned to other bytes": (
        lambda: edited(in_step(), SUITE, prompt_sha256="0" * 64),
        [("suite-pin", OUT, SUITE)],
        ["the suite was written for other bytes of this prompt"],
    ),
    "suite that is not JSON": (lambda: {**in_step(), SUITE: b"{"}, [("malformed", CANT, SUITE)], [""]),
    "suite with conflict markers": (
        lambda: {**in_step(), SUITE: b"<<<<<<< ours\n" + in_step()[SUITE]},
        [("malformed", CANT, SUITE)],
        ["conflict markers"],
    ),
    "suite that is empty": (lambda: {**in_step(), SUITE: b""}, [("malformed", CANT, SUITE)], [""]),
    "file that is no case": (
        lambda: {**in_step(), "golden/billing/notes.txt": b"x"},
        [("malformed", CANT, "golden/billing/notes.txt")],
        ["is no golden case: cases are .json files"],
    ),
    # baselines
    "baseline edited": (
        lambda: replaced(in_step(), ONE, "paid", "pad"),
        [("baseline-edited", OUT, ONE)],
        ["was edited by hand: its lines do not give its digest"],
    ),
    "baseline edited with its digest": (
        lambda: {**in_step(), ONE: accepted(shipped(plain()), "pad")[ONE]},
        [("baseline-mismatch", OUT, "baselines/stub/billing/")],
        ["the completions here are not those that 0001_first accepted"],
    ),
    "baseline lost": (
        lambda: without(in_step(), TWO),
        [("baseline-mismatch", OUT, "baselines/stub/billing/")],
        ["one was edited, lost or added"],
    ),
    "baseline in another's place": (
        lambda: moved(in_step(), TWO, "baselines/stub/billing/2.json"),
        [("baseline-renamed", OUT, "baselines/stub/billing/2.json")],
        ["holds the case 'two'"],
    ),
    "baseline of a retired case": (
        lambda: retired(in_step(), "two"),
        [("suite-moved", OUT, HEAD)],
        ["the golden cases moved, the baseline did not"],
    ),
    "baseline that nobody asks for": (
        lambda: pin_of_now(retired(in_step(), "two")),
        [("baseline-obsolete", OUT, TWO)],
        ["no active case 'two' has this baseline"],
    ),
    "baseline of another version": (
        lambda: pin_of_now(shipped({**in_step(), SUITE: newer()}, reason="stricter")),
        [("baseline-stale", OUT, TWO)],
        ["was accepted for another version of case 'two'"],
    ),
    "case that has no baseline": (
        lambda: pin_of_now(shipped({**in_step(), SUITE: suite(case("one"), case("two"), case("three"))})),
        [("baseline-missing", OUT, "baselines/stub/billing/three.json")],
        ["case 'three' has no accepted completion"],
    ),
    "normalization moved": (
        lambda: {**in_step(), SUITE: suite(case("one"), case("two"), normalize="exact")},
        [("normalization-moved", OUT, ONE), ("normalization-moved", OUT, TWO)],
        ['was accepted under the normalization "whitespace", the case now says "exact"'],
    ),
    "baseline that is not JSON": (lambda: {**in_step(), ONE: b"{"}, [("malformed", CANT, ONE)], [""]),
    "file that is no baseline": (
        lambda: {**in_step(), "baselines/stub/billing/one.txt": b"x"},
        [("malformed", CANT, "baselines/stub/billing/one.txt")],
        ["is no baseline: only `lastgood record` writes here"],
    ),
    # completers
    "completer moved": (
        lambda: {**in_step(), "stub.py": b"print('[]')\n"},
        [("completer-moved", OUT, HEAD)],
        ["the completer 'stub' moved (its command, model, parameters or files), the baseline did not"],
    ),
    "completer that is not configured": (
        lambda: {
            **in_step(),
            "lastgood.toml": b'commit_completer = "real"\nrequire = []\n[completers.real]\ncommand = ["true"]\n',
        },
        [("completer-unknown", OUT, HEAD)],
        ["a baseline of the completer 'stub', which is not configured"],
    ),
    "no completer required": (
        lambda: {**shipped(plain()), "lastgood.toml": b""},
        [("no-completer", OUT, "lastgood.toml")],
        ["no completer has to have a baseline of this prompt, so nothing would notice when it moves"],
    ),
    # the chain
    "prompt required of another completer": (
        lambda: {
            **in_step(),
            "lastgood.toml": b'require = ["stub", "real"]\n[completers.real]\ncommand = ["true"]\n'
            b'[completers.stub]\ncommand = ["python3", "stub.py"]\n',
        },
        [("no-baseline", OUT, PROMPT)],
        ["no baseline of 'real'"],
    ),
    "no migration": (
        lambda: without(in_step(), FIRST),
        [("no-migration", OUT, MIGRATIONS)],
        ["accepted completions without a migration that accepted them"],
    ),
    "first migration lost": (
        lambda: without(twice(), FIRST),
        [("parent-missing", OUT, SECOND)],
        ["follows a migration that is not in the tree"],
    ),
    "newest migration lost": (
        lambda: without(twice(), SECOND),
        [("head-mismatch", OUT, HEAD)],
        ["names '0002_second ", "but the newest migration is '0001_first "],
    ),
    "migration edited": (
        lambda: edited(twice(), FIRST, reason="another"),
        [("parent-missing", OUT, SECOND)],
        ["it was edited, removed, or not staged"],
    ),
    "newest migration edited": (
        lambda: edited(twice(), SECOND, reason="another"),
        [("head-mismatch", OUT, HEAD)],
        ["names '0002_second "],
    ),
    "two heads": (
        two_heads,
        [("two-heads", OUT, SECOND)],
        ["two migrations follow the same one: 0002_another and 0002_second"],
    ),
    "HEAD lost": (
        lambda: without(in_step(), HEAD),
        [("head-missing", OUT, HEAD)],
        ["is missing; it names the newest migration"],
    ),
    "HEAD with conflict markers": (
        lambda: {**in_step(), HEAD: b"<<<<<<< a\n0001_a 1\n=======\n0001_b 2\n>>>>>>> b\n"},
        [("malformed", CANT, HEAD)],
        ["holds conflict markers"],
    ),
    "HEAD that is empty": (lambda: {**in_step(), HEAD: b""}, [("malformed", CANT, HEAD)], ["must be one line"]),
    "migration of another prompt": (
        lambda: edited(in_step(), FIRST, prompt_id="support"),
        [("migration-foreign", OUT, FIRST)],
        ["is a migration of stub/support"],
    ),
    "migration renamed": (
        lambda: moved(in_step(), FIRST, MIGRATIONS + "0001_other.json"),
        [("migration-renamed", OUT, MIGRATIONS + "0001_other.json")],
        ["calls itself 0001_first"],
    ),
    "migration out of turn": (
        lambda: moved(edited(in_step(), FIRST, migration=3), FIRST, MIGRATIONS + "0003_first.json"),
        [("migration-number", OUT, MIGRATIONS + "0003_first.json")],
        ["has the number 3 out of turn"],
    ),
    "migration from another pin": (
        lambda: pin_edited(twice(), SECOND, "from", prompt_sha256="0" * 64),
        [("pin-broken", OUT, SECOND)],
        ["starts from another pin than the one its parent ends at"],
    ),
    "migration without a reason": (
        lambda: edited(in_step(), FIRST, reason="  "),
        [("no-reason", OUT, FIRST)],
        ["was accepted without a reason"],
    ),
    "migration with a key twice": (
        lambda: replaced(in_step(), FIRST, '"migration": 1', '"migration": 1, "migration": 1'),
        [("malformed", CANT, FIRST)],
        ["duplicate key"],
    ),
}


def newer() -> bytes:
    return suite(case("one"), case("two"), case("two", 2, input={"order": "2nd"}))


def pin_of_now(files: Files) -> Files:
    """With a tip that claims to be of the suite as it is now: only its baselines tell."""
    found = look(files).prompts["billing"]
    files = pin_edited(files, FIRST, "to", suite_hash=found.suite.suite_hash)
    return {**files, HEAD: head_of(files, FIRST)}


def told(found: Any) -> list[tuple[str, int, str]]:
    return sorted((finding.code, finding.verdict, finding.path) for finding in found)


@pytest.mark.parametrize("name", ROWS)
def test_what_is_wrong_is_found_and_nothing_else(name: str) -> None:
    build, expected, words = ROWS[name]
    found = findings(build())
    assert told(found) == sorted(expected)
    said = "\n".join(finding.message for finding in found)
    assert [word for word in words if word not in said] == [], said


@pytest.mark.parametrize("name", ROWS)
def test_every_finding_says_where_why_and_mostly_what_to_run(name: str) -> None:
    for finding in findings(ROWS[name][0]()):
        assert finding.path
        assert finding.message
        assert not finding.message.endswith(".")
        assert finding.fix or finding.code in ("malformed", "prompt-name", "misplaced")
        assert finding.prompt_id or finding.code in ("no-prompt", "prompt-collision", "prompt-name")


def mode(entries: Mapping[str, tuple[str, str]], found: str) -> dict[str, tuple[str, str]]:
    return {path: (found if path == PROMPT else old, oid) for path, (old, oid) in entries.items()}


@pytest.mark.parametrize(("found", "kind"), [("120000", "a symbolic link"), ("160000", "a submodule")])
def test_a_prompt_must_be_a_file(found: str, kind: str) -> None:
    tree = Tree.of(in_step())
    tree = Tree(tree.name, mode(tree.entries, found), tree._fetch)
    assert told(survey(NOWHERE, tree).findings) == [("prompt-mode", CANNOT_TELL, PROMPT)]
    message = survey(NOWHERE, tree).findings[0].message
    assert message == f"is {kind} (mode {found}), not a file: its bytes are not in this commit"


def test_an_executable_prompt_is_a_file() -> None:
    tree = Tree.of(in_step())
    assert survey(NOWHERE, Tree(tree.name, mode(tree.entries, "100755"), tree._fetch)).findings == ()


def test_an_unmerged_path_is_named() -> None:
    tree = Tree.of(in_step())
    tree = Tree(tree.name, tree.entries, tree._fetch, (PROMPT, SUITE))
    finding = survey(NOWHERE, tree).findings[0]
    assert (finding.code, finding.verdict, finding.path) == ("unmerged", CANNOT_TELL, PROMPT)
    assert finding.message == "unmerged path and 1 more: the conflict is not resolved yet"


def test_an_unmerged_path_that_is_none_of_ours_is_no_finding() -> None:
    tree = Tree.of(in_step())
    assert survey(NOWHERE, Tree(tree.name, tree.entries, tree._fetch, ("src/main.c",))).findings == ()


# --- details: old and new, short enough to compare by eye ---


def detail(files: Files, code: str) -> dict[str, str]:
    return dict(next(finding for finding in findings(files) if finding.code == code).details)


def test_a_moved_prompt_names_both_hashes_and_what_is_missing() -> None:
    found = detail({**in_step(), PROMPT: b"Say refunded.\n"}, "prompt-moved")
    pinned, now = look(in_step()).prompts["billing"], look({**in_step(), PROMPT: b"Say refunded.\n"}).prompts["billing"]
    assert found == {
        "prompt": "billing",
        "pinned": f"{pinned.prompt_sha256[:12]}  by 0001_first",
        "now": now.prompt_sha256[:12],
        "missing": f"a migration in baselines/stub/billing/ to {now.prompt_sha256[:12]}",
    }


def test_the_commands_that_mend_a_moved_prompt_are_in_order() -> None:
    finding = findings({**in_step(), PROMPT: b"Say refunded.\n"})[0]
    assert finding.fix == (
        "lastgood eval -p billing -c stub",
        "lastgood diff -p billing -c stub",
        "lastgood record -p billing -c stub --reason '…'",
        "git add prompts/billing.txt golden/billing/ baselines/stub/billing/",
    )


def test_a_pinned_suite_does_not_say_again_what_its_baseline_says() -> None:
    now = look(in_step()).prompts["billing"].prompt_sha256
    files = edited(in_step(), SUITE, prompt_sha256=now)
    assert findings(files) == ()
    assert told(findings({**files, PROMPT: b"x"})) == [("prompt-moved", OUT_OF_STEP, PROMPT)]


# --- what is no move ---


def relaid(data: bytes) -> bytes:
    return json.dumps(json.loads(data), indent=8, sort_keys=True).replace("\n", "\r\n").encode()


@pytest.mark.parametrize("path", [SUITE, CATALOG, ONE, FIRST])
def test_layout_and_line_endings_are_no_move(path: str) -> None:
    files = in_step()
    assert relaid(files[path]) != files[path]
    assert findings({**files, path: relaid(files[path])}) == ()


def test_notes_beside_cases_are_left_alone() -> None:
    assert findings({**in_step(), "golden/billing/README.md": b"why", "golden/billing/.keep": b""}) == ()


def test_an_unguarded_prompt_is_left_alone() -> None:
    files = configured('unguarded = ["prompts/drafts/**"]')
    assert findings({**files, "prompts/drafts/new.txt": b"x"}) == ()


def test_a_merge_of_two_heads_is_in_step() -> None:
    files = two_heads()
    found = look(files).prompts["billing"].chains[0]
    ends = [migration for migration in found.migrations if migration.number == 2]
    whole = json.loads(files[SECOND])
    joined = {
        **whole,
        "migration": 3,
        "slug": "joined",
        "parents": [end.hash for end in ends],
        "from": ends[0].target.declared(),
        "moved": {},
    }
    path = MIGRATIONS + "0003_joined.json"
    files = {**files, path: strict_json.dump(joined)}
    assert findings({**files, HEAD: head_of(files, path)}) == ()


# --- against a shared base ---


def rewritten(files: Files, **changes: Any) -> Files:
    catalog = read_catalog(CATALOG, files[CATALOG])
    rows = tuple(replace(row, **changes) if row.case_id == "two" else row for row in catalog.rows)
    return {**files, CATALOG: dump_catalog(replace(catalog, rows=rows))}


HISTORY: dict[str, tuple[Callable[[], Files], Callable[[], Files], list[tuple[str, int, str]], str]] = {
    "migration edited": (
        lambda: edited(twice(), SECOND, reason="another"),
        twice,
        [("migration-edited", OUT, SECOND)],
        "a shipped migration was edited; the chain is append-only",
    ),
    "migration malformed": (
        lambda: {**twice(), SECOND: b"{"},
        twice,
        [("migration-edited", OUT, SECOND)],
        "a shipped migration was edited",
    ),
    "migration removed": (
        in_step,
        twice,
        [("migration-removed", OUT, SECOND)],
        "a shipped migration was removed; the chain is append-only",
    ),
    "row dropped": (
        lambda: shipped({**without(in_step(), CATALOG), SUITE: suite(case("one"))}),
        in_step,
        [("row-dropped", OUT, CATALOG)],
        "the shipped case 'two' version 1 was dropped",
    ),
    "catalog removed": (
        lambda: without(in_step(), CATALOG),
        in_step,
        [("row-dropped", OUT, CATALOG)],
        "the catalog is gone, and with it 2 shipped cases",
    ),
    "row rewritten": (
        lambda: rewritten(in_step(), case_hash="0" * 16),
        in_step,
        [("row-rewritten", OUT, CATALOG)],
        "the shipped case 'two' version 1 was rewritten (",
    ),
    "row revived": (
        in_step,
        lambda: retired(in_step(), "two"),
        [("row-revived", OUT, CATALOG)],
        "the shipped case 'two' version 1 was retired and is active again",
    ),
    "row added": (
        lambda: shipped({**in_step(), SUITE: suite(case("one"), case("two"), case("three"))}),
        in_step,
        [],
        "",
    ),
    "row retired": (lambda: retired(in_step(), "two"), in_step, [], ""),
    "migration added": (twice, in_step, [], ""),
    "layout only": (lambda: {**twice(), SECOND: relaid(twice()[SECOND])}, twice, [], ""),
    "base that was malformed": (in_step, lambda: {**in_step(), CATALOG: b"{"}, [], ""),
}


@pytest.mark.parametrize("name", HISTORY)
def test_what_was_shipped_is_never_rewritten(name: str) -> None:
    now, base, expected, word = HISTORY[name]
    found = history(now(), base())
    assert told(found) == expected
    assert all(word in finding.message and finding.prompt_id == "billing" and finding.fix for finding in found)


def test_a_file_that_recording_removes_leaves_the_tree() -> None:
    assert sorted(merged({"a": b"1", "b": b"2"}, {"a": None, "c": b"3"})) == ["b", "c"]


# --- the table is whole ---

# Said by the rooms that touch the world; tests/commands and tests/scenarios have them.
ELSEWHERE = {"completer-mode", "completer-untracked", "migration-lost", "newer-format", "no-base"}
OTHERWISE = {"prompt-mode", "unmerged"}  # in tests above that need a tree that files alone cannot make


def test_every_code_of_the_audit_is_in_a_table() -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in sorted(CORE.glob("*.py")))
    near = r'(?:Finding\(|say\(|_row\(|code = "[a-z ]+", |, code =| if gone else |newer else )\s*'
    codes = set(re.findall(near + r'"([a-z]+-[a-z-]+|malformed|misplaced|unmerged)"', source))
    codes |= set(re.findall(r'what, code = [^\n]*, "([a-z-]+)"', source))
    tested = {code for _, rows, _ in ROWS.values() for code, _, _ in rows}
    tested |= {code for _, _, rows, _ in HISTORY.values() for code, _, _ in rows}
    assert len(codes) > 35, sorted(codes)
    assert codes - tested - OTHERWISE - ELSEWHERE == set()
    assert tested - codes == set()
