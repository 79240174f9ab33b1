"""What managers, stubs, CI and terminals do around the command."""

from __future__ import annotations

import json
import os
import pty
import select
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from hooked import WAYS, Hooked
from lastgood.core.migration import read_migration
from repository import LASTGOOD

if TYPE_CHECKING:
    from collections.abc import Mapping

PROMPT = "prompts/billing.txt"


def test_53_many_watched_files(repo: Hooked) -> None:
    """The hook runs once, however many file names a manager would put on its command line."""
    repo.write({f"prompts/drafts/{number}.txt": "x" for number in range(6000)})
    repo.write({"lastgood.toml": 'unguarded = ["prompts/drafts/**"]\n' + repo.read("lastgood.toml")})
    repo.git("add", "-A")
    repo.passes()
    repo.everything(0)


def _status(repo: Hooked) -> str:
    return repo.git("status", "--porcelain", "-uall").out


def test_54_nothing_is_left_behind(repo: Hooked) -> None:
    """A hook that passed leaves the status as it was: no file, nothing staged, nothing unstaged."""
    repo.move("support")
    repo.write({"untracked.txt": "x\n"})
    before = _status(repo)
    repo.everything(0)
    assert _status(repo) == before


def test_54_nothing_is_left_behind_in_a_fresh_clone(repo: Hooked) -> None:
    """The first run in a clone leaves no file that git would see."""
    clone = Hooked(repo.root.with_name("clone"), repo.way)
    repo.git("clone", "-q", ".", str(clone.root))
    clone.everything(0)
    assert clone.git("status", "--porcelain", "-uall").out == ""


def _stub(repo: Hooked, text: str) -> None:
    """Another stub, with a migration of its own, committed."""
    repo.write({"stub.py": text})
    repo.accept("another stub")
    repo.git("add", "-A")
    repo.unchecked()


ANSWER = 'print(json.dumps({"status": "paid", "order_id": "x"}))\n'


def test_55_stub_that_runs_git(repo: Hooked) -> None:
    """A stub that works with a git repository of its own never reaches the index that is being committed."""
    _stub(
        repo,
        "import json, subprocess, tempfile\n"
        "folder = tempfile.mkdtemp()\n"
        "open(folder + '/strange.txt', 'w').close()\n"
        "for words in (['init', '-q'], ['add', '-A'], ['rm', '-q', '--cached', 'strange.txt'], ['add', '-A']):\n"
        "    subprocess.run(['git', *words], cwd=folder, check=True)\n" + ANSWER,
    )
    repo.move_and_accept(say="paid twice")
    repo.git("add", "baselines")
    repo.write({"notes.md": "Another note.\n"})
    repo.passes("-a")
    changed = repo.git("show", "--name-only", "--format=", "HEAD").out.split()
    assert {name for name in changed if not name.startswith("baselines/")} == {PROMPT, "notes.md"}
    assert repo.git("status", "--porcelain").out == ""


def test_56_stub_that_is_not_in_the_index(repo: Hooked) -> None:
    """A stub that only lies on disk would be missing for everybody else."""
    repo.git("rm", "-q", "--cached", "stub.py")
    assert "the completer 'stub' runs this file, which is not in the index" in repo.blocked(hook=4).said
    assert "git add stub.py" in repo.lastgood("stub", code=4).err


def test_57_stub_that_sleeps(repo: Hooked) -> None:
    """A stub that hangs is stopped at its limit: nothing could be told, and unstaged edits are back."""
    repo.write({"lastgood.toml": repo.read("lastgood.toml").replace("timeout_s = 20", "timeout_s = 0.5")})
    slow = 'import json, os, sys, time\nif os.path.exists("../slow"): time.sleep(600)\n' + ANSWER
    _stub(repo, slow)
    repo.root.with_name("slow").touch()
    repo.write({"prompts/support.txt": "An edit that is not staged.\n", "notes.md": "Nor is this.\n"})
    repo.write({PROMPT: "Answer.\n"})
    repo.git("add", PROMPT)
    repo.blocked(hook=4)
    assert repo.read("prompts/support.txt") == "An edit that is not staged.\n"
    assert repo.read("notes.md") == "Nor is this.\n"


def _stub_of_the_world(repo: Hooked) -> None:
    """A stub whose answers come from a file outside the repository, which no pin can hold."""
    repo.root.with_name("answer").write_text('{"status": "paid", "order_id": "x"}', encoding="utf-8")
    _stub(repo, 'print(open("../answer").read())\n')


@pytest.mark.parametrize("way", WAYS[:1])
@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ('{"status": "paid", "order_id": "x"}', 0),
        ('{"status":   "paid", "order_id": "x"}\n', 0),
        ('{"status": "pending", "order_id": "x"}', 3),
        ('{"order_id": "x", "status": "paid"}', 3),
        ('{"status": "I think paid", "order_id": "x"}', 1),
        ("Sorry", 1),
    ],
    ids=["same", "whitespace", "moved", "key order", "broken", "no JSON"],
)
def test_58_stub_that_answers_otherwise(repo: Hooked, answer: str, code: int) -> None:
    """The stub's code tells moved from broken; whitespace is no move."""
    _stub_of_the_world(repo)
    repo.root.with_name("answer").write_text(answer, encoding="utf-8")
    repo.lastgood("check")
    repo.lastgood("stub", code=code)
    repo.everything(code)


def test_58_stub_runs_only_where_the_commit_reaches(repo: Hooked) -> None:
    """A commit that touches no prompt asks nothing, so a stub that wobbles does not block it."""
    _stub_of_the_world(repo)
    repo.root.with_name("answer").write_text("Sorry", encoding="utf-8")
    repo.write({"notes.md": "Another note.\n"})
    repo.passes("-a")


CI = [
    {"CI": "true"},
    {"CI": "1"},
    {"CI": "false", "GITHUB_ACTIONS": "true"},
    {"JENKINS_URL": "http://ci.example"},
    {"TF_BUILD": "True"},
    {"TEAMCITY_VERSION": "2026.1"},
    {"bamboo_planKey": "X"},
    {"PRE_COMMIT": "1"},
    {"GIT_INDEX_FILE": ".git/index"},
]


@pytest.mark.parametrize("way", WAYS[:1])
@pytest.mark.parametrize("variables", CI, ids=lambda found: " ".join(f"{k}={v}" for k, v in found.items()))
def test_59_recording_in_ci(repo: Hooked, variables: Mapping[str, str]) -> None:
    """In CI and in a hook nothing is recorded, not even with the right token."""
    repo.move()
    repo.lastgood("eval", code=None)
    token = repo.token()
    before = repo.files()
    refused = repo.lastgood("record", "--reason", "by machine", "--accept", token, code=4, env=variables)
    assert "recording is refused" in refused.err
    assert repo.files() == before
    repo.lastgood("record", "--reason", "by a person", "--accept", token)


def test_59_recording_inside_a_hook(repo: Hooked) -> None:
    """A hook that tries to record is refused by its surroundings, and the commit stops."""
    repo.move()
    repo.lastgood("eval", code=None)
    script = repo.root.with_name("noted")
    script.write_text(
        f"#!/bin/sh\n{LASTGOOD} record --reason hook --accept {repo.token()}\ncode=$?\n"
        'echo $code >> "$HOOK_CODES"\nexit $code\n',
        encoding="utf-8",
    )
    script.chmod(0o755)
    if repo.way == "hook":
        repo.install()
    else:
        config = repo.read(".pre-commit-config.yaml").replace("\n        entry: ", f"\n        entry: {script} #", 1)
        repo.write({".pre-commit-config.yaml": config})
        repo.git("add", ".pre-commit-config.yaml")
    before = repo.files()
    repo.git("add", PROMPT)
    repo.blocked(hook=4)
    assert repo.files() == before


def _at_a_terminal(repo: Hooked, *words: str, answer: str, env: Mapping[str, str]) -> tuple[int, str]:
    """Run lastgood at a terminal and type one answer; (exit code, what stood on the screen)."""
    person, terminal = pty.openpty()
    process = subprocess.Popen(
        [LASTGOOD, *words],
        cwd=repo.root,
        env={**os.environ, **env},
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        start_new_session=True,
    )
    os.close(terminal)
    os.write(person, answer.encode())
    screen = b""
    while select.select([person], [], [], 60)[0]:
        try:
            chunk = os.read(person, 65536)
        except OSError:  # how Linux says that nobody holds the terminal any more
            break
        if not chunk:
            break
        screen += chunk
    os.close(person)
    return process.wait(timeout=60), screen.decode("utf-8", "replace")


@pytest.mark.parametrize("way", WAYS[:1])
@pytest.mark.parametrize("variables", [{}, {"CI": ""}, {"CI": "false"}], ids=["no variable", "CI=", "CI=false"])
def test_60_recording_at_a_terminal(repo: Hooked, variables: Mapping[str, str]) -> None:
    """A person at a terminal is shown the diff, says yes, and it is recorded."""
    repo.move()
    repo.lastgood("eval", code=None)
    code, screen = _at_a_terminal(repo, "record", "--reason", "wanted", answer="y\n", env=variables)
    assert (code, len(repo.migrations())) == (0, 2), screen
    assert '"refunded"' in screen
    repo.git("add", "-A")
    repo.passes()


@pytest.mark.parametrize("way", WAYS[:1])
@pytest.mark.parametrize("answer", ["n\n", "\n", "maybe\n", "\x04"], ids=["no", "return", "other", "end of file"])
def test_60_a_person_does_not_accept(repo: Hooked, answer: str) -> None:
    """Anything but a yes records nothing."""
    repo.move()
    repo.lastgood("eval", code=None)
    before = repo.files()
    code, screen = _at_a_terminal(repo, "record", "--reason", "wanted", answer=answer, env={})
    assert code == 4, screen
    assert "Traceback" not in screen
    assert repo.files() == before


@pytest.mark.parametrize("way", WAYS[:1])
def test_60_no_terminal_and_no_token(repo: Hooked) -> None:
    """Without a terminal only the token shows that the diff was read."""
    repo.move()
    repo.lastgood("eval", code=None)
    before = repo.files()
    assert "nothing shows that the diff was read" in repo.lastgood("record", "--reason", "x", code=4, feed="y\n").err
    assert repo.files() == before


@pytest.mark.parametrize("way", WAYS[:1])
@pytest.mark.parametrize("reason", ["", "  "], ids=["empty", "blank"])
def test_61_migration_without_a_reason(repo: Hooked, reason: str) -> None:
    """A migration must say why, though its chain is whole."""
    repo.move_and_accept()
    path = repo.migrations()[-1]
    text = json.dumps(json.loads(repo.read(path)) | {"reason": reason}, indent=2) + "\n"
    repo.write({path: text, "baselines/stub/billing/HEAD": read_migration(path, text.encode()).head_line + "\n"})
    repo.git("add", "-A")
    assert "was accepted without a reason" in repo.blocked().said


@pytest.mark.parametrize("way", WAYS[:1])
@pytest.mark.parametrize("command", ["check", "stub", "gate"])
@pytest.mark.parametrize("moved", [False, True], ids=["in step", "moved"])
def test_62_no_terminal(repo: Hooked, command: str, moved: bool) -> None:
    """Without a controlling terminal every hook ends with its code, and never opens /dev/tty."""
    if moved:
        repo.move()
        repo.git("add", "-A")
    expected = {"check": 2, "stub": 3, "gate": 2}[command] if moved else 0
    opened = repo.root.with_name("opened")
    tracer = ["strace", "-f", "-qq", "-e", "trace=open,openat", "-o", str(opened)] if _can_trace() else []
    done = subprocess.run(
        [*tracer, LASTGOOD, command],
        cwd=repo.root,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        start_new_session=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == expected, done.stderr
    if tracer:
        names = opened.read_text(encoding="utf-8", errors="replace")
        assert "lastgood.toml" in names or ".git" in names  # it did trace
        assert "/dev/tty" not in names


def _can_trace() -> bool:
    if not shutil.which("strace"):
        return False
    return subprocess.run(["strace", "-qq", "true"], capture_output=True, check=False).returncode == 0
