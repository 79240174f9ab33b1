"""`lastgood complete openai`, as the engine runs it: by both protocols, against an endpoint on this machine."""

from __future__ import annotations

import json
import os
import threading
from typing import TYPE_CHECKING, Any

import pytest

import hostile
from completer_programs import all_answers, outcomes, request
from hostile import answers, completion, refuses
from lastgood.core.config import Completer
from lastgood.core.value import replace
from repository import LASTGOOD, Repository

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from lastgood.edge.completers import Answer, Request

KEY = "sk-0123456789abcdef"
CALL = {"id": "c", "type": "function", "function": {"name": "get_order", "arguments": '{"order_id": "1842-AX"}'}}
TOOLS = [
    {"name": "get_order", "input_schema": {"type": "object", "properties": {"order_id": {"type": "string"}}}},
    {"name": "create_refund", "parameters": {"type": "object"}},
]


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A prompt of two files."""
    (tmp_path / "prompt.txt").write_text("Answer briefly.\n", encoding="utf-8")
    (tmp_path / "tools.json").write_text(json.dumps(TOOLS), encoding="utf-8")
    return tmp_path


@pytest.fixture
def server() -> Iterator[hostile.Endpoint]:
    """An endpoint that answers."""
    with hostile.Endpoint() as found:
        yield found


@pytest.fixture(params=["process", "lines"])
def protocol(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def command(server: hostile.Endpoint, *words: str) -> tuple[str, ...]:
    return (LASTGOOD, "complete", "openai", "--base-url", server.url, "--model", "small", *words)


def asked_for(desk: Path, name: str = "a", **payload: Any) -> Request:
    files = (str(desk / "prompt.txt"), str(desk / "tools.json"))
    one = replace(request(name, **payload), prompt_file=files[0], prompt_files=files)
    return replace(one, tools=("get_order",))


def ask(completer: Completer, desk: Path, *asked: Request, **environ: str) -> list[Answer]:
    kept = {name: text for name, text in os.environ.items() if not name.startswith("OPENAI_")}
    return all_answers(completer, asked or [asked_for(desk, order_id="1842-AX")], desk, kept | environ)


def test_a_case_is_asked_as_it_stands_and_answered_as_the_vendor_wrote_it(
    desk: Path, server: hostile.Endpoint, protocol: str
) -> None:
    completer = Completer("real", command(server), protocol=protocol)
    (answer,) = ask(completer, desk, OPENAI_API_KEY=KEY)
    assert json.loads(answer.output or answer.error) == completion()
    (got,) = server.requests
    assert got.headers["authorization"] == f"Bearer {KEY}"
    assert got.asked == {
        "model": "small",
        "temperature": 0,
        "seed": 0,
        "messages": [
            {"role": "system", "content": "Answer briefly."},
            {"role": "user", "content": '{"order_id": "1842-AX"}'},
        ],
        "tools": [
            {
                "type": "function",
                "function": {"name": "get_order", "parameters": TOOLS[0]["input_schema"]},
            }
        ],
    }


def test_every_option_reaches_the_request(desk: Path, server: hostile.Endpoint) -> None:
    (desk / "reply-v2.json").write_text('{"type": "object"}', encoding="utf-8")
    words = ["--temperature", "0.2", "--seed", "none", "--max-tokens", "50", "--response-format", "reply-v2.json"]
    words += ["--param", "top_p=0.9", "--param", 'tool_choice="auto"', "--header", "X-Team: billing"]
    words += ["--header", "api-key: env:AZURE_KEY", "--key-env", "none"]
    completer = Completer("real", command(server, *words))
    ask(completer, desk, OPENAI_API_KEY=KEY, AZURE_KEY=f" {KEY}\n")
    (got,) = server.requests
    assert "authorization" not in got.headers
    assert (got.headers["api-key"], got.headers["x-team"]) == (KEY, "billing")
    del got.asked["messages"]
    assert {name: found for name, found in got.asked.items() if name not in ("messages", "tools")} == {
        "model": "small",
        "temperature": 0.2,
        "max_tokens": 50,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "reply_v2", "strict": True, "schema": {"type": "object"}},
        },
        "top_p": 0.9,
        "tool_choice": "auto",
    }


@pytest.mark.parametrize(("given", "sent"), [("json", {"type": "json_object"}), ('{"type": "text"}', {"type": "text"})])
def test_a_response_format_may_be_a_word_or_json(desk: Path, server: hostile.Endpoint, given: str, sent: Any) -> None:
    ask(Completer("real", command(server, "--response-format", given)), desk)
    assert server.requests[0].asked["response_format"] == sent


def test_no_key_is_sent_where_there_is_none(desk: Path, server: hostile.Endpoint) -> None:
    ask(Completer("real", command(server)), desk)
    assert "authorization" not in server.requests[0].headers


def test_text_is_the_content_alone(desk: Path, server: hostile.Endpoint, protocol: str) -> None:
    assert outcomes(ask(Completer("real", command(server, "--text"), protocol=protocol), desk)) == ["paid"]


@pytest.mark.parametrize(
    ("found", "why"),
    [
        (completion(None, [CALL]), "the answer calls get_order, which --text cannot say"),
        (completion() | {"choices": [{"finish_reason": "length", "message": {"content": "pa"}}]}, "no whole text"),
    ],
    ids=["calls", "cut"],
)
def test_what_text_cannot_say_is_a_failure(desk: Path, found: Any, why: str) -> None:
    with hostile.Endpoint(answers(found)) as server:
        (answer,) = ask(Completer("real", command(server, "--text")), desk)
    assert answer.error == "completer_failed:exit 4"
    assert why in answer.detail


def test_a_failure_names_the_status_and_never_the_key(desk: Path, protocol: str) -> None:
    with hostile.Endpoint(refuses(401, f"Incorrect key {KEY}")) as server:
        (answer,) = ask(Completer("real", command(server), protocol=protocol), desk, OPENAI_API_KEY=KEY)
    said = "127.0.0.1 answered 401 Unauthorized: Incorrect key ***"
    assert answer.output is None
    assert said in (answer.error + answer.detail)
    assert KEY not in answer.error + answer.detail


def test_one_process_has_many_requests_under_way_and_answers_each_by_its_name(desk: Path) -> None:
    """The last one asked is the first one answered."""
    meeting, turn = threading.Barrier(12), threading.Condition()
    left = set(range(12))

    def behave(exchange: hostile.Exchange) -> None:
        n = json.loads(exchange.asked["messages"][1]["content"])["n"]
        meeting.wait(20)
        with turn:
            turn.wait_for(lambda: n == max(left), 20)
            exchange.answer(200, completion(f"order {n}"))
            left.discard(n)
            turn.notify_all()

    asked = [asked_for(desk, f"case-{n}", n=n) for n in range(12)]
    with hostile.Endpoint(behave) as server:
        completer = Completer("real", command(server, "--text"), protocol="lines", jobs=12)
        assert outcomes(ask(completer, desk, *asked)) == [f"order {n}" for n in range(12)]
    assert (server.most_at_once, server.connections) == (12, 12)


def test_in_flight_bounds_what_is_under_way(desk: Path, server: hostile.Endpoint) -> None:
    asked = [asked_for(desk, f"case-{n}", n=n) for n in range(30)]
    completer = Completer("real", command(server, "--text", "--in-flight", "2"), protocol="lines", jobs=30)
    assert outcomes(ask(completer, desk, *asked)) == ["paid"] * 30
    assert server.connections <= 2
    assert len(server.requests) == 30


def test_a_bad_answer_fails_its_case_alone(desk: Path) -> None:
    behaviours = [answers(), answers(b"oops"), refuses(400, "no"), answers()]
    with hostile.Endpoint(*behaviours) as server:
        completer = Completer("real", command(server, "--text"), protocol="lines", jobs=1)
        found = outcomes(ask(completer, desk, *[asked_for(desk, f"case-{n}") for n in range(4)]))
    assert (found[0], found[3]) == ("paid", "paid")
    assert "which is no chat completion: not JSON" in found[1]
    assert found[2] == "completer_failed:127.0.0.1 answered 400 Bad Request: no"


def test_lines_carry_what_the_vendor_reports(desk: Path, server: hostile.Endpoint) -> None:
    line = {"id": "a", "prompt_file": str(desk / "prompt.txt"), "input": {"n": 1}}
    done = Repository(desk, init=False).run(*command(server), feed=json.dumps(line) + "\n")
    found = json.loads(done.out)
    assert json.loads(found["output"]) == completion()
    assert (found["id"], found["model"]) == ("a", "small-2026-01-01")
    assert found["usage"] == {"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 15}


def test_a_base_url_of_the_environment_is_used_and_said_to_be_uncovered(desk: Path, server: hostile.Endpoint) -> None:
    line = {"id": "a", "prompt_file": str(desk / "prompt.txt"), "input": {"n": 1}}
    words = (LASTGOOD, "complete", "openai", "--model", "small", "--text")
    feed, environ = json.dumps(line) + "\n", {"OPENAI_BASE_URL": server.url}
    done = Repository(desk, init=False).run(*words, feed=feed, env=environ)
    assert json.loads(done.out)["output"] == "paid"
    assert done.err == "lastgood: the base URL is OPENAI_BASE_URL's, which no fingerprint covers; --base-url is\n"


def test_the_time_of_a_case_is_that_of_the_configuration_less_a_tenth(desk: Path) -> None:
    with hostile.Endpoint(hostile.hangs) as server:
        (answer,) = ask(Completer("real", command(server), timeout_s=5.0), desk, LASTGOOD_TIMEOUT_S="9")
        assert "did not answer within 4.5 s" in answer.detail


USAGE: dict[str, tuple[list[str], str]] = {
    "no model": (["--base-url", "http://x"], "--model"),
    "a base URL that is none": (["--model", "m", "--base-url", "localhost:1"], "the base URL 'localhost:1"),
    "a key that is not there": (["--model", "m", "--key-env", "NOWHERE"], "the variable NOWHERE holds no key"),
    "a header's key that is not there": (["--model", "m", "--header", "api-key: env:NOWHERE"], "NOWHERE holds no key"),
    "a header that is none": (["--model", "m", "--header", "api-key"], "--header takes"),
    "a key in the open": (["--model", "m", "--header", f"api-key: {KEY}"], "--header api-key holds a key in the open"),
    "a header with a line break": (["--model", "m", "--header", "a: b\nc: d"], "--header a holds what no header"),
    "a key with a line break": (["--model", "m", "--key-env", "BROKEN"], "the variable BROKEN holds what no header"),
    "a temperature": (["--model", "m", "--temperature", "warm"], "--temperature must be a number or none"),
    "a seed": (["--model", "m", "--seed", "0.5"], "--seed must be a whole number or none"),
    "a schema that is not there": (["--model", "m", "--response-format", "no.json"], "no.json: cannot be read"),
    "a parameter": (["--model", "m", "--param", "user=me"], "--param user must be JSON"),
    "retries": (["--model", "m", "--retries", "-1"], "--retries"),
    "no kind of completer": (["--model", "m", "--max-tokens", "0"], "--max-tokens"),
}


@pytest.mark.parametrize(("words", "said"), USAGE.values(), ids=USAGE)
def test_what_cannot_be_asked_for_is_one_sentence(tmp_path: Path, words: list[str], said: str) -> None:
    repo = Repository(tmp_path, init=False)
    done = repo.run(LASTGOOD, "complete", "openai", *words, code=4, env={"BROKEN": f"{KEY}\n{KEY}"})
    assert said in done.err
    assert "Traceback" not in done.err
    assert KEY not in done.err


# In a repository


def test_a_real_completer_is_evaluated_recorded_and_held_to_its_baseline(repo: Repository) -> None:
    """Tools come from the prompt's files, answers are read as the vendor's, and a moved answer shows."""
    trace = [completion(None, [CALL]), completion("Nothing.")]
    with hostile.Endpoint(answers(trace[0]), answers(trace[0]), answers(trace[1])) as server:
        repo.write(
            {
                "prompts/agent.txt": "Help the customer.\n",
                "tools/agent.json": json.dumps(TOOLS),
                "golden/agent/order.json": json.dumps(
                    {
                        "id": "order",
                        "version": 1,
                        "prompt_id": "agent",
                        "input": {"messages": [{"role": "user", "content": "Where is 1842-AX?"}]},
                        "tools": ["get_order"],
                        "assertions": {"call_count": {"*": {"le": 1}}},
                    }
                ),
                "lastgood.toml": f"""\
                    eval_completer = "real"
                    require = ["real"]
                    [completers.real]
                    command = {json.dumps([*command(server)[1:]])}
                    protocol = "lines"
                    output = "openai"
                    repeat = 1
                    [prompt.agent]
                    files = ["prompts/agent.txt", "tools/agent.json"]
                    """.replace('["complete"', f'["{LASTGOOD}", "complete"'),
            }
        )
        repo.lastgood("catalog", "ship")
        repo.accept("first", "-p", "agent")
        assert "1 case: 1 PASS" in repo.lastgood("eval", "-p", "agent").out
        assert "1 case: 1 DIFF" in repo.lastgood("eval", "-p", "agent", "--all", "--fail-on-diff", code=3).out
        asked = server.requests[0].asked
    assert [tool["function"]["name"] for tool in asked["tools"]] == ["get_order"]
    kept = json.loads(repo.read("baselines/real/agent/order.json"))
    assert kept["tool_calls"] == [{"name": "get_order", "arguments": {"order_id": "1842-AX"}}]
    assert KEY not in repo.read("lastgood.toml")
