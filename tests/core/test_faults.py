"""Every fault over trees in memory: what is injected is what the audit finds, and nothing is injected by accident."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from lastgood.commands.prove import ground_of
from lastgood.core.faults import FAULTS, LEAST, REHEARSED, Ended, Proof, judged, verdict_of
from lastgood.core.rehearsal import rehearsal
from memory_tree import (
    CONFIG,
    HEAD,
    PROMPT,
    SUITE,
    Files,
    accepted,
    findings,
    in_step,
    look,
    merged,
    plain,
    shipped,
    twice,
)

if TYPE_CHECKING:
    from lastgood.core.fault import Fault

OF_THE_DISK = {"completer-untracked", "completer-mode", "prompt-mode", "unmerged"}  # no tree in memory has them
OF_THE_BASE = {"row-rewritten", "row-dropped", "migration-edited"}
TREES = {"one migration": in_step(), "two migrations": twice()}


def cases() -> list[Any]:
    found = []
    for name, files in TREES.items():
        for fault in FAULTS:
            if fault.finding and fault.finding not in OF_THE_DISK | OF_THE_BASE:
                found.append(pytest.param(files, fault, id=f"{fault.name}, {name}"))
    return found


@pytest.mark.parametrize(("files", "fault"), cases())
def test_a_fault_is_what_the_audit_calls_it(files: Files, fault: Fault) -> None:
    assert not findings(files)
    injected = fault.inject(ground_of(look(files)))
    if isinstance(injected, str):
        assert injected in ("no case in a file of its own, beside another", "no case names an output schema")
        return
    _, finding = injected.expect or (fault.verdict, fault.finding)
    assert finding in {found.code for found in findings(merged(files, injected.files))}


@pytest.mark.parametrize("fault", [f for f in FAULTS if f.finding in OF_THE_BASE], ids=lambda fault: fault.name)
def test_what_only_the_base_tells_is_coherent_in_itself(fault: Fault) -> None:
    injected = fault.inject(ground_of(look(in_step())))
    assert not isinstance(injected, str)
    now = {found.code for found in findings(merged(in_step(), injected.files))}
    assert now <= {"suite-moved"}


def test_the_rehearsal_is_in_step_whatever_the_configuration_file_is() -> None:
    table = CONFIG.replace("[completers", "[tool.lastgood.completers").replace("    ", "")
    moved = {**in_step(), "pyproject.toml": f"[tool.lastgood]\n{table}".encode()}
    del moved["lastgood.toml"]
    for files in (in_step(), twice(), moved):
        rehearsed = rehearsal(ground_of(look(files)))
        assert not isinstance(rehearsed, str)
        assert not findings(merged(files, rehearsed))


def test_a_tree_without_a_baseline_cannot_be_broken_in_most_ways() -> None:
    ground = ground_of(look(plain()))
    tried = [fault for fault in FAULTS if not isinstance(fault.inject(ground), str)]
    assert len(tried) < LEAST
    assert isinstance(rehearsal(ground), str)


def test_a_fault_is_proved_by_code_and_reason_together() -> None:
    fault = FAULTS[0]
    injected = fault.inject(ground_of(look(in_step())))
    assert not isinstance(injected, str)
    report = '{"findings": [{"code": "prompt-moved"}]}'
    outcomes = [
        judged(fault, injected, Ended(code, out, out)).proved
        for code, out in ((2, report), (0, report), (2, '{"findings": []}'), (2, "prompt-moved"), (None, ""))
    ]
    assert outcomes == [True, False, False, False, False]


def test_too_few_faults_prove_nothing_and_one_failure_breaks_the_rest() -> None:
    proved, failed, apart = (
        Proof("a", "2 x", "2 x", True),
        Proof("b", "2 x", "0", False),
        Proof("c", "", "", True, "none here"),
    )
    assert [
        verdict_of([proved] * LEAST),
        verdict_of([proved] * (LEAST - 1) + [apart] * 9),
        verdict_of([proved] * LEAST + [failed]),
        verdict_of([failed]),
    ] == [0, 4, 1, 1]


def test_no_two_faults_share_a_name() -> None:
    names = [fault.name for fault in (*FAULTS, *REHEARSED)]
    assert len(set(names)) == len(names) > 40


def test_a_prompt_that_only_one_glob_names_cannot_be_renamed() -> None:
    files = {**in_step(), "lastgood.toml": f'prompts = ["{PROMPT}"]\n{CONFIG}'.replace("    ", "").encode()}
    ground = ground_of(look(files))
    told = {fault.name: fault.inject(ground) for fault in FAULTS}
    assert told["prompt renamed"] == "no glob of `prompts` takes another name"
    assert told["two prompts with one id"] == "no glob of `prompts` takes another suffix"
    assert not isinstance(told["prompt deleted"], str)
    assert told["prompt deleted"].expect == (4, "no-prompt")


@pytest.mark.parametrize(("part", "edited"), [("body", True), ("front matter", False)])
def test_a_prompt_that_is_a_part_of_its_file_is_edited_where_it_can_be(part: str, edited: bool) -> None:
    config = f'[parts]\n"prompts/**" = "{part}"\n{CONFIG}'.replace("    ", "")
    top, _, rest = config.partition('commit_completer = "stub"\n')
    files = {
        **plain(),
        PROMPT: b"---\nname: x\n---\nSay paid.\n",
        "lastgood.toml": f'commit_completer = "stub"\n{top}{rest}'.encode(),
    }
    files = accepted(shipped(files))
    ground = ground_of(look(files))
    told = FAULTS[0].inject(ground)
    assert isinstance(told, str) is not edited
    if not isinstance(told, str):
        assert "prompt-moved" in {found.code for found in findings(merged(files, told.files))}
    rehearsed = rehearsal(ground)
    assert not isinstance(rehearsed, str)
    assert not findings(merged(files, rehearsed))


def test_an_injection_never_changes_the_tree_it_was_made_of() -> None:
    files = in_step()
    ground = ground_of(look(files))
    before = {path: ground.bytes_of(path) for path in (PROMPT, SUITE, HEAD)}
    for fault in FAULTS:
        fault.inject(ground)
    assert {path: ground.bytes_of(path) for path in before} == before
