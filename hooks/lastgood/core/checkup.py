"""What is wrong with a set-up: facts about a repository's surroundings to complaints, each with what mends it."""

from __future__ import annotations

from lastgood.core import glob
from lastgood.core.hook_checkup import Complaint, HookFile, Scope, of_hooks
from lastgood.core.layout import BASELINES, GOLDEN
from lastgood.core.manager_config import FILE
from lastgood.core.shell import quoted
from lastgood.core.value import TYPE_CHECKING, value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lastgood.core.config import Config
    from lastgood.core.manager_config import ManagerConfig

OLDEST_GIT = (2, 30)  # `git diff-index --merge-base`
OLDEST_PYTHON = (3, 10)


@value(frozen=True)
class Surroundings:
    """What was found around a tree.

    `hooks`: git hook → its file. `hooks_path`: what core.hooksPath says. `dead`: hook files that git passes over then.
    `watched`: the files that lastgood looks at. `converted`: those (and places of future ones) whose bytes git may
    change, `ignored`: those it leaves out, with the rule (file, line, pattern). `tracked_runs`: files of the run folder
    in the index. `base`: whether the shared base is here. `starts`: completer → (code, why it cannot start, fix).
    `unset`: completer → variables it is to be given and are not set. `below`: the way from the folder of the manager's
    configuration to the root, `top_is_root`: whether the top of the repository is a root too.
    """

    git: tuple[int, ...]
    python: tuple[int, ...]
    hooks: Mapping[str, HookFile]
    hooks_path: str
    dead: tuple[str, ...]
    manager: ManagerConfig | None
    watched: tuple[str, ...]
    converted: tuple[str, ...]
    ignored: Mapping[str, tuple[str, str, str]]
    tracked_runs: bool
    runs_ignored: bool
    base: bool
    remotes: tuple[str, ...]
    starts: Mapping[str, tuple[str, str, str]]
    unset: Mapping[str, tuple[str, ...]]
    below: str = ""
    top_is_root: bool = True


def checkup(config: Config, around: Surroundings) -> tuple[list[Complaint], list[str]]:
    """(complaints, notes): what does not work or will not hold, and what only may be worth knowing."""
    complaints = [
        *_old(around),
        *of_hooks(
            around.hooks,
            around.hooks_path,
            around.dead,
            around.manager,
            around.watched,
            Scope(around.below, around.top_is_root),
        ),
        *_bytes(config, around),
        *_ignored(around),
        *_base(config, around),
        *_completers(config, around),
    ]
    return complaints, list(_notes(config, around))


def _old(around: Surroundings) -> Iterator[Complaint]:
    for code, what, found, oldest in (
        ("git-old", "git", around.git, OLDEST_GIT),
        ("python-old", "Python", around.python, OLDEST_PYTHON),
    ):
        if found[:2] < oldest:
            now, least = (".".join(map(str, version)) for version in (found, oldest))
            yield Complaint(code, "", f"{what} {now} is too old: lastgood needs {least}", (f"install {what} {least}",))
    manager = around.manager
    asked = [manager.top.get("python", "")] if manager else []
    asked += [hook.keys.get("language_version", "") for hook in manager.hooks if hook.runs_lastgood] if manager else []
    for name in asked:
        version = name.removeprefix("python").split(".")
        if len(version) > 1 and version[1].isdecimal() and (int(version[0] or 0), int(version[1])) < OLDEST_PYTHON:
            what = f"hooks are to run on {name}: lastgood needs Python 3.10"
            yield Complaint("python-old", FILE, what, ("name a newer Python there",))


def _bytes(config: Config, around: Surroundings) -> Iterator[Complaint]:
    if not around.converted:
        return
    wanted = [*config.prompts, *(pattern for row in config.declared for pattern in row.files), *_OWN]
    globs = [pattern for pattern in wanted if any(map(glob.matcher(pattern), around.converted))]
    more = f" and {len(around.converted) - 1} more" if len(around.converted) > 1 else ""
    what = f"git may change line ends of {around.converted[0]}{more}: the same commit would hash otherwise elsewhere"
    lines = " ".join(map(quoted, globs))
    fix = (f"printf '%s -text\\n' {lines} >> .gitattributes", "git add --renormalize .")
    yield Complaint("bytes-converted", ".gitattributes", what, fix)


_OWN = (f"{GOLDEN}**", f"{BASELINES}**")


def _ignored(around: Surroundings) -> Iterator[Complaint]:
    told = set()
    for path, (source, line, pattern) in around.ignored.items():
        if (source, line) not in told:
            told.add((source, line))
            what = f"git ignores {path}, so it never comes into a commit: line {line} says {pattern}"
            yield Complaint("ignored", source, what, (f"take {pattern} out of {source}, or narrow it",))
    if around.tracked_runs:
        fix = ("git rm -r --cached -q .lastgood", "echo .lastgood/ >> .gitignore")
        yield Complaint("runs-tracked", ".lastgood", "runs that nobody accepted yet are in the index", fix)
    elif not around.runs_ignored:
        what = "git does not ignore the run folder, so `git add -A` takes it along"
        yield Complaint("runs-not-ignored", ".lastgood", what, ("echo .lastgood/ >> .gitignore",))


def _base(config: Config, around: Surroundings) -> Iterator[Complaint]:
    if around.base:
        return
    if config.base:
        remote = config.base.partition("/")[0]
        fetch = f"git fetch {quoted(remote)}" if remote in around.remotes else f"git remote add {quoted(remote)} URL"
        what = f"the base {config.base!r} is no commit here, so nobody can tell whether shipped cases were rewritten"
        yield Complaint(
            "base-missing", config.path, what, (fetch, f"or set base in {config.path} to a branch you have")
        )
    elif around.remotes:
        what = "no base is set, and origin/HEAD is not here: rewritten history would not be noticed"
        fix = (f'set base = "{around.remotes[0]}/main" in {config.path}', "or git remote set-head origin --auto")
        yield Complaint("base-missing", config.path, what, fix)


def _completers(config: Config, around: Surroundings) -> Iterator[Complaint]:
    ids = {hook.id for hook in around.manager.hooks if hook.runs_lastgood} if around.manager else set()
    if not config.commit_completer and ids != {"lastgood-check"}:
        what = "no commit_completer: the gate has nobody to ask at a commit"
        fix = (f'set commit_completer = "…" in {config.path}, and its command under [completers.…]',)
        yield Complaint("commit-completer-missing", config.path, what, fix)
    for name, (code, why, mend) in around.starts.items():
        yield Complaint(code, config.path, f"the completer {name!r} cannot start: {why}", (mend,))


def _notes(config: Config, around: Surroundings) -> Iterator[str]:
    if around.manager and around.manager.unread:
        lines = ", ".join(map(str, around.manager.unread))
        yield f"{FILE}: written in a way that is not read here, so not looked at: line {lines}"
    if not around.base and not config.base and not around.remotes:
        yield "no remote and no base: what was shipped can be rewritten unseen until there is one"
    for name, missing in around.unset.items():
        yield f"the completer {name!r} is to be given {', '.join(missing)}, not set here"
