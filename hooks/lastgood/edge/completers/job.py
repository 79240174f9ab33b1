"""What both protocols know of one call: the requests, the command, and how to turn bytes into answers."""

from __future__ import annotations

import json
import os

from lastgood.core import strict_json
from lastgood.core.usage import NOTHING, reported_in
from lastgood.core.value import TYPE_CHECKING
from lastgood.edge.completers import Answer, words
from lastgood.edge.completers.command import Command, case_environ, child_environ, find
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from lastgood.core.config import Completer
    from lastgood.core.usage import Reported
    from lastgood.edge.completers import Request


class Failed(Exception):
    """A request has no completion; becomes its Answer."""

    def __init__(self, error: str, detail: str = "") -> None:
        super().__init__(error)
        self.error, self.detail = error, detail


class Job:
    """One call of `ask`."""

    def __init__(
        self, completer: Completer, requests: Sequence[Request], *, cwd: str, environ: Mapping[str, str], jobs: int
    ) -> None:
        self.completer, self.requests, self.cwd, self.jobs = completer, requests, cwd, jobs
        self.hidden = words.secrets(completer, environ)
        self._environ = child_environ(environ, completer)
        self._command: Command | None = None
        self._prompts: dict[str, bytes] = {}

    def command(self) -> Command:
        """The command, looked for once; FileNotFoundError or NotADirectoryError when there is none."""
        if self._command is None:
            self._command = find(self.completer.command, self.cwd, self._environ)
        return self._command

    def environ(self, request: Request | None = None) -> dict[str, str]:
        """The environment of a child."""
        return self._environ | case_environ(request) if request else self._environ

    def stdin(self, request: Request) -> bytes:
        """What protocol `process` writes; OSError when the prompt file is needed and cannot be read."""
        if self.completer.stdin == "text":
            return self._prompt(request.prompt_file).rstrip(b"\n") + b"\n\n" + rendered(request.input).encode("utf-8")
        # UTF-8, not escapes: a completer may hand this text to a model as it is.
        named = {"prompt_id": request.prompt_id}  # twice: it comes first, and an input cannot override it
        return json.dumps(named | request.input | named, ensure_ascii=False).encode("utf-8")

    def _prompt(self, path: str) -> bytes:
        if path not in self._prompts:
            with open(os.path.join(self.cwd, path), "rb") as file:
                self._prompts[path] = file.read()
        return self._prompts[path]

    def completion(self, text: str) -> str:
        """The completion in what a completer said; Failed when `take` names nothing there."""
        take = self.completer.take
        if not take:
            return text
        try:
            return as_text(strict_json.resolve(strict_json.loads(text), take))
        except Malformed as exc:
            raise Failed(words.failed(f"take {take}"), f"{exc.what}: {words.line(text, self.hidden)}") from None
        except KeyError:
            raise Failed(words.failed(f"take {take}"), f"not in {words.line(text, self.hidden)}") from None

    def answer(self, index: int, output: str, seconds: float, told: Mapping[str, Any] | None = None) -> Answer:
        """The completion in `output`, which is what a completer said; Failed when there is none.

        `told` is what an answer line holds beside it. Only what nothing of it can be hidden in stays as it is.
        """
        output = words.masked(output, self.hidden)
        reported = self._reported(index, output, told or {})
        return Answer(self.requests[index].id, self.completion(output), "", "", seconds, index, reported)

    def _reported(self, index: int, output: str, told: Mapping[str, Any]) -> Reported:
        completer = self.completer
        found = told if "model" in told or "usage" in told else {}
        kind = completer.output_for(self.requests[index].prompt_id)
        if not found and (completer.take or kind != "text"):
            from lastgood.core.intake.reported import reported

            found = reported(output, kind, completer.take)
        if not found and "latency_s" not in told:
            return NOTHING
        model = found.get("model")
        return reported_in(
            {
                "model": words.shown(model, self.hidden) if isinstance(model, str) else "",
                "usage": found.get("usage"),
                "latency_s": told.get("latency_s"),
            }
        )

    def failure(self, index: int, error: str, detail: str, seconds: float = 0.0) -> Answer:
        """The lack of one."""
        shown = (words.shown(error, self.hidden), words.shown(detail, self.hidden))
        return Answer(self.requests[index].id, None, *shown, seconds, index)


def as_text(found: Any) -> str:
    """A JSON string as its text; any other value as compact JSON, keys in the order given."""
    return found if isinstance(found, str) else json.dumps(found, ensure_ascii=False, separators=(",", ":"))


def rendered(payload: dict[str, Any]) -> str:
    """An input as text for tools that take a prompt on stdin: `role: content` lines, other keys as JSON before them."""
    messages = payload.get("messages")
    if not (isinstance(messages, list) and all(isinstance(message, dict) for message in messages)):
        return json.dumps(payload, ensure_ascii=False) + "\n"
    others = {key: found for key, found in payload.items() if key != "messages"}
    said = [f"{message.get('role', '')}: {as_text(message.get('content', ''))}" for message in messages]
    return "\n".join([json.dumps(others, ensure_ascii=False)] * bool(others) + said) + "\n"
