"""What is deleted by mistake comes back by the one command that is printed, and nothing is made anew in its place."""

from __future__ import annotations

import re

import pytest

from hooked import WAYS, Hooked

PLAIN = pytest.mark.parametrize("way", WAYS[:1])  # the way of running the gate is not what these are about
BILLING = "baselines/stub/billing"


@PLAIN
@pytest.mark.parametrize(
    "gone",
    [
        [BILLING],
        [f"{BILLING}/HEAD"],
        [f"{BILLING}/migrations"],
        [f"{BILLING}/one.json"],
        [f"{BILLING}/one.json", f"{BILLING}/two.json"],
        ["baselines/stub/billing", "baselines/stub/support"],
        ["golden/billing/catalog.json"],
        ["golden/billing"],
        ["golden/billing", BILLING],
    ],
    ids=" ".join,
)
def test_what_was_deleted_is_put_back_first(repo: Hooked, gone: list[str]) -> None:
    repo.git("rm", "-rq", *gone)
    next_step = re.search(r"^next: (.*)$", repo.lastgood("status", code=None).out, re.MULTILINE)
    assert next_step
    assert next_step[1].startswith("git restore -SW --source HEAD -- ")
    for _ in range(3):  # a finding may hide another one
        said = repo.lastgood("check", code=None).said
        commands = repo.follow(said)
        assert all(command.startswith("git restore -SW --source HEAD -- ") for command in commands), said
        if not commands:
            break
    assert "held (0)" in repo.lastgood("check").said
    assert repo.git("status", "--porcelain").out == ""


@PLAIN
def test_what_a_commit_deleted_is_taken_from_what_was_shipped(repo: Hooked) -> None:
    repo.publish()
    repo.git("rm", "-rq", BILLING)
    repo.unchecked()
    commands = repo.follow(repo.lastgood("check", "--base", "origin/main", code=2).said)
    assert commands == [f"git checkout origin/main -- {BILLING}/"]
    assert "held (0)" in repo.lastgood("check", "--base", "origin/main").said


@PLAIN
def test_a_new_case_is_not_lost_with_what_is_put_back(repo: Hooked) -> None:
    repo.git("rm", "-q", "golden/billing/catalog.json")
    repo.write({"golden/billing/new.json": "{}"})
    repo.git("add", "golden/billing/new.json")
    repo.follow(repo.lastgood("check", code=None).said)
    assert repo.read("golden/billing/new.json") == "{}"


def test_a_completer_that_is_not_staged_is_named(repo: Hooked) -> None:
    stub = re.search(r'command = \["python3", "([^"]+)"', repo.read("lastgood.toml"))
    assert stub
    repo.write({stub[1]: repo.read(stub[1]) + "# edited\n"})
    repo.accept("another completer")
    repo.git("add", "baselines")
    said = repo.blocked().said
    # A manager hides the edit while its hooks run: then every file is named that it can be in.
    assert f"git add {stub[1]}\n" in said or f"git add lastgood.toml {stub[1]}\n" in said
    repo.follow(said)
    repo.passes()
