"""`.pre-commit-config.yaml` read line by line says what a YAML reader says, or names the line it could not read."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from lastgood.core.manager_config import read_manager_config
from pages import ROOT

CONFIGS = {
    "this repository's": (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"),
    "plain": """\
        # a comment
        default_stages: [pre-commit, "pre-push"]   # more
        exclude: '^vendor/'
        repos:
          - repo: https://example.com/hooks   # with a comment
            rev: v1
            hooks:
              - id: trailing-whitespace
                exclude: ^(prompts|golden)/
                args: ["--markdown-linebreak-ext=md", '-x']
              - id: end-of-file-fixer
          - repo: local
            hooks:
              - id: lastgood-gate
                name: lastgood gate
                entry: lastgood gate
                language: system
                always_run: true
                stages:
                  - pre-commit
                  - pre-push
        """,
    "lists that are not indented": """\
        repos:
        - repo: local
          hooks:
          - id: one
            types_or: [python, pyi]
            stages:
            - commit
            - push
          - name: two
            id: two
            args:
            - --fix
            - "a b"
        - repo: meta
          hooks:
          - id: identity
        """,
    "block scalars and quotes": """\
        repos:
          - repo: https://example.com/other
            rev: "1.0"
            hooks:
              - id: 'prettier'
                exclude: |
                  (?x)^(
                    prompts/.*|
                    baselines/.*
                  )$
                files: "\\\\.md$"
                name: 'it''s: a name # no comment'
              - id: after
                exclude: >-
                  ^a/
        """,
}


def by_yaml(text: str) -> list[dict[str, str]]:
    """Every hook as YAML has it, in the words of the line reader."""

    def word(found: Any) -> str:
        if isinstance(found, bool):
            return str(found).lower()
        return " ".join(map(str, found)) if isinstance(found, list) else str(found)

    repos = yaml.safe_load(text)["repos"]
    return [
        {"repo": repo["repo"], **{key: word(hook[key]) for key in hook}} for repo in repos for hook in repo["hooks"]
    ]


@pytest.mark.parametrize("name", CONFIGS)
def test_hooks_are_read_as_yaml_reads_them(name: str) -> None:
    text = dedent(CONFIGS[name])
    found = read_manager_config(text)
    assert found.unread == ()

    def squeezed(rows: list[dict[str, str]]) -> list[dict[str, list[str]]]:
        return [{key: row[key].split() for key in row} for row in rows]  # block scalars keep no indentation

    assert squeezed([{"repo": hook.repo, **hook.keys} for hook in found.hooks]) == squeezed(by_yaml(text))


def test_the_stages_of_a_hook_are_its_own_then_the_default_then_all() -> None:
    found = read_manager_config(dedent(CONFIGS["plain"]))
    assert [found.stages_of(hook) for hook in found.hooks] == [
        ("pre-commit", "pre-merge-commit", "pre-push"),  # of a manifest, which default_stages does not change
        ("pre-commit", "pre-merge-commit", "pre-push"),
        ("pre-commit", "pre-push"),
    ]
    old = read_manager_config(dedent(CONFIGS["lists that are not indented"])).hooks[0]
    assert found.stages_of(old) == ("pre-commit", "pre-push")


@pytest.mark.parametrize(
    ("line", "unread"),
    [
        pytest.param("  - {repo: local, hooks: []}", (2,), id="a mapping in braces"),
        pytest.param("  - repo: &here local", (2,), id="an anchor"),
        pytest.param("  - <<: *base", (2,), id="a merge"),
        pytest.param("\t- repo: local", (2,), id="a tab"),
        pytest.param("  - repo: local", (), id="what is read"),
    ],
)
def test_what_is_not_understood_is_named(line: str, unread: tuple[int, ...]) -> None:
    assert read_manager_config(f"repos:\n{line}\n").unread == unread


def test_any_text_is_read_without_a_fault() -> None:
    for text in ("", "\n\n", "repos:", "- id: x", "a: |", "x: [", "x: '", "\0", "- - - a: b"):
        read_manager_config(text)


@pytest.mark.parametrize(
    ("keys", "root"),
    [
        ("entry: lastgood gate", ""),
        ("entry: lastgood gate\n        args: [--root, services/a]", "services/a"),
        ("entry: lastgood gate\n        args: ['--root', 'more services/b', --all]", "more services/b"),
        ("entry: lastgood gate\n        args: [--all, --root=./a/]", "a"),
        ("entry: .venv/bin/lastgood --root a gate", "a"),
        ("entry: lastgood --root 'a b' gate", "a b"),
        ("entry: lastgood gate --root=a", "a"),
    ],
)
def test_the_root_that_a_hook_names(keys: str, root: str) -> None:
    text = f"repos:\n  - repo: local\n    hooks:\n      - id: lastgood-gate\n        {keys}\n"
    (hook,) = read_manager_config(text).hooks
    assert hook.root == root
    assert hook.judges(root, top_is_root=True)
    assert hook.judges("other", top_is_root=False) is (root == "")
    assert not hook.judges("other", top_is_root=True)
