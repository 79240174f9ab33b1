"""What `lastgood init` would write in a repository: the files, whole, each with why. Nothing that exists is replaced.

Pure: paths and bytes in, a plan out. A repository that has all of it gives an empty plan.
"""

from __future__ import annotations

import json

from lastgood.core import glob
from lastgood.core.config import parse
from lastgood.core.discovery import find, part_for, worth_reading
from lastgood.core.layout import golden_folder, lay_out, prompt_id_of
from lastgood.core.make_include import NAME, include_text, including, taken
from lastgood.core.manager_config import FILE
from lastgood.core.manager_merge import entry, merged
from lastgood.core.names import colliding
from lastgood.core.setup_texts import (
    ATTRIBUTES,
    CONFIG,
    EMPTY_MANAGER,
    STUB,
    first_suite,
    literal,
    toml_list,
    toml_table,
    toml_text,
)
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lastgood.core.config import Config
    from lastgood.core.discovery import Found
    from lastgood.core.layout import Layout

MAKEFILES = ("GNUmakefile", "makefile", "Makefile")  # in the order in which make looks
OURS = (".gitattributes", ".gitignore", FILE, *MAKEFILES, NAME)  # looked at also where git ignores them


@value(frozen=True)
class Step:
    """One file to write: all of its bytes, what happens to it, and why."""

    path: str
    data: bytes
    act: str  # "new" or "add to"
    why: str


@value(frozen=True)
class Wanted:
    """What a person asked of init, and where: `below` the top of the repository, with the manager's file there."""

    only: tuple[str, ...]
    hook_repo: str
    version: str
    below: str = ""
    manager: str = FILE
    top_is_root: bool = True


@value(frozen=True)
class Setup:
    """The plan: steps in order, the prompts that are guarded, what was left to the person."""

    steps: tuple[Step, ...]
    prompts: tuple[str, ...]
    notes: tuple[str, ...]


def plan(modes: Mapping[str, str], files: Mapping[str, bytes], wanted: Wanted, standing: Config | None) -> Setup:
    """The plan for a tree of these paths (path → mode), whose interesting files have these bytes.

    `standing`: the configuration that is there already; it is kept as it is.
    """
    entries = {path: (mode, "") for path, mode in modes.items()}
    notes: list[str] = []
    steps: list[Step] = []
    config = standing
    if config is None:
        stub = next(name for name in _stub_names() if name not in modes)
        text, config = _configuration(entries, files, wanted, stub, notes)
        steps.append(Step("lastgood.toml", text.encode(), "new", "which files are prompts, and who answers for them"))
        steps.append(Step(stub, STUB.encode(), "new", "the stub: a fixed answer a prompt, until you teach it more"))
    layout = lay_out(config, entries)
    notes += [f"{finding.path}: {finding.message}" for finding in layout.findings]
    steps += _suites(layout)
    steps += _lists(files, config)
    steps += _manager(files, wanted, config, notes)
    steps += _make(files, modes)
    return Setup(tuple(steps), tuple(layout.prompts), tuple(notes))


def _stub_names() -> Iterable[str]:
    yield "completers/stub.py"
    yield "completers/lastgood_stub.py"
    number = 2
    while True:
        yield f"completers/lastgood_stub_{number}.py"
        number += 1


def _configuration(
    entries: Mapping[str, tuple[str, str]],
    files: Mapping[str, bytes],
    wanted: Wanted,
    stub: str,
    notes: list[str],
) -> tuple[str, Config]:
    usable = {path: data for path, data in files.items() if _is_utf8(path) and entries[path][0] != "120000"}
    if wanted.only:
        patterns, parts, chosen = _named(usable, wanted.only)
    else:
        found = find(usable)
        patterns, parts, chosen = (
            _patterns(found),
            {row.path: row.part for row in found if row.part},
            {row.path for row in found},
        )
    if not chosen:
        raise LastgoodError(
            f"no file here {'matches ' + ', '.join(wanted.only) if wanted.only else 'looks like a prompt'}",
            fix="lastgood init --only 'GLOB'",
        )
    # What lies among prompts is one, whatever it holds today.
    chosen |= {path for path, data in usable.items() if worth_reading(path) and b"\0" not in data}
    declared: dict[str, str] = {}
    unguarded: list[str] = []
    while True:  # each round mends what the last one laid bare
        text = CONFIG.format(
            prompts=toml_list(patterns),
            unguarded=f"unguarded = {toml_list(unguarded)}\n" if unguarded else "",
            stub=toml_text(stub),
            parts=toml_table("parts", {literal(path): part for path, part in sorted(parts.items())}),
            declared="".join(
                f"\n[prompt.{toml_text(prompt_id)}]\nfiles = [{toml_text(literal(path))}]\n"
                for prompt_id, path in declared.items()
            ),
        )
        config = parse("lastgood.toml", text.encode())
        assert config
        layout = lay_out(config, entries)
        if not _mend(layout, chosen, declared, unguarded, notes):
            return text, config


def _named(files: Mapping[str, bytes], only: Sequence[str]) -> tuple[list[str], dict[str, str], set[str]]:
    for pattern in only:
        try:
            glob.matcher(pattern)
        except ValueError as exc:
            raise LastgoodError(f"--only {pattern!r} is no glob: {exc}", fix="lastgood init --help") from None
    tests = [glob.matcher(pattern) for pattern in only]
    chosen = {path for path in files if any(matches(path) for matches in tests)}
    parts = {path: part_for(path, files[path]) for path in chosen}
    return list(only), {path: part for path, part in parts.items() if part}, chosen


def _patterns(found: Iterable[Found]) -> list[str]:
    """Globs of the folders in which prompts lie, so that the next one is seen too, and the single files."""
    patterns: dict[str, None] = {}
    for row in found:
        if row.folder and row.path.endswith("/system.md") and row.folder.lower().endswith("patterns"):
            patterns.setdefault(f"{literal(row.folder)}/**/system.md")
        elif row.folder and "." in row.path.rpartition("/")[2] and not row.path.endswith(".py"):
            patterns.setdefault(f"{literal(row.folder)}/**/*.{row.path.rpartition('.')[2]}")
        else:
            patterns.setdefault(literal(row.path))
    return list(patterns)


def _mend(layout: Layout, chosen: set[str], declared: dict[str, str], unguarded: list[str], notes: list[str]) -> bool:
    """Give a path-shaped id to what collides, and leave out what is no prompt; whether anything changed."""
    before = (len(declared), len(unguarded))
    for finding in layout.findings:
        if finding.code == "prompt-collision":
            _declare(finding.path, layout, declared)
        elif finding.code in ("prompt-name", "prompt-mode") and finding.path != "lastgood.toml":
            pattern = literal(finding.path)
            unguarded += [pattern] * (pattern not in unguarded)
            notes.append(f"{finding.path} is left out: {finding.message}")
    for _, prompt_id in colliding(layout.prompts):
        _declare(layout.prompts[prompt_id].path, layout, declared)
    named = set(declared.values())
    for prompt in layout.prompts.values():
        if prompt.path not in chosen and prompt.path not in named:
            pattern = literal(prompt.path)
            if pattern not in unguarded and worth_reading(prompt.path):
                notes.append(f"{prompt.path!a} is left out: a name not to be written here, too large, or no text")
            unguarded += [pattern] * (pattern not in unguarded)
    return before != (len(declared), len(unguarded))


def _declare(path: str, layout: Layout, declared: dict[str, str]) -> None:
    if path in declared.values():
        return
    known = {name.casefold() for name in (*layout.prompts, *declared)}
    whole = path.replace(".", "-")
    names = [prompt_id_of(path), whole, *(f"{whole}-{number}" for number in range(2, 99))]
    declared[next(name for name in names if name.casefold() not in known)] = path


def _suites(layout: Layout) -> list[Step]:
    return [
        Step(
            f"{golden_folder(prompt_id)}suite.json",
            first_suite(prompt_id).encode(),
            "new",
            f"the first golden case of {prompt_id}, to fill in",
        )
        for prompt_id in layout.prompts
        if prompt_id not in layout.golden
    ]


def _lists(files: Mapping[str, bytes], config: Config) -> list[Step]:
    patterns = [*config.prompts, *(name for row in config.declared for name in row.files), "golden/**", "baselines/**"]
    old = files.get(".gitattributes", b"").decode("utf-8", "surrogateescape")
    has = {_subject(line) for line in old.splitlines() if {"-text", "binary"} & set(line.split()[1:])}
    missing = [word for word in dict.fromkeys(map(_attribute, patterns)) if word not in has and _plain(word) not in has]
    rows = [f"{word} -text" for word in missing]
    found = _appended(".gitattributes", files, [ATTRIBUTES, *rows] if rows else [], "what is hashed is not converted")
    ignored = {line.strip().strip("/") for line in files.get(".gitignore", b"").decode("utf-8", "replace").splitlines()}
    rows = [] if ".lastgood" in ignored else ["# Runs of lastgood that nobody accepted yet.", ".lastgood/"]
    return found + _appended(".gitignore", files, rows, "runs that nobody accepted stay out of git")


def _subject(line: str) -> str:
    """What a line of .gitattributes is about, in its quotes where it has any."""
    line = line.strip()
    return line[: line.rfind('"') + 1] if line.startswith('"') else line.split()[0]


def _attribute(pattern: str) -> str:
    word = pattern if "/" in pattern else f"/{pattern}"
    return json.dumps(word, ensure_ascii=False) if set(word) & set(' "\\\t') or word[0] in "#!" else word


def _plain(word: str) -> str:
    return word.removeprefix("/")


def _appended(path: str, files: Mapping[str, bytes], rows: Sequence[str], why: str) -> list[Step]:
    if not rows:
        return []
    old = files.get(path, b"")
    end = b"\r\n" if b"\r\n" in old else b"\n"
    apart = (b"" if old.endswith(b"\n") else end) + end if old else b""
    data = old + apart + b"".join(row.encode("utf-8", "surrogateescape") + end for row in rows)
    return [Step(path, data, "add to" if old else "new", why)]


def _manager(files: Mapping[str, bytes], wanted: Wanted, config: Config, notes: list[str]) -> list[Step]:
    yaml = any(part.startswith("/") and pattern.lower().endswith((".yaml", ".yml")) for pattern, part in config.parts)
    below = wanted.below if wanted.manager != FILE else ""  # a project of a workspace: hooks run there
    lines = entry(wanted.hook_repo, wanted.version, yaml=yaml, below=below)
    file, old, why = wanted.manager, files.get(wanted.manager), "the gate, at every commit, merge and push"
    if old is None:
        text = EMPTY_MANAGER + "".join(f"  {row}\n" for row in lines.splitlines())
        return [Step(file, text.encode(), "new", why)]
    try:
        text = old.decode("utf-8")
        found = merged(text, lines, below, top_is_root=wanted.top_is_root)
    except UnicodeDecodeError:
        found = None
    if found is None:
        shown = "".join(f"\n    {row}" for row in lines.splitlines())
        notes.append(f"{file} is written in a way that is not edited here; put this under its repos yourself:{shown}")
        return []
    return [] if found == text else [Step(file, found.encode(), "add to", why)]


def _make(files: Mapping[str, bytes], modes: Mapping[str, str]) -> list[Step]:
    name = next((name for name in MAKEFILES if name in files), "Makefile")
    old = files.get(name, b"").decode("utf-8", "surrogateescape")
    if "bin/lastgood" in old:  # has targets of its own
        return []
    steps = []
    if NAME not in modes:
        others = [data for path, data in files.items() if path.endswith(".mk")]
        busy = taken([old, *(data.decode("utf-8", "surrogateescape") for data in others)])
        steps.append(Step(NAME, include_text(busy).encode(), "new", "make eval and the rest, beside your own targets"))
    text = including(old)
    if text != old:
        data = text.encode("utf-8", "surrogateescape")
        steps.append(Step(name, data, "add to" if old else "new", f"one line: include {NAME}"))
    return steps


def interesting(path: str) -> bool:
    """Whether the plan needs the bytes of a file, by its path."""
    return path in OURS or path.endswith(".mk") or worth_reading(path)


def _is_utf8(path: str) -> bool:
    return path.isprintable() and not any("\ud800" <= char <= "\udfff" for char in path)
