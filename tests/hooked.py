"""A repository whose commits and pushes go through lastgood's gate, by any of the ways that people install it."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from typing import TYPE_CHECKING

from repository import LASTGOOD, Done, Repository, manager_config, standing

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

WAYS = ("hook", "pre-commit", "prek")  # a plain file in .git/hooks, or one of the two managers
MANAGERS = WAYS[1:]

# Managers hide a hook's exit code behind their own, and git behind its own: it is written down outside the repository.
# What is remembered between two runs must not show: with it and without it the audit says the same.
_NOTED = f"""\
#!/bin/sh
'{LASTGOOD}' "$@"
code=$?
echo $code >> "$HOOK_CODES"
shift
[ -z "$HOOK_TWICE" ] && exit $code
[ $code = 4 ] && count='/"looked_at"/d'  # prompts that cannot be read were counted once
remembered=$('{LASTGOOD}' check --format json "$@" 2>&1 | sed "$count")
anew=$('{LASTGOOD}' check --format json --all "$@" 2>&1 | sed "$count")
[ "$remembered" = "$anew" ] || {{ echo "with memory: $remembered"; echo "without: $anew"; echo 99 >> "$HOOK_CODES"; }}
exit $code
"""

# git tells a plain pre-push hook on stdin what is pushed; `lastgood` takes it as options.
_PRE_PUSH = """\
#!/bin/sh
worst=0
while read -r _ pushed _ known; do
    case "$pushed" in *[!0]*) ;; *) continue ;; esac  # a deleted branch
    "{program}" gate --from-ref "$known" --to-ref "$pushed" < /dev/null || worst=1
done
exit $worst
"""


_COMMANDS = re.compile(r"^(?: {2,6}run {2}| {7,11})((?:or )?(?:lastgood|git) .*)$", re.MULTILINE)


class Hooked(Repository):
    """`way` says by what the gate is run; `codes` what it ended with."""

    def __init__(self, root: Path, way: str) -> None:
        super().__init__(root, init=False)
        self.way = way
        self.notes = root.with_name(root.name + ".codes")
        home = root.with_name("managers")
        self.env |= {
            "HOOK_CODES": str(self.notes),
            "HOOK_TWICE": "yes" if way == "hook" else "",
            "PRE_COMMIT_HOME": str(home / "pre-commit"),
            "PREK_HOME": str(home / "prek"),
        }

    def copy(self, root: Path) -> Hooked:
        """The same repository in another place."""
        shutil.copytree(self.root, root, symlinks=True)
        copied = Hooked(root, self.way)
        copied.git("update-index", "-q", "--refresh")  # the index knows files by their inodes too
        return copied

    def install(self, *types: str) -> None:
        """Install the gate as these git hooks (default: pre-commit)."""
        for kind in types or ("pre-commit",):
            if self.way != "hook":
                self.run(self.tool(self.way), "install", "-t", kind)
            elif kind == "pre-push":
                path = self.root / ".git/hooks/pre-push"
                path.parent.mkdir(exist_ok=True)
                path.write_text(_PRE_PUSH.format(program=noted(self.root)), encoding="utf-8")
                path.chmod(0o755)
            else:
                self.hook(kind, program=noted(self.root))

    def codes(self) -> list[int]:
        """The exit code of every run of the gate since this was last asked."""
        try:
            found = [int(line) for line in self.notes.read_text(encoding="ascii").split()]
        except FileNotFoundError:
            return []
        self.notes.unlink()
        return found

    def head(self) -> str:
        return self.git("rev-parse", "--verify", "--quiet", "HEAD", code=None).out

    def passes(self, *words: str, feed: str = "", cwd: str = ".", env: Mapping[str, str] | None = None) -> Done:
        """`git commit` with these words succeeds, and the gate ran once and held."""
        self.codes()
        done = self.git("commit", "-m", "change", *words, feed=feed, cwd=cwd, env=env)
        assert self.codes() == [0], done.said
        return done

    def blocked(
        self, *words: str, hook: int = 2, feed: str = "", cwd: str = ".", env: Mapping[str, str] | None = None
    ) -> Done:
        """`git commit` with these words exits 1 and commits nothing; the gate ran once and ended with `hook`."""
        self.codes()
        before = self.head()
        done = self.git("commit", "-m", "change", *words, code=1, feed=feed, cwd=cwd, env=env)
        assert self.codes() == [hook], done.said
        assert self.head() == before
        return done

    def unchecked(self, *words: str, message: str = "unchecked") -> None:
        """A commit that no hook sees."""
        self.git("commit", "-q", "--no-verify", "-m", message, *words)

    def everything(self, hook: int, *words: str) -> Done:
        """What CI does: the gate over everything; for a manager `run --all-files`, which exits 0 or 1."""
        self.codes()
        if self.way == "hook":
            done = self.run(noted(self.root), "gate", code=hook)
        else:
            done = self.run(self.tool(self.way), "run", "--all-files", "--verbose", *words, code=1 if hook else 0)
        assert self.codes() == [hook], done.said
        return done

    def push(self, *words: str, hook: int) -> Done:
        """`git push` through the pre-push hook: exits 1, and nothing is pushed, when the gate does not hold."""
        self.codes()
        done = self.git("push", "origin", *words, code=1 if hook else 0)
        assert self.codes() == [hook], done.said
        return done

    def follow(self, said: str, cwd: str = ".") -> list[str]:
        """Type the commands that a refusal prints, as a person would who reads the diff and gives a reason.

        "or …" lines are the way not taken, and `git commit` is the caller's: it goes through the gate.
        """
        commands = [found[1] for found in _COMMANDS.finditer(said)]
        path = os.pathsep.join([os.path.dirname(LASTGOOD), os.environ["PATH"]])
        for command in commands:
            if command.startswith(("or ", "git commit")):
                continue
            typed = command
            words = shlex.split(command.partition(" --reason")[0]) if command.startswith("lastgood ") else []
            if "record" in words:
                at = words.index("record")
                which = [*words[1:at], *words[at + 1 :]]
                token = self.token(*(word for word in which if word != "--merge"), cwd=cwd)
                typed = command.replace("'…'", f"'as it should be' --accept {token}")
            self.run("bash", "-c", typed, code=None, cwd=cwd, env={"PATH": path})
        return commands

    def move(self, prompt: str = "billing", say: str = "refunded") -> str:
        """Edit a prompt so that its completions move; its path."""
        path = f"prompts/{prompt}.txt"
        self.write({path: f"Answer briefly.\nsay: {say}\n"})
        return path

    def move_and_accept(self, prompt: str = "billing", say: str = "refunded") -> str:
        """Edit a prompt and record its migration, both only on disk; the prompt's path."""
        path = self.move(prompt, say)
        self.accept(f"{prompt} says {say}")
        return path

    def migrations(self, prompt: str = "billing") -> list[str]:
        """The migrations of a prompt on disk, oldest first."""
        folder = self.root / f"baselines/stub/{prompt}/migrations"
        return sorted(path.relative_to(self.root).as_posix() for path in folder.iterdir())

    def publish(self, name: str = "origin.git") -> Path:
        """A bare repository beside this one that holds main, known here as origin."""
        path = self.root.with_name(name)
        self.git("clone", "-q", "--bare", ".", str(path))
        self.git("remote", "add", "origin", path.as_uri())
        self.git("fetch", "-q", "origin")
        return path


def noted(root: Path) -> str:
    """The program that runs `lastgood` and notes its exit code, for the repository at `root`."""
    path = root.parent / "noted"
    if not path.exists():
        path.write_text(_NOTED, encoding="utf-8")
        path.chmod(0o755)
    return str(path)


def template(root: Path, way: str) -> Hooked:
    """The standing repository, committed in step, with the gate installed at commits."""
    standing(root)
    repo = Hooked(root, way)
    shutil.rmtree(root / ".git/hooks")
    repo.write({".pre-commit-config.yaml": manager_config(program=noted(root))})
    repo.git("add", "-A")
    repo.git("commit", "-q", "-m", "managers")
    repo.install()
    repo.lastgood("check")
    return repo
