"""The part of a file that is the prompt: what lies around it may move, and the prompt has not.

A part is `body` or `front matter` of a file that begins with `---`, a JSON Pointer into JSON, TOML or YAML, or the name
of a string in a Python module.
"""

from __future__ import annotations

from lastgood.core.value import TYPE_CHECKING
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from typing import Any

BODY, FRONT_MATTER = "body", "front matter"
_FENCES = (b"---", b"...")


def usable(part: str) -> bool:
    """Whether this names a part of anything."""
    return part in (BODY, FRONT_MATTER) or part.startswith("/") or (part.isidentifier() and part.isascii())


def part_of(part: str, path: str, data: bytes) -> bytes:
    """The bytes of a part; Malformed where the file has none, or could not be read so."""
    if data.startswith(b"version https://git-lfs.github.com/"):
        raise Malformed(f"is an LFS pointer, so its {part} is not in this commit")
    if part in (BODY, FRONT_MATTER):
        front, body = _divided(data)
        return body if part == BODY else front
    found = _value(path, data, part) if part.startswith("/") else _string(path, data, part)
    if isinstance(found, str):
        return found.encode("utf-8", "surrogatepass")
    from lastgood.core.digest import canonical

    return canonical(found).encode("ascii")


def _divided(data: bytes) -> tuple[bytes, bytes]:
    """(front matter, body); without the first the whole file is body."""
    lines = data.splitlines(keepends=True)
    if not lines or lines[0].strip() != _FENCES[0]:
        return b"", data
    for at, line in enumerate(lines[1:], 1):
        if line.rstrip() in _FENCES:
            return b"".join(lines[1:at]), b"".join(lines[at + 1 :])
    raise Malformed("begins a front matter with --- and never ends it")


def _value(path: str, data: bytes, pointer: str) -> Any:
    from lastgood.core import strict_json

    suffix = path.rpartition(".")[2].lower()
    if suffix not in ("json", "toml", "yaml", "yml"):
        raise Malformed(f"is no JSON, TOML or YAML, so {pointer} names no part of it")
    whole = strict_json.loads(data) if suffix == "json" else _toml(data) if suffix == "toml" else _yaml(data)
    found = whole
    for name in pointer[1:].split("/"):
        key: Any = name.replace("~1", "/").replace("~0", "~")
        if isinstance(found, list) and key.isdecimal():
            key = int(key)
        try:
            found = found[key]
        except (KeyError, IndexError, TypeError):
            raise Malformed("holds nothing here, and this is its prompt", pointer=pointer) from None
    _plain(found, pointer)
    return found


def _plain(found: Any, pointer: str) -> None:
    """Refused when it holds what JSON has not: a date of TOML, a NaN."""
    from lastgood.core.digest import canonical

    try:
        canonical(found)
    except (TypeError, ValueError):
        raise Malformed("holds a value that is no text, number or list", pointer=pointer) from None


def _toml(data: bytes) -> Any:
    import tomli

    try:
        return tomli.loads(data.decode("utf-8"))
    except (UnicodeDecodeError, tomli.TOMLDecodeError, ValueError, RecursionError) as exc:
        raise Malformed(f"is not TOML: {exc}") from None


def _yaml(data: bytes) -> Any:
    try:
        import yaml  # type: ignore[import-untyped]
    except ImportError:
        raise Malformed("is YAML, which needs a package that is not here", fix="pip install 'lastgood[yaml]'") from None
    try:
        return yaml.safe_load(data)
    except (yaml.YAMLError, UnicodeDecodeError, ValueError, RecursionError) as exc:
        raise Malformed(f"is not YAML: {' '.join(str(exc).split())}") from None


def _string(path: str, data: bytes, name: str) -> str:
    """The string that a module assigns to a name at its top, once."""
    import ast

    if not path.endswith(".py"):
        raise Malformed(f"is no Python module, so {name} names no part of it")
    try:
        module = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as exc:
        raise Malformed(f"is not Python: {exc}") from None
    assigned = [line for line in module.body if isinstance(line, (ast.Assign, ast.AnnAssign)) and line.value]
    found = [
        line.value
        for line in assigned
        for target in (line.targets if isinstance(line, ast.Assign) else [line.target])
        if isinstance(target, ast.Name) and target.id == name
    ]
    if len(found) != 1:
        raise Malformed(f"assigns {name} {'more than once' if found else 'nowhere'} at its top, and this is its prompt")
    if not isinstance(found[0], ast.Constant) or not isinstance(found[0].value, str):
        raise Malformed(f"gives {name} by computing it: only a plain string can be read without running the module")
    return found[0].value
