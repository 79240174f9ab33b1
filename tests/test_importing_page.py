"""docs/importing.md and docs/reference/import.md against the code: run as printed, every row a row of its table."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from lastgood.arguments import IMPORTED
from lastgood.commands.import_sources import KINDS
from lastgood.core.importing import openai_evals
from lastgood.core.importing.promptfoo_assertions import ROWS
from pages import ROOT, blocks, code, fits, page, rows, section, steps
from repository import LASTGOOD, Repository

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

PAGE, REFERENCE = page("docs/importing.md"), page("docs/reference/import.md")
PERSON = {"CI": "", "GITHUB_ACTIONS": "", "GITLAB_CI": ""}


def test_the_page_runs_as_printed(tmp_path: Path) -> None:
    repo = Repository(tmp_path / "yours")
    repo.env |= PERSON | {"PATH": f"{LASTGOOD.rpartition('/')[0]}:/usr/bin:/bin"}
    repo.write({"lastgood.toml": "prompts = ['prompts/**']\n", "prompts/billing.txt": "Answer in {{locale}}.\n"})
    repo.write({block.label: block.text.encode() for block in blocks(PAGE, "yaml", "csv")})
    for block in blocks(PAGE, "console"):
        script, printed = "", ""
        for command, wanted in steps(block.text):
            script, printed = f"{script}{command}\n", f"{printed}{wanted}".rstrip("\n") + "\n"
        assert fits(repo.run("sh", "-c", script, code=None).out, printed), block.text
    for block in blocks(PAGE, "json"):
        assert repo.read(block.label.removesuffix(" (written)")) == block.text
    repo.git("add", "-A")
    assert "malformed" not in repo.lastgood("check", code=2).out


def told(heading: str, *heads: str) -> dict[str, str]:
    """Name → what it becomes, of the tables of a section that have one of these heads."""
    found: dict[str, str] = {}
    for table in re.split(r"\n\n", section(PAGE, heading)):
        if table.startswith(tuple(f"| {head} |" for head in heads)):
            found |= {name: text for names, text in rows(table) for name in code(names)}
    return found


@pytest.mark.parametrize(
    ("heading", "head", "table"),
    [
        ("From promptfoo", "promptfoo's assertion", {name: row.becomes for name, row in ROWS.items()}),
        ("From openai-evals", "class", {name: row.becomes for name, row in openai_evals.ROWS.items()}),
    ],
)
def test_every_row_of_the_code_is_a_row_of_the_page(heading: str, head: str, table: Mapping[str, str]) -> None:
    assert told(heading, head) == table


def test_every_kind_and_option_is_explained() -> None:
    explained = {name for row in rows(REFERENCE) for name in code(row[0])}
    assert set(KINDS) == set(IMPORTED)
    assert set(KINDS) <= explained
    shown = Repository(ROOT, init=False).lastgood("import", "--help").out
    offered = {
        name
        for names in re.findall(r"^  (-\w|--[\w-]+)(?:[^\n]*?, (--[\w-]+))?", shown, re.MULTILINE)
        for name in names
    }
    assert offered - {"", "-h", "--help"} <= explained
