"""What is wrong with the git hooks: missing, not executable, passed over, in the wrong order, or undone by others."""

from __future__ import annotations

import re

from lastgood.core.manager_config import FILE, STAGES
from lastgood.core.shell import quoted
from lastgood.core.value import TYPE_CHECKING, value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lastgood.core.manager_config import Hook, ManagerConfig

# Hook id → the suffixes of the files that it rewrites; none: every text file.
FIXERS: dict[str, tuple[str, ...]] = {
    "biome-format": (".json",),
    "codespell": (),
    "dprint": (),
    "end-of-file-fixer": (),
    "file-contents-sorter": (),
    "fix-byte-order-marker": (),
    "fix-encoding-pragma": (".py",),
    "fix-ligatures": (),
    "fix-smartquotes": (),
    "fix-spaces": (),
    "fix-unicode-dashes": (),
    "markdownlint-fix": (".md",),
    "mdformat": (".md",),
    "mixed-line-ending": (),
    "prettier": (".json", ".md", ".yaml", ".yml", ".html", ".css", ".js", ".ts"),
    "pretty-format-json": (".json",),
    "pretty-format-yaml": (".yaml", ".yml"),
    "remove-crlf": (),
    "remove-tabs": (),
    "trailing-whitespace": (),
    "typos": (),
    "yamlfmt": (".yaml", ".yml"),
}
# What rewrites other files, or adds some: the gate has to come after them.
REWRITERS = {*FIXERS, "autopep8", "black", "isort", "nbstripout", "pyupgrade", "ruff", "ruff-check", "ruff-format"}
_ONLY_LOOKS = ("--check", "--diff", "--dry-run", "--fix=no", "--no-fix")
_LINTERS = ("ruff", "ruff-check", "codespell")  # rewrite only when told to
_TOLD_TO = ("--fix", "-w", "--write-changes")
_TEXTS = ("text", "file", "json", "markdown", "yaml", "plain-text", "xml", "html")  # types that prompts are of

PLAIN = r"printf '#!/bin/sh\nexec lastgood gate\n'"
PLAIN_PUSH = (
    "printf '%s\\n' '#!/bin/sh' worst=0 'while read -r _ new _ old; do' "
    "'  case \"$new\" in *[!0]*) ;; *) continue ;; esac' "
    "'  lastgood gate --from-ref \"$old\" --to-ref \"$new\" < /dev/null || worst=1' done 'exit $worst'"
)


@value(frozen=True)
class Complaint:
    """One thing wrong with the set-up: a stable code, the file it is about, a sentence, commands that mend it."""

    code: str
    path: str
    message: str
    fix: tuple[str, ...]


@value(frozen=True)
class HookFile:
    """One git hook where git looks for it. `text` is None when there is none; `followed`: what it runs in its turn."""

    path: str
    text: str | None
    executable: bool
    followed: str = ""

    @property
    def manager(self) -> str:
        """The manager that wrote it, or ""."""
        text = self.text or ""
        return "prek" if "prek" in text else "pre-commit" if "pre-commit" in text and "hook-impl" in text else ""

    @property
    def runs_lastgood(self) -> bool:
        """By itself, or by a file that it names."""
        return "lastgood" in (self.text or "") or "lastgood" in self.followed


@value(frozen=True)
class Scope:
    """The root that hooks are to judge: `below` the folder of their configuration; whether the top is a root too."""

    below: str = ""
    top_is_root: bool = True

    @property
    def start(self) -> str:
        """What stands before its paths where the hooks are configured."""
        return f"{self.below}/" if self.below else ""

    @property
    def words(self) -> str:
        """What the gate is told to judge it."""
        return f" --root {quoted(self.below)}" if self.below and self.top_is_root else ""


def of_hooks(
    hooks: Mapping[str, HookFile],
    hooks_path: str,
    dead: Sequence[str],
    manager: ManagerConfig | None,
    watched: Sequence[str],
    scope: Scope = Scope(),  # noqa: B008  # frozen
) -> Iterator[Complaint]:
    """Complaints about hook files, then about the manager's configuration."""
    watched = [scope.start + path for path in watched]
    managed = [file for file in hooks.values() if file.manager]
    for path in dead:
        what = f"runs lastgood, and git passes it over: core.hooksPath leads to {hooks_path}"
        yield Complaint("hooks-elsewhere", path, what, ("git config --unset-all core.hooksPath",))
    ours = (
        [hook for hook in manager.hooks if hook.judges(scope.below, top_is_root=scope.top_is_root)] if manager else []
    )
    for kind, file in hooks.items():
        if file.text is None:
            fix = _install(kind, hooks, hooks_path, scope, managed=bool(ours or managed))
            yield Complaint("hook-missing", file.path, f"no {kind} hook: lastgood never runs there", fix)
        elif not file.executable:
            what = "is not executable, so git passes it over"
            yield Complaint("hook-not-executable", file.path, what, (f"chmod +x {quoted(file.path)}",))
        elif not file.manager and not (file.runs_lastgood and scope.words.strip()[:6] in (file.text or "")):
            fix = (f"let it run: lastgood gate{scope.words}{' --from-ref … --to-ref …' if kind == 'pre-push' else ''}",)
            yield Complaint(
                "hook-other", file.path, f"the {kind} hook does not run lastgood{' here' * bool(scope.words)}", fix
            )
    if managed:
        yield from _managed(managed, manager, ours, watched, scope)
    elif manager:
        yield from _undone(manager, watched, scope)


def _install(
    kind: str, hooks: Mapping[str, HookFile], hooks_path: str, scope: Scope, *, managed: bool
) -> tuple[str, ...]:
    if not managed:
        path, folder = quoted(hooks[kind].path), quoted(hooks[kind].path.rpartition("/")[0])
        # Where the top is no root a bare gate judges every root, this one too.
        script = (PLAIN_PUSH if kind == "pre-push" else PLAIN).replace("gate", f"gate{_inside(scope.words)}")
        return (f"mkdir -p {folder} && {script} > {path} && chmod +x {path}",)
    tool = next((file.manager for file in hooks.values() if file.manager), "pre-commit")
    missing = [name for name, file in hooks.items() if file.text is None]
    unset = ("git config --unset-all core.hooksPath",) if hooks_path else ()  # managers refuse to install with it
    return (*unset, f"{tool} install {' '.join(f'-t {name}' for name in missing)}")


def _inside(words: str) -> str:
    """Shell words inside a shell's single quotes, as printf is told them."""
    return words.replace("\\", "\\\\").replace("%", "%%").replace("'", "'\\''")


def _managed(
    files: Sequence[HookFile],
    manager: ManagerConfig | None,
    ours: Sequence[Hook],
    watched: Sequence[str],
    scope: Scope,
) -> Iterator[Complaint]:
    if manager is None:
        what = f"{files[0].manager} is installed, and there is no configuration for it to read"
        yield Complaint("hook-not-configured", FILE, what, _paste(scope))
        return
    if not ours:
        what = f"names no hook of lastgood{f' for the root {scope.below}' if scope.below else ''}"
        yield Complaint("hook-not-configured", FILE, what, _paste(scope))
    stages = {stage for hook in ours for stage in manager.stages_of(hook)}
    missing = [stage for stage in STAGES if stage not in stages] if ours else []
    if missing:
        what = f"line {ours[0].line}: {ours[0].id} does not run at {', '.join(missing)}"
        fix = ("stages: [pre-commit, pre-merge-commit, pre-push, manual]",)
        yield Complaint("stage-missing", FILE, what, fix)
    for hook in ours:
        told = hook.keys.get("always_run", "" if hook.local else "true")
        if told != "true":
            what = f"line {hook.line}: {hook.id} does not always run: a deleted prompt passes no file name"
            yield Complaint("hook-filtered", FILE, what, ("always_run: true",))
    yield from _order(manager, ours)
    yield from _undone(manager, watched, scope)


def _paste(scope: Scope) -> tuple[str, ...]:
    more = f", args: [--root, '{scope.below}']" if scope.below else ""
    return (f"add the lines of the README to {FILE}: repo, rev, and under hooks  - id: lastgood-gate{more}",)


def _order(manager: ManagerConfig, ours: Sequence[Hook]) -> Iterator[Complaint]:
    first = manager.hooks.index(ours[0]) if ours else len(manager.hooks)
    for hook in manager.hooks[first:]:
        if not hook.runs_lastgood and _rewrites(hook):
            what = f"line {hook.line}: {hook.id} may rewrite or add files after lastgood judged them"
            yield Complaint("hook-order", FILE, what, (f"move {hook.id} above {ours[0].id}",))


def _rewrites(hook: Hook) -> bool:
    words = f"{hook.keys.get('entry', '')} {hook.keys.get('args', '')}"
    if "git add" in words or "lint-staged" in words:
        return True
    if any(word in words for word in _ONLY_LOOKS):
        return False
    known = hook.id in REWRITERS
    return known and (hook.id not in _LINTERS or any(word in words.split() for word in _TOLD_TO))


def _undone(manager: ManagerConfig, watched: Sequence[str], scope: Scope) -> Iterator[Complaint]:
    """Fixers that would rewrite what is hashed: a photograph must not be retouched."""
    for hook in manager.hooks:
        if hook.id not in FIXERS or not _rewrites(hook) or not _takes_text(hook):
            continue
        hit = [path for path in watched if path.endswith(FIXERS[hook.id] or ("",)) and not _spared(manager, hook, path)]
        if hit:
            start = scope.start
            found = {path.removeprefix(start).partition("/")[0] for path in hit if "/" in path.removeprefix(start)}
            tops = sorted(re.escape(start + name) for name in found)
            pattern = f"^({'|'.join(tops)})/" if tops else f"^{re.escape(hit[0])}$"
            what = f"line {hook.line}: {hook.id} would rewrite {hit[0]}, whose bytes are hashed"
            yield Complaint("fixer", FILE, what, (f"exclude: {pattern}  (under - id: {hook.id})",))


def _takes_text(hook: Hook) -> bool:
    """Whether its own `types` let it see anything but code."""
    told = f"{hook.keys.get('types', '')} {hook.keys.get('types_or', '')}".split()
    return not told or any(name in _TEXTS for name in told)


def _spared(manager: ManagerConfig, hook: Hook, path: str) -> bool:
    """Whether the patterns of the hook, and those at the top, keep a file from it; as the managers search them."""
    excludes = (manager.top.get("exclude", ""), hook.keys.get("exclude", ""))
    files = (manager.top.get("files", ""), hook.keys.get("files", ""))
    try:
        if any(pattern and re.search(pattern, path) for pattern in excludes):
            return True
        return any(pattern and not re.search(pattern, path) for pattern in files)
    except re.error:
        return False
