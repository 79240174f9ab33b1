"""README.md is true: what it says to type is typed, and what it says is printed is printed."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
import yaml  # type: ignore[import-untyped]
from pre_commit.clientlib import load_config, load_manifest  # type: ignore[import-untyped]

from lastgood.arguments import parse as parse_arguments
from lastgood.core.case import read_golden
from lastgood.core.config import parse as parse_config
from lastgood.core.verdict import WORDS
from pages import ROOT, Block, blocks, code, fits, page, prose, rows, section, steps
from repository import Repository
from terminal import at_terminal

if TYPE_CHECKING:
    from pathlib import Path

README = page("README.md")
BIN = os.path.dirname(sys.executable)


# What it prints


@pytest.fixture
def clone(tmp_path: Path) -> Repository:
    """This repository cloned, `make setup` and `make hooks` done; nothing outside of it is touched."""
    repo = Repository(tmp_path / "lastgood")
    tracked = ["git", "-c", "safe.directory=*", "ls-files", "-z"]
    names = subprocess.run(tracked, cwd=ROOT, check=True, capture_output=True).stdout.split(b"\0")
    for name in map(os.fsdecode, filter(None, names)):
        target = repo.root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target)
    venv = repo.root / ".venv"
    venv.mkdir()
    (venv / "bin").symlink_to(BIN)
    (venv / ".ready").touch()  # newer than pyproject.toml: make has nothing to build
    repo.env |= {"PRE_COMMIT_HOME": str(tmp_path / "managers")}
    repo.git("add", "-A")
    repo.commit("clone")
    repo.run("make", "hooks")
    return repo


@pytest.mark.parametrize(
    ("printed", "wanted", "fit"),
    [
        pytest.param("one\ntwo\n", "one\ntwo\n", True, id="the same"),
        pytest.param("one\n", "two\n", False, id="another line"),
        pytest.param("one\ntwo\n", "one\n", False, id="a line more"),
        pytest.param("one\n2\n3\n", "one\n…\n", True, id="more lines"),
        pytest.param("one\n2\n3\nfour\n", "one\n…\nthree\n", False, id="another line after more lines"),
        pytest.param("at 10:42 UTC\n", "at … UTC\n", True, id="any text in a line"),
        pytest.param("at 10:42\n+ UTC\n", "at … UTC\n", False, id="no line end in a line"),
    ],
)
def test_what_is_printed_is_compared_line_by_line(printed: str, wanted: str, fit: bool) -> None:
    assert fits(printed, wanted) is fit


def test_what_the_readme_types_prints_what_it_says(clone: Repository) -> None:
    typed = 0
    for block in blocks(README, "console"):
        for command, wanted in steps(block.text):
            # A terminal shows both streams as they come.
            done = clone.run("sh", "-c", f"exec 2>&1\n{command}", code=None)
            assert fits(done.out, wanted), f"$ {command}\n{done.out}\n--- README says ---\n{wanted}"
            typed += 1
    assert typed > 6
    assert "held (0)" in clone.run(".venv/bin/lastgood", "check").out


def test_make_alone_lists_the_targets_that_the_readme_lists(clone: Repository) -> None:
    listed = re.findall(r"^  make ([\w-]+)", clone.run("make").out, re.MULTILINE)
    (sentence,) = re.findall(r"`make` alone lists all targets: ([^.]+)\.", README)
    assert code(sentence) == listed


# What it says to paste


def pasted(language: str) -> Block:
    """The one block of a language that is pasted."""
    (found,) = blocks(README, language)
    return found


def test_the_hooks_to_paste_are_offered_here() -> None:
    hooks = yaml.safe_load(pasted("yaml").text)["repos"][0]["hooks"]
    offered = {hook["id"] for hook in load_manifest(str(ROOT / ".pre-commit-hooks.yaml"))}
    assert {hook["id"] for hook in hooks} <= offered


def test_the_hooks_to_paste_are_a_configuration_for_pre_commit(tmp_path: Path) -> None:
    file = tmp_path / ".pre-commit-config.yaml"
    file.write_text(pasted("yaml").text, encoding="utf-8")
    assert load_config(str(file))["repos"]


def test_the_version_to_paste_is_this_one() -> None:
    (version,) = re.findall(r'^version = "(.+)"$', page("pyproject.toml"), re.MULTILINE)
    assert yaml.safe_load(pasted("yaml").text)["repos"][0]["rev"] == f"v{version}"


def test_the_configuration_to_paste_parses() -> None:
    config = parse_config("lastgood.toml", pasted("toml").text.encode())
    assert config
    assert [completer.name for completer in config.completers] == ["stub", "real"]


def test_the_suite_to_paste_is_sound() -> None:
    assert read_golden("suite.json", pasted("json").text.encode()).cases


def test_the_steps_for_your_repository_work_in_an_empty_one(tmp_path: Path) -> None:
    suite = pasted("json").text
    repo = Repository(tmp_path / "yours")
    repo.env |= {"PATH": os.pathsep.join([BIN, os.environ["PATH"]])}
    repo.write(
        {
            "lastgood.toml": pasted("toml").text,
            f"golden/{json.loads(suite)['prompt_id']}/suite.json": suite,
            f"prompts/{json.loads(suite)['prompt_id']}.txt": "Answer with the status of the order, as JSON.\n",
            "stub.py": pasted("python").text,
        }
    )
    (steps_to_type,) = blocks(section(README, "In your repository"), "sh")
    ended, shown = at_terminal(repo, "sh", "-e", "-c", steps_to_type.text, typed=b"y\n")
    assert ended == 0, shown
    assert "held (0)" in repo.lastgood("check", "--all").said
    assert repo.git("status", "--porcelain").out == ""


def commands() -> list[Any]:
    """Every command of lastgood in a block that is not run."""
    lines = "\n".join(block.text for block in blocks(README, "sh")).replace("&&", "\n").splitlines()
    return [pytest.param(line.strip(), id=line.strip()) for line in lines if line.strip().startswith("lastgood ")]


@pytest.mark.parametrize("line", commands())
def test_a_command_of_the_readme_is_understood(line: str) -> None:
    assert parse_arguments(shlex.split(line)[1:])


# What it names


def test_every_hook_is_explained() -> None:
    offered = [hook["id"] for hook in load_manifest(str(ROOT / ".pre-commit-hooks.yaml"))]
    assert [code(row[0])[0] for row in rows(section(README, "Hooks"))] == offered


def test_every_exit_code_is_explained() -> None:
    assert {int(row[0]): row[1] for row in rows(section(README, "Exit codes"))} == WORDS


def test_every_make_variable_is_one_of_the_makefile() -> None:
    known = set(re.findall(r"^([A-Z]+) *=.*##", page("Makefile"), re.MULTILINE))
    used = {name for line in re.findall(r"\bmake .*", README) for name in re.findall(r"\b([A-Z]+)=", line)}
    assert used
    assert used <= known


PAGES = sorted(path.relative_to(ROOT).as_posix() for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])


@pytest.mark.parametrize("name", PAGES)
def test_every_link_leads_somewhere(name: str) -> None:
    targets = re.findall(r"\]\(([^)\s]+)\)", prose(page(name)))
    dead = []
    for target in targets:
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        file = (ROOT / name).parent / path if path else ROOT / name
        if not file.is_file() or (anchor and anchor not in anchors(file.read_text(encoding="utf-8"))):
            dead.append(target)
    assert dead == []


def anchors(text: str) -> set[str]:
    """The anchors that GitHub gives a page's headings."""
    found = re.findall(r"^#+ (.+)$", prose(text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}


@pytest.mark.parametrize("name", [name for name in PAGES if name != "README.md"])
def test_every_page_can_be_reached_from_the_readme(name: str) -> None:
    reached, waiting = set(), ["README.md"]
    while waiting:
        here = waiting.pop()
        reached.add(here)
        for target in re.findall(r"\]\(([^)\s#]+\.md)[)#]", page(here)):
            path = os.path.normpath(os.path.join(os.path.dirname(here), target))
            if path in PAGES and path not in reached:
                waiting.append(path)
    assert name in reached
