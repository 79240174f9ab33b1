"""YAML of other tools, read as JSON values: no tag makes an object, no alias makes a bomb, no word turns into a truth.

Words are read as YAML 1.2 does, as the tools themselves do: `yes`, `on`, `12:30` and `2026-01-01` are strings.
"""

from __future__ import annotations

import math
import re
from functools import cache

from lastgood.core.strict_json import escape
from lastgood.core.value import TYPE_CHECKING
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from typing import Any

MOST = 4_000_000  # bytes; what is larger is data, which the tools keep as JSON Lines or CSV
_VALUES, _DEEPEST = 1_000_000, 60  # values, counted where aliases stand for them too; levels of nesting
_WORDS: tuple[tuple[str, str, str], ...] = (
    ("null", r"(?:~|null|Null|NULL|)", "~nN\0"),
    ("bool", r"(?:true|True|TRUE|false|False|FALSE)", "tTfF"),
    ("int", r"(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)", "-+0123456789"),
    ("float", r"(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))",
     "-+.0123456789"),
    ("merge", r"(?:<<)", "<"),
)  # fmt: skip


def loads(data: bytes | str) -> Any:
    """The one value in a YAML text; Malformed when it is none, or none that JSON could hold."""
    if len(data) > MOST:
        raise Malformed(f"is larger than {MOST // 1_000_000} MB, and YAML is read no further")
    loader = _loader()
    import yaml  # type: ignore[import-untyped]

    try:
        found = yaml.load(data, Loader=loader)  # noqa: S506  # a safe loader, narrowed
    except yaml.MarkedYAMLError as exc:
        at = f" at line {exc.problem_mark.line + 1} column {exc.problem_mark.column + 1}" if exc.problem_mark else ""
        raise Malformed(f"not YAML: {' '.join(str(exc.problem or exc.context).split())}{at}") from None
    except (yaml.YAMLError, ValueError, TypeError, AttributeError, OverflowError) as exc:
        raise Malformed(f"not YAML: {' '.join(str(exc).split())[:200]}") from None
    except RecursionError:
        raise Malformed("nested too deeply") from None
    return as_json(found)


def as_json(found: Any) -> Any:
    """The value as JSON has it, every alias a value of its own; Malformed, with a pointer, where it cannot be."""
    return _plain(found, "", [_VALUES], 0)


def _plain(found: Any, pointer: str, left: list[int], depth: int) -> Any:
    left[0] -= 1
    if left[0] < 0:
        raise Malformed(f"holds more than {_VALUES} values, with those that aliases stand for", pointer=pointer[:200])
    if depth > _DEEPEST:
        raise Malformed(f"nested too deeply: more than {_DEEPEST} levels, or an alias of what it stands in")
    if isinstance(found, dict):
        return {
            _key(key, pointer): _plain(held, f"{pointer}/{escape(str(key))}", left, depth + 1)
            for key, held in found.items()
        }
    if isinstance(found, list):
        return [_plain(held, f"{pointer}/{nth}", left, depth + 1) for nth, held in enumerate(found)]
    if isinstance(found, float) and not math.isfinite(found):
        raise Malformed(f"{found} is no number that JSON has", pointer=pointer)
    if isinstance(found, str):
        return _text(found, pointer)
    if found is None or isinstance(found, (bool, int, float)):
        return found
    raise Malformed(f"a {type(found).__name__} is nothing that JSON has", pointer=pointer)


def _text(found: str, pointer: str) -> str:
    if found.isascii() or not any("\ud800" <= mark <= "\udfff" for mark in found):
        return found
    try:  # two escapes of JSON's are one character
        return found.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError:
        raise Malformed("lone surrogate", pointer=pointer) from None


def _key(key: Any, pointer: str) -> str:
    assert isinstance(key, str), "the loader reads every key as text"
    return _text(key, pointer)


@cache
def _loader() -> Any:
    try:
        import yaml
    except ImportError:
        raise Malformed("is YAML, which needs a package that is not here", fix="pip install 'lastgood[yaml]'") from None

    class Plain(yaml.SafeLoader):  # type: ignore[misc]
        """The safe loader, without words that YAML 1.2 has as strings, and with every key once."""

        yaml_implicit_resolvers: dict[str, list[Any]] = {}  # noqa: RUF012  # as its base has it

        def flatten_mapping(self, node: Any) -> None:
            seen: set[str] = set()
            for key, _ in node.value:
                if isinstance(key.value, str) and key.tag != "tag:yaml.org,2002:merge":
                    key.tag = "tag:yaml.org,2002:str"  # as written: 1 and true are one key to Python
                    if key.value in seen:
                        raise yaml.constructor.ConstructorError(
                            None, None, f"duplicate key {key.value!r}", key.start_mark
                        )
                    seen.add(key.value)
            super().flatten_mapping(node)
            # The last of a name counts: what a merge brings stands before what is written. And so no chain of merges
            # grows beyond the names that there are.
            last = {key.value if isinstance(key.value, str) else id(key): (key, held) for key, held in node.value}
            node.value = list(last.values())

    for name, pattern, first in _WORDS:
        tag = f"tag:yaml.org,2002:{name}"
        Plain.add_implicit_resolver(tag, re.compile(f"^{pattern}$"), ["" if mark == "\0" else mark for mark in first])
    Plain.add_constructor("tag:yaml.org,2002:int", _int)
    Plain.add_constructor("tag:yaml.org,2002:float", lambda loader, node: float(_dotted(loader.construct_scalar(node))))
    return Plain


def _int(loader: Any, node: Any) -> int:
    text = loader.construct_scalar(node)
    return int(text, {"0o": 8, "0x": 16}.get(text[:2], 10)) if text[:2] in ("0o", "0x") else int(text, 10)


def _dotted(text: str) -> str:
    return text.lower().replace(".inf", "inf").replace(".nan", "nan")
