"""`record` stopped at any moment: the tree is as before, or as after, or `status` names it and one command mends it."""

from __future__ import annotations

import hashlib
import json
import os
import resource
import shutil
import signal
import subprocess
from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

from repository import LASTGOOD, Repository, case, suite

if TYPE_CHECKING:
    from pathlib import Path

BILLING = "baselines/stub/billing/"
MIGRATION = BILLING + "migrations/0002_three-for-two.json"

# Loaded by Python at its start. At the call that STOP_AT names (a write: half done) it ends the process as `kill -9`
# would, or says that the disk is full; and it writes down which calls there were.
STOPPER = dedent("""\
    import errno, os, signal

    stop, noted, top = os.environ["STOP_AT"], os.environ["STOP_NOTES"], os.environ["STOP_TOP"]
    opened = {}
    real = {name: getattr(os, name) for name in ("open", "write", "replace", "unlink")}

    def step(call, path):
        parts = os.path.relpath(os.fspath(path), top).split("/")
        if parts[0] not in ("golden", "baselines") and parts[:2] != [".lastgood", "record.json"]:
            if not (parts[0] == ".lastgood" and len(parts) == 2 and parts[1].startswith("record.json")):
                return
        name = call + " " + "/".join(parts).replace(f".{os.getpid()}.new", "")
        with open(noted, "a") as file:
            print(name, file=file)
        return name == stop

    def die():
        if "STOP_FULL" in os.environ:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.kill(os.getpid(), signal.SIGKILL)

    def fake_open(path, flags, *rest, **more):
        writes = isinstance(path, str) and flags & (os.O_WRONLY | os.O_RDWR)
        if writes and step("open", path):
            die()
        fd = real["open"](path, flags, *rest, **more)
        opened.pop(fd, None)
        if writes:
            opened[fd] = path
        return fd

    def fake_write(fd, data):
        if fd in opened and step("write", opened[fd]):
            real["write"](fd, data[: len(data) // 2])
            die()
        return real["write"](fd, data)

    def fake_replace(source, target, **more):
        if step("replace", target):
            die()
        return real["replace"](source, target, **more)

    def fake_unlink(path, **more):
        if step("unlink", path):
            die()
        return real["unlink"](path, **more)

    os.open, os.write, os.replace, os.unlink = fake_open, fake_write, fake_replace, fake_unlink
    """)

WRITTEN = (
    ".lastgood/record.json",
    "golden/billing/suite.json",
    BILLING + "one.json",
    BILLING + "three.json",
    MIGRATION,
    BILLING + "HEAD",
)
STEPS = [
    *(f"{call} {path}" for path in WRITTEN[:4] for call in ("open", "write", "replace")),
    f"unlink {BILLING}two.json",
    *(f"{call} {path}" for path in WRITTEN[4:] for call in ("open", "write", "replace")),
    "unlink .lastgood/record.json",
]


@pytest.fixture(scope="module")
def waiting(tmp_path_factory: pytest.TempPathFactory, in_step: Path) -> tuple[Path, str]:
    """The repository to copy, and its token: a moved prompt that its suite pins, one case more and one less, run."""
    root = tmp_path_factory.mktemp("waiting") / "repo"
    shutil.copytree(in_step, root, symlinks=True)
    repo = Repository(root, init=False)
    now = hashlib.sha256((root / "prompts/billing.txt").read_bytes()).hexdigest()
    repo.write(
        {
            "golden/billing/suite.json": suite("billing", case("one"), case("two"), prompt_sha256=now),
            "golden/billing/three.json": json.dumps({"prompt_id": "billing", **case("three")}),
        }
    )
    repo.lastgood("catalog", "ship")
    repo.lastgood("catalog", "retire", "two", "--reason", "asked twice")
    repo.write({"prompts/billing.txt": "Answer briefly.\nsay: refunded\n"})
    repo.lastgood("eval", "-p", "billing")
    return root, repo.token()


@pytest.fixture
def repo(tmp_path: Path, waiting: tuple[Path, str]) -> Repository:
    shutil.copytree(waiting[0], tmp_path / "repo", symlinks=True)
    return Repository(tmp_path / "repo", init=False)


def stopped(repo: Repository, step: str, *words: str, full: bool = False) -> tuple[int, list[str], str]:
    """(exit code, calls made, message) of a `lastgood` that is stopped at `step`: killed, or by a `full` disk."""
    stopper = repo.root.parent / "stopper"
    stopper.mkdir(exist_ok=True)
    (stopper / "sitecustomize.py").write_text(STOPPER, encoding="utf-8")
    notes = stopper / "notes"
    env = {"PYTHONPATH": str(stopper), "STOP_AT": step, "STOP_NOTES": str(notes), "STOP_TOP": str(repo.root)}
    done = repo.lastgood(*words, code=None, env=env | ({"STOP_FULL": "1"} if full else {}))
    return done.code, notes.read_text(encoding="utf-8").splitlines(), done.err


def record_until(repo: Repository, token: str, step: str, *, full: bool = False) -> tuple[int, list[str], str]:
    """The same of a `record`."""
    return stopped(repo, step, "record", "--reason", "three for two", "--accept", token, full=full)


def in_step_now(repo: Repository) -> bool:
    repo.git("add", "-A")
    return repo.lastgood("check", code=None).code == 0


def test_the_steps_below_are_all_there_are(repo: Repository, waiting: tuple[Path, str]) -> None:
    code, calls, _ = record_until(repo, waiting[1], "never")
    assert code == 0
    assert calls == STEPS
    assert in_step_now(repo)


@pytest.mark.parametrize("step", STEPS)
def test_killed_at_any_step_nothing_is_lost(
    repo: Repository, waiting: tuple[Path, str], step: str, tmp_path: Path
) -> None:
    before = repo.files()
    code, calls, _ = record_until(repo, waiting[1], step)
    assert code == -signal.SIGKILL
    assert calls[-1] == step
    if step.endswith(WRITTEN[0]) and not step.startswith("unlink"):
        assert repo.files() == before  # the old state, and it can be recorded as if nothing had been
        repo.lastgood("record", "--reason", "three for two", "--accept", waiting[1])
    else:
        status = repo.lastgood("status", code=None)
        assert status.out.endswith("a record was interrupted\nnext: lastgood record --resume\n")
        half = repo.files()
        for words in (["record", "--reason", "again", "--accept", waiting[1]], ["catalog", "ship"]):
            assert "lastgood record --resume" in repo.lastgood(*words, code=4).err
        assert repo.files() == half
        repo.lastgood("record", "--resume")
    assert [path for path in repo.files() if path.endswith(".new")] == []
    assert json.loads(repo.read(MIGRATION))["reason"] == "three for two"
    assert not (repo.root / BILLING / "two.json").exists()
    assert in_step_now(repo)
    assert "a record was interrupted" not in repo.lastgood("status").out


def test_half_a_record_cannot_be_committed(repo: Repository, waiting: tuple[Path, str]) -> None:
    record_until(repo, waiting[1], f"replace {MIGRATION}")
    repo.git("add", "-A")
    done = repo.lastgood("check", code=None)
    assert done.code in (2, 4)
    assert "lastgood record --resume" in done.err


def test_resume_does_not_write_over_an_edit_made_since(repo: Repository, waiting: tuple[Path, str]) -> None:
    record_until(repo, waiting[1], f"replace {MIGRATION}")
    repo.write({BILLING + "one.json": "mine\n"})
    before = repo.files()
    message = repo.lastgood("record", "--resume", code=4).err
    assert f"{BILLING}one.json: was changed after the record was interrupted" in message
    assert repo.files() == before
    repo.git("checkout", "HEAD", "--", BILLING + "one.json")
    repo.lastgood("record", "--resume")
    assert in_step_now(repo)


def test_resume_without_an_interrupted_record_is_refused(repo: Repository) -> None:
    assert repo.lastgood("record", "--resume", code=4).err == (
        "lastgood: no record was interrupted here\n  run  lastgood status\n"
    )


def test_a_killed_catalog_is_finished_by_the_same_command(repo: Repository) -> None:
    repo.write({"golden/billing/four.json": json.dumps({"prompt_id": "billing", **case("four")})})
    code, _, _ = stopped(repo, "replace golden/billing/catalog.json", "catalog", "ship")
    assert code == -signal.SIGKILL
    repo.lastgood("record", "--resume")
    assert '"four"' in repo.read("golden/billing/catalog.json")
    assert repo.lastgood("catalog", "ship").out == "nothing to ship: every case is in its catalog\n"


# --- a disk that takes no more ---


def test_a_full_disk_before_the_plan_leaves_everything_as_it_was(repo: Repository, waiting: tuple[Path, str]) -> None:
    before = repo.files()
    reason = "three for two " * 2000
    limit = 16_384  # bytes: the plan of this record is longer, every file that git writes on the way is shorter

    def small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    done = subprocess.run(
        [LASTGOOD, "record", "--reason", reason, "--accept", waiting[1]],
        cwd=repo.root,
        preexec_fn=small_files,
        env={**os.environ},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 4
    assert done.stderr.startswith("lastgood: ")
    assert "nothing was written: File too large" in done.stderr
    assert repo.files() == before
    repo.lastgood("record", "--reason", "three for two", "--accept", waiting[1])
    assert in_step_now(repo)


@pytest.mark.parametrize("step", STEPS[4::4])
def test_a_disk_that_is_full_half_way_is_said_and_resume_goes_on_from_there(
    repo: Repository, waiting: tuple[Path, str], step: str
) -> None:
    code, _, message = record_until(repo, waiting[1], step, full=True)
    assert code == 4
    assert "half written: No space left on device" in message
    assert message.endswith("  run  lastgood record --resume\n")
    repo.lastgood("record", "--resume")
    assert [path for path in repo.files() if path.endswith(".new")] == []
    assert in_step_now(repo)


def test_a_folder_in_the_place_of_a_file_stops_it_before_anything_is_written(
    repo: Repository, waiting: tuple[Path, str]
) -> None:
    obstacle = repo.root / MIGRATION
    obstacle.mkdir()
    before = repo.files()
    message = repo.lastgood("record", "--reason", "three for two", "--accept", waiting[1], code=4).err
    assert message.startswith(f"lastgood: {MIGRATION}: nothing was written: Is a directory\n")
    assert repo.files() == before
    obstacle.rmdir()
    repo.lastgood("record", "--reason", "three for two", "--accept", waiting[1])
    assert in_step_now(repo)
