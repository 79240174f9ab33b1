"""`lastgood import`: files of other tools become cases that check accepts, and what cannot be said is listed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from pending import run_of
from repository import LASTGOOD, Repository
from terminal import at_terminal

if TYPE_CHECKING:
    from pathlib import Path

    from repository import Done

PERSON = {"CI": "", "GITHUB_ACTIONS": "", "GITLAB_CI": ""}
CONFIG = """\
    commit_completer = "stub"
    eval_completer = "agent"

    [completers.stub]
    command = ["python3", "stub.py"]

    [completers.agent]
    command = ["python3", "stub.py"]
    output = "trace"
    repeat = 1
"""
PROMPTFOO = """\
    prompts: [file://../prompts/billing.txt]
    providers: [openai:gpt-4.1]
    defaultTest:
      assert: [{type: not-icontains, value: as an AI}]
    tests:
      - description: Paid, in English
        vars: {topic: invoices, locale: [en, de]}
        assert:
          - {type: contains, value: "{{topic}}"}
          - {type: is-json, value: {type: object, required: [status]}}
          - {type: llm-rubric, value: is kind}
      - file://tests.csv
"""
CSV = 'topic,__expected,__expected2\n"cats, dogs","contains-any: cat,dog",latency(5)\n'
REGISTRY = """\
    arithmetic:
      id: arithmetic.dev.v0
    arithmetic.dev.v0:
      class: evals.elsuite.basic.match:Match
      args: {samples_jsonl: arithmetic/samples.jsonl}
    judged.v0:
      class: evals.elsuite.modelgraded.classify:ModelBasedClassify
      args: {samples_jsonl: arithmetic/samples.jsonl}
"""
SAMPLES = '{"input": [{"role": "user", "content": "2+2"}], "ideal": ["4", "four"]}\n{"input": "3+3", "ideal": "6"}\n'


def brooder(agent: str, case_id: str, *steps: dict[str, Any], output: Any = "It has shipped.", **more: Any) -> str:
    """A baseline as brooder 0.5.0 writes it."""
    trajectory = [{"kind": "turn", "name": "turn", "args": {}, "result": None}, *steps,
                  {"kind": "final", "name": "final", "args": {}, "result": output}]  # fmt: skip
    usage = {"duration_ms": 0.02, "input_tokens": None, "output_tokens": None, "total_tokens": None, "cost_usd": None}
    run = {"agent": agent, "case_id": case_id, "inputs": {"args": ["Where is 1842-AX?"], "kwargs": {}}, "model": "m-1",
           "trajectory": trajectory, "output": output, "usage": usage, "meta": {}} | more  # fmt: skip
    return json.dumps({"schema_version": 2, "variants": [run]}, indent=2)


def step(name: str, **args: Any) -> dict[str, Any]:
    return {"kind": "tool", "name": name, "args": args, "result": {"status": "shipped"}}


SNAPSHOT = json.dumps({
    "input": {"query": "Where is 1842-AX?"}, "model": "m-1", "output": "It has shipped.", "version": "1.1",
    "recorded_at": "2026-12-01T09:22:07+00:00",
    "trace": [{"type": "tool_call", "name": "get_order", "args": {"order_id": "1842-AX"}, "result": "ok", "step": 0}],
})  # fmt: skip
SUITE = json.dumps({
    "prompt_id": "billing", "prompt_sha256": "replace-with-sha256-of-the-prompt-file",
    "cases": [{"id": "paid", "input": {"order_id": "o"}, "expect": {"json": True, "status_in": ["paid"]}}],
}, indent=2)  # fmt: skip
BASELINE = json.dumps({"prompt_sha256": "0" * 64, "cases": {"paid": {"digest": "1" * 64, "sample": "{"}}})
CASE = json.dumps({
    "id": "order_lookup_v3", "version": 3, "prompt_id": "support", "input": {"messages": []}, "tools": ["get_order"],
    "assertions": {"must_call": ["get_order"], "output_schema": "support_reply_v2"},
})  # fmt: skip
FILES = {
    "evals/promptfooconfig.yaml": PROMPTFOO,
    "evals/tests.csv": CSV,
    "registry/evals/arithmetic.yaml": REGISTRY,
    "registry/data/arithmetic/samples.jsonl": SAMPLES,
    ".brooder/baselines/support/f83258582665.json": brooder("support", "f83258582665", step("get_order", id="1")),
    ".brooder/runs/support/f83258582665.json": "{}",
    "__agent_snapshots__/test_order__8287d485.json": SNAPSHOT,
    "__agent_snapshots__/.last_run/test_order__8287d485.json": SNAPSHOT,
    "old/golden.json": SUITE,
    "old/baseline.json": BASELINE,
    "cases/order_lookup_v3.json": CASE,
    "cases/schemas/support_reply_v2.json": '{"type": "object"}',
}


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    found = Repository(tmp_path / "yours")
    found.write({"lastgood.toml": CONFIG, "stub.py": "print('{}')\n", "prompts/billing.txt": "Bill.\n"})
    found.write({"prompts/support.txt": "Help.\n", **FILES})
    found.git("add", "-A")
    found.commit("start")
    found.env |= PERSON
    return found


def imported(repo: Repository, *words: str, code: int | None = 0) -> Done:
    return repo.lastgood("import", *words, "--yes", code=code)


def codes(repo: Repository) -> set[str]:
    """What check finds, by code."""
    return {
        finding["code"] for finding in json.loads(repo.lastgood("check", "--format", "json", code=None).out)["findings"]
    }


KINDS = [
    pytest.param(("promptfoo", "evals"), 2, 3, ["llm-rubric: a model's", "latency: a measure"], id="promptfoo"),
    pytest.param(("openai-evals", "registry/evals/arithmetic.yaml", "-p", "billing"), 2, 2,
                 ["ModelBasedClassify: a model's"], id="openai-evals"),
    pytest.param(("brooder", "."), 0, 1, [], id="brooder"),
    pytest.param(("agentsnap", ".", "--prompt", "support"), 0, 1, [], id="agentsnap"),
    pytest.param(("cases", "old/golden.json"), 2, 1, ["only a digest and a sample were kept"], id="first article"),
    pytest.param(("cases", "cases"), 0, 1, [], id="second article"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "code", "count", "left"), KINDS)
def test_every_kind_gives_cases_that_check_accepts(
    repo: Repository, words: tuple[str, ...], code: int, count: int, left: list[str]
) -> None:
    before = repo.files()
    shown = repo.lastgood("import", *words, "--dry-run", code=code).out
    assert repo.files() == before
    done = imported(repo, *words, code=code)
    assert done.out.startswith(shown)
    assert f"{count} new case" in done.out
    assert all(reason in done.out for reason in left)
    repo.git("add", "-A")
    assert codes(repo) <= {"no-baseline", "no-cases"}  # the other prompt has none
    after = repo.files()
    assert {path: after[path] for path in before} == before
    again = imported(repo, *words, code=code)
    assert f"0 new cases, {count} there already" in again.out
    assert "nothing to write" in again.out
    assert repo.files() == after


def test_a_recorded_completion_waits_until_a_person_records_it(repo: Repository) -> None:
    said = imported(repo, "brooder", ".").out
    assert "1 completion: accepted by nobody until recorded" in said
    assert "next: lastgood diff -p support -c agent" in said
    header, answer = run_of(repo, "support", "agent")
    assert (header["output"], answer["id"], answer["model"]) == ("trace", "f83258582665", "m-1")
    assert not list((repo.root / "baselines").rglob("*"))
    shown = repo.lastgood("diff", "-p", "support", code=None).out
    assert "It has shipped." in shown
    token = repo.token("-p", "support")
    repo.lastgood("record", "-p", "support", "--reason", "as brooder had it", "--accept", token)
    kept = json.loads(repo.read("baselines/agent/support/f83258582665.json"))
    assert kept["final_text"] == ["It has shipped."]
    assert "there already" in imported(repo, "brooder", ".").out  # and no run comes back
    assert not (repo.root / ".lastgood/runs/agent/support").exists()


def test_a_pending_run_is_not_touched(repo: Repository) -> None:
    imported(repo, "agentsnap", ".", "-p", "support")
    before = run_of(repo, "support", "agent")
    said = imported(repo, "brooder", ".", code=2).out
    assert "agent has a pending run of this prompt already" in said
    assert run_of(repo, "support", "agent") == before


def test_a_completer_of_text_takes_no_calls_and_is_asked_for_none(repo: Repository) -> None:
    repo.write({".brooder/baselines/support/aa.json": brooder("support", "aa")})
    said = imported(repo, "brooder", ".", "-c", "stub", code=2).out
    assert "holds an exact text and no call" in said
    assert "stub is read as text, and this made calls" in said
    assert not (repo.root / "golden/support/aa.json").exists()


def test_what_lies_there_is_never_overwritten(repo: Repository) -> None:
    imported(repo, "brooder", ".")
    path = "golden/support/f83258582665.json"
    mine = repo.read(path).replace('"1"', '"2"')
    repo.write({path: mine.encode()})
    said = imported(repo, "brooder", ".", code=4).out
    assert f"{path} holds a case of that name which says otherwise: it stays" in said
    assert repo.read(path) == mine
    repo.write({"golden/billing/suite.json": SUITE.replace('"paid"', '"open"')})
    assert "golden/billing/suite.json is there already" in imported(repo, "cases", "old/golden.json", code=4).out


def test_cases_that_never_shipped_stay_unshipped(repo: Repository) -> None:
    repo.write(
        {
            "golden/billing/mine.json": CASE.replace('"support"', '"billing"').replace(
                ', "output_schema": "support_reply_v2"', ""
            )
        }
    )
    imported(repo, "cases", "old/golden.json", code=2)
    assert [row["id"] for row in json.loads(repo.read("golden/billing/catalog.json"))["cases"]] == ["paid"]


@pytest.mark.parametrize("name", ["CI", "GITHUB_ACTIONS", "PRE_COMMIT"])
def test_nothing_is_written_in_ci_or_without_a_yes(repo: Repository, name: str) -> None:
    before = repo.files()
    told = repo.lastgood("import", "promptfoo", "evals", code=4, env={name: "1"})
    assert f"{name} is set" in told.err
    assert "lastgood import promptfoo evals --yes" in told.err
    assert "nobody is at a terminal" in repo.lastgood("import", "promptfoo", "evals", code=4).err
    assert repo.files() == before


@pytest.mark.parametrize(("typed", "code"), [(b"y\n", 2), (b"n\n", 4), (b"\n", 4), (b"\x04", 4)])
def test_a_person_is_asked(repo: Repository, typed: bytes, code: int) -> None:
    before = repo.files()
    ended, shown = at_terminal(repo, LASTGOOD, "import", "promptfoo", "evals", typed=typed)
    assert "Write these? [y/N]" in shown
    assert ended == code
    assert (repo.files() == before) == (code == 4)


def test_a_secret_is_not_taken_into_git(repo: Repository) -> None:
    secret = "ghp_" + "a1B2" * 9
    repo.write({"__agent_snapshots__/one.json": SNAPSHOT.replace("1842-AX", secret)})
    said = imported(repo, "agentsnap", ".", "-p", "support", code=2)
    assert "seems to hold a secret" in said.out
    assert secret not in said.said
    assert not (repo.root / "golden/support/one.json").exists()


def test_nothing_is_written_through_a_link_that_leads_out(repo: Repository, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (repo.root / "golden").symlink_to(tmp_path / "elsewhere")
    assert "leads out of the repository" in imported(repo, "brooder", ".", code=4).err
    assert not list((tmp_path / "elsewhere").iterdir())


WRONG = [
    (("promptfoo", "nowhere"), "no such file or folder"),
    (("promptfoo", "cases"), "holds none of promptfooconfig.yaml"),
    (("promptfoo", "/dev/null"), "is no file and no folder"),
    (("openai-evals", "registry", "-p", "billing"), "is a folder"),
    (("promptfoo", "evals", "-p", "nobody"), "no prompt 'nobody'"),
    (("promptfoo", "stub.py"), "is a program, and none is run"),
    (("promptfoo", "evals/tests.csv"), "is no JSON and no YAML"),
    (("openai-evals", "registry/data/arithmetic/samples.jsonl", "-p", "billing"), "do not say how they are graded"),
    (("openai-evals", "registry/evals/arithmetic.yaml"), "nothing says which prompt"),
    (("agentsnap", "__agent_snapshots__"), "nothing says which prompt"),
    (("cases", "cases", "-p", "billing"), "says it is of 'support', and not of 'billing'"),
    (("cases", "nowhere.json"), "cannot be read"),
    (("nonsense", "evals"), "invalid choice"),
    (("promptfoo", ""), "must name a file, and is empty"),
]


@pytest.mark.parametrize(("words", "why"), WRONG, ids=[" ".join(row[0]) for row in WRONG])
def test_a_wrong_word_is_one_sentence(repo: Repository, words: tuple[str, ...], why: str) -> None:
    before = repo.files()
    told = imported(repo, *words, code=4)
    assert why in told.err
    assert "Traceback" not in told.err
    assert repo.files() == before


def test_several_agents_go_to_the_prompts_of_their_names(repo: Repository) -> None:
    repo.write({".brooder/baselines/billing/bb.json": brooder("billing", "bb", step("get_bill"))})
    repo.write({".brooder/baselines/other/cc.json": brooder("other", "cc")})
    said = imported(repo, "brooder", ".", code=2).out
    assert "no prompt here is called 'other'" in said
    assert (repo.root / "golden/billing/bb.json").exists()
    assert (repo.root / "golden/support/f83258582665.json").exists()
    assert "--prompt names one prompt" in imported(repo, "brooder", ".", "-p", "billing", code=4).err


def test_a_file_outside_of_the_repository_is_not_read(repo: Repository, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("a secret")
    config = (
        "prompts: [file://../prompts/billing.txt]\ntests: [{vars: {a: 'file://../../secret.txt'}, assert: [is-json]}]\n"
    )
    repo.write({"evals/promptfooconfig.yaml": config})
    said = imported(repo, "promptfoo", "evals", code=4)
    assert "lies outside of this repository and is not read" in said.out
    assert "a secret" not in said.said


def test_a_sample_file_that_git_lfs_left_out_is_told(repo: Repository) -> None:
    repo.write({"registry/data/arithmetic/samples.jsonl": "version https://git-lfs.github.com/spec/v1\noid sha256:0\n"})
    said = imported(repo, "openai-evals", "registry/evals/arithmetic.yaml", "-p", "billing", code=4).out
    assert "git lfs pull" in said


def test_completions_of_a_one_file_baseline_wait_too(repo: Repository) -> None:
    repo.write({"single/golden.json": SUITE, "single/stub.py": 'print(\'{"status": "paid"}\')\n'})
    sha = repo.run("sha256sum", "prompts/billing.txt").out.split()[0]
    repo.write({"single/golden.json": SUITE.replace("replace-with-sha256-of-the-prompt-file", sha)})
    pair = ("pair", "--prompt", "../prompts/billing.txt", "--record", "--", "python3", "stub.py")
    repo.lastgood(*pair, cwd="single")
    said = imported(repo, "cases", "single/golden.json", "-c", "stub").out
    assert "1 completion: accepted by nobody until recorded" in said
    assert run_of(repo)[1]["output"] == '{"status": "paid"}\n'
