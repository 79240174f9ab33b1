"""git as it is run, and trees as git lists them."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

import pytest

from lastgood.edge import git, roots, trees
from repository import Repository

if TYPE_CHECKING:
    from pathlib import Path

NAMES = [
    "a.txt",
    "two words.txt",
    "ü.txt",
    "line\nfeed.txt",
    'quo"te.txt',
    "tab\t.txt",
    "-dash.txt",
    "d/e/f.txt",
    "*.x",
]


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "repo")
    made.write({name: f"{name}\n" for name in NAMES})
    made.git("add", "-A")
    made.commit("start")
    return made


def index(repo: Repository) -> dict[str, tuple[str, str]]:
    return trees.parse_listing(trees.index_listing(str(repo.root)))[0]


def test_a_failure_is_one_line_of_gits_own(repo: Repository) -> None:
    with pytest.raises(git.GitError) as caught:
        git.run("cat-file", "blob", "0" * 40, root=str(repo.root))
    assert caught.value.what.startswith("git cat-file failed: ")
    assert "\n" not in caught.value.what


def test_attempt_tells_code_output_and_error(repo: Repository) -> None:
    done = git.attempt("rev-parse", "--verify", "nowhere", root=str(repo.root))
    assert (done.code != 0, done.out, "fatal" in done.err) == (True, b"", True)


def test_much_is_fed_and_read_at_once(repo: Repository) -> None:
    data = os.urandom(3_000_000)
    oid = git.run("hash-object", "-w", "--stdin", root=str(repo.root), feed=data).decode().strip()
    assert git.read_blobs(str(repo.root), [oid] * 3) == {oid: data}


def test_a_git_that_stops_listening_is_no_hang(repo: Repository) -> None:
    assert git.attempt("rev-parse", "HEAD", root=str(repo.root), feed=b"x" * 3_000_000).code == 0


def test_no_file_stays_open(repo: Repository) -> None:
    git.run("rev-parse", "HEAD", root=str(repo.root))
    before = sorted(os.listdir("/dev/fd"))
    for _ in range(5):
        git.attempt("cat-file", "--batch", root=str(repo.root), feed=b"HEAD\n")
    assert sorted(os.listdir("/dev/fd")) == before


def test_names_of_every_kind_come_as_they_are(repo: Repository) -> None:
    found = index(repo)
    assert sorted(found) == sorted(NAMES)
    blobs = git.read_blobs(str(repo.root), [oid for _, oid in found.values()])
    assert {path: blobs[oid] for path, (_, oid) in found.items()} == {name: f"{name}\n".encode() for name in NAMES}


def test_a_name_that_is_not_utf8_comes_back_as_it_was(repo: Repository) -> None:
    with open(os.fsencode(repo.root) + b"/\xff.txt", "wb") as file:
        file.write(b"x")
    repo.git("add", "-A")
    assert "\udcff.txt" in index(repo)


def test_modes(repo: Repository) -> None:
    (repo.root / "a.txt").chmod(0o755)
    (repo.root / "link").symlink_to("a.txt")
    repo.git("add", "-A")
    found = index(repo)
    assert (found["a.txt"][0], found["link"][0], found["ü.txt"][0]) == ("100755", "120000", "100644")


def test_an_intent_to_add_is_not_there(repo: Repository) -> None:
    repo.write({"new.txt": "x"})
    repo.git("add", "-N", "new.txt")
    assert "new.txt" not in index(repo)


def test_the_index_that_git_says_is_the_one_read(repo: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.write({"new.txt": "x"})
    env = {"GIT_INDEX_FILE": str(repo.root / "other")}
    repo.git("read-tree", "HEAD", env=env)
    repo.git("add", "new.txt", env=env)
    assert "new.txt" not in index(repo)
    monkeypatch.setenv("GIT_INDEX_FILE", env["GIT_INDEX_FILE"])
    assert "new.txt" in index(repo)


def test_an_index_without_any_commit(tmp_path: Path) -> None:
    repo = Repository(tmp_path / "empty")
    assert index(repo) == {}
    repo.write({"a": "x"})
    repo.git("add", "a")
    assert list(index(repo)) == ["a"]


def test_a_repository_of_sha256(tmp_path: Path) -> None:
    repo = Repository(tmp_path / "new", init=False)
    repo.git("init", "-q", "--object-format=sha256", "-b", "main")
    repo.write({"a": "x"})
    repo.git("add", "a")
    found = index(repo)
    assert len(found["a"][1]) == 64
    assert git.read_blobs(str(repo.root), [found["a"][1]]) == {found["a"][1]: b"x"}


def test_unmerged_paths_stand_apart(repo: Repository) -> None:
    for branch in ("left", "right"):
        repo.git("checkout", "-q", "-B", branch, "main")
        repo.write({"a.txt": branch})
        repo.commit(branch, "-a")
    repo.git("merge", "-q", "left", code=1)
    entries, unmerged = trees.parse_listing(trees.index_listing(str(repo.root)))
    assert unmerged == ("a.txt",)
    assert "a.txt" not in entries


def test_only_what_is_asked_for_is_listed(repo: Repository) -> None:
    listing = trees.index_listing(str(repo.root), ("d", "*.x"))
    assert sorted(trees.parse_listing(listing)[0]) == ["*.x", "d/e/f.txt"]


def test_a_commit_is_listed_whatever_the_index_holds(repo: Repository) -> None:
    repo.git("rm", "-q", "--cached", "a.txt")
    listing = trees.commit_listing(str(repo.root), "HEAD")
    assert sorted(trees.parse_listing(listing)[0]) == sorted(NAMES)
    with pytest.raises(git.GitError, match="no commit 'nowhere' here"):
        trees.commit_listing(str(repo.root), "nowhere")


def test_a_missing_object_is_an_error_or_left_out(repo: Repository) -> None:
    root = str(repo.root)
    with pytest.raises(git.GitError, match=f"git has no object {'0' * 40}"):
        git.read_blobs(root, ["0" * 40])
    assert git.try_blobs(root, ["HEAD:a.txt", "HEAD:nowhere", "0" * 40]) == {"HEAD:a.txt": b"a.txt\n"}


def test_replaced_objects_are_not_believed(repo: Repository) -> None:
    oid = index(repo)["a.txt"][1]
    other = repo.git("hash-object", "-w", "--stdin", feed="forged").out.strip()
    repo.git("replace", oid, other)
    assert git.read_blobs(str(repo.root), [oid]) == {oid: b"a.txt\n"}


def test_what_changed_since_a_base(repo: Repository) -> None:
    root, folders = str(repo.root), ("a.txt", "d", "new")
    repo.git("branch", "base")
    old = index(repo)
    repo.write({"a.txt": "other", "new/x": "added"})
    (repo.root / "d/e/f.txt").unlink()
    repo.git("add", "-A")
    expected = {"a.txt": (old["a.txt"][1], index(repo)["a.txt"][1]), "d/e/f.txt": (old["d/e/f.txt"][1], "")}
    assert trees.changed_since(root, "base", "", folders) == expected
    repo.commit("next")
    assert trees.changed_since(root, "base", "HEAD", folders) == expected
    assert trees.changed_since(root, "nowhere", "", folders) is None
    assert trees.changed_since(root, "nowhere", "HEAD", folders) is None


def test_what_others_did_since_the_merge_base_is_not_ours(repo: Repository) -> None:
    repo.git("checkout", "-q", "-b", "theirs")
    repo.write({"a.txt": "theirs"})
    repo.commit("theirs", "-a")
    repo.git("checkout", "-q", "main")
    for ref in ("", "HEAD"):
        assert trees.changed_since(str(repo.root), "theirs", ref, ("a.txt",)) == {}


def test_what_the_commit_being_made_changes(repo: Repository, tmp_path: Path) -> None:
    repo.write({"a.txt": "other", "new": "x"})
    repo.git("rm", "-q", "ü.txt")
    repo.git("add", "-A")
    assert trees.changed_since_head(str(repo.root)) == {"a.txt": True, "new": True, "ü.txt": False}
    assert trees.changed_since_head(str(Repository(tmp_path / "empty").root)) is None


def listing(files: dict[str, int]) -> bytes:
    zero = "0" * 40
    return b"".join(f":000000 100644 {zero} {oid:040x} A\0{path}\0".encode() for path, oid in sorted(files.items()))


@pytest.mark.parametrize("seed", range(40))
def test_two_listings_compare_as_two_dictionaries_do(seed: int) -> None:
    dice = random.Random(seed)
    paths = [f"{dice.choice('abc')}/{number}:{dice.choice('xy')}" for number in range(dice.choice([1, 3, 40]))]
    old = {path: dice.randrange(3) for path in paths if dice.random() < 0.9}
    new = {
        path: dice.randrange(3) if dice.random() < 0.1 else old.get(path, 0) for path in paths if dice.random() < 0.9
    }
    found = trees.changed_paths(listing(old), listing(new))
    changed = {path for path in {*old, *new} if old.get(path) != new.get(path)}
    assert changed <= set(found)
    assert len(found) <= len(changed) + 1  # the first of one listing may be named though it is the same
    assert found == {path: path in new for path in found}


def test_equal_listings_have_no_changes() -> None:
    assert trees.changed_paths(listing({"a": 1, "b": 2}), listing({"a": 1, "b": 2})) == {}
    assert trees.changed_paths(b"", b"") == {}


def test_a_listing_restricted_to_some_paths() -> None:
    assert trees.restricted(listing({"a": 1, "b": 2, "c": 3}), lambda path: path != "b") == listing({"a": 1, "c": 3})


@pytest.mark.parametrize("below", [".", "d/e"])
def test_the_root_is_found_from_anywhere_below(repo: Repository, monkeypatch: pytest.MonkeyPatch, below: str) -> None:
    monkeypatch.chdir(repo.root / below)
    assert os.path.samefile(roots.find_root(), repo.root)


def test_a_linked_worktree_is_its_own_root(repo: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.git("worktree", "add", "-q", "../linked")
    monkeypatch.chdir(repo.root.parent / "linked")
    assert os.path.samefile(roots.find_root(), repo.root.parent / "linked")


def test_a_bare_repository_has_no_work_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = Repository(tmp_path / "bare", init=False)
    repo.git("init", "-q", "--bare")
    monkeypatch.chdir(repo.root)
    with pytest.raises(git.GitError, match="work tree"):
        roots.find_root()
