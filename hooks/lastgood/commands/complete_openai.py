"""`lastgood complete openai`: answers of any OpenAI-compatible endpoint, handed on as the vendor wrote them."""

from __future__ import annotations

import os
import sys
from functools import cache

from lastgood.core import chat, nesting
from lastgood.core.trace import read_completion
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.edge.endpoint import Endpoint, Patience
from lastgood.edge.files import read_file
from lastgood.edge.serving import Said, serve
from lastgood.errors import LastgoodError, Malformed
from lastgood.report.findings import in_words

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping
    from typing import Any

    from lastgood.edge.serving import Asked

_BASE_URL = "https://api.openai.com/v1"
_KEY = "OPENAI_API_KEY"
_PROVING = ("authorization", "api-key", "x-api-key")
_HELP = "lastgood complete openai --help"
# Of the seconds that the runner grants: an answer that comes too late is told apart from a completer that hangs.
_SHARE = 0.9
_TIMEOUT_S = 60.0


def serve_requests(options: Namespace) -> None:
    """Answer the requests on stdin, by either protocol."""
    headers, secrets = _headers(options, os.environ)
    endpoint = Endpoint(_base_url(options, os.environ), headers, secrets, _patience(options, os.environ))
    completer = _Completer(endpoint, _settings(options), text_only=options.text)
    try:
        serve(completer.complete, in_flight=options.in_flight, explain=in_words)
    finally:
        endpoint.close()


@value(frozen=True)
class _Completer:
    """Requests of ours to answers of an endpoint's."""

    endpoint: Endpoint
    settings: dict[str, Any]
    text_only: bool

    def complete(self, asked: Asked) -> Said:
        body = chat.body(self.settings, _prompt(asked.prompt_files), asked.input, asked.tools)
        text, found = self.endpoint.ask(body)
        reported = {
            key: found[key] for key, kind in (("model", str), ("usage", dict)) if isinstance(found.get(key), kind)
        }
        return Said(_text_in(text) if self.text_only else text, reported)


@cache
def _prompt(paths: tuple[str, ...]) -> chat.Prompt:
    """The prompt in these files, read once: they are a snapshot, and a run asks hundreds of cases of one prompt."""
    return chat.read_prompt({path: read_file(path) for path in paths})


def _text_in(answer: str) -> str:
    completion = read_completion(answer, "openai")
    if completion.malformed:
        raise LastgoodError(f"the answer is no whole text: {completion.detail}")
    if completion.tool_calls:
        names = ", ".join(call["name"] for call in completion.tool_calls)
        raise LastgoodError(
            f"the answer calls {names}, which --text cannot say", fix='leave out --text; output = "openai"'
        )
    return completion.final_text


def _settings(options: Namespace) -> dict[str, Any]:
    """What is sent with every request."""
    found: dict[str, Any] = {
        "model": options.model,
        "temperature": chat.number("--temperature", options.temperature, whole=False),
        "seed": chat.number("--seed", options.seed, whole=True),
        "max_tokens": options.max_tokens,
        "response_format": _response_format(options.response_format),
    }
    found = {key: setting for key, setting in found.items() if setting is not None}
    for word in options.param:
        key, setting = chat.parameter(word)
        found[key] = setting
    return found


def _response_format(given: str) -> dict[str, Any] | None:
    if not given:
        return None
    if given == "json":
        return {"type": "json_object"}
    if given.lstrip().startswith("{"):
        return chat.response_format("answer", nesting.loads(given))
    try:
        found = nesting.loads(read_file(given))
    except Malformed as exc:
        raise Malformed(exc.what, path=given, pointer=exc.pointer) from None
    name = os.path.splitext(os.path.basename(given))[0]
    return chat.response_format("".join(mark if mark.isalnum() and mark.isascii() else "_" for mark in name), found)


def _base_url(options: Namespace, environ: Mapping[str, str]) -> str:
    if options.base_url:
        return str(options.base_url)
    named = environ.get("OPENAI_BASE_URL", "").strip()
    if named:
        # No fingerprint covers it, so a baseline cannot tell one such server from another: said with every failure.
        print(
            "lastgood: the base URL is OPENAI_BASE_URL's, which no fingerprint covers; --base-url is", file=sys.stderr
        )
    return named or _BASE_URL


def _headers(options: Namespace, environ: Mapping[str, str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """The headers that prove who asks, and the secrets in them."""
    headers, secrets = {}, []
    asked = options.key_env if options.key_env is not None else _KEY
    if asked != "none":
        key = _from_environment(asked, environ, needed=options.key_env is not None)
        if key:
            headers["Authorization"] = f"Bearer {key}"
            secrets.append(key)
    for word in options.header:
        name, colon, text = word.partition(":")
        text = text.strip()
        if not colon or not name.replace("-", "").isalnum() or not name.isascii():
            raise LastgoodError("--header takes 'NAME: VALUE' or 'NAME: env:VARIABLE'", fix=_HELP)
        if text.startswith("env:"):
            text = _from_environment(text.removeprefix("env:"), environ, needed=True)
            secrets.append(text)
        elif name.lower() in _PROVING:  # the command stands in a file that is committed
            raise LastgoodError(f"--header {name} holds a key in the open", fix=f"--header '{name}: env:VARIABLE'")
        headers[name] = _sendable(text, f"--header {name}")
    return headers, tuple(secrets)


def _from_environment(name: str, environ: Mapping[str, str], *, needed: bool) -> str:
    found = environ.get(name, "").strip()
    if needed and not found:
        raise LastgoodError(
            f"the variable {name} holds no key", fix=f"export {name}=…, and name it in the completer's env"
        )
    return _sendable(found, f"the variable {name}")


def _sendable(text: str, where: str) -> str:
    if not text.isascii() or not text.isprintable():
        raise LastgoodError(f"{where} holds what no header may hold: a line break, or letters beyond ASCII")
    return text


def _patience(options: Namespace, environ: Mapping[str, str]) -> Patience:
    seconds = options.timeout
    if seconds is None:
        try:
            seconds = _SHARE * float(environ.get("LASTGOOD_TIMEOUT_S", _TIMEOUT_S))
        except ValueError:
            seconds = _SHARE * _TIMEOUT_S
    return Patience(seconds, options.retries, options.backoff)
