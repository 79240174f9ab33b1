"""The hook's entry in a `.pre-commit-config.yaml` that exists: put in as text, so that all else stays as it is."""

from __future__ import annotations

import re

from lastgood.core.manager_config import read_manager_config

_REPOS = re.compile(r"""^(?:repos|"repos"|'repos'):[ \t]*(?P<rest>\[[ \t]*\])?[ \t]*(?:#.*)?$""")


def entry(url: str, version: str, *, yaml: bool, below: str = "") -> str:
    """The lines of the hook: of a repository that is cloned, or of the lastgood that is installed ("").

    `below`: the root that it is about, where that is not the top of the repository.
    """
    named = (
        f"      name: {_scalar(f'lastgood gate {below}')}\n      args: [--root, {_scalar(below)}]\n" if below else ""
    )
    if not url:
        return (
            "- repo: local\n  hooks:\n    - id: lastgood-gate\n"
            f"{named or '      name: lastgood gate' + chr(10)}      entry: lastgood gate\n"
            "      language: system\n      always_run: true\n      pass_filenames: false\n      require_serial: true\n"
            "      stages: [pre-commit, pre-merge-commit, pre-push, manual]\n"
        )
    more = "      additional_dependencies: [pyyaml]\n" if yaml else ""
    return f"- repo: {_word(url)}\n  rev: v{version}\n  hooks:\n    - id: lastgood-gate\n{named}{more}"


def _scalar(text: str) -> str:
    return text if re.fullmatch(r"[A-Za-z./][\w ./-]*\w", text) and " #" not in text else _quoted(text)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _word(text: str) -> str:
    return text if re.fullmatch(r"[A-Za-z./~][\w.:/@~+-]*", text) else _quoted(text)


def merged(text: str, lines: str, below: str = "", *, top_is_root: bool = True) -> str | None:
    """The text with the entry at the end of `repos`; None where it cannot be edited.

    The same where lastgood runs on the root `below` already.
    """
    before = read_manager_config(text)
    if any(hook.judges(below, top_is_root=top_is_root) for hook in before.hooks):
        return text
    end = "\r\n" if "\r\n" in text else "\n"
    rows = text.split("\n")
    rows = [row.removesuffix("\r") for row in rows]
    tops = [at for at, row in enumerate(rows) if _REPOS.match(row)]
    if len(tops) != 1:
        return None
    (top,) = tops
    if "[" in rows[top].partition("#")[0]:
        head, _, note = rows[top].partition("[")
        rows[top] = head.rstrip() + note.partition("]")[2]
    last, indent = _block(rows, top)
    if last < 0:
        return None
    new = [" " * indent + row for row in lines.splitlines()]
    rows[last + 1 : last + 1] = new
    found = end.join(rows)
    found = found if found.endswith("\n") else found + end
    after = read_manager_config(found)
    same = [(hook.repo, hook.keys) for hook in after.hooks[:-1]] == [(hook.repo, hook.keys) for hook in before.hooks]
    sound = same and after.top == before.top and len(after.unread) == len(before.unread)
    return found if sound and after.hooks[-1].id == "lastgood-gate" and _adds_one(text, found) else None


def _block(rows: list[str], top: int) -> tuple[int, int]:
    """(the last line that belongs to `repos`, the indent of its items); (-1, 0) when it is no block list."""
    last, indent = top, -1
    for at in range(top + 1, len(rows)):
        row = rows[at]
        here = len(row) - len(row.lstrip(" "))
        if not row.strip() or row.lstrip().startswith("#"):
            last = at if row.strip() and 0 <= indent < here else last  # a comment on the hook above it
            continue
        item = row.lstrip().startswith("- ") or row.strip() == "-"
        if indent < 0:
            if not item:
                return (last, 2) if here == 0 else (-1, 0)
            indent = here
        elif here < indent or (here == indent and not item):
            break
        last = at
    return last, max(indent, 0) if indent >= 0 else 2


def _adds_one(before: str, after: str) -> bool:
    """By a YAML reader, where there is one: nothing but one more repository."""
    try:
        import yaml  # type: ignore[import-untyped]
    except ImportError:
        return True
    try:
        old, new = yaml.safe_load(before), yaml.safe_load(after)
        rows = new["repos"]
        return bool(rows[:-1] == (old["repos"] or []) and {**old, "repos": rows} == new)
    except (yaml.YAMLError, TypeError, KeyError):
        return False
