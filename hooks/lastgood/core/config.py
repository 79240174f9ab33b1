"""The configuration of one tree: parsed once, unknown keys refused, frozen."""

from __future__ import annotations

from lastgood.core import glob
from lastgood.core.formats import refuse_newer
from lastgood.core.names import colliding
from lastgood.core.shell import quoted
from lastgood.core.table import Table
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from typing import Any

FILES = ("lastgood.toml", "pyproject.toml")
PROTOCOLS = ("process", "lines")
OUTPUTS = ("text", "trace", "openai", "responses", "anthropic", "messages")
STDINS = ("json", "text")
_WEEK = 604_800  # seconds; what waits for a process cannot be told much more


@value(frozen=True)
class Completer:
    """A command that completes: JSON on stdin, UTF-8 on stdout (section of the same name in docs)."""

    name: str
    command: tuple[str, ...]
    protocol: str = "process"
    output: str = "text"
    stdin: str = "json"
    take: str = ""
    model: str = ""
    timeout_s: float = 60.0
    jobs: int = 4
    max_output_bytes: int = 8_000_000
    env: tuple[str, ...] = ()
    outputs: tuple[tuple[str, str], ...] = ()
    repeat: int = 1
    price: tuple[float, ...] = ()  # of a million tokens of input, of output
    replay: str = ""

    @property
    def origin(self) -> str:
        """The completer whose baseline its answers are held against: itself, unless it replays another."""
        return self.replay or self.name

    def output_for(self, prompt_id: str) -> str:
        """How this completer's stdout is read when it answers `prompt_id`."""
        return dict(self.outputs).get(prompt_id, self.output)


@value(frozen=True)
class DeclaredPrompt:
    """A prompt whose files are named, because the name rule is not enough."""

    prompt_id: str
    files: tuple[str, ...]


@value(frozen=True)
class Config:
    """What `[tool.lastgood]` or `lastgood.toml` says."""

    path: str
    commit_completer: str = ""
    eval_completer: str = ""
    require: tuple[str, ...] = ()
    base: str = ""
    require_base: bool = False
    prompts: tuple[str, ...] = ("prompts/**",)
    unguarded: tuple[str, ...] = ()
    completers: tuple[Completer, ...] = ()
    declared: tuple[DeclaredPrompt, ...] = ()
    parts: tuple[tuple[str, str], ...] = ()  # glob → the part of such a file that is the prompt

    def completer(self, name: str) -> Completer | None:
        """The completer of that name, or None."""
        return next((completer for completer in self.completers if completer.name == name), None)


def parse(path: str, data: bytes) -> Config | None:
    """The configuration in a TOML file; None when a pyproject.toml has no such table; Malformed otherwise."""
    import tomli

    try:
        table: Any = tomli.loads(data.decode("utf-8"))
    except (UnicodeDecodeError, tomli.TOMLDecodeError) as exc:
        raise Malformed(f"not TOML: {exc}", path=path) from None
    except (ValueError, RecursionError):  # an integer of thousands of digits, tables nested by the hundred
        raise Malformed("not readable: a number too long, or nested too deeply", path=path) from None
    if path.rpartition("/")[2] == "pyproject.toml":
        table = table.get("tool", {}).get("lastgood") if isinstance(table.get("tool", {}), dict) else None
        if table is None:
            return None
    return _config(path, Table(path, "", table))


def declares(path: str, data: bytes) -> bool:
    """Whether a file named like a configuration is one, sound or not: its folder is a root then."""
    if path.rpartition("/")[2] != "pyproject.toml":
        return True
    if b"lastgood" not in data:
        return False
    try:
        return parse(path, data) is not None
    except Malformed:
        return b"tool.lastgood" in data


def _config(path: str, table: Table) -> Config:
    refuse_newer(table.left, path=path, pointer="format")
    commit = table.text("commit_completer")
    completers = tuple(_completer(row, commit) for row in table.tables("completers"))
    origins = {completer.name: completer.origin for completer in completers}
    # A completer that replays another has no baseline of its own: what is required, or recorded, is that one's.
    require = table.texts("require", (commit,) if commit else ())
    config = Config(
        path=path,
        commit_completer=commit,
        eval_completer=table.text("eval_completer", origins.get(commit, commit)),
        require=tuple(dict.fromkeys(origins.get(name, name) for name in require)),
        base=table.text("base"),
        require_base=table.truth("require_base"),
        prompts=table.texts("prompts", ("prompts/**",)),
        unguarded=table.texts("unguarded"),
        completers=completers,
        # Not `prompts.<id>`: TOML cannot hold a list and a table under one name.
        declared=tuple(map(_declared, table.tables("prompt"))),
        parts=_parts(table),
    )
    known = {completer.name: completer for completer in completers}
    for left, right in colliding(known):
        raise table.malformed(f"completers.{right}", f"and {left!r} are one folder on some systems: rename one")
    for key, names in (
        ("commit_completer", [commit] if commit else []),
        ("eval_completer", [config.eval_completer] if config.eval_completer else []),
        ("require", config.require),
    ):
        for name in names:
            if name not in known:
                raise table.malformed(key, f"names the completer {name!r}, which is not configured")
    _check_replays(table, config)
    if not config.prompts and not config.declared:
        raise table.malformed("prompts", "is empty: nothing would be checked")
    for key, patterns in (("prompts", config.prompts), ("unguarded", config.unguarded)):
        _usable_globs(table, key, patterns)
    table.done()
    return config


def _parts(table: Table) -> tuple[tuple[str, str], ...]:
    if "parts" not in table.left:
        return ()
    from lastgood.core.part import usable

    rows = table.take("parts", {}, lambda v: isinstance(v, dict), "a table of globs and parts")
    _usable_globs(table, "parts", tuple(rows))
    for pattern, part in rows.items():
        if not isinstance(part, str) or not usable(part):
            why = "must be body, front matter, a JSON Pointer, or the name of a string in a Python module"
            raise table.malformed(f"parts.{pattern}", why)
    return tuple(rows.items())


def _check_replays(table: Table, config: Config) -> None:
    for completer in config.completers:
        if completer.replay:
            origin = config.completer(completer.replay)
            where = f"completers.{completer.name}.replay"
            if origin is None:
                raise table.malformed(where, f"names the completer {completer.replay!r}, which is not configured")
            if origin.replay:
                raise table.malformed(where, f"names {completer.replay!r}, which itself replays {origin.replay!r}")
            if config.eval_completer == completer.name:
                why = f"names {completer.name!r}, which only replays {completer.replay!r}: there is nothing to record"
                raise table.malformed("eval_completer", why)


def _usable_globs(table: Table, key: str, patterns: tuple[str, ...]) -> None:
    for pattern in patterns:
        try:
            glob.matcher(pattern)
        except ValueError as exc:
            raise table.malformed(key, f"holds {pattern!r}, which is no glob: {exc}") from None


def _price(table: Table | None) -> tuple[float, ...]:
    if table is None:
        return ()
    found = (table.amount("input"), table.amount("output"))
    table.done()
    return found


def _completer(table: Table, commit: str) -> Completer:
    name = table.name.partition(".")[2]
    if not name or name.startswith(".") or set(name) & set('/\\:*?"<>| ') or quoted(name) != name:
        raise table.malformed("", "is not a usable completer name: it becomes a folder under baselines/")
    replay = table.text("replay")
    if replay:
        if table.left:
            raise table.malformed(min(table.left), f"is not for a completer that replays another ({replay!r})")
        return Completer(name, (), replay=replay)
    completer = Completer(
        name=name,
        command=table.texts("command"),
        protocol=table.one_of("protocol", PROTOCOLS),
        output=table.one_of("output", OUTPUTS),
        stdin=table.one_of("stdin", STDINS),
        take=table.text("take"),
        model=table.text("model"),
        timeout_s=table.positive("timeout_s", 60.0, _WEEK),
        jobs=table.count("jobs", 4, 10_000),
        max_output_bytes=table.count("max_output_bytes", 8_000_000, 10**9),
        env=table.names("env"),
        outputs=tuple(table.texts_by_key("outputs", OUTPUTS).items()),
        # One that may wander has to say the same twice before a person can accept it.
        repeat=table.count("repeat", 1 if name == commit else 2, 10_000),
        price=_price(table.table("price")),
    )
    if not completer.command:
        raise table.malformed("command", "is missing: a list of strings, never a shell line (or replay, a completer)")
    if completer.take and not completer.take.startswith("/"):
        raise table.malformed("take", "must be a JSON Pointer, so it starts with /")
    if completer.protocol == "lines" and completer.stdin == "text":
        raise table.malformed("stdin", "cannot be text under protocol lines")
    table.done()
    return completer


def _declared(table: Table) -> DeclaredPrompt:
    if "\0" in table.name:
        raise table.malformed("", "is not a usable prompt id: it becomes a folder under golden/")
    files = table.texts("files")
    if not files:
        raise table.malformed("files", "is missing: the files that make up this prompt")
    _usable_globs(table, "files", files)
    table.done()
    return DeclaredPrompt(table.name.partition(".")[2], files)
