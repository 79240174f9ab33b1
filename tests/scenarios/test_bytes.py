"""Bytes on disk that are not the bytes git stores: filters, line endings, LFS. Only what git stores is judged."""

from __future__ import annotations

import hashlib
import shutil
import sys
from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

from hooked import WAYS, Hooked

if TYPE_CHECKING:
    from pathlib import Path

PROMPT = "prompts/billing.txt"
ATTRIBUTES = {  # what .gitattributes says → how git treats the files
    "no attributes": "",
    "text=auto": "* text=auto\n",
    "-text": "prompts/** -text\ngolden/** -text\nbaselines/** -text\n",
}


def _with_attributes(repo: Hooked, attributes: str) -> None:
    repo.write({".gitattributes": attributes})
    repo.unchecked("-a", "--allow-empty", message="attributes")


def _clone(repo: Hooked, *settings: str) -> Hooked:
    """A fresh clone, checked out under these settings of git."""
    target = repo.root.with_name("clone")
    words = [word for setting in settings for word in ("-c", setting)]
    repo.git("clone", "-q", *words, ".", str(target))
    return Hooked(target, repo.way)


def _nothing_to_record(repo: Hooked) -> None:
    """The person's loop agrees with the hook that nothing moved."""
    assert "moved" not in repo.lastgood("eval", "--fail-on-diff").out
    repo.lastgood("diff")


@pytest.mark.parametrize("attributes", ATTRIBUTES.values(), ids=ATTRIBUTES)
def test_33_clone_with_autocrlf(repo: Hooked, attributes: str) -> None:
    """A clean clone of a repository with LF is in step, whatever git makes of line endings on disk."""
    _with_attributes(repo, attributes)
    clone = _clone(repo, "core.autocrlf=true")
    clone.everything(0)
    assert clone.git("status", "--porcelain").out == ""


@pytest.mark.parametrize("way", WAYS[:1])
@pytest.mark.parametrize("setting", ["core.autocrlf=input", "core.eol=crlf"])
@pytest.mark.parametrize("attributes", ATTRIBUTES.values(), ids=ATTRIBUTES)
def test_33_clone_with_another_setting(repo: Hooked, attributes: str, setting: str) -> None:
    """Nor does any other setting for line endings matter."""
    _with_attributes(repo, attributes)
    _clone(repo, setting).everything(0)


@pytest.mark.parametrize("way", WAYS[:1])
@pytest.mark.parametrize("attributes", ATTRIBUTES.values(), ids=ATTRIBUTES)
def test_33_a_clone_with_crlf_has_nothing_to_record(repo: Hooked, attributes: str) -> None:
    """In a clone that has CRLF on disk the loop of eval and diff sees no move either."""
    _with_attributes(repo, attributes)
    clone = _clone(repo, "core.autocrlf=true")
    assert (b"\r\n" in (clone.root / PROMPT).read_bytes()) == ("-text" not in attributes)
    _nothing_to_record(clone)


@pytest.mark.parametrize("attributes", ["", "* text=auto\n"], ids=["no attributes", "text=auto"])
def test_34_record_with_crlf_on_disk(repo: Hooked, attributes: str) -> None:
    """What is recorded of CRLF on disk is what git stores of it."""
    _with_attributes(repo, attributes)
    repo.git("config", "core.autocrlf", "true")
    repo.write({PROMPT: b"Answer briefly.\r\nsay: refunded\r\n"})
    repo.accept("brief")
    repo.git("add", "-A")
    repo.passes()
    assert repo.git("cat-file", "-p", f":{PROMPT}").out == "Answer briefly.\nsay: refunded\n"
    repo.everything(0)


@pytest.mark.parametrize("way", WAYS[:1])
def test_34_record_with_crlf_that_git_stores(repo: Hooked) -> None:
    """Under -text a CRLF is part of the prompt: it is a move, and is recorded as stored."""
    text = (repo.root / PROMPT).read_bytes()
    repo.write({PROMPT: text.replace(b"\n", b"\r\n")})
    repo.blocked("-a")
    repo.accept("the same words with CRLF")
    repo.git("add", "-A")
    repo.passes()
    repo.everything(0)


def test_34_golden_and_baseline_files_with_crlf_on_disk(repo: Hooked) -> None:
    """Golden cases, catalogs, baselines and migrations may have CRLF on disk too."""
    _with_attributes(repo, "")
    clone = _clone(repo, "core.autocrlf=true")
    clone.install()
    assert b"\r\n" in (clone.root / "golden/billing/suite.json").read_bytes()
    clone.move_and_accept()
    clone.git("add", "-A")
    clone.passes()
    clone.everything(0)


def test_35_ident_after_a_new_checkout(repo: Hooked) -> None:
    """A keyword that git expands on disk is no move."""
    repo.write({".gitattributes": "prompts/** ident\n", PROMPT: "$Id$\nsay: paid\n"})
    repo.accept("with a keyword")
    repo.git("add", "-A")
    repo.passes()
    (repo.root / PROMPT).unlink()
    repo.git("checkout", "-q", "--", PROMPT)
    assert repo.read(PROMPT).startswith("$Id: ")
    repo.everything(0)
    _nothing_to_record(repo)


@pytest.mark.parametrize("way", WAYS[:1])
def test_35_working_tree_encoding(repo: Hooked) -> None:
    """A prompt that is UTF-16 on disk is UTF-8 in git, and recorded as that."""
    repo.write({".gitattributes": "prompts/** working-tree-encoding=UTF-16LE\n"})
    for name, say in (("billing", "refunded"), ("support", "pending")):
        repo.write({f"prompts/{name}.txt": f"Größe zählt.\nsay: {say}\n".encode("utf-16-le")})
    repo.accept("another encoding on disk")
    repo.git("add", "-A")
    repo.passes()
    repo.everything(0)
    assert b"refunded" in (repo.root / "baselines/stub/billing/one.json").read_bytes()


# What git-lfs does as a filter: `clean` keeps the content in its store and leaves a pointer, `smudge` is the way back.
_LFS = """\
    import hashlib, os, sys
    act, store = sys.argv[1:]
    def place(oid): return os.path.join(store, oid[:2], oid[2:4], oid)
    data = sys.stdin.buffer.read()
    HEAD = b"version https://git-lfs.github.com/spec/v1\\n"
    if act == "clean" and not data.startswith(HEAD):
        oid = hashlib.sha256(data).hexdigest()
        os.makedirs(os.path.dirname(place(oid)), exist_ok=True)
        with open(place(oid), "wb") as file: file.write(data)
        data = HEAD + f"oid sha256:{oid}\\nsize {len(data)}\\n".encode()
    if act == "smudge" and data.startswith(HEAD) and not os.environ.get("GIT_LFS_SKIP_SMUDGE"):
        oid = data.split(b"sha256:")[1][:64].decode()
        with open(place(oid), "rb") as file: data = file.read()
    sys.stdout.buffer.write(data)
"""


def _lfs(repo: Hooked) -> None:
    """Configure the filter."""
    program = repo.root.with_name("lfs.py")
    program.write_text(dedent(_LFS), encoding="utf-8")
    for act in ("clean", "smudge"):
        repo.git("config", f"filter.lfs.{act}", f"{sys.executable} {program} {act} {_store(repo)}")
    repo.git("config", "filter.lfs.required", "true")


def _store(repo: Hooked) -> Path:
    return repo.root / ".git/lfs/objects"


def _moved_to_lfs(repo: Hooked) -> None:
    _lfs(repo)
    repo.write({".gitattributes": "prompts/** filter=lfs -text\n"})
    repo.git("add", "--renormalize", ".")
    repo.git("add", "-A")


def test_36_prompt_moved_to_lfs(repo: Hooked) -> None:
    """A prompt that moves to LFS with equal content is the same prompt."""
    content = (repo.root / PROMPT).read_bytes()
    _moved_to_lfs(repo)
    repo.passes()
    pointer = repo.git("cat-file", "-p", f"HEAD:{PROMPT}").out
    assert f"oid sha256:{hashlib.sha256(content).hexdigest()}\n" in pointer
    assert (repo.root / PROMPT).read_bytes() == content
    repo.everything(0)
    _nothing_to_record(repo)


def test_36_lfs_prompt_without_smudge(repo: Hooked) -> None:
    """The audit needs only the pointer; the stub needs the content, and says how to get it."""
    _moved_to_lfs(repo)
    repo.passes()
    for name in ("billing", "support"):
        (repo.root / f"prompts/{name}.txt").unlink()
    repo.git("checkout", "-q", "--", "prompts", env={"GIT_LFS_SKIP_SMUDGE": "1"})
    assert repo.read(PROMPT).startswith("version https://git-lfs.github.com/spec/v1\n")
    repo.everything(0)  # the store still has it
    shutil.rmtree(_store(repo))
    repo.lastgood("check")
    assert "git lfs pull" in repo.everything(4).said


@pytest.mark.parametrize("way", WAYS[:1])
@pytest.mark.parametrize("state", ["edited", "deleted"])
def test_36_lfs_prompt_not_on_disk_as_staged(repo: Hooked, state: str) -> None:
    """The stub is asked with the staged content, though the file on disk is edited or gone."""
    _moved_to_lfs(repo)
    repo.passes()
    if state == "edited":
        repo.move()
    else:
        (repo.root / PROMPT).unlink()
    repo.everything(0)


def test_36_lfs_prompt_moved(repo: Hooked) -> None:
    """A prompt in LFS that moves needs its migration like any other."""
    _moved_to_lfs(repo)
    repo.passes()
    repo.move_and_accept()
    repo.git("add", "prompts")
    repo.blocked()
    repo.git("add", "-A")
    repo.passes()
    repo.everything(0)


@pytest.mark.parametrize("way", WAYS[:1])
def test_36_pointer_written_by_hand(repo: Hooked) -> None:
    """A pointer to other content is a move, though no filter is configured here."""
    oid = hashlib.sha256(b"something else").hexdigest()
    repo.write({PROMPT: f"version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize 14\n"})
    repo.git("add", "-A")
    repo.git("commit", "-m", "change", code=1)
    assert repo.codes()[0] in (2, 4)
    assert oid[:12] in repo.lastgood("check", code=2).err
