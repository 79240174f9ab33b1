"""A tree whose completer says what was accepted, so that it can be told to misbehave and nothing else is wrong."""

from __future__ import annotations

import json

from lastgood.core.baseline import completion_of
from lastgood.core.completer import fingerprint
from lastgood.core.config import Completer
from lastgood.core.fault import NO_GUARDED
from lastgood.core.faults_of_baselines import rewritten
from lastgood.core.layout import BASELINES, baseline_folder
from lastgood.core.sha256 import sha256_hex
from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from lastgood.core.case import Case
    from lastgood.core.fault import Ground, Guarded

PROGRAM, ANSWERS = "lastgood_prove_completer.py", "lastgood_prove_answers.json"

# The command does not name the file of answers, so editing that is no move of the completer.
_SOURCE = f"""\
import json, os, sys, time

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), {ANSWERS!r}), encoding="utf-8") as file:
    answers = json.load(file)
for line in sys.stdin.buffer:
    asked = json.loads(line)
    answer = answers[asked["prompt_id"]][asked["id"]]
    act = answer.get("act")
    if act == "die":
        sys.exit("told to")
    if act == "hang":
        time.sleep(3600)
    said = json.dumps({{"id": asked["id"], "output": answer.get("output", "?")}}).encode() + b"\\n"
    sys.stdout.buffer.write(said.replace(b"?", b"\\xff") if act == "bytes" else said)
    sys.stdout.buffer.flush()
""".encode("ascii")


def rehearsal(ground: Ground) -> dict[str, bytes | None] | str:
    """Path → bytes (None: gone) of what turns the tree into one that answers from its baselines; or why it cannot."""
    if not ground.guarded:
        return NO_GUARDED
    if not ground.config.commit_completer:
        return "commit_completer is not set"
    if any(len({_has_calls(ground, one, case) for case in one.cases}) > 1 for one in ground.guarded):
        return "the accepted answers of one prompt are both texts and traces"
    ours = {baseline_folder(ground.completer, one.prompt_id) for one in ground.guarded}
    others = [
        path
        for path in ground.tree.entries
        if path.startswith(BASELINES) and not path.startswith(tuple(ours)) and path.rpartition("/")[2][0] != "."
    ]
    files: dict[str, bytes | None] = dict.fromkeys(others)
    files |= {
        ground.config.path: configuration(ground),
        PROGRAM: _SOURCE,
        ANSWERS: answers_file(ground, {}),
    }
    for one in ground.guarded:
        identity = fingerprint(_completer(ground), one.prompt_id, {PROGRAM: sha256_hex(_SOURCE)})
        pin = {**ground.json_of(one.tip.path)["to"], "completer": identity}
        files |= rewritten(ground, one, {"to": pin})
    return files


def _completer(ground: Ground) -> Completer:
    outputs = tuple((one.prompt_id, output_of(ground, one)) for one in ground.guarded)
    return Completer(ground.completer, ("python3", PROGRAM), protocol="lines", outputs=outputs)


def output_of(ground: Ground, one: Guarded) -> str:
    """How the answers of a prompt are read."""
    return "trace" if _has_calls(ground, one, one.cases[0]) else "text"


def said(ground: Ground, one: Guarded, case: Case) -> str:
    """What a completer has to write so that it says what was accepted for a case."""
    accepted = completion_of(ground.bytes_of(_path(ground, one, case)))
    if accepted.tool_calls is None:
        return accepted.final_text
    return json.dumps({"tool_calls": list(accepted.tool_calls), "final_text": accepted.final_text})


def answers_file(ground: Ground, told: Mapping[tuple[str, str], dict[str, str]]) -> bytes:
    """What the program reads: prompt id → case id → its answer, or what it is told to do."""
    found = {
        one.prompt_id: {
            case.id: told.get((one.prompt_id, case.id)) or {"output": said(ground, one, case)} for case in one.cases
        }
        for one in ground.guarded
    }
    return json.dumps(found).encode("ascii")


def configuration(ground: Ground, timeout_s: int = 60) -> bytes:
    """The tree's configuration with no completer but the program."""
    config, own = ground.config, _completer(ground)
    prefix = "tool.lastgood." if config.path == "pyproject.toml" else ""
    lines = [f"[{prefix.rstrip('.')}]"] if prefix else []
    lines += [f"prompts = {_toml(config.prompts)}", f"unguarded = {_toml(config.unguarded)}"]
    lines += [f"commit_completer = {_toml(own.name)}", f"[{prefix}completers.{_toml(own.name)}]"]
    lines += [f"command = {_toml(own.command)}", f"protocol = {_toml(own.protocol)}", f"timeout_s = {timeout_s}"]
    lines.append(f"[{prefix}completers.{_toml(own.name)}.outputs]")
    lines += [f"{_toml(prompt_id)} = {_toml(output)}" for prompt_id, output in own.outputs]
    lines.append(f"[{prefix}parts]")
    lines += [f"{_toml(pattern)} = {_toml(part)}" for pattern, part in config.parts]
    for row in config.declared:
        lines += [f"[{prefix}prompt.{_toml(row.prompt_id)}]", f"files = {_toml(row.files)}"]
    return ("\n".join(lines) + "\n").encode()


def _toml(found: Any) -> str:
    """A string or a list of strings; what JSON escapes, TOML does too."""
    return json.dumps(found, ensure_ascii=False).replace("\x7f", "\\u007f")


def _has_calls(ground: Ground, one: Guarded, case: Case) -> bool:
    return completion_of(ground.bytes_of(_path(ground, one, case))).tool_calls is not None


def _path(ground: Ground, one: Guarded, case: Case) -> str:
    return f"{baseline_folder(ground.completer, one.prompt_id)}{case.id}.json"
