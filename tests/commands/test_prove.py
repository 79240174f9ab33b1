"""`lastgood prove`: the gate is seen to go red, a gate that does not is seen too, and the repository stays as it is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from lastgood.core.faults import FAULTS, REHEARSED
from pages import code, page, rows, section
from repository import LASTGOOD, case, suite

if TYPE_CHECKING:
    from repository import Done, Repository

EVERY = [fault.name for fault in (*FAULTS, *REHEARSED)]


def outcomes(done: Done) -> dict[str, str]:
    """Fault → ok, FAIL or n/a."""
    lines = [line for line in done.out.splitlines() if line[:5] in ("ok   ", "FAIL ", "n/a  ")]
    return {line[5:].partition(": ")[0]: line[:4].strip() for line in lines}


def gate(repo: Repository, script: str) -> str:
    """A gate of one's own, outside the repository."""
    path = repo.root.parent / "gate"
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def state(repo: Repository) -> tuple[object, ...]:
    told = [repo.git(*words).out for words in (("status", "--porcelain"), ("for-each-ref",), ("count-objects",))]
    return repo.files(), (repo.root / ".git/index").read_bytes(), *told


def test_the_gate_goes_red_for_every_fault_and_the_repository_stays_as_it_is(repo: Repository) -> None:
    repo.git("status")  # which may write the index
    before = state(repo)
    done = repo.lastgood("prove")
    found = outcomes(done)
    assert list(found) == EVERY
    assert {name for name in found if found[name] != "ok"} == {"case file deleted", "output schema deleted"}
    last = done.out.splitlines()[-1]
    assert last == (
        "lastgood prove: held (0): 41 of 41 faults proved, 2 not applicable: the gate goes red when it should"
    )
    assert done.out.splitlines()[0] == "ok   prompt edited alone: 2 prompt-moved"
    assert state(repo) == before
    assert list((repo.root / ".lastgood/tmp").iterdir()) == []


def test_a_gate_that_is_always_green_proves_nothing(repo: Repository) -> None:
    done = repo.lastgood("prove", "--", gate(repo, "echo '{\"findings\": []}'"), code=1)
    found = outcomes(done)
    assert set(found.values()) == {"FAIL", "n/a"}
    assert "FAIL prompt edited alone: wanted 2 prompt-moved, got 0\n" in done.out
    assert "the gate did not go red as it should" in done.out.splitlines()[-1]


@pytest.mark.parametrize(
    ("script", "failed"),
    [
        pytest.param(f"{LASTGOOD} gate \"$@\"; code=$?; [ $code = 3 ] || exit $code", {"completer answers otherwise"},
                     id="green when something moved"),
        pytest.param(f"{LASTGOOD} check \"$@\"", {fault.name for fault in REHEARSED}, id="runs no completer"),
    ],
)  # fmt: skip
def test_a_gate_that_is_blind_to_some_faults_is_told_which(repo: Repository, script: str, failed: set[str]) -> None:
    found = outcomes(repo.lastgood("prove", "--", gate(repo, script), code=1))
    assert {name for name in found if found[name] == "FAIL"} == failed


def test_a_repository_that_is_not_in_step_proves_nothing(repo: Repository) -> None:
    repo.write({"prompts/billing.txt": "Another prompt.\nsay: paid\n"})
    done = repo.lastgood("prove", code=4)
    assert done.out == ""
    assert "not in step to begin with" in done.err
    assert "prompt-moved" in done.err
    assert "lastgood status" in done.err


def test_a_gate_that_cannot_be_started_is_no_proof(repo: Repository) -> None:
    assert "cannot be started" in repo.lastgood("prove", "--", "no-such-gate", code=4).err


def test_what_git_says_of_the_commit_being_made_never_leads_back_here(repo: Repository) -> None:
    repo.git("status")
    before = state(repo)
    index = str(repo.root / ".git/index")
    environ = {"GIT_DIR": str(repo.root / ".git"), "GIT_INDEX_FILE": index, "GIT_WORK_TREE": str(repo.root)}
    done = repo.lastgood("prove", env=environ)
    assert "held (0)" in done.out
    assert state(repo) == before


def test_traces_declared_prompts_and_a_pyproject_are_proved_too(repo: Repository) -> None:
    stub = """\
        import json, sys
        said = json.dumps({"status": "paid"})
        calls = [{"name": "get_order", "arguments": {"id": json.load(sys.stdin)["order_id"]}}]
        print(json.dumps({"tool_calls": calls, "final_text": said}))
    """
    config = """\
        [tool.lastgood]
        commit_completer = "stub"
        prompts = ["prompts/billing.txt"]
        [tool.lastgood.completers.stub]
        command = ["python3", "stub.py"]
        output = "trace"
        [tool.lastgood.prompt."agent é"]
        files = ["prompts/agent.md", "tools/*.json"]
    """
    wanted = {"must_call": ["get_order"]}
    repo.git("rm", "-qr", "baselines", "golden", "prompts", "lastgood.toml")
    repo.write(
        {
            "pyproject.toml": config,
            "stub.py": stub,
            "prompts/agent.md": "Look it up.\n",
            "prompts/billing.txt": "Say paid.\n",
            "tools/order.json": "{}\n",
            "golden/billing/suite.json": suite("billing", case("one", expect={"json": True}, assertions=wanted)),
            **{
                f"golden/agent é/{name}.json": json.dumps(
                    {"prompt_id": "agent é", **case(name, expect={"json": True}, assertions=wanted)}
                )
                for name in ("early", "late")
            },
        }
    )
    repo.lastgood("catalog", "ship")
    repo.accept()
    found = outcomes(repo.lastgood("prove"))
    assert {name for name in found if found[name] != "ok"} == {
        "prompt renamed",
        "two prompts with one id",
        "case dropped from its suite",
        "output schema deleted",
    }


def test_every_fault_is_on_the_page_with_its_code_and_no_other_is() -> None:
    table = rows(section(page("docs/reference/prove.md"), "Faults"))
    documented = [(row[0], int(row[1]), code(row[2])[0]) for row in table]
    assert documented == [(f.name, f.verdict, f.finding or f.says) for f in (*FAULTS, *REHEARSED)]
