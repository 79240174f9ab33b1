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
    repo.follow(said)
    repo.passes()


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
