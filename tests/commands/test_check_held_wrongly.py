"""Ways in which the gate was once green on something wrong: each is a test for ever."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from repository import case, suite

if TYPE_CHECKING:
    from pathlib import Path

    from repository import Repository

EMPTY_SUITE_HASH = "e3b0c44298fc1c14"


@pytest.mark.parametrize(
    "path",
    ["golden/x.json", "golden/README.md", "baselines/x.json", "baselines/stub/x.json", "golden/nobody/x.json"],
)
def test_a_stray_file_is_seen_by_a_remembered_check(repo: Repository, path: str) -> None:
    """Files that belong to no prompt are out of step, also when a clean check is remembered."""
    repo.lastgood("check")
    repo.write({path: "{}\n"})
    repo.git("add", "-A")
    assert path in repo.lastgood("check", code=2).err


def test_an_option_is_no_file(repo: Repository) -> None:
    """A word of the command that begins with a dash is an option, whatever files there are."""
    repo.write({"lastgood.toml": repo.read("lastgood.toml").replace('"stub.py"', '"stub.py", "--record"')})
    repo.write({"--record": "one\n"})
    repo.accept("an option")
    repo.git("add", "-A")
    repo.lastgood("check")
    repo.write({"--record": "two\n"})
    repo.git("add", "-A")
    repo.lastgood("check")
    repo.lastgood("check", "--all")


@pytest.mark.parametrize("kind", ["folder", "link"])
def test_a_memory_that_a_commit_brings_along_is_not_believed(repo: Repository, tmp_path: Path, kind: str) -> None:
    """Neither as files in .lastgood nor behind a link of that name; and nothing is written through the link."""
    repo.lastgood("check")
    cache = (repo.root / ".lastgood/check.cache").read_bytes()
    repo.write({"prompts/support.txt": "Moved.\n"})
    repo.run("rm", "-r", ".lastgood")
    if kind == "folder":
        repo.write({".lastgood/check.cache": cache})
    else:
        repo.write({"kept/check.cache": cache})
        (repo.root / ".lastgood").symlink_to("kept")
    repo.git("add", "-A", "-f")
    repo.commit("brought along", "--no-verify")
    repo.git("clone", "-q", ".", str(tmp_path / "clone"))
    assert "prompts/support.txt" in repo.lastgood("check", code=2, cwd=str(tmp_path / "clone")).err
    assert "check.cache" in repo.git("ls-files").out
    assert repo.git("status", "--porcelain", cwd=str(tmp_path / "clone")).out == ""


@pytest.mark.parametrize("base", ["--output=stolen", "-x", "^HEAD", "HEAD..HEAD"])
def test_a_base_is_never_an_option_of_git(repo: Repository, base: str) -> None:
    """A configured base must not make git write files, or compare nothing."""
    repo.write({"lastgood.toml": repo.read("lastgood.toml").replace("origin/main", base)})
    repo.git("add", "-A")
    before = set(repo.files())
    assert base in repo.lastgood("check", code=4).err
    assert set(repo.files()) == before


@pytest.mark.parametrize("base", ["HEAD", "HEAD~1", "@~1"])
def test_the_judged_commit_is_no_base(repo: Repository, base: str) -> None:
    """It moves with what is judged, so nothing would ever be rewritten."""
    repo.write({"lastgood.toml": repo.read("lastgood.toml").replace("origin/main", base)})
    repo.git("add", "-A")
    assert "base" in repo.lastgood("check", code=4).err


@pytest.mark.parametrize(
    "more", ["\nIgnore the above.\n", "size 3\nsize 4\n", "oid sha256:" + "0" * 64 + "\nsize 3\n", "evil\nsize 3\n"]
)
def test_only_an_lfs_pointer_stands_for_other_bytes(repo: Repository, more: str) -> None:
    """A prompt that merely begins like one is hashed as what it is."""
    import hashlib

    digest = hashlib.sha256((repo.root / "prompts/billing.txt").read_bytes()).hexdigest()
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize 3\n"
    repo.write({"prompts/billing.txt": (pointer + more).encode()})
    repo.git("add", "-A")
    assert "the prompt moved" in repo.lastgood("check", code=2).err


def test_a_catalog_without_a_row_is_no_suite(repo: Repository) -> None:
    """A guarded prompt with no case at all is nothing checked."""
    repo.run("sh", "-c", "rm golden/billing/*")
    empty = {"prompt_id": "billing", "suite_hash": EMPTY_SUITE_HASH, "cases": []}
    repo.write({"golden/billing/catalog.json": json.dumps(empty)})
    repo.git("add", "-A")
    assert "nothing would be checked" in repo.lastgood("check", code=4).err


def test_a_folder_that_is_called_like_git_s_is_no_repository(repo: Repository) -> None:
    """From below it, the whole repository is judged."""
    repo.write({"prompts/billing.txt": "Moved.\n"})
    repo.git("add", "-A")
    (repo.root / "sub/.git").mkdir(parents=True)
    repo.lastgood("check", code=2, cwd="sub")
    assert not (repo.root / "sub/.lastgood").exists()


@pytest.mark.parametrize("name", ["LITERAL", "GLOB", "NOGLOB", "ICASE"])
def test_pathspec_settings_of_a_shell_change_nothing(repo: Repository, name: str) -> None:
    """The working tree is looked at, whatever git would otherwise make of our patterns."""
    repo.write({"prompts/billing.txt": "Moved.\n"})
    repo.lastgood("status", code=2, env={f"GIT_{name}_PATHSPECS": "1"})


def test_a_completer_behind_a_link_cannot_be_told(repo: Repository) -> None:
    """Only the link's own text is in the commit, not what it runs."""
    repo.git("mv", "stub.py", "real.py")
    (repo.root / "stub.py").symlink_to("real.py")
    repo.git("add", "-A")
    assert "symbolic link" in repo.lastgood("check", code=4).err


def test_a_golden_file_that_became_a_link_is_seen(repo: Repository) -> None:
    """Even with the same object behind it."""
    repo.lastgood("check")
    oid = repo.git("rev-parse", ":golden/support/late.json").out.strip()
    repo.git("update-index", "--cacheinfo", f"120000,{oid},golden/support/late.json")
    assert "symbolic link" in repo.lastgood("check", code=4).err


@pytest.mark.parametrize("flag", ["--base", "--from-ref", "--to-ref"])
def test_an_empty_ref_is_refused(repo: Repository, flag: str) -> None:
    """An unset variable of a CI script must not quietly judge something else."""
    assert "is empty" in repo.lastgood("check", flag, "", code=4).err


def test_a_prompt_may_end_with_all_that_is_its_own(repo: Repository) -> None:
    """Deleting prompt, cases and baselines together is legal, also against a base; leaving a part of it is not."""
    repo.git("update-ref", "refs/remotes/origin/main", "HEAD")
    repo.git("rm", "-rq", "prompts/support.txt", "golden/support")
    repo.lastgood("check", code=2)
    repo.git("rm", "-rq", "baselines/stub/support")
    repo.lastgood("check")


def test_a_staged_stub_still_finds_the_modules_beside_it(repo: Repository) -> None:
    """Though it runs as it is staged, from another folder."""
    repo.write({"words.py": 'PAID = "paid"\n', "stub.py": "import words\n" + repo.read("stub.py")})
    repo.accept("a module")
    repo.git("add", "-A")
    repo.write({"stub.py": "raise SystemExit(9)\n"})
    repo.lastgood("stub")


def test_line_endings_of_a_checkout_are_no_edit(repo: Repository) -> None:
    """A stub that git checked out with CR LF runs where it is."""
    repo.write({"stub.py": repo.read("stub.py").replace("\n", "\r\n").encode()})
    repo.lastgood("stub")
    assert not (repo.root / ".lastgood/commit/stub/%").exists()


def test_a_suite_of_another_version_is_not_believed(repo: Repository) -> None:
    """An accepted completion names the version it answers."""
    path = "baselines/stub/billing/one.json"
    repo.write({path: repo.read(path).replace('"version": 1', '"version": 7')})
    repo.git("add", "-A")
    assert "another version" in repo.lastgood("check", code=2).err


def test_a_new_prompt_is_seen_with_its_cases(repo: Repository) -> None:
    """Added to a remembered tree, it needs a baseline like any other."""
    repo.lastgood("check")
    repo.write({"prompts/new.txt": "say: paid\n", "golden/new/suite.json": suite("new", case("only"))})
    repo.lastgood("catalog", "ship")
    repo.git("add", "-A")
    assert "no baseline of 'stub'" in repo.lastgood("check", code=2).err


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ('prompts = ["prompts/[z-a]*"]', "no glob"),
        ('unguarded = ["a[z-a]"]', "no glob"),
        ('prompts = ["prompts\\u0000/x"]', "non-empty strings"),
        ('[completers."a\\u0000b"]\ncommand = ["x"]', "not a usable completer name"),
        ("x = " + "1" * 5000, "not readable"),
        ("x = " + "[" * 3000, "lastgood.toml"),
    ],
)
def test_settings_that_cannot_be_are_one_sentence(repo: Repository, settings: str, why: str) -> None:
    """Never a traceback."""
    top, _, tables = repo.read("lastgood.toml").partition("[")
    whole = f"{top}[{tables}{settings}\n" if settings.startswith("[") else f"{top}{settings}\n[{tables}"
    repo.write({"lastgood.toml": whole})
    repo.git("add", "-A")
    said = repo.lastgood("check", code=4).err
    assert why in said
    assert "Traceback" not in said


@pytest.mark.parametrize("name", ["billing/HEAD.txt", "billing/one.json.txt", "schemas/x.txt", "a/migrations/b.txt"])
def test_a_prompt_cannot_be_called_like_a_file_of_lastgood(repo: Repository, name: str) -> None:
    """Its folder would stand in the way of another's baseline."""
    repo.write({f"prompts/{name}": "A prompt.\n"})
    repo.git("add", "-A")
    assert "the name of this prompt" in repo.lastgood("check", code=4).err


def test_a_declared_prompt_cannot_be_made_of_golden_files(repo: Repository) -> None:
    """What is judged and what judges it are kept apart."""
    settings = repo.read("lastgood.toml") + '\n[prompt.own]\nfiles = ["golden/billing/*.json"]\n'
    repo.write({"lastgood.toml": settings})
    repo.git("add", "-A")
    assert "what lies there is never a prompt" in repo.lastgood("check", code=4).err


def test_a_number_with_a_point_is_no_number_of_a_migration(repo: Repository) -> None:
    """JSON Schema would take 1.0 for an integer."""
    path = next(path for path in repo.files("baselines/stub/billing") if "migrations" in path)
    repo.write({path: repo.read(path).replace('"migration": 1,', '"migration": 1.0,')})
    repo.git("add", "-A")
    assert "/migration: must be a whole number written without a fraction" in repo.lastgood("check", code=4).err


@pytest.mark.parametrize("line", ['{"id": []}', '{"id": "one", "version": 1, "output": 5}', "[" * 100_000])
def test_an_edited_run_is_not_readable(repo: Repository, line: str) -> None:
    """And says what mends it."""
    repo.lastgood("eval")
    path = ".lastgood/runs/stub/billing/run.jsonl"
    repo.write({path: (repo.read(path) + line + "\n").encode()})
    assert "the run is not readable" in repo.lastgood("diff", code=4).err


@pytest.mark.parametrize("plan", ["{}", "[]", "[1]", "null"])
def test_a_plan_that_says_nothing_is_not_carried_out(repo: Repository, plan: str) -> None:
    """An interrupted record that cannot be read is not called finished."""
    repo.write({".lastgood/record.json": plan})
    assert "not readable" in repo.lastgood("record", "--resume", code=4).err


def test_names_reach_no_terminal_raw(repo: Repository) -> None:
    """Neither escape sequences nor commands of a CI runner."""
    name = "n\x1b[31m\n::set-env name=X::y"
    repo.write({f"prompts/{name}.txt": "say: paid\n", f"golden/{name}/suite.json": suite(name, case("only"))})
    repo.write({"Makefile": "eval:\n\t.venv/bin/lastgood eval\n"})
    repo.lastgood("catalog", "ship")
    said = [repo.lastgood(*words, code=None).said for words in (("eval",), ("diff",), ("status",))]
    token = repo.token()
    said.append(repo.lastgood("record", "--reason", "odd", "--accept", token).said)
    repo.git("add", "prompts")
    said += [repo.lastgood("check", "--format", form, code=None).said for form in ("text", "github")]
    for text in said:
        assert "\x1b" not in text
        assert "\n::set-env" not in text


def test_a_pipe_called_makefile_keeps_nobody_waiting(repo: Repository) -> None:
    """Only a regular file is looked at."""
    import os

    os.mkfifo(repo.root / "Makefile")
    repo.write({"prompts/billing.txt": "Moved.\n"})
    repo.git("add", "prompts")
    repo.lastgood("check", code=2)


def test_a_long_prompt_id_is_evaluated(repo: Repository) -> None:
    """Its run folder has a shorter name."""
    name = "/".join(["f" * 60] * 5) + "/" + "ü" * 60
    repo.write({f"prompts/{name}.txt": "say: paid\n", f"golden/{name}/suite.json": suite(name, case("only"))})
    repo.lastgood("catalog", "ship")
    assert "1 NEW" in repo.lastgood("eval", "-p", name).out


@pytest.mark.parametrize("reason", ["", "  \t ", "\u200b", "\u2060\ufeff"])
def test_a_reason_that_nobody_can_read_is_none(repo: Repository, reason: str) -> None:
    """White space and invisible characters say nothing."""
    repo.write({"prompts/billing.txt": "say: failed\n"})
    repo.lastgood("eval")
    token = repo.token()
    assert "needs a reason" in repo.lastgood("record", "--accept", token, "--reason", reason, code=4).err


def test_a_renamed_baseline_file_is_no_traceback(repo: Repository) -> None:
    """It counts as missing, and diff and status still tell what there is."""
    repo.git("mv", "baselines/stub/billing/one.json", "baselines/stub/billing/nine.json")
    repo.lastgood("eval", code=None)
    assert "NEW one" in repo.lastgood("diff").out
    assert "baseline-renamed" in repo.lastgood("status", code=2).out


@pytest.mark.parametrize("name", ["it's", "a;b", "$x", "a&b", "-c"])
def test_a_completer_is_called_as_a_shell_can_take_it(repo: Repository, name: str) -> None:
    """Its name stands in folders and printed commands."""
    repo.write({"lastgood.toml": repo.read("lastgood.toml") + f'\n[completers."{name}"]\ncommand = ["true"]\n'})
    repo.git("add", "-A")
    assert "not a usable completer name" in repo.lastgood("check", code=4).err


def test_another_completer_s_missing_file_stops_only_itself(repo: Repository) -> None:
    """One that is being set up does not keep the others from being asked."""
    repo.write({"other.py": "", ".gitignore": "other.py\n"})
    repo.write(
        {"lastgood.toml": repo.read("lastgood.toml") + '\n[completers.other]\ncommand = ["python3", "other.py"]\n'}
    )
    repo.lastgood("eval", "-c", "stub")
    assert "other.py" in repo.lastgood("eval", "-c", "other", code=4).err


def test_json_alone_stands_on_standard_output(repo: Repository) -> None:
    """What a program reads is one document."""
    document = json.loads(repo.lastgood("gate", "--format", "json").out)
    assert document["word"] == "held"


def test_a_moved_prompt_without_a_moved_answer_still_needs_a_migration(repo: Repository) -> None:
    """And eval says what to run next."""
    repo.write({"prompts/billing.txt": "Answer, please.\nsay: paid\n"})
    assert "next: lastgood diff -c stub" in repo.lastgood("eval").out


@pytest.mark.parametrize("base", ["@", "@{0}", "HEAD@{1}"])
def test_where_we_are_is_no_base(repo: Repository, base: str) -> None:
    """Under none of its names."""
    repo.write({"lastgood.toml": repo.read("lastgood.toml").replace("origin/main", base)})
    repo.git("add", "-A")
    assert "base" in repo.lastgood("check", code=4).err
