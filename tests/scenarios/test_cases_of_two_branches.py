"""Two branches that each add a case to one prompt, as docs/merges.md says how they come together."""

from __future__ import annotations

import json

import pytest

from hooked import WAYS, Hooked
from repository import case

CATALOG = "golden/billing/catalog.json"


def _add(repo: Hooked, branch: str, case_id: str) -> None:
    repo.git("checkout", "-q", "-b", branch, "main")
    repo.write({f"golden/billing/{case_id}.json": json.dumps({**case(case_id), "prompt_id": "billing"})})
    repo.lastgood("catalog", "ship", "-p", "billing")
    repo.accept(f"a case {case_id}", "-p", "billing")
    repo.git("add", "-A")
    repo.passes()


@pytest.mark.parametrize("way", WAYS[:1])
def test_cases_of_two_branches_are_counted_anew_and_recorded_as_one(repo: Hooked) -> None:
    _add(repo, "left", "extra-left")
    _add(repo, "right", "extra-right")
    repo.git("merge", "left", code=1)
    repo.git("checkout", "-q", "--ours", CATALOG)
    repo.lastgood("catalog", "ship", "-p", "billing")
    repo.git("add", "golden")
    repo.lastgood("eval", "-p", "billing", code=None)
    token = repo.token("-p", "billing")
    repo.lastgood("record", "--merge", "-p", "billing", "--reason", "both cases", "--accept", token)
    repo.git("add", "-A")
    repo.git("commit", "-qm", "merge")
    assert repo.codes()[-1] == 0
    ids = [row["id"] for row in json.loads(repo.read(CATALOG))["cases"]]
    assert {"extra-left", "extra-right"} <= set(ids)
    assert "held (0)" in repo.lastgood("status").out
    log = repo.lastgood("log", "billing").out
    assert "both cases" in log
    assert "a case extra-left" in log
    assert "a case extra-right" in log
