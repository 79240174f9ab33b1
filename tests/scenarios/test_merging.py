"""Two branches that come together: what git merges is judged, and what both recorded is one more migration."""

from __future__ import annotations

import json

import pytest

from hooked import WAYS, Hooked

PROMPT = "prompts/billing.txt"
ONE = "baselines/stub/billing"
PLAIN = pytest.mark.parametrize("way", WAYS[:1])  # the way of running the gate is not what these are about

LINES = "Answer with the status of an order.\n{first}\n\n\n\n\nsay: {last}\n"  # the stub says what it finds first


def _long_prompt(repo: Hooked) -> None:
    """A prompt long enough for two branches to edit different lines of it."""
    repo.write({PROMPT: LINES.format(first="Be brief.", last="paid")})
    repo.accept("long", "-p", "billing")
    repo.git("add", "-A")
    repo.passes()


def _edit(repo: Hooked, branch: str, *, record: bool, **lines: str) -> None:
    """One commit on a branch from main that edits the prompt, with its migration or without; main is checked out."""
    repo.git("checkout", "-q", "-B", branch, "main")
    repo.write({PROMPT: LINES.format(**{"first": "Be brief.", "last": "paid", **lines})})
    if record:
        repo.accept(f"of {branch}", "-p", "billing")
    repo.git("add", "-A")
    repo.unchecked()
    repo.git("checkout", "-q", "main")


def _apart(repo: Hooked, *, record: bool = True) -> None:
    """`left` and `right` edited different lines of one prompt; `left` is checked out."""
    _long_prompt(repo)
    _edit(repo, "left", record=True, first="say: refunded")
    _edit(repo, "right", record=record, last="cancelled")
    repo.git("checkout", "-q", "left")


def _parents(repo: Hooked, path: str) -> list[str]:
    return list(json.loads(repo.read(path))["parents"])


def test_37_clean_merge_of_a_prompt(repo: Hooked) -> None:
    """A merge that git makes by itself is blocked before it is a commit, and the printed commands lead to one."""
    repo.install("pre-commit", "pre-merge-commit")
    _apart(repo, record=False)
    repo.codes()
    done = repo.git("merge", "right", code=1)
    assert repo.codes() == [2]
    assert "prompts/billing.txt: the prompt moved, its baseline did not" in done.said
    repo.follow(done.said)
    repo.passes()
    assert len(repo.git("rev-list", "--parents", "-n1", "HEAD").out.split()) == 3


def test_38_clean_merge_without_the_hook(repo: Hooked) -> None:
    """Without pre-merge-commit the merge is made, and CI is red."""
    _apart(repo, record=False)
    repo.git("merge", "-q", "--no-edit", "right")
    assert repo.codes() == []
    repo.everything(2)


def test_39_both_recorded(repo: Hooked) -> None:
    """HEAD conflicts; evaluating, reading, `record --merge` and git add, as printed, lead to the merge commit."""
    repo.install("pre-commit", "pre-merge-commit")
    _apart(repo)
    merge = repo.git("merge", "right", code=1)
    assert f"CONFLICT (content): Merge conflict in {ONE}/HEAD" in merge.out
    repo.git("diff", "--quiet", "--diff-filter=U", "--", PROMPT)  # git merged the prompt
    said = repo.lastgood("check", code=4).err
    assert f"{ONE}/HEAD: unmerged path and 2 more: both sides recorded" in said
    assert "git restore" not in said
    assert repo.follow(said) == [
        "lastgood eval -p billing -c stub",
        "lastgood diff -p billing -c stub",
        "lastgood record --merge -p billing -c stub --reason '…'",
        f"git add golden/billing/ {ONE}/",
    ]
    repo.passes()
    newest = repo.migrations()[-1]
    heads = {json.loads(repo.read(path))["slug"]: path for path in repo.migrations()}
    assert newest.endswith("/0004_as-it-should-be.json")
    assert sorted(heads) == ["as-it-should-be", "first-baseline", "long", "of-left", "of-right"]
    assert len(_parents(repo, newest)) == 2
    assert json.loads(repo.read(newest))["from"] == json.loads(repo.read(heads["of-left"]))["to"]
    repo.everything(0)


@PLAIN
def test_39_the_diff_of_a_merge(repo: Hooked) -> None:
    """What the merged prompt answers is shown against what either side had accepted."""
    _apart(repo)
    repo.git("merge", "right", code=1)
    assert "2 PASS" in repo.lastgood("eval", "-p", "billing").out  # as on our side
    out = repo.lastgood("diff", "-p", "billing").out
    ours, theirs = out.split("note: ")[1:]
    assert ours.startswith("merges 0003_of-left and 0003_of-right; this is against 0003_of-left\n")
    assert "PASS one" in ours
    assert theirs.startswith("merges 0003_of-right and 0003_of-left; this is against 0003_of-right\n")
    assert '-  "status": "cancelled",' in theirs
    assert '+  "status": "refunded",' in theirs
    assert "accept: lastgood record -p billing -c stub --merge --accept " in out


@PLAIN
def test_39_refused_before_it_was_asked(repo: Hooked) -> None:
    """A merged prompt that nobody evaluated, and a run of another prompt, are not recorded; nothing is written."""
    _apart(repo)
    repo.git("merge", "right", code=1)
    before = repo.files()
    merge = ("record", "--merge", "-p", "billing", "--reason", "both", "--accept", "0" * 12)
    assert "no pending run of stub\n  run  lastgood eval -c stub" in repo.lastgood(*merge, code=4).err
    repo.lastgood("eval", "-p", "billing")
    whole = repo.read(PROMPT)
    repo.write({PROMPT: whole + "One more thing.\n"})
    assert "the run of billing is stale: the prompt moved" in repo.lastgood(*merge, code=4).err
    repo.write({PROMPT: whole})
    assert "the token 000000000000 is not of this run" in repo.lastgood(*merge, code=4).err
    assert repo.files() == before
    alone = (*merge[:1], *merge[2:])
    said = repo.lastgood(*alone, code=4).err
    assert "cannot record: two migrations follow the same one: 0003_of-left and 0003_of-right" in said
    assert "run  lastgood record --merge -p billing -c stub --reason '…'" in said


@PLAIN
def test_39_undone(repo: Hooked) -> None:
    """What `record --merge` says to type takes all of it back, and the conflict is there again."""
    _apart(repo)
    repo.git("merge", "right", code=1)
    before = repo.files()
    repo.lastgood("eval", "-p", "billing")
    token = repo.token("-p", "billing")
    out = repo.lastgood("record", "--merge", "-p", "billing", "--reason", "both", "--accept", token).out
    assert f"next: git add {ONE}/ && git commit" in out
    repo.run("bash", "-c", out.partition("undo, before that: ")[2])
    assert repo.files().keys() == before.keys()
    assert "<<<<<<< " in repo.read(f"{ONE}/HEAD")
    assert f"UU {ONE}/HEAD" in repo.git("status", "--porcelain").out


def test_40_both_recorded_conflict(repo: Hooked) -> None:
    """A squash of what both recorded conflicts as the merge does; settled the same way it is one commit."""
    _apart(repo)
    done = repo.git("merge", "--squash", "right", code=1)
    assert f"Merge conflict in {ONE}/HEAD" in done.out
    repo.follow(repo.lastgood("check", code=4).err)
    repo.passes()
    assert len(_parents(repo, repo.migrations()[-1])) == 2
    assert len(repo.git("rev-list", "--parents", "-n1", "HEAD").out.split()) == 2


@PLAIN
@pytest.mark.parametrize("how", ["rebase", "cherry-pick"])
def test_40_replayed_onto_what_the_other_recorded(repo: Hooked, how: str) -> None:
    """A rebase or a cherry-pick of a recorded move stops at HEAD, is settled the same way, and goes on."""
    repo.publish()
    repo.install("pre-commit", "pre-push")
    _apart(repo)
    repo.git(how, "right", code=1)
    repo.follow(repo.lastgood("check", code=4).err)
    repo.git(how, "--continue", env={"GIT_EDITOR": "true"})
    repo.push("left", hook=0)


@PLAIN
def test_40_the_prompt_conflicts_too(repo: Hooked) -> None:
    """First the person decides about the prompt, which the refusal says; then the rest goes as always."""
    _long_prompt(repo)
    _edit(repo, "left", record=True, last="refunded")
    _edit(repo, "right", record=True, last="cancelled")
    repo.git("checkout", "-q", "left")
    repo.git("merge", "right", code=1)
    said = repo.lastgood("status", code=4).out
    assert f"{PROMPT}: unmerged path: the conflict is not resolved yet" in said
    assert f"next: resolve it, then git add {PROMPT}" in said
    assert f"{PROMPT}: unmerged path" in repo.lastgood("eval", code=4).err
    repo.write({PROMPT: LINES.format(first="Be brief.", last="cancelled or refunded")})
    repo.git("add", PROMPT)
    assert "next: lastgood eval -p billing -c stub" in repo.lastgood("status", code=2).out
    repo.follow(repo.lastgood("check", code=4).err)
    repo.passes()


@PLAIN
def test_40_the_suite_names_the_prompt(repo: Hooked) -> None:
    """Both sides rewrote the suite's own `prompt_sha256`: either stands until `record` writes the prompt's."""
    suite_path = "golden/billing/suite.json"
    pin = repo.lastgood("status", "--json").out.partition('"prompt_sha256": "')[2][:64]
    repo.write({suite_path: repo.read(suite_path).replace("{", f'{{\n  "prompt_sha256": "{pin}",', 1)})
    _apart(repo)
    repo.git("merge", "right", code=1)
    said = repo.lastgood("check", code=4).err
    assert "of two prompt_sha256 take either: lastgood record writes the prompt's own" in said
    assert f"{suite_path}: unmerged path" in repo.lastgood("eval", code=4).err
    repo.git("checkout", "--theirs", suite_path)
    repo.git("add", suite_path)
    repo.follow(repo.lastgood("check", code=4).err)
    repo.passes()


@pytest.mark.parametrize("side", ["--ours", "--theirs"])
@PLAIN
def test_40_resolved_with_one_side(repo: Hooked, side: str) -> None:
    """One side's HEAD and completions do not make the other's migration go away: blocked, with the way on."""
    _apart(repo)
    repo.git("merge", "right", code=1)
    repo.git("checkout", side, "--", ONE)
    repo.git("add", ONE)
    said = repo.blocked().said
    assert "two migrations follow the same one: 0003_of-left and 0003_of-right" in said
    repo.follow(said)
    repo.passes()


@PLAIN
def test_40_committed_anyway(repo: Hooked) -> None:
    """A fork that somebody committed without hooks is mended by the same commands, one commit later."""
    _apart(repo)
    repo.git("merge", "right", code=1)
    repo.git("checkout", "--ours", "--", ONE)
    repo.git("add", ONE)
    repo.unchecked()
    repo.git("branch", "-qD", "right")
    said = repo.lastgood("check", code=2).err
    repo.follow(said)
    repo.git("add", "-A")
    repo.passes()


@PLAIN
def test_40_three_heads(repo: Hooked) -> None:
    """git makes no octopus of what conflicts; two merges that nobody settled are three heads, merged two by two."""
    _apart(repo)
    repo.git("checkout", "-q", "main")
    _edit(repo, "third", record=True, last="late")
    repo.git("checkout", "-q", "left")
    octopus = repo.git("merge", "right", "third", code=None)
    assert octopus.code
    repo.git("reset", "-q", "--hard", "left")
    for other in ("right", "third"):
        repo.git("merge", other, code=1)
        repo.git("checkout", "--theirs", "--", ONE)
        repo.write({PROMPT: LINES.format(first="say: refunded", last="cancelled")})
        repo.git("add", "-A")
        repo.unchecked()
    said = repo.lastgood("check", code=2).err
    assert "0003_of-left and 0003_of-right and 0003_of-third" in said
    repo.follow(said)
    said = repo.blocked().said
    assert "two migrations follow the same one: 0003_of-" in said
    repo.follow(said)
    repo.passes()
    assert [len(_parents(repo, path)) for path in repo.migrations()[-2:]] == [2, 2]
    assert "nothing to merge" in repo.lastgood("record", "--merge", "--reason", "again", code=4).err


@PLAIN
def test_40_a_migration_is_lost(repo: Hooked) -> None:
    """A merge that leaves one side's migration out but not what follows it: blocked, and mended as printed."""
    _apart(repo)
    repo.git("checkout", "-q", "right")
    repo.move_and_accept(say="late")
    repo.git("add", "-A")
    repo.passes()
    repo.git("checkout", "-q", "left")
    repo.git("merge", "right", code=1)
    repo.git("rm", "-q", "--cached", f"{ONE}/migrations/0003_of-right.json")
    (repo.root / f"{ONE}/migrations/0003_of-right.json").unlink()
    repo.git("checkout", "--theirs", "--", ONE)
    repo.git("checkout", "--theirs", "--", PROMPT)
    repo.git("add", "-A")
    said = repo.blocked().said
    assert "follows a migration that is not in the tree" in said
    while "nothing" not in said and repo.lastgood("check", code=None).code:
        said = repo.lastgood("check", code=2).err
        repo.follow(said)
    repo.passes()


@PLAIN
def test_40_a_completion_of_the_other_side(repo: Hooked) -> None:
    """One side's chain with the other side's completion: the completions are not those that were accepted."""
    _apart(repo)
    repo.git("merge", "right", code=1)
    repo.git("rm", "-q", "--cached", f"{ONE}/migrations/0003_of-right.json")
    (repo.root / f"{ONE}/migrations/0003_of-right.json").unlink()
    repo.git("checkout", "--ours", "--", ONE)
    repo.git("checkout", "--theirs", "--", f"{ONE}/one.json")
    repo.git("add", "-A")
    said = repo.blocked().said
    assert "the completions here are not those that 0003_of-left accepted" in said
    assert "0003_of-right.json: the other side of the merge made this migration" in said
    _settle(repo, 2)


def _same_words(repo: Hooked) -> str:
    """Both sides of `_apart` recorded for the same reason, so their migrations have one name; its path."""
    _long_prompt(repo)
    for branch, lines in (("left", {"first": "say: refunded"}), ("right", {"last": "cancelled"})):
        repo.git("checkout", "-q", "-B", branch, "main")
        repo.write({PROMPT: LINES.format(**{"first": "Be brief.", "last": "paid", **lines})})
        repo.accept("same words", "-p", "billing")
        repo.git("add", "-A")
        repo.unchecked()
    repo.git("checkout", "-q", "left")
    return f"{ONE}/migrations/0003_same-words.json"


def _settle(repo: Hooked, code: int) -> None:
    """Follow what check prints until it holds, three times at most, and commit."""
    for _ in range(3):
        said = repo.lastgood("check", code=code).err
        repo.follow(said)
        code = repo.lastgood("check", code=None).code
        if not code:
            break
    repo.passes()
    assert not any("<<<<<<< " in repo.read(path) for path in repo.files(ONE))


@PLAIN
def test_40_one_name(repo: Hooked) -> None:
    """Two migrations of one name conflict in one file: ours stays, and what is printed ends in a recorded merge."""
    path = _same_words(repo)
    ours = repo.read(path)
    repo.git("merge", "right", code=1)
    said = repo.lastgood("check", code=4).err
    assert "both sides made a migration of one name" in said
    assert "git add" not in said.partition("note:")[0]  # that would call the markers resolved
    _settle(repo, 4)
    assert repo.read(path) == ours
    assert repo.migrations()[-1].endswith("/0004_as-it-should-be.json")
    assert len(repo.git("rev-list", "--parents", "-n1", "HEAD").out.split()) == 3


@PLAIN
def test_40_one_name_that_others_have_already(repo: Hooked) -> None:
    """Of two migrations of one name the one that was pushed stays, or the chain that others have would be edited."""
    path = _same_words(repo)
    repo.git("branch", "-qf", "main", "right")
    repo.publish()
    repo.git("merge", "origin/main", code=1)
    _settle(repo, 4)
    assert repo.read(path) == repo.git("show", f"right:{path}").out


@PLAIN
@pytest.mark.parametrize("edited", ["left", "right"])
def test_40_one_recorded_and_one_edited_by_hand(repo: Hooked, edited: str) -> None:
    """A completion edited by hand on either branch is not merged: what was recorded stays."""
    _long_prompt(repo)
    recorded = "left" if edited == "right" else "right"
    _edit(repo, recorded, record=True, first="say: refunded")
    repo.git("checkout", "-q", "-B", edited, "main")
    repo.write({f"{ONE}/one.json": repo.read(f"{ONE}/one.json").replace("paid", "late")})
    repo.git("add", "-A")
    repo.unchecked()
    repo.git("checkout", "-q", "left")
    repo.git("merge", "right", code=1)
    assert "completions that only one side recorded were edited by the other" in repo.lastgood("check", code=4).err
    _settle(repo, 4)
    assert repo.read(f"{ONE}/one.json") == repo.git("show", f"{recorded}:{ONE}/one.json").out


@PLAIN
@pytest.mark.parametrize("committed", [False, True])
def test_40_heads_concatenated(repo: Hooked, committed: bool) -> None:
    """A HEAD that holds both lines is a fork like any other, before and after it was committed."""
    _apart(repo)
    repo.git("merge", "right", code=1)
    repo.git("checkout", "--ours", "--", f"{ONE}/one.json", f"{ONE}/two.json")
    lines = repo.read(f"{ONE}/HEAD").splitlines(keepends=True)
    repo.write({f"{ONE}/HEAD": "".join(line for line in lines if not line.startswith(("<<<", "===", ">>>")))})
    repo.git("add", "-A")
    if committed:
        repo.unchecked()
    _settle(repo, 2)
    assert len(_parents(repo, repo.migrations()[-1])) == 2


@PLAIN
@pytest.mark.parametrize("side", ["ours", "theirs"])
def test_40_strategy_options(repo: Hooked, side: str) -> None:
    """`merge -X` leaves no conflict and still two heads; the gate at pre-merge-commit blocks it."""
    repo.install("pre-commit", "pre-merge-commit")
    _apart(repo)
    repo.codes()
    said = repo.git("merge", "--no-edit", "-X", side, "right", code=1).said
    assert repo.codes() == [2]
    assert "two migrations follow the same one: 0003_of-left and 0003_of-right" in said
    repo.follow(said)
    repo.passes()


@PLAIN
def test_40_the_other_sides_migration_is_left_out(repo: Hooked) -> None:
    """No fork, and everything in step: what the other side recorded is missed without any base, also afterwards."""
    _apart(repo)
    repo.git("merge", "-q", "--no-commit", "-s", "ours", "right")
    lost = (
        f"{ONE}/migrations/0003_of-right.json: the other side of the merge made this migration, and the merge left it"
    )
    assert lost in repo.blocked().said
    repo.unchecked()
    said = repo.lastgood("check", "--to-ref", "HEAD", code=2).err
    assert lost in said
    repo.follow(said)
    said = repo.lastgood("check", code=2).err
    assert "two migrations follow the same one" in said
    repo.follow(said)
    repo.passes()


@PLAIN
def test_40_what_we_removed_before_is_not_lost(repo: Hooked) -> None:
    """A recorded move that this branch took back, unpushed, is not asked for again by a merge with its twin."""
    repo.git("checkout", "-q", "-b", "left")
    repo.move_and_accept()
    repo.git("add", "-A")
    repo.passes()
    repo.git("branch", "right")
    repo.git("revert", "--no-edit", "HEAD")
    repo.git("checkout", "-q", "right")
    repo.write({"notes.md": "Others went on.\n"})
    repo.git("add", "-A")
    repo.passes()
    repo.git("checkout", "-q", "left")
    repo.git("merge", "-q", "--no-commit", "--no-ff", "right")
    repo.passes()


def test_40_other_prompts(repo: Hooked) -> None:
    """Branches that recorded different prompts merge without a conflict or a word; so do a revert and its revert."""
    repo.install("pre-commit", "pre-merge-commit")
    for branch, prompt in (("left", "billing"), ("right", "support")):
        repo.git("checkout", "-q", "-b", branch, "main")
        repo.move_and_accept(prompt)
        repo.git("add", "-A")
        repo.passes()
    repo.git("merge", "-q", "--no-edit", "left")
    assert repo.codes() == [0]
    for _ in range(2):
        repo.git(
            "revert",
            "--no-edit",
            *(("-m1",) if len(repo.git("show", "-s", "--format=%p").out.split()) > 1 else ()),
            "HEAD",
        )
        repo.everything(0)


@PLAIN
def test_40_revert_of_a_recorded_merge(repo: Hooked) -> None:
    """Reverting a settled merge gives back our side whole; reverting that, the merge."""
    _apart(repo)
    repo.git("merge", "right", code=1)
    _settle(repo, 4)
    settled = repo.files()
    repo.git("revert", "--no-edit", "-m1", "HEAD")
    repo.everything(0)
    assert repo.migrations()[-1].endswith("/0003_of-left.json")
    repo.git("revert", "--no-edit", "HEAD")
    repo.everything(0)
    assert repo.files() == settled


@pytest.mark.parametrize("how", ["cherry-pick", "rebase", "revert"])
def test_44_replayed_commits_that_break_the_state(repo: Hooked, how: str) -> None:
    """No hook runs when commits are replayed: what that breaks is seen before anybody else gets it."""
    repo.publish()
    repo.install("pre-commit", "pre-push")
    repo.git("checkout", "-q", "-b", "feature")
    repo.move()
    repo.accept("moved")
    repo.git("add", "prompts")
    repo.unchecked(message="prompt")
    repo.git("add", "-A")
    repo.passes()
    repo.git("checkout", "-q", "-b", "other", "main")
    repo.write({"notes.md": "Others went on.\n"})
    repo.git("add", "-A")
    repo.passes()
    if how == "cherry-pick":
        repo.git("cherry-pick", "feature~1")
    elif how == "rebase":
        repo.git("rebase", "-q", "other", "feature", "-i", env={"GIT_SEQUENCE_EDITOR": "sed -i.bak 2d"})
    else:
        repo.git("merge", "-q", "--no-verify", "--no-edit", "feature")
        repo.git("revert", "--no-edit", "feature")
    repo.push("HEAD", hook=2)
