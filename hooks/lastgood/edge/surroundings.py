"""What lies around a tree: git, its hooks, attributes and ignore rules, the shared base, the commands of completers."""

from __future__ import annotations

import os
import re
import sys

from lastgood.core.checkup import Surroundings
from lastgood.core.completer import named_words
from lastgood.core.config import FILES
from lastgood.core.hook_checkup import HookFile
from lastgood.core.layout import BASELINES, GOLDEN, HEAD, lay_out
from lastgood.core.manager_config import FILE, STAGES, read_manager_config
from lastgood.core.scope import is_below
from lastgood.core.scope import roots as places
from lastgood.core.shell import quoted
from lastgood.core.value import TYPE_CHECKING
from lastgood.edge import git, roots
from lastgood.edge.completers.command import find
from lastgood.edge.folder import NAME

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lastgood.core.config import Completer, Config
    from lastgood.core.manager_config import ManagerConfig

_MOST = 100_000  # bytes of a hook that are looked at
_PROGRAMS = (".py", ".js", ".mjs", ".ts", ".sh", ".rb", ".pl", ".php")
# Where other managers keep what their hook files run.
_OTHERS = {"husky": (".husky/{}",), "lefthook": ("lefthook.yml", "lefthook.yaml", ".lefthook.yml", "lefthook.toml")}


def surroundings(root: str, config: Config) -> Surroundings:
    """Look around; nothing is written, no completer is run."""
    watched = _watched(root, config)
    top = roots.find_top()
    own = os.path.lexists(os.path.join(root, FILE))  # a project of a workspace; else the top's is everybody's
    hooks_path = _setting(root, "core.hooksPath")
    hooks = {kind: _hook(root, _git_path(root, f"hooks/{kind}"), kind) for kind in STAGES}
    return Surroundings(
        git=_git_version(),
        python=sys.version_info[:3],
        hooks=hooks,
        hooks_path=hooks_path,
        dead=_dead(root) if hooks_path else (),
        manager=_manager(root if own else top),
        watched=watched,
        converted=_converted(root, (*watched, *_future(config, watched))),
        ignored=_ignored(root, (*watched, *_future(config, watched))),
        tracked_runs=bool(git.run("ls-files", "-z", "--", f":(literal){NAME}", root=root)),
        runs_ignored=_runs_ignored(root),
        base=_base_is_here(root, config),
        remotes=tuple(git.run("remote", root=root).decode("utf-8", "replace").split()),
        starts=dict(_starts(root, config)),
        below="" if own else roots.name_of(root),
        top_is_root=roots.has_configuration(top),
        unset={
            completer.name: tuple(name for name in completer.env if name not in os.environ)
            for completer in config.completers
            if any(name not in os.environ for name in completer.env)
        },
    )


def _git_version() -> tuple[int, ...]:
    told = git.run("version").decode("ascii", "replace")
    found = re.search(r"(\d+)\.(\d+)(?:\.(\d+))?", told)
    return tuple(int(number) for number in found.groups() if number) if found else ()


def _setting(root: str, name: str) -> str:
    return os.fsdecode(git.attempt("config", "--get", name, root=root).out.removesuffix(b"\n"))


def _git_path(root: str, name: str) -> str:
    return os.fsdecode(git.run("rev-parse", "--git-path", name, root=root).removesuffix(b"\n"))


def _hook(root: str, path: str, kind: str) -> HookFile:
    where = os.path.join(root, path)
    text = _text(where)
    followed, top = "", roots.find_top()
    for sign, names in _OTHERS.items():
        if text is not None and (sign in text or sign in path):
            followed += "".join(_text(os.path.join(top, name.format(kind))) or "" for name in names)
    return HookFile(path, text, os.access(where, os.X_OK), followed)


def _text(path: str) -> str | None:
    if not os.path.isfile(path):
        return None
    try:
        with open(path, "rb") as file:
            return file.read(_MOST).decode("utf-8", "replace")
    except OSError:
        return ""


def _dead(root: str) -> tuple[str, ...]:
    """Hook files in git's own folder that run lastgood."""
    common = os.fsdecode(git.run("rev-parse", "--git-common-dir", root=root).removesuffix(b"\n"))
    found = ((os.path.join(common, "hooks", kind)) for kind in STAGES)
    live = {os.path.realpath(os.path.join(root, _git_path(root, f"hooks/{kind}"))) for kind in STAGES}
    files = [path for path in found if os.path.realpath(os.path.join(root, path)) not in live]
    hooks = {path: _hook(root, path, os.path.basename(path)) for path in files}
    return tuple(path for path, hook in hooks.items() if hook.runs_lastgood or hook.manager)


def _manager(root: str) -> ManagerConfig | None:
    text = _text(os.path.join(root, FILE))
    return None if text is None else read_manager_config(text)


def _watched(root: str, config: Config) -> tuple[str, ...]:
    """The prompts' files and all below golden/ and baselines/ on disk, ignored ones too."""
    tops = places(config)
    flags = ("--cached", "--others") if tops else ("--cached", "--others", "--exclude-standard")
    specs = [":(literal)" + top for top in tops] or ["."]
    out = git.run("ls-files", "-z", *flags, "--", *specs, root=root)
    paths = [path for path in dict.fromkeys(out.decode("utf-8", "surrogateescape").split("\0")) if path]
    inner = tuple(f"{name}/" for name in roots.among(root, paths) if name)
    paths = [path for path in paths if not path.startswith(inner)]
    layout = lay_out(config, {path: ("100644", "") for path in paths if os.path.lexists(os.path.join(root, path))})
    prompts = {path for prompt in layout.prompts.values() for path in prompt.files}
    kept = [path for path in paths if path in prompts or is_below(path, ("golden", "baselines"))]
    return tuple(sorted(path for path in kept if path not in FILES and not path.rpartition("/")[2].startswith(".")))


def _future(config: Config, watched: Iterable[str]) -> tuple[str, ...]:
    """Places where the next files will lie."""
    known = {path.split("/")[1] for path in watched if path.startswith(GOLDEN) and path.count("/") > 1}
    prompt_id = min(known - {"schemas"}, default="prompt")
    completer = config.commit_completer or "completer"
    return f"{GOLDEN}{prompt_id}/next-case.json", f"{BASELINES}{completer}/{prompt_id}/{HEAD}"


def _converted(root: str, paths: Iterable[str]) -> tuple[str, ...]:
    """Those of the paths that are not `-text`."""
    out = git.run("check-attr", "-z", "--stdin", "text", root=root, feed=_feed(paths)).decode(
        "utf-8", "surrogateescape"
    )
    parts = out.split("\0")
    return tuple(path for path, value in zip(parts[::3], parts[2::3], strict=False) if value != "unset")


def _ignored(root: str, paths: Iterable[str]) -> dict[str, tuple[str, str, str]]:
    """Path → the rule by which git ignores it, tracked or not."""
    flags = ("-z", "-v", "--no-index", "--stdin")
    out = git.attempt("check-ignore", *flags, root=root, feed=_feed(paths)).out.decode("utf-8", "surrogateescape")
    parts = out.split("\0")
    rows = zip(parts[::4], parts[1::4], parts[2::4], parts[3::4], strict=False)
    return {path: (source, line, pattern) for source, line, pattern, path in rows if not pattern.startswith("!")}


def _feed(paths: Iterable[str]) -> bytes:
    return b"".join(path.encode("utf-8", "surrogateescape") + b"\0" for path in paths)


def _runs_ignored(root: str) -> bool:
    """Whether git passes the run folder over; one that is not there yet brings its own rule along."""
    here = os.path.isdir(os.path.join(root, NAME))
    return not here or not git.attempt("check-ignore", "-q", "--no-index", f"{NAME}/some-run", root=root).code


def _base_is_here(root: str, config: Config) -> bool:
    name = git.commit_name(config.base or "origin/HEAD")
    return not git.attempt("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}", root=root).code


def _starts(root: str, config: Config) -> Iterable[tuple[str, tuple[str, str, str]]]:
    for completer in config.completers:
        why = None if completer.replay else _cannot_start(root, completer, os.environ)
        if why:
            yield completer.name, why


def _cannot_start(root: str, completer: Completer, environ: Mapping[str, str]) -> tuple[str, str, str] | None:
    """(code, why, what mends it) of a completer whose command is not there, or may not be run."""
    name = completer.command[0]
    try:
        found = find(completer.command, root, environ).executable
    except OSError as exc:
        fix = f"git add {quoted(name)}" if "/" in name else f"install {name}, or put it on PATH"
        return "completer-missing", str(exc), fix
    if not os.access(found, os.X_OK):
        ours = f" && git update-index --chmod=+x {quoted(name)}" if not os.path.isabs(name) else ""
        return "completer-not-executable", f"{name} is not executable", f"chmod +x {quoted(name)}{ours}"
    for word, path in named_words(completer)[1:]:
        if path.endswith(_PROGRAMS) and not os.path.exists(os.path.join(root, path)):
            return "completer-missing", f"no file {word}", f"write {word}, or correct the command"
    return None
