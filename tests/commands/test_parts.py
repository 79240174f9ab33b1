"""Where only a part of a file is the prompt, the rest may move; and a prompt whose words stand still says so."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from repository import Repository

MODULE = 'TIMEOUT = {timeout}\nSYSTEM = """Answer.\nsay: {say}\n"""\n'


@pytest.fixture
def parted(repo: Repository) -> Repository:
    """`billing` is a string of a Python module, `support` the body of a file with a front matter; both in step."""
    repo.write(
        {
            "lastgood.toml": repo.read("lastgood.toml")
            + '\n[prompt.billing]\nfiles = ["app/prompts.py"]\n[parts]\n"app/*.py" = "SYSTEM"\n"prompts/*" = "body"\n',
            "app/prompts.py": MODULE.format(timeout=3, say="paid"),
            "prompts/support.txt": "---\nmodel: small\n---\nHelp the customer.\nsay: pending\n",
        }
    )
    repo.git("rm", "-q", "prompts/billing.txt")
    repo.accept("parts")
    repo.git("add", "-A")
    repo.commit("parts")
    repo.lastgood("gate")
    return repo


def test_what_lies_around_the_part_may_move(parted: Repository) -> None:
    parted.write(
        {
            "app/prompts.py": "# Ours.\n" + MODULE.format(timeout=9, say="paid"),
            "prompts/support.txt": "---\nmodel: large\n---\nHelp the customer.\nsay: pending\n",
        }
    )
    parted.git("add", "-A")
    parted.lastgood("gate")
    parted.lastgood("check", "--all")


def test_the_part_may_not(parted: Repository) -> None:
    parted.write({"app/prompts.py": MODULE.format(timeout=3, say="late")})
    parted.git("add", "-A")
    assert "app/prompts.py: the prompt moved, its baseline did not" in parted.lastgood("check", code=2).err
    parted.accept("late")
    assert "late" in parted.read("baselines/stub/billing/one.json")
    parted.git("add", "-A")
    parted.lastgood("gate")


def test_a_completer_is_given_the_part_alone(parted: Repository) -> None:
    parted.write({"show.py": 'import os\nprint(open(os.environ["LASTGOOD_PROMPT_FILE"]).read(), end="")\n'})
    parted.lastgood("eval", "-p", "support", "--", "python3", "show.py", code=1)
    said = parted.lastgood("diff", "-p", "support", "--format", "json", code=1).out
    assert json.loads(said)["prompts"][0]["cases"][0]["said"] == ["Help the customer.", "say: pending", ""]


def test_a_file_without_its_part_cannot_be_told(parted: Repository) -> None:
    parted.write({"app/prompts.py": "TIMEOUT = 3\n"})
    parted.git("add", "-A")
    said = parted.lastgood("check", code=4).err
    assert "app/prompts.py: assigns SYSTEM nowhere at its top, and this is its prompt" in said


def test_going_back_finds_the_part_in_history(parted: Repository) -> None:
    parted.write({"app/prompts.py": MODULE.format(timeout=3, say="late")})
    parted.accept("late")
    parted.git("add", "-A")
    parted.commit("late")
    parted.write({"app/prompts.py": MODULE.format(timeout=7, say="paid")})
    token = parted.token("-p", "billing", "--restore", "2")
    parted.lastgood("record", "-p", "billing", "--restore", "2", "--reason", "back", "--accept", token)
    parted.git("add", "-A")
    parted.lastgood("gate")


@pytest.mark.parametrize("part", ["a b", "", "3"])
def test_what_names_no_part_is_refused(repo: Repository, part: str) -> None:
    repo.write({"lastgood.toml": repo.read("lastgood.toml") + f'\n[parts]\n"prompts/*" = "{part}"\n'})
    assert "parts.prompts/*: must be body, front matter" in repo.lastgood("status", code=4).err


@pytest.mark.parametrize(
    ("old", "new", "moved"),
    [
        (b"\n", b"\r\n", "its line endings moved, no word of it"),
        (b"paid\n", b"paid", "its final newline moved, no word of it"),
        (b"Answer", b"\xef\xbb\xbfAnswer", "its encoding moved, no word of it"),
    ],
)
def test_a_prompt_whose_form_alone_moved_says_so(repo: Repository, old: bytes, new: bytes, moved: str) -> None:
    path = repo.root / "prompts/billing.txt"
    path.write_bytes(path.read_bytes().replace(old, new))
    repo.git("add", "-A")
    assert f"\n  only     {moved}\n" in repo.lastgood("check", code=2).err


def test_a_prompt_that_moved_in_earnest_does_not(repo: Repository) -> None:
    repo.write({"prompts/billing.txt": "say: other\r\n"})
    repo.git("add", "-A")
    assert "\n  only " not in repo.lastgood("check", code=2).err
