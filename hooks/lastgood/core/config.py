"""The configuration of one tree: parsed once, unknown keys refused, frozen."""

from __future__ import annotations

from lastgood.core import glob
from lastgood.core.names import colliding
from lastgood.core.shell import quoted
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

FILES = ("lastgood.toml", "pyproject.toml")
PROTOCOLS = ("process", "lines")
OUTPUTS = ("text", "trace", "openai", "responses", "anthropic", "messages")
STDINS = ("json", "text")


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
    return _config(path, _Table(path, "", table))


class _Table:
    """A TOML table being read: every key must be asked for, with its kind, or it is refused."""

    def __init__(self, path: str, name: str, found: Any) -> None:
        self.path, self.name = path, name
        if not isinstance(found, dict):
            raise self.malformed("", "must be a table")
        self.left = dict(found)

    def malformed(self, key: str, why: str) -> Malformed:
        return Malformed(why, path=self.path, pointer=".".join(filter(None, (self.name, key))))

    def take(self, key: str, default: Any, check: Callable[[Any], bool], kind: str) -> Any:
        found = self.left.pop(key, default)
        if found is not default and not check(found):
            raise self.malformed(key, f"must be {kind}, not {found!r}")
        return found

    def text(self, key: str, default: str = "") -> str:
        return str(self.take(key, default, lambda v: isinstance(v, str) and "\0" not in v, "a string"))

    def texts(self, key: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        def check(found: Any) -> bool:
            return isinstance(found, list) and all(
                isinstance(item, str) and item and "\0" not in item for item in found
            )

        return tuple(self.take(key, default, check, "a list of non-empty strings"))

    def one_of(self, key: str, choices: tuple[str, ...]) -> str:
        return str(self.take(key, choices[0], lambda v: v in choices, f"one of {', '.join(choices)}"))

    def positive(self, key: str, default: float) -> float:
        return float(self.take(key, default, lambda v: _is_number(v) and v > 0, "a positive number"))

    def amount(self, key: str) -> float:
        return float(self.take(key, 0.0, lambda v: _is_number(v) and v >= 0, "a number that is not negative"))

    def names(self, key: str) -> tuple[str, ...]:
        """Names of environment variables; what is refused is not shown, it may be somebody's key."""
        found = self.left.pop(key, [])
        if not (isinstance(found, list) and all(isinstance(item, str) and item and "\0" not in item for item in found)):
            raise self.malformed(key, "must be a list of names of variables")
        for item in found:
            name, given, _ = item.partition("=")
            if given:
                raise self.malformed(key, f"must hold names alone, and {name!r} comes with a value: export it instead")
        return tuple(found)

    def count(self, key: str, default: int) -> int:
        return int(self.take(key, default, lambda v: type(v) is int and 0 < v <= 10**12, "a positive whole number"))

    def truth(self, key: str) -> bool:
        return bool(self.take(key, False, lambda v: isinstance(v, bool), "true or false"))

    def texts_by_key(self, key: str, choices: tuple[str, ...]) -> dict[str, str]:
        def check(found: Any) -> bool:
            return isinstance(found, dict) and all(item in choices for item in found.values())

        return dict(self.take(key, {}, check, f"a table of {' or '.join(choices)}"))

    def tables(self, key: str) -> list[_Table]:
        found = self.take(key, {}, lambda v: isinstance(v, dict), "a table of tables")
        return [_Table(self.path, f"{key}.{name}", table) for name, table in found.items()]

    def table(self, key: str) -> _Table | None:
        """The table under a key, or None where there is none."""
        return _Table(self.path, f"{self.name}.{key}", self.left.pop(key)) if key in self.left else None

    def done(self) -> None:
        if self.left:
            key = min(self.left)
            raise self.malformed(key, "is not a setting of lastgood (see docs/reference/configuration.md)")


def _is_number(found: Any) -> bool:
    return isinstance(found, (int, float)) and not isinstance(found, bool) and abs(found) < 1e9


def _config(path: str, table: _Table) -> Config:
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


def _check_replays(table: _Table, config: Config) -> None:
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


def _usable_globs(table: _Table, key: str, patterns: tuple[str, ...]) -> None:
    for pattern in patterns:
        try:
            glob.matcher(pattern)
        except ValueError as exc:
            raise table.malformed(key, f"holds {pattern!r}, which is no glob: {exc}") from None


def _price(table: _Table | None) -> tuple[float, ...]:
    if table is None:
        return ()
    found = (table.amount("input"), table.amount("output"))
    table.done()
    return found


def _completer(table: _Table, commit: str) -> Completer:
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
        timeout_s=table.positive("timeout_s", 60.0),
        jobs=table.count("jobs", 4),
        max_output_bytes=table.count("max_output_bytes", 8_000_000),
        env=table.names("env"),
        outputs=tuple(table.texts_by_key("outputs", OUTPUTS).items()),
        # One that may wander has to say the same twice before a person can accept it.
        repeat=table.count("repeat", 1 if name == commit else 2),
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


def _declared(table: _Table) -> DeclaredPrompt:
    if "\0" in table.name:
        raise table.malformed("", "is not a usable prompt id: it becomes a folder under golden/")
    files = table.texts("files")
    if not files:
        raise table.malformed("files", "is missing: the files that make up this prompt")
    _usable_globs(table, "files", files)
    table.done()
    return DeclaredPrompt(table.name.partition(".")[2], files)
