"""An OpenAI-compatible endpoint: one question, asked again where that can help, answered or told why not."""

from __future__ import annotations

import http.client
import random
import ssl
import time
from time import monotonic
from urllib.parse import urlsplit, urlunsplit

from lastgood.core.chat import checked, complaint
from lastgood.core.failure import one_line
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.edge.connections import CutOff, Pool, TooLong
from lastgood.errors import LastgoodError, Malformed

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from lastgood.edge.connections import Reply

_LONGEST = 8_000_000  # bytes of an answer, as `max_output_bytes` is unless configured
_SLOWEST = 20.0  # seconds between two tries, where the server names none
_SHORTEST_SECRET = 8  # characters; a shorter one (a flag, a region) would hide ordinary words
_SAID = 300  # characters of a server's complaint


@value(frozen=True)
class Patience:
    """How long an answer is waited for: seconds in all, tries after the first, seconds before the second try."""

    timeout_s: float = 54.0
    retries: int = 4
    backoff_s: float = 0.5


class Endpoint:
    """`{base_url}/chat/completions`, asked by any number of threads at once."""

    def __init__(self, base_url: str, headers: Mapping[str, str], secrets: tuple[str, ...], patience: Patience) -> None:
        """LastgoodError when the URL cannot be one. `secrets`: texts that no message may hold."""
        self._pool = Pool(completions_url(base_url))
        self._headers = {"Content-Type": "application/json", "Accept": "application/json", **headers}
        self._hidden = sorted((text for text in secrets if len(text) >= _SHORTEST_SECRET), key=len, reverse=True)
        self._patience = patience

    def ask(self, body: bytes) -> tuple[str, dict[str, Any]]:
        """The vendor's answer as text and as an object; LastgoodError, in one sentence, when none comes."""
        deadline = monotonic() + self._patience.timeout_s
        nth = 0
        while True:
            outcome = self._try(body, deadline)
            if isinstance(outcome, tuple):
                return outcome
            pause = max(outcome.pause, self._backoff(nth))
            if not outcome.again or nth == self._patience.retries or monotonic() + pause >= deadline:
                raise LastgoodError(self._sentence(outcome, nth, pause))
            nth += 1
            if self._pool.closed.wait(pause):
                raise LastgoodError(self._sentence(outcome, nth, 0.0))

    def close(self) -> None:
        """Nobody waits for an answer any more."""
        self._pool.close()

    def _backoff(self, nth: int) -> float:
        # Jitter: many requests that were refused at once must not all come back at once.
        return float(min(_SLOWEST, self._patience.backoff_s * 2**nth) * random.uniform(0.5, 1.0))  # noqa: S311

    def _try(self, body: bytes, deadline: float) -> tuple[str, dict[str, Any]] | _Fault:
        try:
            reply = self._pool.post(body, self._headers, deadline=deadline, limit=_LONGEST)
        except TooLong:
            return _Fault(f"answered more than {_LONGEST} bytes")
        except CutOff:
            return _Fault("closed the connection in the middle of its answer", again=True)
        except TimeoutError:
            return _Fault(f"did not answer within {self._patience.timeout_s:g} s")
        except ssl.SSLCertVerificationError as exc:
            return _Fault(f"shows a certificate that is not to be trusted: {exc.verify_message}")
        except (OSError, http.client.HTTPException) as exc:
            return _Fault(f"cannot be asked: {_why(exc)}", again=not isinstance(exc, http.client.InvalidURL))
        return self._read(reply)

    def _read(self, reply: Reply) -> tuple[str, dict[str, Any]] | _Fault:
        status = f"answered {reply.status} {http.client.responses.get(reply.status, '')}".rstrip()
        if 200 <= reply.status < 300:
            try:
                return checked(reply.body)
            except Malformed as exc:
                return _Fault(f"{status}, which is no chat completion: {exc.what}")
        if 300 <= reply.status < 400:
            # A key must reach nobody but the host that was named.
            return _Fault(f"{status}, a redirect to {reply.headers.get('location', 'nowhere')}; it is not followed")
        said = complaint(reply.body)
        again = reply.status == 429 or reply.status >= 500
        return _Fault(f"{status}: {said}" if said else status, again, _pause(reply.headers) if again else 0.0)

    def _sentence(self, fault: _Fault, retried: int, pause: float) -> str:
        what = fault.what
        for secret in self._hidden:
            what = what.replace(secret, "***")
        tries = f" (tried {retried + 1} times)" if retried else ""
        if fault.again and fault.pause and retried < self._patience.retries:
            tries += f"; asked to wait {pause:.0f} s, which is more than is left"
        return f"{self._pool.host} {one_line(what, _SAID)}{tries}"


@value(frozen=True)
class _Fault:
    """Why there is no answer; whether asking again may help, and after how many seconds the server wants it."""

    what: str
    again: bool = False
    pause: float = 0.0


def completions_url(base_url: str) -> str:
    """Where chat completions are asked for, below a base URL; a query (Azure's api-version) stays behind it.

    LastgoodError when that is no URL at all.
    """
    try:
        split = urlsplit(base_url)
    except ValueError:
        raise LastgoodError(f"the base URL {base_url!r} is none", fix="--base-url https://HOST/v1") from None
    path = split.path.rstrip("/")
    if not path.endswith("/chat/completions"):
        path += "/chat/completions"
    return urlunsplit(split._replace(path=path))


def _why(exc: Exception) -> str:
    if isinstance(exc, http.client.RemoteDisconnected):
        return "it closed the connection without an answer"
    if isinstance(exc, OSError) and exc.strerror:
        return exc.strerror
    return str(exc) or type(exc).__name__


def _pause(headers: Mapping[str, str]) -> float:
    """Seconds that `Retry-After` asks for, given as seconds or as a date; 0 when it is neither."""
    text = headers.get("retry-after", "").strip()
    if text.replace(".", "", 1).isdecimal() and text.isascii():
        return float(text)
    if not text:
        return 0.0
    from email.utils import parsedate_to_datetime

    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, OverflowError):
        return 0.0
