"""`lastgood stub`: the commit completer, on what the commit can affect, as the commit would hold it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from repository import Repository

IN_A_COMMIT = {"GIT_INDEX_FILE": ".git/index"}


def _moved(repo: Repository) -> None:
    repo.write({"prompts/billing.txt": "say: failed\n"})
    repo.git("add", "-A")


def test_outside_of_a_commit_every_prompt_is_asked(repo: Repository) -> None:
    """As under --all-files."""
    assert "2 prompts of the index, 3 cases: 3 PASS" in repo.lastgood("stub").out


def test_a_commit_asks_only_what_it_can_affect(repo: Repository) -> None:
    """One prompt moved, the other is left alone."""
    _moved(repo)
    said = repo.lastgood("stub", code=3, env=IN_A_COMMIT).err
    assert "1 of 2 prompts affected by this commit, 2 cases: 2 DIFF" in said


def test_a_commit_that_affects_no_prompt_asks_nothing(repo: Repository) -> None:
    """And says so."""
    repo.write({"notes.md": "Other notes.\n"})
    repo.git("add", "-A")
    done = repo.lastgood("stub", env=IN_A_COMMIT)
    assert done.out == "lastgood stub: held (0): 0 of 2 prompts affected by this commit\n"


@pytest.mark.parametrize(
    ("path", "edit"),
    [
        pytest.param("lastgood.toml", lambda text: text + "jobs = 2\n", id="settings"),
        pytest.param("stub.py", lambda text: text + "# edited\n", id="completer"),
        pytest.param("golden/schemas/reply.json", lambda _: '{"type": "object"}\n', id="schema"),
    ],
)
def test_what_all_prompts_share_affects_all(repo: Repository, path: str, edit: Callable[[str], str]) -> None:
    """Configuration, the completer's own files, output schemas."""
    repo.write({path: edit(repo.read(path) if (repo.root / path).exists() else "")})
    repo.git("add", "-A")
    assert "2 prompts of the index, 3 cases: 3 PASS" in repo.lastgood("stub", env=IN_A_COMMIT).out


def test_the_completer_runs_as_it_is_staged(repo: Repository) -> None:
    """An edit on disk that the commit does not hold changes no verdict."""
    repo.write({"stub.py": "raise SystemExit(9)\n"})
    repo.lastgood("stub")
    (repo.root / "stub.py").unlink()
    repo.lastgood("stub")
    repo.write({"stub.py": "raise SystemExit(9)\n"})
    repo.git("add", "stub.py")
    assert "completer_failed:exit 9" in repo.lastgood("stub", code=1).err


def test_an_executable_completer_stays_executable(repo: Repository) -> None:
    """Also when it is run from what is staged."""
    repo.write({"answer.sh": '#!/bin/sh\nprintf \'{"status": "paid", "order_id": "x"}\'\n'})
    (repo.root / "answer.sh").chmod(0o755)
    repo.write({"lastgood.toml": repo.read("lastgood.toml").replace('"python3", "stub.py"', '"./answer.sh"')})
    repo.git("add", "-A")
    repo.write({"answer.sh": "#!/bin/sh\nexit 9\n"})
    said = repo.lastgood("stub", code=3).err
    assert "3 cases: 3 DIFF" in said


def test_no_commit_completer_is_not_a_pass(repo: Repository) -> None:
    """There is nothing to run, so nothing can be told."""
    settings = repo.read("lastgood.toml").replace('commit_completer = "stub"', 'require = ["stub"]')
    repo.write({"lastgood.toml": settings})
    repo.git("add", "-A")
    assert "commit_completer" in repo.lastgood("stub", code=4).err


def test_a_stub_that_hangs_cannot_tell(repo: Repository) -> None:
    """At a commit a hang is 4, after the first case that hangs; `eval` fails the case instead."""
    repo.write(
        {
            "stub.py": "import time\ntime.sleep(600)\n",
            "lastgood.toml": repo.read("lastgood.toml").replace("timeout_s = 20", "timeout_s = 0.2"),
        }
    )
    repo.git("add", "-A")
    assert "completer_timeout:0.2s" in repo.lastgood("stub", code=4).err
    assert "completer_timeout:0.2s" in repo.lastgood("eval", code=1).out
