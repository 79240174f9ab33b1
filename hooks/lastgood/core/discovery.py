"""Which files of a repository look like prompts, and which part of each is the prompt: by name, folder and content."""

from __future__ import annotations

import re

from lastgood.core.part import BODY, FRONT_MATTER, part_of
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

MOST = 400_000  # bytes; what is larger is data
TEXTS = ("md", "txt", "prompty", "prompt", "j2", "jinja", "jinja2", "mustache", "hbs", "tmpl")
TREES = ("yaml", "yml", "toml", "json")
SUFFIXES = (*TEXTS, *TREES, "py")
_FOLDERS = re.compile(r"(.*[ _-])?prompts?([ _-]templates?)?", re.IGNORECASE)
_PASSED = {
    "golden", "baselines", "node_modules", "vendor", "third_party", "site-packages", "dist", "build", "docs", "doc",
    "test", "tests", "__tests__", "fixtures", "testdata",
}  # fmt: skip
_PAPERS = re.compile(r"(readme|license|changelog|contributing|code_of_conduct|security|requirements)\b", re.IGNORECASE)
_CALLED = re.compile(r"(system|(.*[ _.-])?prompt([ _.-]?v?[0-9.]+)?|(.*[ _.-])?system[ _-]?message)", re.IGNORECASE)
_ENDS = (
    "prompt",
    "prompttemplate",
    "systemtemplate",
    "instancetemplate",
    "usertemplate",
    "systemmessage",
    "instructions",
)
_KEYS = {"system", "user", "template", "content", "text"}  # of files that lie among prompts
_CREW = re.compile(rb"(?m)^\s*(backstory|expected_output)\s*:")  # agents and tasks, each of several texts
_NAMED = re.compile(rb"(?i)(system|prompt|instructions|template)")
_CONSTANT = re.compile(rb"(?m)^[A-Za-z_]*(?:PROMPT|INSTRUCTIONS|SYSTEM_MESSAGE)[A-Za-z_]*\s*(?::\s*\w+\s*)?=")
_SHORTEST, _LONG = 40, 200  # letters of a text that is taken for a prompt
_TELLING = re.compile(rb"(?m)^\s*(model|models|temperature|parameters|tools|inputs|inputSchema|configuration)\s*:")


@value(frozen=True)
class Found:
    """A file that looks like a prompt; `part` "" is all of it, `folder` where its like will come, or ""."""

    path: str
    part: str = ""
    folder: str = ""


def suffix_of(path: str) -> str:
    """The suffix of a file's name in small letters, without its dot."""
    return path.rpartition("/")[2].rpartition(".")[2].lower() if "." in path.rpartition("/")[2] else ""


def worth_reading(path: str) -> bool:
    """Whether a file can be a prompt by its suffix and its folders."""
    folders = path.split("/")[:-1]
    return (
        suffix_of(path) in SUFFIXES
        and not any(map(_passed, folders))
        and not path.rpartition("/")[2].startswith(".")
        and not _PAPERS.match(path.rpartition("/")[2])
    )


def _passed(folder: str) -> bool:
    return folder.startswith(".") or folder.lower() in _PASSED or folder.lower().endswith((".tests", ".test"))


def find(files: Mapping[str, bytes]) -> tuple[Found, ...]:
    """The prompts among these files, sorted by path."""
    rows = (_look(path, data) for path, data in sorted(files.items()) if worth_reading(path))
    return tuple(row for row in rows if row)


def _look(path: str, data: bytes) -> Found | None:
    if len(data) > MOST or b"\0" in data or not data.strip():
        return None
    suffix, folder = suffix_of(path), _folder(path)
    if suffix in TEXTS:
        named = suffix in ("prompty", "prompt") or _CALLED.fullmatch(path.rpartition("/")[2].rpartition(".")[0])
        return Found(path, part_for(path, data), folder) if folder or named else None
    if suffix == "py":
        return _module(path, data)
    if suffix in ("yaml", "yml") and _CREW.search(data):
        return Found(path)
    pointers = _pointers(path, data, bool(folder))
    if not pointers:
        return None
    return Found(path, pointers[0] if len(pointers) == 1 else "", folder)


def _folder(path: str) -> str:
    parts = path.split("/")
    for at, part in enumerate(parts[:-1]):
        if _FOLDERS.fullmatch(part) or (part.lower() == "patterns" and parts[-1].lower() == "system.md"):
            return "/".join(parts[: at + 1])
    return ""


def part_for(path: str, data: bytes) -> str:
    """The part of a file that is the prompt: `body` below a front matter that says nothing of how it is answered."""
    suffix = suffix_of(path)
    if suffix == "py":
        return (_module(path, data) or Found(path)).part
    if suffix in TREES:
        pointers = _pointers(path, data, True)
        return pointers[0] if len(pointers) == 1 else ""
    if suffix == "prompty" or data.startswith(b"version https://git-lfs"):
        return ""
    try:
        front, body = part_of(FRONT_MATTER, path, data), part_of(BODY, path, data)
    except Malformed:
        return ""
    return BODY if front and body.strip() and b":" in front and not _TELLING.search(front) else ""


def _pointers(path: str, data: bytes, strong: bool) -> list[str]:
    """Where the texts are that keys of such names hold."""
    if not _NAMED.search(data):
        return []
    try:
        whole = _parsed(path, data)
    except (Malformed, ValueError, RecursionError):
        return []
    return list(_texts(whole, strong))


def _parsed(path: str, data: bytes) -> Any:
    import json

    suffix = suffix_of(path)
    if suffix == "json":
        return json.loads(data)
    if suffix == "toml":
        import tomli

        return tomli.loads(data.decode("utf-8"))
    try:
        import yaml  # type: ignore[import-untyped]
    except ImportError:
        return None
    try:
        return yaml.safe_load(data)
    except (yaml.YAMLError, TypeError, AttributeError):
        return None


def _texts(whole: Any, strong: bool) -> Iterator[str]:
    """Pointers to the texts that keys named as prompts hold, at most four levels down: below are samples."""
    for at, key, text in _leaves(whole, "", 4, lists=strong):
        plain = key.replace("_", "").replace("-", "").lower()
        if len(text) >= _SHORTEST and (plain.endswith(_ENDS) or (strong and plain in _KEYS)):
            yield at


def _leaves(node: Any, at: str, depth: int, *, lists: bool) -> Iterator[tuple[str, str, str]]:
    pairs = node.items() if isinstance(node, dict) else enumerate(node) if lists and isinstance(node, list) else ()
    for key, held in pairs:
        here = f"{at}/{str(key).replace('~', '~0').replace('/', '~1')}"
        if isinstance(held, str) and isinstance(key, str):
            yield here, key, held
        elif depth > 1 and (isinstance(key, str) or isinstance(node, list)):
            yield from _leaves(held, here, depth - 1, lists=lists)


def _module(path: str, data: bytes) -> Found | None:
    """A module with one plain string that is called a prompt: that string; with several, or others: all of it."""
    named = "prompt" in path.rpartition("/")[2].lower() or _folder(path)
    if not _CONSTANT.search(data) and not named:
        return None
    import ast

    try:
        module = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    names = [row for line in module.body for row in _assigned(ast, line)]
    plain = [(name, text) for name, text in names if text]
    others = _long_texts(ast, module) - {text for _, text in plain}
    if len(names) == len(plain) == 1 and names[0][0].isascii() and not (named and others):
        return Found(path, names[0][0])
    return Found(path) if plain or (named and others) else None


def _assigned(ast: Any, line: Any) -> Iterator[tuple[str, str]]:
    """(name, text) of what is called a prompt at a module's top; "" where the text is computed."""
    if not isinstance(line, (ast.Assign, ast.AnnAssign)) or line.value is None:
        return
    text = line.value.value if isinstance(line.value, ast.Constant) else ""
    if isinstance(line.value, ast.Constant) and (not isinstance(text, str) or len(text) < _SHORTEST):
        return
    for target in line.targets if isinstance(line, ast.Assign) else [line.target]:
        if isinstance(target, ast.Name) and _CONSTANT.match(f"{target.id} =".encode()):
            yield target.id, text


def _long_texts(ast: Any, module: Any) -> set[str]:
    """The long strings of a module that are no docstrings."""
    told = {id(node.value) for node in ast.walk(module) if isinstance(node, ast.Expr)}
    texts = (node for node in ast.walk(module) if isinstance(node, ast.Constant) and id(node) not in told)
    return {node.value for node in texts if isinstance(node.value, str) and len(node.value) >= _LONG}
