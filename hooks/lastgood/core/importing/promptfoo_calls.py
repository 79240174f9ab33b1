"""promptfoo's assertions about tool calls, as those of a golden case."""

from __future__ import annotations

from lastgood.core.importing.drafts import Held, Unexpressed
from lastgood.core.importing.parameter_rules import rules_of
from lastgood.core.kinds import is_number
from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

_DEEPEST = 30


def valid_tools_call(_wanted: Any, around: Any) -> Held:
    """Every call fits the tools that the model is given, and there is one."""
    if around.tools is None:
        raise Unexpressed("no provider's configuration here says which tools there are")
    if not isinstance(around.tools, list):
        raise Unexpressed("the providers' tools are no list")
    functions = [tool.get("function") for tool in around.tools if isinstance(tool, dict)]
    named = [one for one in functions if isinstance(one, dict) and isinstance(one.get("name"), str) and one["name"]]
    if not named or len(named) != len(around.tools):
        raise Unexpressed("a provider's tools are not all functions with a name")
    left: list[tuple[str, str]] = []
    args: dict[str, Any] = {}
    closed = []
    for function in named:
        rules, no_other = rules_of(function.get("parameters"), left)
        closed.append(no_other)
        args |= {function["name"]: rules} if rules else {}
    if not all(closed):  # where others may be given too, such a rule says nothing
        said = {
            tool: {a: rule for a, rule in rules.items() if rule != {"optional": True}} for tool, rules in args.items()
        }
        args = {tool: rules for tool, rules in said.items() if rules}
    asks: dict[str, Any] = {"call_count": {"*": {"ge": 1}}}
    asks |= {"args": args} if args else {}
    if all(closed):
        asks["closed_args"] = True
    elif any(closed):
        left.append(("additionalProperties", "is false for some tools only: `closed_args` is about all of them"))
    return Held(assertions=asks, tools=tuple(dict.fromkeys(one["name"] for one in named)), left=tuple(left))


def f1(wanted: Any, around: Any) -> Held:
    """Exactly these tools are called, however often."""
    names = [name.strip() for name in wanted.split(",")] if isinstance(wanted, str) else wanted
    if around.threshold not in (None, 1):
        raise Unexpressed("a score with a threshold below 1: an assertion here holds or fails")
    if not isinstance(names, list) or not names or not all(isinstance(name, str) and name for name in names):
        raise Unexpressed("its value is no list of tools")
    names = list(dict.fromkeys(names))
    return Held(assertions={"must_call": names}, tools=tuple(names))


def tool_used(wanted: Any, _around: Any) -> Held:
    """These tools are called; with bounds, so often."""
    if isinstance(wanted, dict):
        low, high = wanted.get("min", 1), wanted.get("max")
        return Held(assertions={"call_count": {_name(wanted): _bounds(low, high)}})
    return Held(assertions={"must_call": _names(wanted)})


def tool_unused(wanted: Any, _around: Any) -> Held:
    """None of these tools is called."""
    if isinstance(wanted, dict):
        if wanted.keys() & {"min", "max"}:
            raise Unexpressed("the opposite of a range is nothing that `call_count` says")
        return Held(assertions={"must_not_call": [_name(wanted)]})
    return Held(assertions={"must_not_call": _names(wanted)})


def step_count(wanted: Any, _around: Any) -> Held:
    """So many tool calls, of one tool or of all."""
    if not isinstance(wanted, dict) or wanted.get("type") not in ("tool", ["tool"]):
        raise Unexpressed("counts steps that a completion here has not: only tool calls are counted")
    name = _name(wanted) if wanted.keys() & {"name", "pattern"} else "*"
    if not wanted.keys() & {"min", "max"}:
        raise Unexpressed("has neither min nor max")
    return Held(assertions={"call_count": {name: _bounds(wanted.get("min", 0), wanted.get("max"))}})


def tool_sequence(wanted: Any, _around: Any) -> Held:
    """These tools in this order, others between them or not."""
    given = wanted if isinstance(wanted, dict) else {"steps": wanted}
    steps, mode = given.get("steps"), given.get("mode", "in_order")
    if not isinstance(steps, list) or not steps:
        raise Unexpressed("has no steps")
    names = [_plain_name(step) if isinstance(step, str) else _only_name(step) for step in steps]
    if mode == "in_order":
        return Held(assertions={"call_order": names})
    if mode != "exact":
        raise Unexpressed("its mode is neither in_order nor exact")
    calls = {"match": "exact", "order": "subsequence", "of": [{"name": name} for name in names]}
    return Held(assertions={"calls": calls})


def tool_args(wanted: Any, _around: Any) -> Held:
    """A call of this tool with these arguments."""
    if not isinstance(wanted, dict):
        raise Unexpressed("its value is no object")
    args = wanted["args"] if "args" in wanted else wanted.get("arguments")
    mode, defaults, ignored = wanted.get("mode", "partial"), wanted.get("defaults", {}), wanted.get("ignore", [])
    ignored = [ignored] if isinstance(ignored, str) else ignored
    if not isinstance(args, dict):
        raise Unexpressed("the arguments are no object, and a call's always are")
    if mode not in ("partial", "exact"):
        raise Unexpressed("its mode is neither partial nor exact")
    if not isinstance(defaults, dict) or not isinstance(ignored, list):
        raise Unexpressed("its defaults are no object, or what it ignores is no list")
    if not all(isinstance(name, str) and not _is_glob(name) for name in ignored):
        raise Unexpressed("ignores arguments by a pattern, and a rule names them one by one")
    if args.keys() & defaults.keys():
        raise Unexpressed("names an argument in both args and defaults")
    rules = {name: {"eq": held} if mode == "exact" else _part(held, 0) for name, held in args.items()}
    rules = {name: rule for name, rule in rules.items() if name not in ignored}
    if mode == "partial":
        return _a_call({"name": _name(wanted), "args": rules} if rules else {"name": _name(wanted)})
    rules |= {name: {"optional": True, "eq": held} for name, held in defaults.items() if name not in ignored}
    rules |= {name: {"optional": True} for name in ignored}
    return _a_call({"name": _name(wanted), "args": rules, "closed": True})


def _a_call(call: dict[str, Any]) -> Held:
    return Held(assertions={"calls": {"match": "at_least", "of": [call]}})


def _part(held: Any, depth: int) -> dict[str, Any]:
    """The rule that a value has these parts: of an object these keys at least, of an array each element."""
    if depth > _DEEPEST:
        raise Unexpressed("the arguments are nested too deeply")
    if isinstance(held, dict) and held:
        return {"fields": {name: _part(inner, depth + 1) for name, inner in held.items()}}
    if isinstance(held, dict):
        return {"type": "object"}
    if isinstance(held, list) and any(isinstance(inner, (dict, list)) for inner in held):
        return {"items": [_part(inner, depth + 1) for inner in held]}
    return {"eq": held}


def _bounds(low: Any, high: Any) -> dict[str, Any]:
    for bound in (low, high):
        if bound is not None and (not is_number(bound) or bound != int(bound) or bound < 0):
            raise Unexpressed("its bounds are no whole numbers")
    return ({"ge": int(low)} if low or high is None else {}) | ({} if high is None else {"le": int(high)})


def _names(wanted: Any) -> list[str]:
    every = [wanted] if isinstance(wanted, str) else wanted
    if not isinstance(every, list) or not every or not all(isinstance(name, str) for name in every):
        raise Unexpressed("its value is no tool and no list of tools")
    return list(dict.fromkeys(_plain_name(name) for name in every))


def _name(wanted: Any) -> str:
    return _plain_name(wanted.get("pattern") or wanted.get("name"))


def _only_name(step: Any) -> str:
    known = isinstance(step, dict) and step.keys() <= {"name", "pattern", "type"}
    if not known or step.get("type", "tool") != "tool":
        raise Unexpressed("a step is more than the name of a tool")
    return _name(step)


def _plain_name(name: Any) -> str:
    if not isinstance(name, str) or not name:
        raise Unexpressed("names no tool")
    if _is_glob(name):
        raise Unexpressed(f"names tools by the pattern {name!r}, and a golden case names each")
    return name


def _is_glob(name: str) -> bool:
    return "*" in name or "?" in name
