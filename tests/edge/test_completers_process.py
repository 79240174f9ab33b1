"""Protocol `process`: one process a case, whatever it does."""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from completer_programs import all_answers, outcomes, program, request
from lastgood.core.config import Completer
from lastgood.core.value import replace
from lastgood.edge.completers import ask

if TYPE_CHECKING:
    from pathlib import Path

ECHO = "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read())"


@pytest.fixture(params=["pidfd", "polling"], autouse=True)
def how_exits_are_seen(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test also as on a system without process descriptors."""
    if request.param == "polling":
        monkeypatch.delattr(os, "pidfd_open", raising=False)


def test_nothing_asked_starts_nothing(tmp_path: Path) -> None:
    assert all_answers(Completer("none", ("/no/such/program",)), [], tmp_path) == []


def test_stdin_is_the_prompt_id_and_the_input_in_utf8(tmp_path: Path) -> None:
    asked = request("a", order_id="ord_1042", name="Zoë", prompt_id="another")
    (answer,) = all_answers(program(tmp_path, ECHO), [asked], tmp_path)
    assert answer.output == '{"prompt_id": "billing-status-v3", "order_id": "ord_1042", "name": "Zoë"}'
    assert answer.seconds > 0


def test_stdout_is_the_completion_to_the_byte(tmp_path: Path) -> None:
    completer = program(tmp_path, r"import sys; sys.stdout.buffer.write(b'\xef\xbb\xbf a\r\nb \0\n\n')")
    assert outcomes(all_answers(completer, ["a"], tmp_path)) == ["\ufeff a\r\nb \0\n\n"]


FAILING = {
    "exit code": ("import sys; print('half'); sys.exit(3)", "completer_failed:exit 3", ""),
    "exit code with complaint": ("import sys; sys.exit('no key')", "completer_failed:exit 1", "no key"),
    "signal": ("import os; os.kill(os.getpid(), 9)", "completer_failed:signal 9", ""),
    "latin-1": (
        r"import os; os.write(1, b'Z\xeb')",
        "bad_utf8",
        "byte 0xeb at offset 1",
    ),
    "cut in a character": (r"import os; os.write(1, b'Zo\xc3')", "bad_utf8", "byte 0xc3 at offset 2"),
    "encoded surrogate": (r"import os; os.write(1, b'\xed\xa0\x80')", "bad_utf8", "byte 0xed at offset 0"),
    "escape sequence in the complaint": (
        r"import sys; sys.exit('\x1b]0;title\x07\x9b31m two\nlines\t\xff')",
        "completer_failed:exit 1",
        "\\x1b]0;title\\x07\\x9b31m two\nlines\tÿ",
    ),
    "complaint that is no UTF-8": (
        r"import os, sys; os.write(2, b'\xff\xfe!'); sys.exit(1)",
        "completer_failed:exit 1",
        "\\xff\\xfe!",
    ),
    "long complaint": (
        "import sys; sys.exit('x' * 100_000 + 'the end')",
        "completer_failed:exit 1",
        "x" * 493 + "the end",
    ),
    "hang": ("import time; time.sleep(600)", "completer_timeout:0.5s", ""),
    "hang after an answer": ("import time; print('paid', flush=True); time.sleep(600)", "completer_timeout:0.5s", ""),
    "hang without stdout": ("import os, time; os.close(1); os.close(2); time.sleep(600)", "completer_timeout:0.5s", ""),
}


@pytest.mark.parametrize(("source", "error", "detail"), FAILING.values(), ids=FAILING)
def test_a_failure_has_a_stable_name_and_a_detail(tmp_path: Path, source: str, error: str, detail: str) -> None:
    timeout_s = 0.5 if "sleep" in source else 60.0
    (answer,) = all_answers(program(tmp_path, source, timeout_s=timeout_s), ["a"], tmp_path)
    assert (answer.output, answer.error, answer.detail) == (None, error, detail)


def test_the_timeout_is_named_in_seconds(tmp_path: Path) -> None:
    completer = program(tmp_path, "import time; time.sleep(600)", timeout_s=1.0)
    assert outcomes(all_answers(completer, ["a"], tmp_path)) == ["completer_timeout:1s"]


def test_output_without_end_is_stopped_at_the_limit(tmp_path: Path) -> None:
    completer = program(tmp_path, "import os\nwhile True: os.write(1, b'y' * 65536)", max_output_bytes=1_000_000)
    assert outcomes(all_answers(completer, ["a"], tmp_path)) == ["completer_failed:output over 1000000 bytes"]


LIMITS = {"at the limit": (1000, "y" * 1000), "over it": (999, "completer_failed:output over 999 bytes")}


@pytest.mark.parametrize(("limit", "outcome"), LIMITS.values(), ids=LIMITS)
def test_the_limit_is_exact(tmp_path: Path, limit: int, outcome: str) -> None:
    completer = program(tmp_path, "print('y' * 1000, end='')", max_output_bytes=limit)
    assert outcomes(all_answers(completer, ["a"], tmp_path)) == [outcome]


def test_a_megabyte_goes_in_and_comes_out(tmp_path: Path) -> None:
    asked = request("a", text="ü" * 500_000)
    (answer,) = all_answers(program(tmp_path, ECHO), [asked], tmp_path)
    assert json.loads(answer.output or "")["text"] == "ü" * 500_000


def test_complaints_without_end_block_nobody(tmp_path: Path) -> None:
    completer = program(tmp_path, "import os\nfor _ in range(300): os.write(2, b'z' * 65536)\nprint('paid')")
    assert outcomes(all_answers(completer, ["a"], tmp_path)) == ["paid\n"]


def test_a_completer_need_not_read_its_stdin(tmp_path: Path) -> None:
    completer = program(tmp_path, "import os; os.close(0); print('paid')")
    asked = [request("big", text="x" * 1_000_000), request("small")]
    assert outcomes(all_answers(completer, asked, tmp_path)) == ["paid\n", "paid\n"]


def test_one_failure_leaves_the_others_alone(tmp_path: Path) -> None:
    source = """
        import json, sys, time
        n = json.load(sys.stdin)["n"]
        if n == 1: sys.exit(7)
        if n == 2: time.sleep(600)
        print(n, end="")
    """
    asked = [request(f"case-{n}", n=n) for n in range(6)]
    found = outcomes(all_answers(program(tmp_path, source, timeout_s=3.0, jobs=3), asked, tmp_path))
    assert found == ["0", "completer_failed:exit 7", "completer_timeout:3s", "3", "4", "5"]


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_never_more_than_jobs_at_once(tmp_path: Path, jobs: int) -> None:
    source = """
        import os, time
        mine = f"running/{os.getpid()}"
        open(mine, "x").close()
        time.sleep(0.05)
        print(len(os.listdir("running")))
        os.unlink(mine)
    """
    (tmp_path / "running").mkdir()
    found = outcomes(all_answers(program(tmp_path, source, jobs=9), [f"{n}" for n in range(10)], tmp_path, jobs=jobs))
    assert max(map(int, found)) <= jobs


def test_more_jobs_than_descriptors_are_no_failure(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    in_use = max(map(int, os.listdir("/dev/fd")))
    resource.setrlimit(resource.RLIMIT_NOFILE, (in_use + 30, before[1]))
    try:
        found = outcomes(
            all_answers(program(tmp_path, "print('paid')"), [f"{n}" for n in range(30)], tmp_path, jobs=30)
        )
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    assert found == ["paid\n"] * 30


def test_ids_may_repeat(tmp_path: Path) -> None:
    asked = [request("same", n=n) for n in range(3)]
    completer = program(tmp_path, "import json, sys; print(json.load(sys.stdin)['n'], end='')")
    assert outcomes(all_answers(completer, asked, tmp_path)) == ["0", "1", "2"]


# What cannot be started


def broken(folder: Path, name: str, content: str, mode: int) -> str:
    file = folder / name
    file.write_text(content)
    file.chmod(mode)
    return f"./{name}"


def test_a_command_that_is_nowhere_is_named(tmp_path: Path) -> None:
    (answer,) = all_answers(Completer("c", ("no-such-completer", "x")), ["a"], tmp_path)
    assert (answer.error, answer.detail) == ("completer_failed:not found", "no command no-such-completer on PATH")


UNSTARTABLE = {
    "missing file": ("", 0, "completer_failed:not found"),
    "missing interpreter": ("#!/no/such/interpreter\n", 0o755, "completer_failed:not found"),
    "no program": ("\0\0\0", 0o755, "completer_failed:cannot start"),
}


@pytest.mark.parametrize(("content", "mode", "error"), UNSTARTABLE.values(), ids=UNSTARTABLE)
def test_what_cannot_be_started_fails_its_cases(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str, mode: int, error: str
) -> None:
    monkeypatch.chdir(tmp_path)  # elsewhere a shell would be the one to say so
    name = broken(tmp_path, "broken", content, mode) if mode else "./missing"
    found = all_answers(Completer("c", (name,)), ["a", "b"], tmp_path)
    assert [answer.error for answer in found] == [error] * 2
    assert all(name[2:] in answer.detail for answer in found)


def test_a_folder_that_is_nowhere_is_named(tmp_path: Path) -> None:
    (answer,) = all_answers(program(tmp_path, "print('paid')"), ["a"], tmp_path / "gone")
    assert (answer.error, answer.detail) == ("completer_failed:not found", f"no folder {tmp_path / 'gone'}")


# Folder and environment


@pytest.mark.parametrize("inside", [True, False], ids=["already there", "elsewhere"])
def test_a_completer_runs_in_the_folder_it_is_asked_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, inside: bool
) -> None:
    folder = tmp_path / "-it's $HOME"
    folder.mkdir()
    if inside:
        monkeypatch.chdir(folder)
    script = broken(folder, "complete", '#!/bin/sh\nprintf "%s|%s|%s" "$(pwd -P)" "$1" "$2"\n', 0o755)
    found = outcomes(all_answers(Completer("c", (script, "a b", "$HOME;")), ["a"], folder))
    assert found == [f"{folder.resolve()}|a b|$HOME;"]


def environment(completer: Completer, cwd: Path, environ: dict[str, str]) -> dict[str, str]:
    (answer,) = all_answers(completer, ["status-paid-en"], cwd, environ)
    return dict(json.loads(answer.output or ""))


SHOW_ENVIRONMENT = "import json, os; print(json.dumps(dict(os.environ)))"


def test_a_completer_sees_which_case_it_answers(tmp_path: Path) -> None:
    seen = environment(program(tmp_path, SHOW_ENVIRONMENT), tmp_path, {"PATH": "/bin", "LASTGOOD_CASE_ID": "outer"})
    ours = {name: text for name, text in seen.items() if name.startswith("LASTGOOD_")}
    assert ours == {
        "LASTGOOD_CASE_ID": "status-paid-en",
        "LASTGOOD_CASE_TOOLS": "null",
        "LASTGOOD_PROMPT_FILE": "prompt.txt",
        "LASTGOOD_PROMPT_FILES": '["prompt.txt"]',
        "LASTGOOD_PROMPT_SHA256": "ab" * 32,
        "LASTGOOD_TIMEOUT_S": "60",
    }


def test_a_completer_is_told_every_file_of_the_prompt_and_the_tools_that_may_be_called(tmp_path: Path) -> None:
    asked = replace(request("a"), prompt_files=("prompt.txt", "a\nb:c.json"), tools=("get_order", "größe"))
    (answer,) = all_answers(program(tmp_path, SHOW_ENVIRONMENT), [asked], tmp_path)
    seen = json.loads(answer.output or "")
    assert json.loads(seen["LASTGOOD_PROMPT_FILES"]) == ["prompt.txt", "a\nb:c.json"]
    assert json.loads(seen["LASTGOOD_CASE_TOOLS"]) == ["get_order", "größe"]


def test_a_completer_sees_everything_but_what_belongs_to_git_and_hooks(tmp_path: Path) -> None:
    kept = {"PATH": "/bin", "HTTPS_PROXY": "proxy:3128", "CUDA_VISIBLE_DEVICES": "0", "LASTGOOD_BASE_URL": "x"}
    dropped = {"GIT_INDEX_FILE": "i", "GIT_DIR": "d", "GIT_CONFIG_COUNT": "0", "PRE_COMMIT": "1"}
    seen = environment(program(tmp_path, SHOW_ENVIRONMENT), tmp_path, kept | dropped)
    assert kept.items() <= seen.items()
    assert not dropped.keys() & seen.keys()


def test_a_name_in_env_is_passed_on_even_so(tmp_path: Path) -> None:
    completer = program(tmp_path, SHOW_ENVIRONMENT, env=("GIT_SSH_COMMAND",))
    assert environment(completer, tmp_path, {"GIT_SSH_COMMAND": "ssh -v"})["GIT_SSH_COMMAND"] == "ssh -v"


def test_a_value_named_in_env_is_never_shown(tmp_path: Path) -> None:
    completer = program(
        tmp_path, "import os, sys; sys.exit('key ' + os.environ['KEY'] + ' is bad')", env=("KEY", "SHORT")
    )
    environ = dict(os.environ, KEY="sk-123456789", SHORT="a")
    (answer,) = all_answers(completer, ["a"], tmp_path, environ)
    assert answer.detail == "key [KEY] is bad"


@pytest.mark.parametrize("name", ["python", "python3"])
def test_python_is_the_interpreter_that_runs_lastgood(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    completer = Completer("c", (name, "-c", "import sys; print(sys.executable, sys.prefix, end='')"))
    environ = dict(os.environ, PATH=str(tmp_path))
    assert outcomes(all_answers(completer, ["a"], tmp_path, environ)) == [f"{sys.executable} {sys.prefix}"]


def test_python_is_the_activated_environments_where_there_is_one(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    script = tmp_path / "bin" / "python3"
    script.write_text("#!/bin/sh\necho activated\n")
    script.chmod(0o755)
    environ = dict(os.environ, VIRTUAL_ENV=str(tmp_path))
    assert outcomes(all_answers(Completer("c", ("python3",)), ["a"], tmp_path, environ)) == ["activated\n"]


def test_lastgood_is_the_one_that_runs_and_need_not_be_on_path(tmp_path: Path) -> None:
    environ = dict(os.environ, PATH=str(tmp_path))
    (answer,) = all_answers(Completer("c", ("lastgood", "--version")), ["a"], tmp_path, environ)
    assert (answer.output or answer.error).startswith("lastgood ")


def test_a_completer_ends_when_its_reader_does(tmp_path: Path) -> None:
    """SIGPIPE is not inherited as ignored: `yes | head -1` comes back."""
    script = shutil.which("sh")
    assert script
    found = outcomes(all_answers(Completer("c", (script, "-c", "yes | head -1"), timeout_s=20.0), ["a"], tmp_path))
    assert found == ["y\n"]


# stdin = "text", take


MESSAGES = [{"role": "user", "content": "Where is ü?"}, {"role": "assistant", "content": [{"type": "text"}]}]
TEXTS: dict[str, tuple[dict[str, Any], str]] = {
    "messages": ({"messages": MESSAGES}, 'user: Where is ü?\nassistant: [{"type":"text"}]\n'),
    "messages and more": ({"locale": "en", "messages": MESSAGES[:1]}, '{"locale": "en"}\nuser: Where is ü?\n'),
    "anything else": ({"order_id": "ü"}, '{"order_id": "ü"}\n'),
}


@pytest.mark.parametrize(("payload", "text"), TEXTS.values(), ids=TEXTS)
def test_stdin_as_text_is_the_prompt_then_the_input(tmp_path: Path, payload: dict[str, Any], text: str) -> None:
    (tmp_path / "prompt.txt").write_text("Answer shortly.\n\n", encoding="utf-8")
    (answer,) = all_answers(program(tmp_path, ECHO, stdin="text"), [request("a", **payload)], tmp_path)
    assert answer.output == f"Answer shortly.\n\n{text}"


def test_stdin_as_text_needs_the_prompt_file(tmp_path: Path) -> None:
    (answer,) = all_answers(program(tmp_path, ECHO, stdin="text"), ["a"], tmp_path)
    assert answer.error == "completer_failed:not found"
    assert "prompt.txt" in answer.detail


TAKES = {
    "string": ('{"result": "pa\\u00fcd"}', "/result", "paüd"),
    "object, keys in the order given": ('{"r": [{"b": 1, "a": [2.0]}]}', "/r/0", '{"b":1,"a":[2.0]}'),
    "whole": ('"paid"\n', "", '"paid"\n'),
    "nothing there": ('{"error": 1}', "/result", "completer_failed:take /result"),
    "no JSON": ("paid", "/result", "completer_failed:take /result"),
    "a key twice": ('{"result": "a", "result": "b"}', "/result", "completer_failed:take /result"),
}


@pytest.mark.parametrize(("stdout", "take", "outcome"), TAKES.values(), ids=TAKES)
def test_take_finds_the_answer_in_an_envelope(tmp_path: Path, stdout: str, take: str, outcome: str) -> None:
    completer = program(tmp_path, f"print({stdout!r}, end='')", take=take)
    assert outcomes(all_answers(completer, ["a"], tmp_path)) == [outcome]


def test_a_caller_that_takes_its_time_makes_nobody_time_out(tmp_path: Path) -> None:
    """The clock of timeouts stands still between two answers that are asked for."""
    source = """
        import json, os, pathlib, sys, time
        if json.load(sys.stdin)["n"]:
            while not pathlib.Path("caller-was-slow").exists(): time.sleep(0.01)
        print("paid", end="")
    """
    asked = [request("quick", n=0), request("slow", n=1)]
    found = ask(program(tmp_path, source, timeout_s=3.0), asked, cwd=str(tmp_path), environ=os.environ, jobs=2)
    assert next(found).id == "quick"
    time.sleep(3.2)  # longer than the timeout: time is what this test is about
    (tmp_path / "caller-was-slow").touch()
    assert outcomes(found) == ["paid"]
