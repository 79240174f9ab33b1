"""HTTP connections to one address: kept and used again, with a deadline and a size that nothing from outside can pass.

http.client and a thread a request, not httpx: its import takes nine interpreter starts where these take four, which
protocol `process` pays at every case, and it brings six packages along. What it would add is below: a pool, and limits.
"""

from __future__ import annotations

import http.client
import io
import os
import socket
import ssl
import threading
from time import monotonic
from urllib.parse import unquote, urlsplit

from lastgood.core.value import TYPE_CHECKING, value
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_CHUNK = 65_536  # bytes read at a time
_PORTS = {"http": 80, "https": 443}
# What a connection that was kept fails with when the other end had closed it meanwhile.
_STALE = (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError)


class TooLong(Exception):
    """An answer of more bytes than are read."""


class CutOff(Exception):
    """An answer that ended before it was whole."""


@value(frozen=True)
class Reply:
    """An HTTP answer, read whole. `headers`: lower-case name → value."""

    status: int
    headers: dict[str, str]
    body: bytes


class Pool:
    """The connections to `url`; one of them serves one thread at a time."""

    def __init__(self, url: str, environ: Mapping[str, str] = os.environ) -> None:
        """LastgoodError when `url`, or a proxy named in the environment, is no address that can be asked."""
        split = urlsplit(url)
        self.host, self._port = _host_and_port(url)
        self._secure = split.scheme == "https"
        self._target = split.path + (f"?{split.query}" if split.query else "")
        self._proxy = _proxy(split.scheme, self.host, environ)
        self._context = ssl.create_default_context() if self._secure else None
        self._idle: list[_Connection] = []
        self._busy: set[_Connection] = set()
        self._lock = threading.Lock()
        self.closed = threading.Event()

    def post(self, body: bytes, headers: Mapping[str, str], *, deadline: float, limit: int) -> Reply:
        """The answer to one request, before `deadline` (on the monotonic clock) and of at most `limit` bytes.

        OSError (TimeoutError at the deadline) or HTTPException when there is none; TooLong; CutOff.
        """
        while True:
            connection, used = self._take()
            kept = False
            try:
                reply, kept = self._exchange(connection, body, headers, deadline, limit)
                return reply
            except _STALE:
                if not used or self.closed.is_set():
                    raise
            finally:
                self._give_back(connection, kept=kept)

    def close(self) -> None:
        """Ends every connection, also those in use: whoever waits for an answer gets an OSError."""
        self.closed.set()
        with self._lock:
            for connection in self._busy:
                connection.cut()
            for connection in self._idle:
                connection.close()

    def _take(self) -> tuple[_Connection, bool]:
        with self._lock:
            if self._idle:
                connection, used = self._idle.pop(), True
            else:
                connection, used = self._new(), False
            self._busy.add(connection)
        return connection, used

    def _give_back(self, connection: _Connection, *, kept: bool) -> None:
        with self._lock:
            self._busy.discard(connection)
            if kept and not self.closed.is_set():
                self._idle.append(connection)
            else:
                connection.close()

    def _new(self) -> _Connection:
        host, port = self._proxy[:2] if self._proxy else (self.host, self._port)
        if self._context is None:
            return _Plain(host, port)
        connection = _Secure(host, port, context=self._context)
        if self._proxy:
            connection.set_tunnel(self.host, self._port, self._proxy[2])
        return connection

    def _exchange(
        self, connection: _Connection, body: bytes, headers: Mapping[str, str], deadline: float, limit: int
    ) -> tuple[Reply, bool]:
        connection.deadline = deadline
        connection.timeout = _left(deadline)  # what connecting may take
        if connection.sock:
            connection.sock.settimeout(connection.timeout)
        target, sent = self._target, dict(headers)
        if self._proxy and self._context is None:
            target = f"http://{_bracketed(self.host)}:{self._port}{target}"
            sent |= self._proxy[2]
        connection.request("POST", target, body, sent)
        response = connection.getresponse()
        try:
            data = _body(response, limit)
        finally:
            response.close()
        found = {name.lower(): text for name, text in response.getheaders()}
        return Reply(response.status, found, data), not response.will_close


def _body(response: http.client.HTTPResponse, limit: int) -> bytes:
    if (response.length or 0) > limit:
        raise TooLong
    data = bytearray()
    try:
        while chunk := response.read(_CHUNK):
            data += chunk
            if len(data) > limit:
                raise TooLong
    except (http.client.IncompleteRead, ConnectionResetError):
        raise CutOff from None
    if response.length:
        raise CutOff
    return bytes(data)


def _left(deadline: float) -> float:
    left = deadline - monotonic()
    if left <= 0:
        raise TimeoutError("timed out")
    return min(left, 86_400.0)  # clocks overflow beyond a few centuries


class _Timed(io.RawIOBase):
    """What comes in over a socket, up to a deadline: a socket's own timeout starts anew with every byte that drips."""

    def __init__(self, connection: _Connection, sock: socket.socket) -> None:
        self._connection, self._sock = connection, sock
        self._raw = sock.makefile("rb", buffering=0)  # keeps the socket open until the answer is read

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._sock.settimeout(_left(self._connection.deadline))
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Connection(http.client.HTTPConnection):
    """A connection whose answers are read up to its `deadline`."""

    deadline = 0.0

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.response_class = self._response  # type: ignore[assignment]  # called like the class

    def _response(self, sock: socket.socket, *args: Any, **settings: Any) -> http.client.HTTPResponse:
        response = http.client.HTTPResponse(sock, *args, **settings)
        response.fp.close()
        response.fp = io.BufferedReader(_Timed(self, sock))
        return response

    def cut(self) -> None:
        """Wakes whoever reads from it or writes to it."""
        sock = self.sock
        if sock:
            try:  # noqa: SIM105  # contextlib would be imported for this alone
                sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


class _Plain(_Connection):
    pass


class _Secure(_Connection, http.client.HTTPSConnection):
    pass


def _host_and_port(url: str) -> tuple[str, int]:
    split = urlsplit(url)
    try:
        port = split.port
    except ValueError:
        port = 0
    if split.scheme not in _PORTS or not split.hostname or port == 0 or not url.isascii() or not url.isprintable():
        raise LastgoodError(f"the base URL {url!r} is none: https://HOST/v1, or http:// for a server nearby")
    if split.username is not None or split.password is not None or split.fragment:
        # Not shown: it may be a password, and it stands in a file of the repository.
        raise LastgoodError("the base URL holds a user or a fragment: keys are given by --key-env or --header")
    return split.hostname, port or _PORTS[split.scheme]


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _proxy(scheme: str, host: str, environ: Mapping[str, str]) -> tuple[str, int, dict[str, str]] | None:
    """Host, port and headers of the proxy that the environment names for an address, if any; never for this machine."""
    named = environ.get(f"{scheme}_proxy") or (environ.get("HTTPS_PROXY") if scheme == "https" else "")
    named = named or environ.get("all_proxy") or environ.get("ALL_PROXY")
    if not named or host in ("localhost", "::1") or host.startswith("127.") or _excepted(host, environ):
        return None
    split = urlsplit(named if "://" in named else f"http://{named}")
    try:
        port = split.port or _PORTS["http"]
    except ValueError:
        port = 0
    if split.scheme != "http" or not split.hostname or not port:
        raise LastgoodError("the proxy that the environment names cannot be used: only http://HOST:PORT can")
    headers = {}
    if split.username is not None:
        import base64

        user = f"{unquote(split.username)}:{unquote(split.password or '')}"
        headers["Proxy-Authorization"] = "Basic " + base64.b64encode(user.encode("utf-8")).decode("ascii")
    return split.hostname, port, headers


def _excepted(host: str, environ: Mapping[str, str]) -> bool:
    names = (environ.get("no_proxy") or environ.get("NO_PROXY") or "").split(",")
    tails = [name.strip().lstrip("*").lstrip(".").lower() for name in names]
    return "*" in map(str.strip, names) or any(tail and (host == tail or host.endswith(f".{tail}")) for tail in tails)
