"""History, push and CI: the commit that others will get is judged, against what they already have."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from hooked import MANAGERS, WAYS, Hooked

if TYPE_CHECKING:
    from pathlib import Path

PROMPT = "prompts/billing.txt"
ONE = "baselines/stub/billing"


@pytest.mark.parametrize("way", WAYS[:1])
def test_41_migration_with_a_duplicate_key(repo: Hooked) -> None:
    """A merge by machine may leave a key twice in a migration: refused, with its place."""
    path = repo.migrations()[-1]
    text = repo.read(path)
    repo.write({path: text.replace('"slug":', '"slug": "other",\n  "slug":', 1)})
    said = repo.blocked("-a", hook=4).said
    assert path in said
    assert "/slug: duplicate key" in said


@pytest.mark.parametrize("way", WAYS[:1])
@pytest.mark.parametrize(
    "path", [f"{ONE}/HEAD", f"{ONE}/one.json", "golden/billing/suite.json", "golden/billing/catalog.json"]
)
def test_41_conflict_markers(repo: Hooked, path: str) -> None:
    """Conflict markers that were added and committed are refused."""
    text = repo.read(path)
    repo.write({path: f"<<<<<<< HEAD\n{text}=======\n{text}>>>>>>> other\n"})
    said = repo.blocked("-a", hook=4).said
    assert path in said
    assert "conflict markers" in said


def _diverged(repo: Hooked, support: str) -> None:
    """main and `other` both moved the billing prompt, `other` also support, well or badly; merging them conflicts."""
    repo.git("checkout", "-q", "-b", "other")
    repo.move_and_accept("billing", "refunded")
    if support == "recorded":
        repo.move_and_accept("support", "closed")
    else:
        repo.move("support", "closed")
    repo.git("add", "-A")
    repo.unchecked()
    repo.git("checkout", "-q", "main")
    repo.move_and_accept("billing", "cancelled")
    repo.git("add", "-A")
    repo.passes()
    merge = repo.git("merge", "other", code=1)
    assert "CONFLICT" in merge.out


def _resolve_with_ours(repo: Hooked) -> None:
    repo.git("checkout", "-q", "HEAD", "--", PROMPT, ONE)
    repo.git("rm", "-qf", "--ignore-unmatch", f"{ONE}/migrations/0002_billing-says-refunded.json")
    repo.git("add", PROMPT, ONE)


@pytest.mark.parametrize("support", ["recorded", "not recorded"])
def test_42_conflict_resolved_with_one_side(repo: Hooked, support: str) -> None:
    """After a conflict every prompt is judged, not only those that conflicted."""
    _diverged(repo, support)
    _resolve_with_ours(repo)
    said = repo.blocked().said
    assert "made this migration, and the merge left it out" in said  # what theirs accepted is not forgotten silently
    assert ("prompts/support.txt: the prompt moved" in said) is (support != "recorded")


def test_42_one_side_s_prompt_with_the_other_s_baseline(repo: Hooked) -> None:
    """A conflict resolved with one side's prompt and the other side's baseline is blocked."""
    _diverged(repo, "recorded")
    _resolve_with_ours(repo)
    repo.git("checkout", "-q", "other", "--", PROMPT)
    assert "prompts/billing.txt: the prompt moved" in repo.blocked().said


def test_43_unmerged_paths(repo: Hooked) -> None:
    """In the middle of a merge nothing can be told, and nobody says that it holds."""
    _diverged(repo, "recorded")
    said = repo.lastgood("check", code=4).err
    assert "unmerged path" in said
    if repo.way != "hook":
        repo.run(repo.tool(repo.way), "run", "--all-files", code=1)
    repo.git("commit", "-m", "too early", code=128)
    assert 0 not in repo.codes()


def _branch(repo: Hooked, *, good: bool) -> None:
    """A branch with one more commit, beside main, which is checked out."""
    repo.git("checkout", "-q", "-b", "feature")
    if good:
        repo.move_and_accept()
    else:
        repo.move()
    repo.git("add", "-A")
    repo.unchecked()
    repo.git("checkout", "-q", "main")


@pytest.mark.parametrize("good", [True, False], ids=["good branch", "bad branch"])
def test_45_another_branch_is_pushed(repo: Hooked, good: bool) -> None:
    """The pushed branch is judged, not the one that is checked out."""
    origin = repo.publish()
    repo.install("pre-push")
    _branch(repo, good=good)
    repo.push("feature", hook=0 if good else 2)
    pushed = repo.git("ls-remote", origin.as_uri(), "feature").out
    assert bool(pushed) == good


def test_45_a_branch_that_was_pushed_before(repo: Hooked) -> None:
    """A push that adds a bad commit to a branch that others have is blocked; the commit that mends it passes."""
    repo.publish()
    repo.install("pre-push")
    repo.move()
    repo.unchecked("-a")
    repo.push("main", hook=2)
    repo.accept("mended")
    repo.git("add", "-A")
    repo.passes()
    repo.push("main", hook=0)


def test_46_dirty_index_and_clean_commit(repo: Hooked) -> None:
    """What is staged, and what lies on disk, is not pushed and not judged."""
    repo.publish()
    repo.install("pre-push")
    repo.move_and_accept()
    repo.git("add", "-A")
    repo.passes()
    repo.git("add", repo.move("support"))
    repo.write({"lastgood.toml": "nonsense"})
    repo.push("main", hook=0)


@pytest.mark.parametrize("good", [True, False], ids=["good", "bad"])
def test_47_from_one_commit_to_another(repo: Hooked, good: bool) -> None:
    """`run --from-ref A --to-ref B` judges B, whatever is checked out."""
    _branch(repo, good=good)
    hook = 0 if good else 2
    refs = ("--from-ref", "main", "--to-ref", "feature")
    if repo.way == "hook":
        repo.lastgood("gate", *refs, code=hook)
    else:
        repo.run(repo.tool(repo.way), "run", *refs, code=1 if hook else 0)
        assert repo.codes() == [hook]


def _shallow(repo: Hooked, origin: Path, branch: str = "main") -> Hooked:
    """What a CI runner has: one commit of one branch."""
    target = repo.root.with_name("shallow")
    repo.git("clone", "-q", "--depth", "1", "--branch", branch, origin.as_uri(), str(target))
    return Hooked(target, repo.way)


@pytest.mark.parametrize("good", [True, False], ids=["good", "bad"])
def test_48_shallow_clone(repo: Hooked, good: bool) -> None:
    """A clone of depth 1 is judged like any other."""
    _branch(repo, good=good)
    clone = _shallow(repo, repo.publish(), "feature")
    clone.everything(0 if good else 2)


def _rewrite_history(repo: Hooked) -> None:
    """On a branch: a shipped case changed together with its catalog and its baseline, as if it had always been so."""
    repo.git("checkout", "-q", "-b", "feature")
    path = repo.root / "golden/billing/suite.json"
    found = json.loads(path.read_text(encoding="utf-8"))
    found["cases"][0]["expect"]["forbidden"] = ["nothing at all"]
    path.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    (repo.root / "golden/billing/catalog.json").unlink()
    repo.git("rm", "-qr", ONE)
    # Nobody shares main where the rewriter stands, so `ship` lets it pass.
    repo.git("update-ref", "-d", "refs/remotes/origin/main")
    repo.git("rm", "-q", "--cached", "golden/billing/catalog.json")
    repo.git("commit", "-q", "--no-verify", "-m", "forget")
    repo.lastgood("catalog", "ship")
    repo.accept("as if it were the first")
    repo.git("add", "-A")
    repo.git("reset", "-q", "--soft", "main")
    repo.unchecked(message="rewritten")
    repo.lastgood("check")


def test_49_golden_and_ledger_rewritten_together(repo: Hooked) -> None:
    """A consistent rewrite is seen against a base of which only one commit was fetched."""
    origin = repo.publish()
    _rewrite_history(repo)
    repo.git("push", "-q", "--no-verify", "origin", "feature")
    clone = _shallow(repo, origin, "feature")
    clone.git("fetch", "-q", "--depth", "1", "origin", "main:refs/remotes/origin/main")
    said = clone.everything(2).said
    assert "was rewritten" in said


def test_49_at_the_push(repo: Hooked) -> None:
    """The same rewrite is seen at the push, before anybody has it."""
    repo.publish()
    _rewrite_history(repo)
    repo.git("fetch", "-q", "origin", "main:refs/remotes/origin/main")
    repo.install("pre-push")
    repo.push("feature", hook=2)


def test_50_no_base(repo: Hooked) -> None:
    """Without a base the check of history is skipped and says so; `require_base` refuses that."""
    origin = repo.publish()
    _rewrite_history(repo)
    repo.git("push", "-q", "--no-verify", "origin", "feature")
    clone = _shallow(repo, origin, "feature")
    assert "history check skipped: no shared base here" in clone.everything(0).said
    clone.write({"lastgood.toml": "require_base = true\n" + clone.read("lastgood.toml")})
    clone.git("add", "-A")
    assert "require_base is set" in clone.everything(4).said


def test_51_unstaged_edit(repo: Hooked) -> None:
    """An edit that is not staged is not judged by `--all-files`, and is named."""
    repo.move()
    said = repo.everything(0).said
    assert "prompts/billing.txt has edits that are not staged" in said


@pytest.mark.parametrize("way", WAYS[:1])
@pytest.mark.parametrize("how", ["no file", "all unguarded", "globs match nothing"])
def test_52_nothing_to_check(repo: Hooked, how: str) -> None:
    """Where no prompt is found, nothing was checked: that never passes."""
    if how == "no file":
        repo.git("rm", "-qr", "prompts", "golden", "baselines")
    else:
        line = 'unguarded = ["prompts/**"]\n' if how == "all unguarded" else 'prompts = ["promts/**"]\n'
        repo.write({"lastgood.toml": line + repo.read("lastgood.toml")})
        repo.git("rm", "-qr", "--cached", "golden", "baselines")
        repo.git("add", "lastgood.toml")
    said = repo.blocked(hook=4).said
    assert "no prompt to check" in said


@pytest.mark.parametrize("way", MANAGERS[:1])
def test_ci_runs_the_check_by_itself(repo: Hooked) -> None:
    """A commit from which somebody deleted the hook's entry still fails `lastgood check`."""
    repo.write({".pre-commit-config.yaml": "repos: []\n"})
    repo.move()
    repo.git("commit", "-q", "-a", "-m", "no hook")
    assert repo.codes() == []
    repo.lastgood("check", "--all", code=2)


@pytest.mark.parametrize("way", WAYS[:1])
def test_a_branch_deleted_at_the_push(repo: Hooked) -> None:
    """Deleting a branch pushes no commit."""
    repo.publish()
    repo.git("push", "-q", "origin", "main:old")
    repo.install("pre-push")
    repo.git("push", "origin", ":old")
    assert repo.codes() == []
