"""What is started: the executable, its folder, and the environment it sees."""

from __future__ import annotations

import json
import os
import sys

from lastgood.core.value import TYPE_CHECKING, value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lastgood.core.config import Completer
    from lastgood.edge.completers import Request

PYTHONS = ("python", "python3")

# Everything else is passed on, as make, git and pre-commit do: a real completer needs proxies, certificates, GPU and
# cloud settings that no list foresees, and `NAME=value lastgood eval -- CMD` must mean what it says. What a completer
# reads there beside these shows as a move, which is what the baseline is for. A name in the completer's `env` is
# passed on even so.
DROPPED = (
    # All of git's, not only those that `git rev-parse --local-env-vars` lists: they lead a completer that runs git to
    # the index of the commit being made, and the list grows with git.
    "GIT_",
    # A completer that runs pre-commit, or asks whether it is run by a hook, must answer the same from `make eval`.
    "PRE_COMMIT",
    # Ours: of a completer that itself runs lastgood, or of a process that serves many cases.
    "LASTGOOD_PROMPT_",
    "LASTGOOD_CASE_",
)


@value(frozen=True)
class Command:
    """An executable's path, its arguments with the name it was called by, and the folder when it is not this one."""

    executable: str
    argv: tuple[str, ...]
    folder: str = ""


def child_environ(environ: Mapping[str, str], completer: Completer) -> dict[str, str]:
    """What a completer sees of this process's environment, and how many seconds it has."""
    kept = {name: text for name, text in environ.items() if name in completer.env or not name.startswith(DROPPED)}
    return kept | {"LASTGOOD_TIMEOUT_S": f"{completer.timeout_s:g}"}


def case_environ(request: Request) -> dict[str, str]:
    """What a process that answers one request sees besides."""
    return {
        "LASTGOOD_PROMPT_FILE": request.prompt_file,
        "LASTGOOD_PROMPT_FILES": json.dumps(request.files),
        "LASTGOOD_PROMPT_SHA256": request.prompt_sha256,
        "LASTGOOD_CASE_ID": request.id,
        "LASTGOOD_CASE_TOOLS": json.dumps(request.tools),
    }


def find(command: tuple[str, ...], cwd: str, environ: Mapping[str, str]) -> Command:
    """Where `command` is, as a shell in `cwd` would find it; FileNotFoundError or NotADirectoryError otherwise.

    `python3` and `python` alone mean the activated virtual environment's, else the interpreter that runs lastgood: a
    version manager's shim on PATH costs six interpreter starts a case. Name a path to have another one. `lastgood`
    alone means the one beside that interpreter where there is one: a hook's environment is seldom on PATH.
    """
    if not os.path.isdir(cwd):
        raise NotADirectoryError(f"no folder {cwd}")
    here = os.path.exists(os.curdir) and os.path.samefile(cwd, os.curdir)
    folder = "" if here else os.path.abspath(cwd)
    python = _python(environ) if command[0] in PYTHONS else ""
    if python:  # by its path also in argv: that is where an interpreter finds its own libraries
        return Command(python, (python, *command[1:]), folder)
    beside = os.path.join(os.path.dirname(sys.executable), command[0])
    if command[0] == "lastgood" and _runs(beside):
        return Command(beside, command, folder)
    return Command(_search(command[0], cwd, environ.get("PATH", os.defpath)), command, folder)


def _python(environ: Mapping[str, str]) -> str:
    activated = environ.get("VIRTUAL_ENV")
    if activated and _runs(found := os.path.join(activated, "bin", "python3")):
        return found
    return sys.executable


def _search(name: str, cwd: str, path: str) -> str:
    if "/" in name:
        found = os.path.join(cwd, name)
        if os.path.exists(found):
            return os.path.abspath(found)
        raise FileNotFoundError(f"no file {name}")
    for folder in path.split(os.pathsep):
        if _runs(found := os.path.join(cwd, folder, name)):
            return os.path.abspath(found)
    raise FileNotFoundError(f"no command {name} on PATH")


def _runs(path: str) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)
