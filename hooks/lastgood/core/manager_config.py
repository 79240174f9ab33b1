"""What a `.pre-commit-config.yaml` says of its hooks, read line by line: no YAML library is at hand in a hook.

Understood is what people write there: block lists of repos and hooks, plain and quoted words, `[a, b]`, block scalars.
What is written otherwise (anchors, aliases, mappings in braces) is named, not guessed.
"""

from __future__ import annotations

import re

from lastgood.core.value import TYPE_CHECKING, value

if TYPE_CHECKING:
    from collections.abc import Iterator

FILE = ".pre-commit-config.yaml"
STAGES = ("pre-commit", "pre-merge-commit", "pre-push")
_OLD_NAMES = {"commit": "pre-commit", "merge-commit": "pre-merge-commit", "push": "pre-push"}
_ROW = re.compile(r"^(?P<indent> *)(?P<dash>- +)?(?:(?P<key>[A-Za-z_]+):(?: +(?P<text>.*))?|(?P<item>\S.*))$")
_STARTS_HOOK = ("id", "name", "entry", "language", "alias")
_FOREIGN = ("&", "*", "{", "<<", "!", "%", "@", "`")


@value(frozen=True)
class Hook:
    """One hook of the configuration; `line` from 1. Keys that are not there are ""; lists are joined by spaces."""

    repo: str
    line: int
    keys: dict[str, str]

    @property
    def id(self) -> str:
        return self.keys.get("id", "")

    @property
    def local(self) -> bool:
        return self.repo == "local"

    @property
    def runs_lastgood(self) -> bool:
        return self.id.startswith("lastgood-") or "lastgood" in self.keys.get("entry", "")

    @property
    def root(self) -> str:
        """The root that it names, by its way from the top of the repository; "" where it names none."""
        args, entry = (self.keys.get(key, "").replace("--root=", "--root ") for key in ("args", "entry"))
        found = f" {args}".partition(" --root ")[2].partition(" --")[0]  # their words may hold spaces
        if not found and (rest := entry.partition("--root ")[2].lstrip()):
            mark = rest[0] if rest[0] in "'\"" else " "
            found = rest.lstrip(mark).partition(mark)[0]
        return found.removeprefix("./").rstrip("/")

    def judges(self, below: str, *, top_is_root: bool) -> bool:
        """Whether it runs lastgood on the root `below` the top ("": the top itself).

        Without a root it is about the top, or about every root where the top is none.
        """
        if not self.runs_lastgood:
            return False
        return self.root == below if self.root else not (below and top_is_root)


@value(frozen=True)
class ManagerConfig:
    """The hooks in their order, the keys at the top, and the lines (from 1) that were not understood."""

    hooks: tuple[Hook, ...]
    top: dict[str, str]
    unread: tuple[int, ...]

    def stages_of(self, hook: Hook) -> tuple[str, ...]:
        """The git hooks at which a hook runs: all of them where nothing says otherwise."""
        told = hook.keys.get("stages", "") or (self.top.get("default_stages", "") if hook.local else "")
        found = {_OLD_NAMES.get(name, name) for name in told.split()}
        return tuple(stage for stage in STAGES if stage in found or not found)


@value(frozen=True)
class _Line:
    number: int
    indent: int
    dash: bool
    key: str
    text: str


def read_manager_config(text: str) -> ManagerConfig:
    """Whatever the text: what is understood of it, and which lines are not."""
    hooks: list[Hook] = []
    top: dict[str, str] = {}
    unread: list[int] = []
    repo, repo_indent, hook_indent = "", -1, -1
    for line in _lines(text, unread):
        if line.dash and line.key == "repo":
            repo, repo_indent, hook_indent = line.text, line.indent, -1
        elif line.dash and repo and line.indent >= repo_indent and line.key in _STARTS_HOOK:
            hooks.append(Hook(repo, line.number, {line.key: line.text}))
            hook_indent = line.indent
        elif hook_indent >= 0 and line.indent > hook_indent and not line.dash:
            hooks[-1].keys[line.key] = line.text
        elif not line.dash and not line.indent:
            top[line.key] = line.text
        elif line.key == "python" and not repo:
            top["python"] = line.text
    return ManagerConfig(tuple(hooks), top, tuple(unread))


def _lines(text: str, unread: list[int]) -> Iterator[_Line]:
    """Rows with a key, in order; lists and block scalars below a key are joined to it."""
    rows = text.split("\n")
    at = 0
    while at < len(rows):
        number, row = at + 1, rows[at].rstrip()
        at += 1
        found = _ROW.match(row)
        if not row.strip() or row.lstrip().startswith("#") or row in ("---", "..."):
            continue
        if not found or found["key"] is None:
            if not found or found["item"].startswith(_FOREIGN) or ":" in found["item"]:
                unread.append(number)
            continue
        dash = found["dash"] is not None
        indent = len(found["indent"])
        inner = indent + len(found["dash"] or "")
        said = _without_comment(found["text"] or "")
        if said[:1] in ("|", ">"):
            at, said = _scalar(rows, at, inner)
        elif not said:
            at, said = _items(rows, at, inner)
        elif said.startswith(_FOREIGN):
            unread.append(number)
            said = ""
        yield _Line(number, indent, dash, found["key"], _plain(said))


def _scalar(rows: list[str], at: int, indent: int) -> tuple[int, str]:
    start = at
    while at < len(rows) and (not rows[at].strip() or len(rows[at]) - len(rows[at].lstrip()) > indent):
        at += 1
    return at, "\n".join(row.strip() for row in rows[start:at]).strip()


def _items(rows: list[str], at: int, indent: int) -> tuple[int, str]:
    """The plain words of a block list; nothing where the list is of mappings."""
    start, words = at, []
    while at < len(rows):
        found = _ROW.match(rows[at].rstrip())
        if not found or found["dash"] is None or found["item"] is None or len(found["indent"]) < indent:
            break
        if found["item"].startswith(_FOREIGN):
            return start, ""
        words.append(_plain(_without_comment(found["item"])))
        at += 1
    return (at, " ".join(words)) if words else (start, "")


def _without_comment(text: str) -> str:
    if text[:1] in ("'", '"'):
        end = text.find(text[0], 1)
        return text[: end + 1] if end > 0 and text[end + 1 :].lstrip()[:1] in ("", "#") else text
    return re.split(r"(?:^| )#", text, maxsplit=1)[0].rstrip()


def _plain(text: str) -> str:
    """A word without its quotes; the words of `[a, b]`."""
    if text.startswith("[") and text.endswith("]"):
        return " ".join(_plain(word.strip()) for word in text[1:-1].split(",") if word.strip())
    if len(text) > 1 and text[0] == text[-1] == "'":
        return text[1:-1].replace("''", "'")
    if len(text) > 1 and text[0] == text[-1] == '"':
        return text[1:-1].replace("\\\\", "\\").replace('\\"', '"')
    return text
