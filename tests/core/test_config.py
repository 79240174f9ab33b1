"""The configuration: what it says, and what it refuses."""

from __future__ import annotations

from textwrap import dedent

import pytest

from lastgood.core.config import Config, parse
from lastgood.errors import Malformed

STUB = '[completers.stub]\ncommand = ["python3", "stub.py"]\n'


def read(text: str, path: str = "lastgood.toml") -> Config:
    found = parse(path, dedent(text).encode())
    assert found is not None
    return found


def test_what_is_not_said_has_its_default() -> None:
    found = read('commit_completer = "stub"\n' + STUB)
    assert (found.eval_completer, found.require, found.prompts) == ("stub", ("stub",), ("prompts/**",))
    stub = found.completer("stub")
    assert stub is not None
    assert (stub.protocol, stub.output, stub.stdin, stub.timeout_s, stub.jobs) == ("process", "text", "json", 60.0, 4)
    assert found.completer("other") is None


def test_a_completer_that_replays_another_is_held_to_that_ones_baseline() -> None:
    found = read('commit_completer = "last"\n' + STUB + '[completers.last]\nreplay = "stub"\n')
    assert (found.commit_completer, found.eval_completer, found.require) == ("last", "stub", ("stub",))
    last = found.completer("last")
    assert last is not None
    assert (last.replay, last.origin, last.command) == ("stub", "stub", ())
    both = read('require = ["last", "stub"]\n' + STUB + '[completers.last]\nreplay = "stub"\n')
    assert both.require == ("stub",)


def test_everything_that_can_be_said() -> None:
    found = read("""\
        commit_completer = "stub"
        eval_completer = "real"
        require = ["stub", "real"]
        base = "origin/main"
        require_base = true
        prompts = ["p/**", "q/*.md"]
        unguarded = ["p/drafts/**"]

        [completers.stub]
        command = ["python3", "stub.py"]
        protocol = "lines"
        output = "trace"
        take = "/answer/0"
        model = "m"
        timeout_s = 0.5
        jobs = 2
        max_output_bytes = 10
        env = ["KEY"]
        outputs = { billing = "text" }

        [completers.real]
        command = ["real"]
        stdin = "text"

        [prompt."team/agent"]
        files = ["p/agent.md", "tools/*.json"]
        """)
    assert (found.require, found.require_base, found.base) == (("stub", "real"), True, "origin/main")
    stub = found.completer("stub")
    assert stub is not None
    assert (stub.output_for("billing"), stub.output_for("support")) == ("text", "trace")
    assert (stub.timeout_s, stub.jobs, stub.max_output_bytes, stub.env) == (0.5, 2, 10, ("KEY",))
    assert [(row.prompt_id, row.files) for row in found.declared] == [("team/agent", ("p/agent.md", "tools/*.json"))]


def test_a_pyproject_without_the_table_is_none() -> None:
    assert parse("pyproject.toml", b"[project]\nname = 'x'\n") is None
    assert parse("pyproject.toml", b"") is None


def test_a_pyproject_with_the_table_is_read_from_there() -> None:
    found = read(
        '[tool.lastgood]\ncommit_completer = "stub"\n[tool.lastgood.completers.stub]\ncommand = ["x"]\n',
        "pyproject.toml",
    )
    assert (found.path, found.commit_completer) == ("pyproject.toml", "stub")


BAD = [
    pytest.param("prompts = ", "", "not TOML", id="not TOML"),
    pytest.param("a = 1\na = 2", "", "not TOML", id="a key twice"),
    pytest.param("commit_completr = 'stub'", "commit_completr", "is not a setting of lastgood", id="unknown key"),
    pytest.param("[nonsense]", "nonsense", "is not a setting of lastgood", id="unknown table"),
    pytest.param(STUB + "timeout = 5", "completers.stub.timeout", "is not a setting", id="unknown key below"),
    pytest.param("prompts = 'x'", "prompts", "must be a list of non-empty strings, not 'x'", id="text for a list"),
    pytest.param("prompts = ['']", "prompts", "must be a list of non-empty strings", id="empty text"),
    pytest.param("prompts = []", "prompts", "is empty: nothing would be checked", id="no globs"),
    pytest.param("base = 1", "base", "must be a string, not 1", id="number for text"),
    pytest.param("require_base = 'yes'", "require_base", "must be true or false", id="text for a truth"),
    pytest.param("commit_completer = 'x'", "commit_completer", "names the completer 'x', which is not", id="who"),
    pytest.param("require = ['x']", "require", "names the completer 'x', which is not configured", id="require"),
    pytest.param("eval_completer = 'x'", "eval_completer", "names the completer 'x'", id="eval"),
    pytest.param("[completers.stub]", "completers.stub.command", "is missing", id="no command"),
    pytest.param("[completers.stub]\ncommand = 'x y'", "completers.stub.command", "must be a list", id="shell line"),
    pytest.param(
        STUB + "protocol = 'http'", "completers.stub.protocol", "must be one of process, lines", id="protocol"
    ),
    pytest.param(STUB + "timeout_s = 0", "completers.stub.timeout_s", "must be a positive number", id="no time"),
    pytest.param(STUB + "timeout_s = true", "completers.stub.timeout_s", "must be a positive number", id="true"),
    pytest.param(STUB + "timeout_s = inf", "completers.stub.timeout_s", "must be a positive number", id="inf"),
    pytest.param(STUB + "timeout_s = nan", "completers.stub.timeout_s", "must be a positive number", id="nan"),
    pytest.param(
        STUB + "timeout_s = 1e308",
        "completers.stub.timeout_s",
        "a positive number, at most 604800, not 1e+308",
        id="for ever",
    ),
    pytest.param(STUB + "timeout_s = -1", "completers.stub.timeout_s", "must be a positive number", id="time ago"),
    pytest.param(
        STUB + "jobs = 1_000_000_000", "completers.stub.jobs", "at most 10000, not 1000000000", id="a billion jobs"
    ),
    pytest.param(
        STUB + "repeat = 1_000_000_000",
        "completers.stub.repeat",
        "at most 10000, not 1000000000",
        id="a billion answers",
    ),
    pytest.param(
        STUB + "max_output_bytes = 1_000_000_000_000",
        "completers.stub.max_output_bytes",
        "at most 1000000000, not 1000000000000",
        id="a terabyte",
    ),
    pytest.param(
        STUB + f"jobs = 0x{'f' * 9000}", "completers.stub.jobs", "not a number of thousands of digits", id="no end"
    ),
    pytest.param(STUB + "jobs = 1.5", "completers.stub.jobs", "must be a positive whole number", id="half a job"),
    pytest.param(STUB + "jobs = -1", "completers.stub.jobs", "must be a positive whole number", id="negative"),
    pytest.param(STUB + "take = 'x'", "completers.stub.take", "must be a JSON Pointer", id="pointer"),
    pytest.param(STUB + "protocol='lines'\nstdin='text'", "completers.stub.stdin", "cannot be text", id="stdin"),
    pytest.param(STUB + "outputs = {a = 'x'}", "completers.stub.outputs", "must be a table of", id="outputs"),
    pytest.param("completers = 1", "completers", "must be a table of tables", id="no table"),
    pytest.param("[completers]\nstub = 1", "completers.stub", "must be a table", id="no table below"),
    pytest.param('[completers."a/b"]\ncommand = ["x"]', "completers.a/b", "is not a usable completer name", id="slash"),
    pytest.param('[completers.".."]\ncommand = ["x"]', "completers...", "is not a usable completer name", id="dots"),
    pytest.param('[completers."a b"]\ncommand = ["x"]', "completers.a b", "is not a usable", id="space"),
    pytest.param(
        STUB + "[completers.x]\nreplay='real'",
        "completers.x.replay",
        "names the completer 'real', which is not configured",
        id="replay of none",
    ),
    pytest.param(
        STUB + "[completers.x]\nreplay='y'\n[completers.y]\nreplay='stub'",
        "completers.x.replay",
        "names 'y', which itself replays 'stub'",
        id="replay of a replay",
    ),
    pytest.param(
        STUB + "[completers.x]\nreplay='stub'\noutput='trace'",
        "completers.x.output",
        "is not for a completer that replays another ('stub')",
        id="replay with settings",
    ),
    pytest.param(
        "eval_completer = 'x'\n" + STUB + "[completers.x]\nreplay='stub'",
        "eval_completer",
        "names 'x', which only replays 'stub': there is nothing to record",
        id="replay to evaluate",
    ),
    pytest.param("[prompt.x]", "prompt.x.files", "is missing", id="no files"),
    pytest.param("[prompt.x]\nfiles=['a']\nid='y'", "prompt.x.id", "is not a setting", id="declared"),
]


@pytest.mark.parametrize(("text", "pointer", "why"), BAD)
def test_refused_with_file_place_and_reason(text: str, pointer: str, why: str) -> None:
    with pytest.raises(Malformed) as caught:
        parse("lastgood.toml", text.encode())
    assert caught.value.path == "lastgood.toml"
    assert caught.value.pointer == pointer
    assert why in caught.value.what


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(Malformed, match="not TOML"):
        parse("lastgood.toml", b"\xff")


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ('["OPENAI_API_KEY=sk-0123456789"]', "must hold names alone, and 'OPENAI_API_KEY' comes with a value"),
        ('{ OPENAI_API_KEY = "sk-0123456789" }', "must be a list of names of variables"),
        ('"OPENAI_API_KEY=sk-0123456789"', "must be a list of names of variables"),
    ],
)
def test_a_value_in_env_is_refused_and_not_repeated(given: str, why: str) -> None:
    with pytest.raises(Malformed) as refused:
        parse("lastgood.toml", f'[completers.x]\ncommand = ["y"]\nenv = {given}\n'.encode())
    assert refused.value.what.startswith(why)
    assert refused.value.pointer == "completers.x.env"
    assert "sk-" not in refused.value.what


def test_all_but_the_commit_completer_have_to_say_the_same_twice() -> None:
    text = 'commit_completer = "a"\n[completers.a]\ncommand = ["y"]\n[completers.b]\ncommand = ["y"]\n'
    found = parse("lastgood.toml", text.encode())
    assert found
    assert [completer.repeat for completer in found.completers] == [1, 2]


def test_completers_that_some_disks_cannot_tell_apart_are_refused() -> None:
    with pytest.raises(Malformed, match="'stub' are one folder on some systems") as caught:
        read(STUB + STUB.replace("stub]", "Stub]"))
    assert caught.value.pointer == "completers.Stub"
