"""`status`: one screen that says where every prompt stands and what to run next."""

from __future__ import annotations

import json
import re

from repository import Repository, case, suite


def test_in_step(repo: Repository) -> None:
    assert repo.lastgood("status").out == (
        "billing  (prompts/billing.txt)\n"
        "  prompt  3aec1afd765b\n"
        "  cases   2 active, suite 5b92aff59e03a8e1\n"
        "  stub    0001_first-baseline, 2 accepted: in step\n"
        "\n"
        "support  (prompts/support.txt)\n"
        "  prompt  8544f74d6678\n"
        "  cases   1 active, suite d23692ba5fb3aa71\n"
        "  stub    0001_first-baseline, 1 accepted: in step\n"
        "\n"
        "held (0)\n"
    )


def test_moved_and_evaluated(pending: Repository) -> None:
    out = re.sub(r"run, (just now|\d+ minutes? ago):", "run, AGO:", pending.lastgood("status", code=2).out)
    assert out.startswith(
        "billing  (prompts/billing.txt)\n"
        "  prompt  bef6cc63192e\n"
        "  cases   2 active, suite 5b92aff59e03a8e1\n"
        "  stub    0001_first-baseline, 2 accepted: prompt-moved\n"
        "          pending run, AGO: 2 of 2 answered, 2 moved\n"
        "\n"
    )
    assert out.endswith(
        "out of step (2)\n"
        "  prompts/billing.txt: the prompt moved, its baseline did not (completer stub)\n"
        "next: lastgood diff -p billing -c stub\n"
    )


def test_moved_and_not_evaluated(repo: Repository) -> None:
    repo.write({"prompts/billing.txt": "say: refunded\n"})
    assert repo.lastgood("status", code=2).out.endswith("next: lastgood eval -p billing -c stub\n")


def test_each_stage_of_the_loop_names_the_next(repo: Repository) -> None:
    def following() -> str:
        return repo.lastgood("status", code=None).out.rpartition("next: ")[2].strip()

    repo.write({"prompts/new.txt": "say: paid\n"})
    assert following() == "write golden/new/suite.json, then lastgood catalog ship"
    repo.write({"golden/new/suite.json": suite("new", case("first"))})
    assert following() == "lastgood catalog ship"
    repo.lastgood("catalog", "ship")
    assert following() == "lastgood eval -p new -c stub"
    repo.lastgood("eval", "-p", "new")
    assert following() == "lastgood diff -p new -c stub"
    repo.lastgood("record", "--reason", "first", "--accept", repo.token())
    assert following() == "git add prompts/new.txt golden/new/ baselines/stub/new/"
    repo.git("add", "-A")
    assert repo.lastgood("status").out.endswith("\nheld (0)\n")


def test_what_is_in_step_on_disk_and_not_staged_is_said(pending: Repository) -> None:
    """The hook judges the index: that the disk is in step is not enough for a commit."""
    pending.lastgood("record", "--reason", "wanted", "--accept", pending.token())
    out = pending.lastgood("status").out
    assert out.endswith(
        "\nheld (0) on disk; 5 files not staged, so a commit may not hold the same\n"
        "next: git add prompts/billing.txt baselines/stub/billing/\n"
    )
    found = json.loads(pending.lastgood("status", "--json").out)
    assert "baselines/stub/billing/HEAD" in found["not_staged"]


def test_one_prompt_alone(pending: Repository) -> None:
    out = pending.lastgood("status", "-p", "support").out
    assert out.startswith("support  (prompts/support.txt)\n")
    assert "nothing to record, run " in out
    assert out.endswith("\nheld (0)\n")
    assert "billing" not in out
    assert "no prompt 'x'" in pending.lastgood("status", "-p", "x", code=4).err


def test_a_run_that_something_moved_under_is_stale(pending: Repository) -> None:
    pending.write({"prompts/billing.txt": "say: shipped\n"})
    assert "2 of 2 answered, 2 moved; stale, something moved since" in pending.lastgood("status", code=2).out


def test_a_run_of_another_completer_than_now_is_stale(pending: Repository) -> None:
    pending.write({"stub.py": pending.read("stub.py") + "# moved\n"})
    out = pending.lastgood("status", code=2).out
    assert out.count("stale, something moved since") == 2
    assert out.endswith("next: lastgood eval -p billing -c stub\n")


def test_retired_and_unguarded_are_counted(repo: Repository) -> None:
    repo.write({"lastgood.toml": 'unguarded = ["prompts/drafts/**"]\n' + repo.read("lastgood.toml")})
    repo.write({"prompts/drafts/idea.txt": "x"})
    repo.lastgood("catalog", "retire", "two", "--reason", "x")
    out = repo.lastgood("status", code=2).out
    assert "  cases   1 active, 1 retired, suite " in out
    assert "unguarded: prompts/drafts/idea.txt\n" in out


def test_json_says_the_same(pending: Repository) -> None:
    found = json.loads(pending.lastgood("status", "--json", code=2).out)
    assert (found["verdict"], found["findings"], found["interrupted_record"]) == (2, 1, False)
    billing = found["prompts"][0]
    assert (billing["prompt_id"], billing["active"], billing["retired"]) == ("billing", 2, 0)
    chain = billing["baselines"][0]
    assert (chain["completer"], chain["head"], chain["accepted"]) == ("stub", "0001_first-baseline", 2)
    assert chain["findings"] == ["prompt-moved"]
    assert chain["pinned"][:12] == "3aec1afd765b"
    assert (chain["pending"]["answered"], chain["pending"]["stale"]) == (2, False)


def test_it_works_from_a_folder_below(repo: Repository) -> None:
    assert repo.lastgood("status", cwd="prompts").out == repo.lastgood("status").out


def test_it_changes_nothing(repo: Repository) -> None:
    before, index = repo.files(), (repo.root / ".git/index").read_bytes()
    repo.lastgood("status")
    assert (repo.files(), (repo.root / ".git/index").read_bytes()) == (before, index)
