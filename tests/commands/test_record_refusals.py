"""Every way in which `record` refuses: exit 4, one sentence that says why, and not one file changed."""

from __future__ import annotations

import json
import random
import shutil
import string
from typing import TYPE_CHECKING

import pytest

from lastgood.core.guard import CI_VARIABLES
from repository import LASTGOOD, Repository, case, suite
from terminal import at_terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def state(repo: Repository) -> tuple[dict[str, bytes], dict[str, bytes], str]:
    """Every file that must not change: of the tree, of the pending runs, and what git thinks of them."""
    runs = {
        path.relative_to(repo.root).as_posix(): path.read_bytes()
        for path in (repo.root / ".lastgood/runs").rglob("*")
        if path.is_file()
    }
    return repo.files(), runs, repo.git("status", "--porcelain", "-uall").out


def refused(repo: Repository, *words: str, env: Mapping[str, str] | None = None) -> str:
    """The message of a `record` that ends with 4 and leaves everything as it was."""
    before = state(repo)
    done = repo.lastgood("record", *words, code=4, env=env)
    assert state(repo) == before
    assert done.out == ""
    assert done.err.startswith("lastgood: "), done.err
    assert "Traceback" not in done.err
    return done.err


def accepted_words(repo: Repository) -> tuple[str, ...]:
    return ("--reason", "wanted", "--accept", repo.token())


# --- where it runs ---


@pytest.mark.parametrize(
    ("env", "why"),
    [
        pytest.param({"CI": "true"}, "CI is set", id="CI=true"),
        pytest.param({"CI": "1"}, "CI is set", id="CI=1"),
        pytest.param({"CI": "woodpecker"}, "CI is set", id="CI=name"),
        pytest.param({"CI": "false", "GITHUB_ACTIONS": "true"}, "GITHUB_ACTIONS is set", id="CI=false GITHUB_ACTIONS"),
        pytest.param({"JENKINS_URL": "https://ci.example.com/"}, "JENKINS_URL is set", id="JENKINS_URL"),
        pytest.param({"TF_BUILD": "True"}, "TF_BUILD is set", id="TF_BUILD"),
        pytest.param({"TEAMCITY_VERSION": "2026.1"}, "TEAMCITY_VERSION is set", id="TEAMCITY_VERSION"),
        pytest.param({"bamboo_planKey": "PROJ-PLAN"}, "bamboo_planKey is set", id="bamboo_planKey"),
        pytest.param({"GITLAB_CI": "true"}, "GITLAB_CI is set", id="GITLAB_CI"),
        pytest.param({"PRE_COMMIT": "1"}, "PRE_COMMIT is set: this is a git hook", id="PRE_COMMIT"),
        pytest.param({"GIT_INDEX_FILE": ".git/index"}, "GIT_INDEX_FILE is set: this is a git", id="GIT_INDEX_FILE"),
    ],
)
def test_ci_and_hooks_never_record(pending: Repository, env: dict[str, str], why: str) -> None:
    words = accepted_words(pending)
    assert why in refused(pending, *words, env=env)


def test_not_even_a_yes_at_a_terminal_records_in_ci(pending: Repository) -> None:
    before = state(pending)
    code, shown = at_terminal(
        pending, LASTGOOD, "record", "--reason", "wanted", typed=b"y\n", env={"CI": "false", "CIRCLECI": "true"}
    )
    assert (code, "CIRCLECI is set: this is CI" in shown) == (4, True)
    assert state(pending) == before


def test_resume_is_refused_in_ci_too(pending: Repository) -> None:
    assert "CI is set" in refused(pending, "--resume", env={"CI": "true"})


@pytest.mark.parametrize("name", CI_VARIABLES)
def test_every_vendors_variable_is_looked_at(name: str) -> None:
    from lastgood.core.guard import refusal

    assert refusal({name: "x", "CI": "false"}) == f"{name} is set: this is CI"


# --- what the run was taken of ---


def edit_prompt(repo: Repository) -> None:
    repo.write({"prompts/billing.txt": "Answer otherwise.\nsay: refunded\n"})


def ship_a_case(repo: Repository) -> None:
    repo.write({"golden/billing/three.json": json.dumps({"prompt_id": "billing", **case("three")})})
    repo.lastgood("catalog", "ship")


def edit_completer(repo: Repository) -> None:
    repo.write({"stub.py": repo.read("stub.py") + "# another stub\n"})


def edit_model(repo: Repository) -> None:
    repo.write({"lastgood.toml": repo.read("lastgood.toml") + 'model = "next"\n'})


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        pytest.param(edit_prompt, "the run of billing is stale: the prompt moved since the run", id="prompt"),
        pytest.param(ship_a_case, "the run of billing is stale: the golden cases moved since the run", id="cases"),
        pytest.param(edit_completer, "the run of billing is stale: the completer moved since the run", id="completer"),
        pytest.param(edit_model, "the run of billing is stale: the completer moved since the run", id="model"),
    ],
)
def test_a_run_of_another_pin_is_stale(pending: Repository, edit: Callable[[Repository], None], why: str) -> None:
    words = accepted_words(pending)
    edit(pending)
    message = refused(pending, *words)
    assert why in message
    assert "lastgood eval -p billing -c stub" in message


def test_going_back_to_the_bytes_of_the_run_makes_it_good_again(pending: Repository) -> None:
    before = pending.read("prompts/billing.txt")
    edit_prompt(pending)
    pending.write({"prompts/billing.txt": before})
    pending.lastgood("record", *accepted_words(pending))


def test_a_run_of_another_command_is_not_the_configured_completers(repo: Repository) -> None:
    repo.lastgood("eval", "--", "python3", "stub.py", "--loud", code=None)
    assert "the completer moved since the run" in refused(repo, *accepted_words(repo))


# --- what stands in the tree ---


def edit_a_shipped_case(repo: Repository) -> None:
    repo.write({"golden/billing/suite.json": repo.read("golden/billing/suite.json").replace("ord_two", "ord_2")})


def add_a_case(repo: Repository) -> None:
    repo.write({"golden/billing/three.json": json.dumps({"prompt_id": "billing", **case("three")})})


def edit_a_baseline(repo: Repository) -> None:
    repo.write({"baselines/stub/billing/one.json": repo.read("baselines/stub/billing/one.json").replace("paid", "pad")})


def lose_a_baseline(repo: Repository) -> None:
    (repo.root / "baselines/stub/billing/two.json").unlink()


def lose_a_migration(repo: Repository) -> None:
    shutil.rmtree(repo.root / "baselines/stub/billing/migrations")


def edit_a_migration(repo: Repository) -> None:
    path = "baselines/stub/billing/migrations/0001_first-baseline.json"
    repo.write({path: repo.read(path).replace('"reason": "first baseline"', '"reason": "another"')})


def edit_head(repo: Repository) -> None:
    repo.write({"baselines/stub/billing/HEAD": "0001_first-baseline 0123456789abcdef\n"})


def conflict_in_head(repo: Repository) -> None:
    repo.write({"baselines/stub/billing/HEAD": "<<<<<<< ours\n0001_a 1\n=======\n0001_b 2\n>>>>>>> theirs\n"})


def break_the_suite(repo: Repository) -> None:
    repo.write({"golden/billing/suite.json": '{"prompt_id": "billing", "cases": []}'})


def lose_the_catalog(repo: Repository) -> None:
    (repo.root / "golden/billing/catalog.json").unlink()


def forget_the_stub(repo: Repository) -> None:
    repo.write({".gitignore": "stub.py\n"})
    repo.git("rm", "-q", "--cached", "stub.py")


@pytest.mark.parametrize(
    ("harm", "path", "why"),
    [
        pytest.param(edit_a_shipped_case, "golden/billing/suite.json", "was edited in place", id="case"),
        pytest.param(add_a_case, "golden/billing/three.json", "is not in the catalog yet", id="unshipped case"),
        pytest.param(edit_a_baseline, "baselines/stub/billing/one.json", "was edited by hand", id="edited baseline"),
        pytest.param(lose_a_baseline, "baselines/stub/billing/", "one was edited, lost or added", id="lost baseline"),
        pytest.param(lose_a_migration, "baselines/stub/billing/migrations/", "without a migration", id="no migration"),
        pytest.param(edit_a_migration, "baselines/stub/billing/HEAD", "the newest migration is", id="edited migration"),
        pytest.param(edit_head, "baselines/stub/billing/HEAD", "but the newest migration is", id="edited HEAD"),
        pytest.param(conflict_in_head, "baselines/stub/billing/HEAD", "holds conflict markers", id="conflict in HEAD"),
        pytest.param(break_the_suite, "golden/billing/suite.json", "/cases", id="malformed suite"),
        pytest.param(lose_the_catalog, "golden/billing/catalog.json", "no catalog", id="no catalog"),
        pytest.param(forget_the_stub, "stub.py", "which is not in the working tree", id="stub that no commit holds"),
    ],
)
def test_what_recording_does_not_mend_has_to_be_mended_first(
    pending: Repository, harm: Callable[[Repository], None], path: str, why: str
) -> None:
    words = accepted_words(pending)
    harm(pending)
    message = refused(pending, *words)
    assert path in message
    assert why in message
    assert "\n  run  " in message or harm is break_the_suite  # what is malformed is mended by an editor


# --- what was answered ---


def test_a_failing_case_is_never_recorded(repo: Repository) -> None:
    repo.write({"prompts/billing.txt": "say: I think it is paid\n"})
    repo.lastgood("eval", code=1)
    message = refused(repo, *accepted_words(repo))
    assert "a failing case is never recorded: one: forbidden:I think; two: forbidden:I think" in message


def test_a_completer_that_failed_is_a_failing_case(repo: Repository) -> None:
    repo.write({"stub.py": "raise SystemExit(3)\n"})
    repo.lastgood("eval", "-p", "support", code=1)
    token = repo.token("-p", "support")
    message = refused(repo, "-p", "support", "--reason", "wanted", "--accept", token)
    assert "late: completer_failed:exit 3" in message


def test_one_failing_prompt_holds_back_the_other(repo: Repository) -> None:
    repo.write({"prompts/billing.txt": "say: I think\n", "prompts/support.txt": "say: shipped\n"})
    repo.lastgood("eval", code=1)
    assert "a failing case is never recorded" in refused(repo, *accepted_words(repo))
    repo.lastgood("record", "-p", "support", "--reason", "wanted", "--accept", repo.token("-p", "support"))


def test_a_run_of_a_part_is_not_recorded(pending: Repository) -> None:
    (pending.root / ".lastgood/runs/stub/billing/run.jsonl").unlink()
    pending.lastgood("eval", "-p", "billing", "-k", "one")
    message = refused(pending, *accepted_words(pending))
    assert "the run of billing has no answer of: two" in message


def test_a_completion_that_seems_to_hold_a_secret_is_refused_and_not_repeated(repo: Repository) -> None:
    secret = "ghp_" + "".join(random.Random(20261201).choices(string.ascii_letters + string.digits, k=36))
    repo.write({"prompts/billing.txt": f"say: {secret}\n"})
    repo.lastgood("eval")
    message = refused(repo, *accepted_words(repo))
    assert "the completion of one seems to hold a secret" in message
    assert secret not in message


def test_without_a_run_of_a_prompt_that_moved_there_is_nothing_to_record(repo: Repository) -> None:
    repo.write({"prompts/billing.txt": "say: refunded\n"})
    assert refused(repo, "--reason", "wanted", "--accept", "0" * 12) == (
        "lastgood: no pending run of stub\n  run  lastgood eval -c stub\n"
    )


@pytest.mark.parametrize("words", [["-p", "nowhere"], ["-c", "nobody"]], ids=" ".join)
def test_an_unknown_name_is_refused(pending: Repository, words: list[str]) -> None:
    assert words[1] in refused(pending, *words, *accepted_words(pending))


def test_a_run_that_is_not_readable_is_refused(pending: Repository) -> None:
    words = accepted_words(pending)
    journal = pending.root / ".lastgood/runs/stub/billing/run.jsonl"
    journal.write_text("not json\n", encoding="ascii")
    message = refused(pending, *words)
    assert "the run is not readable" in message
    assert "lastgood eval" in message


# --- why, and who read it ---


@pytest.mark.parametrize("words", [[], ["--reason", ""], ["--reason", "   "], ["--reason", "\n\t\n"]], ids=repr)
def test_a_migration_needs_a_reason(pending: Repository, words: list[str]) -> None:
    token = pending.token("-p", "billing")
    assert refused(pending, "-p", "billing", *words, "--accept", token) == (
        "lastgood: a migration needs a reason\n"
        f"  run  lastgood record -p billing -c stub --accept {token} --reason '…'\n"
    )


def test_without_a_token_and_without_a_terminal_nobody_read_it(pending: Repository) -> None:
    assert refused(pending, "--reason", "wanted") == (
        "lastgood: nothing shows that the diff was read: read it, and record with the token that it ends with\n"
        "  run  lastgood diff -c stub\n"
    )


def test_a_yes_on_a_pipe_is_no_yes(pending: Repository) -> None:
    before = state(pending)
    pending.lastgood("record", "--reason", "wanted", code=4, feed="y\ny\n")
    assert state(pending) == before


@pytest.mark.parametrize("token", ["0" * 12, "yes", "*"])
def test_another_token_is_refused(pending: Repository, token: str) -> None:
    message = refused(pending, "--reason", "wanted", "--accept", token)
    assert f"the token {token} is not of this run" in message
    assert message.endswith("  run  lastgood diff -c stub\n")


def test_the_beginning_of_the_token_is_not_the_token(pending: Repository) -> None:
    assert "is not of this run" in refused(pending, "--reason", "wanted", "--accept", pending.token()[:11])


def test_the_token_of_an_older_run_is_refused(pending: Repository) -> None:
    words = accepted_words(pending)
    pending.write({"prompts/billing.txt": "say: shipped\n"})
    pending.lastgood("eval")
    assert "is not of this run" in refused(pending, *words)


def test_the_token_of_one_prompt_is_not_that_of_all(pending: Repository) -> None:
    token = pending.token("-p", "billing")
    assert "is not of this run" in refused(pending, "--reason", "wanted", "--accept", token)


def test_a_completion_that_changed_after_the_diff_is_refused(pending: Repository) -> None:
    words = accepted_words(pending)
    journal = pending.root / ".lastgood/runs/stub/billing/run.jsonl"
    data = journal.read_bytes()
    assert data.count(b"refunded") == 2
    journal.write_bytes(data.replace(b"refunded", b"shipped!", 1))
    assert "is not of this run: it moved since" in refused(pending, *words)


def test_even_white_space_that_no_digest_sees_counts(pending: Repository) -> None:
    words = accepted_words(pending)
    journal = pending.root / ".lastgood/runs/stub/billing/run.jsonl"
    journal.write_bytes(journal.read_bytes().replace(b'ord_one\\"}', b'ord_one\\"} ', 1))
    assert "is not of this run" in refused(pending, *words)


def test_a_baseline_that_somebody_else_moved_meanwhile_makes_the_token_old(pending: Repository) -> None:
    words = accepted_words(pending)
    text = pending.read("prompts/billing.txt")
    pending.write({"prompts/billing.txt": "say: shipped\n"})
    shutil.copytree(pending.root / ".lastgood/runs", pending.root / ".lastgood/kept")
    pending.accept("in between")
    shutil.copytree(pending.root / ".lastgood/kept", pending.root / ".lastgood/runs", dirs_exist_ok=True)
    pending.write({"prompts/billing.txt": text})
    assert "is not of this run" in refused(pending, *words)


# --- who else writes ---


def test_only_one_records_at_a_time(pending: Repository) -> None:
    from filelock import FileLock

    words = accepted_words(pending)
    with FileLock(str(pending.root / ".lastgood/record.lock")):
        assert "another lastgood is recording here" in refused(pending, *words)


def test_nobody_is_nobody(pending: Repository) -> None:
    words = accepted_words(pending)
    names = ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "EMAIL")
    pending.git("config", "user.useConfigOnly", "true")
    message = refused(pending, *words, env=dict.fromkeys(names, ""))
    assert "git does not know who you are" in message
    assert "git config user.name" in message


def test_a_suite_of_another_prompt_is_refused(pending: Repository) -> None:
    words = accepted_words(pending)
    pending.write({"golden/billing/suite.json": suite("support", case("one"), case("two"))})
    assert "says prompt_id 'support'" in refused(pending, *words)
