"""Ways of committing: what git is about to commit is what is judged, however it is committed."""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING

import pytest

from hooked import MANAGERS, WAYS, Hooked
from repository import suite

if TYPE_CHECKING:
    from pathlib import Path

PROMPT = "prompts/billing.txt"


def test_01_prompt_and_migration(repo: Hooked) -> None:
    """A prompt that is committed with its migration passes."""
    repo.move_and_accept()
    repo.git("add", "-A")
    repo.passes()


def test_02_prompt_alone(repo: Hooked) -> None:
    """A prompt that is committed alone is blocked, and the output says what to run."""
    repo.move()
    repo.git("add", "-A")
    said = repo.blocked().said
    assert "prompts/billing.txt: the prompt moved, its baseline did not" in said
    assert repo.follow(said)[0] == "lastgood eval -p billing -c stub"
    repo.passes()


def test_02_suite_that_names_its_prompt(repo: Hooked) -> None:
    """Recording rewrites a suite's own `prompt_sha256`; what is printed stages that too, at every stage of the loop."""
    whole = repo.read("golden/billing/suite.json")
    pin = repo.lastgood("status", "--json").out.partition('"prompt_sha256": "')[2][:64]
    repo.write({"golden/billing/suite.json": whole.replace("{", f'{{\n  "prompt_sha256": "{pin}",', 1)})
    repo.git("add", "-A")
    repo.passes()
    repo.move()
    repo.git("add", "-A")
    repo.follow(repo.blocked().said)
    repo.passes()
    repo.git("add", repo.move_and_accept(say="late"), "baselines")
    said = repo.blocked().said
    assert "golden/billing/suite.json /prompt_sha256: the suite was written for other bytes of this prompt" in said
    assert repo.follow(said)[-1].startswith("git add ")
    repo.passes()


def test_02_a_prompt_that_two_completers_answer_for(repo: Hooked) -> None:
    """A chain once begun follows every edit: the refusal leads through both loops, and one of the two is not enough."""
    more = '[completers.real]\ncommand = ["python3", "stub.py"]\n'
    repo.write({"lastgood.toml": repo.read("lastgood.toml") + more})
    repo.accept("as a real model says", "-c", "real", "-p", "billing")
    repo.git("add", "-A")
    repo.passes()
    repo.git("add", repo.move_and_accept(), "baselines/stub")
    said = repo.blocked().said
    assert "a migration in baselines/real/billing/" in said
    assert "baselines/stub/billing/" not in said
    repo.git("restore", "-q", "--staged", "--worktree", ".")
    repo.git("clean", "-fdq")
    repo.git("add", repo.move(say="late"))
    assert [command.split(" --reason")[0] for command in repo.follow(repo.blocked().said)] == [
        "lastgood eval -p billing -c stub",
        "lastgood diff -p billing -c stub",
        "lastgood record -p billing -c stub",
        "git add prompts/billing.txt golden/billing/ baselines/stub/billing/",
        "lastgood eval -p billing -c real",
        "lastgood diff -p billing -c real",
        "lastgood record -p billing -c real",
        "git add prompts/billing.txt golden/billing/ baselines/real/billing/",
    ]
    repo.passes()


def test_02_two_prompts_one_migration(repo: Hooked) -> None:
    """One prompt's migration does not answer for another prompt."""
    repo.move_and_accept("billing")
    repo.move("support")
    repo.git("add", "-A")
    said = repo.blocked().said
    assert "prompts/support.txt: the prompt moved" in said
    assert "prompts/billing.txt" not in said


def test_02_commit_from_a_subdirectory(repo: Hooked) -> None:
    """From a folder of the repository the whole repository is judged."""
    repo.move()
    repo.blocked("-a", cwd="golden/support")


def test_02_commit_from_a_subdirectory_and_type_there_what_is_printed(repo: Hooked) -> None:
    """The commands that a refusal prints lead on where the commit was typed; git runs hooks somewhere else."""
    repo.git("add", repo.move())
    said = repo.blocked(cwd="golden/support").said
    assert repo.follow(said, cwd="golden/support") == [
        "lastgood eval -p billing -c stub",
        "lastgood diff -p billing -c stub",
        "lastgood record -p billing -c stub --reason '…'",
        "git -C ../.. add prompts/billing.txt golden/billing/ baselines/stub/billing/",
    ]
    repo.passes(cwd="golden/support")


def test_02_commit_in_a_linked_worktree(repo: Hooked) -> None:
    """In a linked worktree its own index is judged, not the main one's."""
    repo.git("worktree", "add", "-q", "-b", "other", "../linked")
    linked = Hooked(repo.root.with_name("linked"), repo.way)
    linked.move_and_accept()
    linked.git("add", "prompts")
    linked.blocked()
    linked.git("add", "-A")
    linked.passes()
    repo.everything(0)


def test_03_untracked_migration(repo: Hooked) -> None:
    """A migration that is only on disk does not count, and the output names it."""
    repo.git("add", repo.move_and_accept())
    said = repo.blocked().said
    assert f"not staged  {repo.migrations()[-1]} (untracked)" in said
    assert repo.follow(said)[0].startswith("git add ")
    repo.passes()


def test_04_ignored_migration(repo: Hooked) -> None:
    """A migration that git ignores does not count, and the output says how to add it."""
    repo.move_and_accept()
    repo.write({".gitignore": "0002*\n"})
    repo.git("add", "-A")
    said = repo.blocked().said
    assert f"not staged  {repo.migrations()[-1]} (ignored by git)" in said
    assert repo.follow(said) == ["git add -f baselines/stub/billing/"]
    repo.passes()


def test_04_what_is_no_file_beside_the_migrations(repo: Hooked) -> None:
    """A link that leads nowhere and a repository of its own, both unknown to git: the index is judged all the same."""
    repo.git("add", repo.move())
    folder = repo.root / "baselines/stub/billing/migrations"
    (folder / "0009_nowhere.json").symlink_to("nowhere")
    repo.git("init", "-q", str(folder / "0010_other.json"))
    said = repo.blocked().said
    assert "prompts/billing.txt: the prompt moved" in said
    status = repo.lastgood("status", code=4).out
    assert "0009_nowhere.json: is a symbolic link, not a file" in status
    repo.run("sh", "-c", status.rpartition("next: ")[2])
    assert not (folder / "0009_nowhere.json").is_symlink()


def test_05_untracked_migration_commit_a(repo: Hooked) -> None:
    """`commit -a` does not take the untracked migration along, and a blocked one leaves the index as it was."""
    repo.move_and_accept()
    before = (repo.root / ".git/index").read_bytes()
    said = repo.blocked("-a").said
    assert (repo.root / ".git/index").read_bytes() == before
    assert f"not staged  {repo.migrations()[-1]} (untracked)" in said
    repo.follow(said)
    repo.passes("-a")


@pytest.mark.parametrize("part", ["migrations/0002_billing-says-refunded.json", "HEAD", "one.json"])
def test_06_tracked_migration_with_an_unstaged_edit(repo: Hooked, part: str) -> None:
    """What mends a baseline must be staged: on disk alone it does not count."""
    repo.move_and_accept()
    path = repo.root / "baselines/stub/billing" / part
    good = path.read_bytes()
    path.write_bytes(good.replace(b"refunded", b"paid").replace(b"0002", b"0001"))
    repo.git("add", "-A")
    path.write_bytes(good)
    repo.blocked()
    assert path.read_bytes() == good


def test_07_migration_without_the_prompt(repo: Hooked) -> None:
    """A migration whose prompt is edited but not staged is out of step too."""
    repo.move_and_accept()
    repo.git("add", "baselines")
    repo.follow(repo.blocked().said)
    repo.passes()


def test_08_commit_p_takes_one_hunk_of_two(repo: Hooked) -> None:
    """A migration of both hunks does not cover one of them."""
    lines = [f"Rule {number}.\n" for number in range(30)]
    repo.write({PROMPT: "".join(lines)})
    repo.accept("longer")
    repo.git("add", "-A")
    repo.passes()
    repo.write({PROMPT: "".join(["First.\n", *lines[1:-1], "Last.\n"])})
    repo.accept("two hunks")
    repo.git("add", "baselines")
    repo.blocked("-p", feed="y\nn\n")
    repo.passes("-p", feed="y\ny\n")


def test_09_commit_only_the_prompt(repo: Hooked) -> None:
    """`commit --only` of the prompt leaves its staged migration behind."""
    prompt = repo.move_and_accept()
    repo.git("add", "-A")
    repo.blocked("--only", prompt)
    repo.follow(repo.blocked(prompt).said)
    repo.passes()


def test_10_commit_only_both(repo: Hooked) -> None:
    """`commit --only` of prompt and migration passes, and other staged files stay staged."""
    prompt = repo.move_and_accept()
    repo.move("support")
    repo.git("add", "-A")
    repo.passes("--only", prompt, "baselines/stub/billing")
    assert repo.git("diff", "--cached", "--name-only").out == "prompts/support.txt\n"
    repo.blocked()


def test_11_commit_include_the_prompt(repo: Hooked) -> None:
    """`commit -i` adds the prompt to its staged migration."""
    prompt = repo.move_and_accept()
    repo.git("add", "baselines")
    repo.passes("-i", prompt)


def test_11_commit_include_from_a_subdirectory(repo: Hooked) -> None:
    """`commit -i` with a path that is relative to a folder judges the same tree."""
    repo.move_and_accept()
    repo.git("add", "baselines")
    repo.passes("-i", "billing.txt", cwd="prompts")


def test_12_intent_to_add_then_commit_a(repo: Hooked) -> None:
    """`commit -a` takes files along that were only announced by `add -N`."""
    repo.move_and_accept()
    repo.git("add", "-N", "baselines")
    repo.passes("-a")
    assert repo.git("status", "--porcelain").out == ""


def test_12_intent_to_add_alone(repo: Hooked) -> None:
    """A migration that is only announced by `add -N` is not in the commit, and does not count."""
    prompt = repo.move_and_accept()
    repo.git("add", "-N", "baselines")
    repo.git("add", prompt)
    repo.blocked()


def test_13_amend_rewords(repo: Hooked) -> None:
    """Rewording a good commit passes."""
    repo.move_and_accept()
    repo.git("add", "-A")
    repo.passes()
    repo.passes("--amend")


def test_14_amend_without_the_migration(repo: Hooked) -> None:
    """Amending the migration out of a commit is blocked, although the file is still on disk."""
    repo.move_and_accept()
    repo.git("add", "-A")
    repo.passes()
    repo.git("rm", "-q", "--cached", repo.migrations()[-1])
    repo.blocked("--amend")


def _second_version(repo: Hooked) -> None:
    """A new version of case `one`, shipped and accepted, committed and not pushed."""
    _edit_case(repo, "one", "I think", "I guess")
    repo.lastgood("catalog", "bump", "one", "--reason", "hedges differ")
    repo.accept("a new version")
    repo.git("add", "-A")
    repo.passes()


def _edit_case(repo: Hooked, case_id: str, old: str, new: str) -> None:
    """Change a word in the newest version of a case of the billing suite."""
    path = repo.root / "golden/billing/suite.json"
    found = json.loads(path.read_text(encoding="utf-8"))
    row = max((row for row in found["cases"] if row["id"] == case_id), key=lambda row: row["version"])
    row["expect"]["forbidden"] = [new if word == old else word for word in row["expect"]["forbidden"]]
    path.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


def test_15_unpushed_version_edited_and_amended(repo: Hooked) -> None:
    """A version that nobody shares yet may be edited, shipped and accepted again, and amended."""
    repo.publish()
    _second_version(repo)
    _edit_case(repo, "one", "I guess", "I suppose")
    repo.blocked("-a", "--amend")
    repo.lastgood("catalog", "ship")
    repo.accept("the same version, better")
    repo.git("add", "-A")
    repo.passes("--amend")


def test_15_next_commit_after_a_new_version(repo: Hooked) -> None:
    """A version that was added since the base stays a mere addition in every later commit."""
    repo.publish()
    _second_version(repo)
    repo.write({"notes.md": "Another note.\n"})
    repo.passes("-a")
    repo.move_and_accept("support")
    repo.git("add", "-A")
    repo.passes()


def test_15_pushed_version_edited_and_amended(repo: Hooked) -> None:
    """A version that others share may not be edited, whatever its catalog says now."""
    repo.publish()
    _second_version(repo)
    repo.git("push", "-q", "--no-verify", "origin", "main")
    catalog = repo.read("golden/billing/catalog.json")
    _edit_case(repo, "one", "I guess", "I suppose")
    refused = repo.lastgood("catalog", "ship", code=None)
    assert refused.code == 4
    assert repo.read("golden/billing/catalog.json") == catalog
    repo.blocked("-a", "--amend")


def test_16_deleted_migration_not_staged(repo: Hooked) -> None:
    """A deletion that is not staged is not judged."""
    tip = repo.root / repo.migrations()[-1]
    tip.unlink()
    repo.write({"notes.md": "Another note.\n"})
    repo.git("add", "notes.md")
    repo.passes()
    assert not tip.exists()


@pytest.mark.parametrize("victim", ["migrations/0001_first-baseline.json", "HEAD", "one.json", ""])
def test_17_removed_baseline(repo: Hooked, victim: str) -> None:
    """A commit that only deletes a part of a baseline is judged, not skipped."""
    repo.git("rm", "-qr", f"baselines/stub/billing/{victim}")
    repo.blocked()


def test_18_removed_prompt(repo: Hooked) -> None:
    """A commit that only deletes a prompt leaves its cases and baselines without one."""
    repo.git("rm", "-q", PROMPT)
    assert "no prompt 'billing' is in the tree" in repo.blocked().said


def test_18_removed_prompt_with_all_that_belongs_to_it(repo: Hooked) -> None:
    """A prompt may go, when its cases and baselines go with it."""
    repo.git("rm", "-qr", PROMPT, "golden/billing", "baselines/stub/billing")
    repo.passes()


@pytest.mark.parametrize("target", ["prompts/invoices.txt", "prompts/eu/billing.txt"])
def test_19_renamed_prompt(repo: Hooked, target: str) -> None:
    """A renamed prompt needs a baseline under its new name."""
    (repo.root / target).parent.mkdir(exist_ok=True)
    repo.git("mv", PROMPT, target)
    repo.blocked()


@pytest.mark.parametrize("way", WAYS[:1])
def test_19_renamed_suffix(repo: Hooked) -> None:
    """A prompt that keeps its id and bytes keeps its baseline."""
    repo.git("mv", PROMPT, "prompts/billing.md")
    repo.passes()


def test_20_executable_prompt(repo: Hooked) -> None:
    """The executable bit is no part of a prompt."""
    (repo.root / PROMPT).chmod(0o755)
    repo.passes("-a")
    assert repo.git("ls-files", "-s", PROMPT).out.startswith("100755")


def test_21_prompt_replaced_by_a_symlink(repo: Hooked) -> None:
    """A symbolic link is refused, though it leads to equal bytes."""
    path = repo.root / PROMPT
    (repo.root / "elsewhere.txt").write_bytes(path.read_bytes())
    path.unlink()
    path.symlink_to("../elsewhere.txt")
    repo.git("add", "-A")
    assert "mode 120000" in repo.blocked(hook=4).said


@pytest.mark.parametrize("way", WAYS[:1])
@pytest.mark.parametrize("path", ["golden/billing/suite.json", "baselines/stub/billing/one.json", "stub.py"])
def test_21_other_file_replaced_by_a_symlink(repo: Hooked, path: str) -> None:
    """A symbolic link in place of a case, a baseline or a completer's file never passes."""
    file = repo.root / path
    (repo.root / "elsewhere").write_bytes(file.read_bytes())
    file.unlink()
    file.symlink_to(os.path.relpath(repo.root / "elsewhere", file.parent))
    repo.git("add", "-A")
    repo.git("commit", "-m", "change", code=1)
    assert repo.codes() in ([2], [4])


def test_22_submodule_under_the_prompts(repo: Hooked) -> None:
    """A submodule among the prompts is refused: its bytes are in no commit of this repository."""
    inner = Hooked(repo.root / "prompts/library", repo.way)
    inner.git("init", "-q")
    inner.git("commit", "-q", "--allow-empty", "-m", "inner")
    repo.git("-c", "advice.addEmbeddedRepo=false", "add", "-A")
    assert "mode 160000" in repo.blocked(hook=4).said


def _without_commits(repo: Hooked) -> None:
    repo.git("update-ref", "-d", "HEAD")


def test_23_first_commit(repo: Hooked) -> None:
    """The first commit of a repository is judged like any other."""
    _without_commits(repo)
    repo.passes()


def test_23_first_commit_without_migration(repo: Hooked) -> None:
    """The first commit is blocked when it has no migration."""
    _without_commits(repo)
    repo.git("rm", "-qr", "--cached", "baselines")
    repo.git("add", repo.move())
    repo.git("add", "baselines/stub/billing/HEAD", "baselines/stub/billing/one.json")
    repo.blocked()


def test_24_detached_head(repo: Hooked) -> None:
    """On a detached HEAD a prompt alone is blocked."""
    repo.git("checkout", "-q", "--detach")
    repo.move()
    repo.blocked("-a")


def test_25_shipped_case_edited(repo: Hooked) -> None:
    """An edit of a shipped case is blocked, and the output names the field."""
    _edit_case(repo, "one", "I think", "I guess")
    said = repo.blocked("-a").said
    assert "was edited in place after it shipped" in said
    assert "expect.forbidden" in said


@pytest.mark.parametrize("way", WAYS[:1])
def test_25_shipped_case_laid_out_anew(repo: Hooked) -> None:
    """Layout is no part of a case: the same values on one line pass."""
    path = "golden/billing/suite.json"
    repo.write({path: json.dumps(json.loads(repo.read(path)))})
    repo.passes("-a")


def test_26_after_a_commit_that_nobody_checked(repo: Hooked) -> None:
    """A bad commit that went by with --no-verify blocks the next one, whatever that one changes."""
    repo.move()
    repo.unchecked("-a")
    repo.write({"notes.md": "Another note.\n"})
    repo.blocked("-a")


@pytest.mark.parametrize("way", MANAGERS)
def test_27_skipped_hook(repo: Hooked) -> None:
    """A hook that SKIP leaves out is caught up by CI."""
    repo.move()
    repo.git("commit", "-q", "-a", "-m", "skipped", env={"SKIP": "lastgood-gate"})
    assert repo.codes() == []
    repo.everything(2)


@pytest.mark.parametrize("options", [("--git-dir", "--work-tree"), ("-C",)], ids=["git-dir and work-tree", "-C"])
def test_28_commit_from_outside(repo: Hooked, options: tuple[str, ...]) -> None:
    """A commit by someone who stands elsewhere is judged by the tree that it makes."""
    repo.move_and_accept()
    places = {"--git-dir": repo.root / ".git", "--work-tree": repo.root, "-C": repo.root}
    words = [word for option in options for word in (option, str(places[option]))]
    repo.git(*words, "commit", "-a", "-m", "outside", code=1, cwd="..")
    assert repo.codes() == [2]
    repo.git(*words, "add", "-A", cwd="..")
    repo.git(*words, "commit", "-m", "outside", cwd="..")
    assert repo.codes() == [0]


@pytest.mark.parametrize("flag", ["--assume-unchanged", "--skip-worktree"])
def test_29_edit_that_git_is_told_to_overlook(repo: Hooked, flag: str) -> None:
    """An edit that git was told to overlook is in no commit, and is not judged."""
    repo.git("update-index", flag, PROMPT)
    repo.move()
    repo.write({"notes.md": "Another note.\n"})
    repo.passes("-a")


# Name → how messages show it.
ODD = {
    "a b": "a b",
    'say "hi"': "say \\x22hi\\x22",
    "it's": "it\\x27s",
    "line\nfeed": "line\\nfeed",
    "tab\there": "tab\\there",
    "-dash": "-dash",
    "--record": "--record",
    "star*": "star*",
    "[x]": "[x]",
    "ü": "ü",
    "u\u0308": "u\u0308",  # the same letter, decomposed
    "back\\slash": "back\\\\slash",
    "$HOME": "$HOME",
    "\x1b[31mred": "\\x1b[31mred",
}


@pytest.mark.parametrize("way", WAYS[:1])
@pytest.mark.parametrize("name", ODD, ids=[ascii(name) for name in ODD])
def test_30_odd_name(repo: Hooked, name: str) -> None:
    """A prompt of any name is recorded and committed; a move of it is blocked, and its name printed on one line."""
    _recorded(repo, name)
    repo.passes()
    repo.write({f"prompts/{name}.txt": "Odd.\nsay: refunded\n"})
    said = repo.blocked("-a").said
    assert f"prompts/{ODD[name]}.txt: the prompt moved" in said


def test_30_odd_names_at_once(repo: Hooked) -> None:
    """Odd names side by side do not get in each other's way."""
    names = list(ODD)[:10]
    _recorded(repo, *names)
    repo.passes()
    repo.write({f"prompts/{name}.txt": "Odd.\nsay: refunded\n" for name in names})
    said = repo.blocked("-a").said
    for name in names:
        assert f"prompts/{ODD[name]}.txt: the prompt moved" in said


def _recorded(repo: Hooked, *names: str) -> None:
    """Prompts of these names with a case each, recorded and staged."""
    row = {"id": "only", "version": 1, "input": {"order_id": "x"}, "expect": {"json": True}}
    for name in names:
        repo.write({f"prompts/{name}.txt": "Odd.\nsay: paid\n", f"golden/{name}/suite.json": suite(name, row)})
    repo.lastgood("catalog", "ship")
    repo.accept("odd names", *(f"--prompt={name}" for name in names))
    repo.git("add", "-A")


def test_31_file_named_like_an_option(repo: Hooked) -> None:
    """A file whose name reads like an option is only a file: nothing is recorded, the state alone decides."""
    for name in ("--record", "--all", "record"):
        (repo.root / name).write_text("x\n", encoding="utf-8")
    repo.git("add", "-A")
    repo.passes()
    repo.move()
    before = repo.files("baselines")
    repo.blocked("-a")
    assert repo.files("baselines") == before


def test_32_configuration_edited_on_disk(repo: Hooked) -> None:
    """The staged configuration decides, not the one on disk."""
    repo.move()
    repo.unchecked("-a")
    repo.write({"lastgood.toml": 'prompts = ["none/**"]\n' + repo.read("lastgood.toml")})
    repo.everything(2)
    repo.git("rm", "-q", "--cached", "lastgood.toml")
    repo.everything(4)


HOSTILE = {
    "color.ui": "always",
    "core.quotePath": "true",
    "diff.external": "false",
    "diff.ignoreSubmodules": "all",
    "diff.mnemonicPrefix": "true",
    "diff.noprefix": "true",
    "diff.relative": "true",
    "diff.renames": "copies",
    "log.showSignature": "true",
    "status.relativePaths": "true",
    "status.showUntrackedFiles": "no",
}


def test_whatever_git_is_configured_to(repo: Hooked) -> None:
    """No setting of git's changes what is judged, nor what is named."""
    for name, setting in HOSTILE.items():
        repo.git("config", name, setting)
    repo.git("add", repo.move_and_accept())
    said = repo.blocked(cwd="golden").said
    assert f"not staged  {repo.migrations()[-1]} (untracked)" in said
    repo.git("add", "-A")
    repo.passes(cwd="golden")


@pytest.mark.parametrize("way", WAYS[:1])
@pytest.mark.parametrize("setting", ["core.splitIndex=true", "index.version=4", "core.untrackedCache=true"])
def test_another_form_of_the_index(repo: Hooked, setting: str) -> None:
    """However git keeps its index, what it holds is judged."""
    repo.git("config", *setting.split("="))
    repo.git("update-index", "--force-write-index")
    repo.git("add", repo.move_and_accept())
    repo.blocked()
    repo.blocked("-a")
    repo.git("add", "-A")
    repo.passes()


@pytest.mark.parametrize("way", WAYS[:1])
def test_sparse_checkout(repo: Hooked) -> None:
    """Files that a sparse checkout leaves out are still in the commit, and in step."""
    repo.git("sparse-checkout", "set", "prompts")
    assert not (repo.root / "golden").exists()
    repo.write({".gitattributes": ""})
    repo.passes("-a")
    repo.move()
    repo.blocked("-a")


@pytest.mark.parametrize("way", WAYS[:1])
def test_replaced_object(repo: Hooked) -> None:
    """A replacement that only this clone has does not hide what the commit holds."""
    old = repo.git("rev-parse", f"HEAD:{PROMPT}").out.strip()
    repo.git("add", repo.move())
    new = repo.git("rev-parse", f":{PROMPT}").out.strip()
    repo.git("replace", new, old)
    repo.blocked()


@pytest.mark.parametrize("way", WAYS[:1])
def test_repository_of_sha256(repo: Hooked, tmp_path: Path) -> None:
    """A repository that names its objects by SHA-256 is judged like any other."""
    other = tmp_path / "sha256"
    shutil.copytree(repo.root, other, ignore=shutil.ignore_patterns(".git"))
    moved = Hooked(other, repo.way)
    moved.git("init", "-q", "-b", "main", "--object-format=sha256")
    moved.install()
    moved.git("add", "-A")
    moved.passes()
    moved.move()
    moved.blocked("-a")
    moved.accept("in another format")
    moved.git("add", "-A")
    moved.passes()


@pytest.mark.parametrize(
    "how", ["commit --fixup HEAD", "commit --squash HEAD -m x", "commit -C HEAD", "commit -n -m x"]
)
@pytest.mark.parametrize("way", WAYS[:1])
def test_other_words_of_commit(repo: Hooked, how: str) -> None:
    """Whatever names the message, the tree is judged; only --no-verify goes by, and the next commit pays."""
    repo.move()
    passes = " -n " in how
    repo.git("commit", "-a", *how.split()[1:], code=0 if passes else 1, env={"GIT_EDITOR": "true"})
    assert repo.codes() == ([] if passes else [2])
    if passes:
        repo.everything(2)


@pytest.mark.parametrize("way", WAYS[:1])
def test_the_stub_is_what_is_staged_too(repo: Hooked) -> None:
    """A completer's file is judged as staged: an edit of it needs a migration like a prompt."""
    repo.write({"stub.py": repo.read("stub.py") + "# another answer\n"})
    repo.git("add", "-A")
    assert "the completer 'stub' moved" in repo.blocked().said
