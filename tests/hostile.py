"""A chat endpoint on this machine that behaves as it is told: what real ones do, and what they should not do."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable
    from types import TracebackType

    Behaviour = Callable[["Exchange"], None]


def completion(content: str | None = "paid", calls: list[Any] | None = None, **more: Any) -> dict[str, Any]:
    """A chat completion as OpenAI writes it."""
    message: dict[str, Any] = {"role": "assistant", "content": content} | ({"tool_calls": calls} if calls else {})
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "small-2026-01-01",
        "choices": [{"index": 0, "finish_reason": "tool_calls" if calls else "stop", "message": message}],
        "usage": {"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 15},
    } | more


class Exchange:
    """One request, and the wire to answer it on. `keep` says whether the connection stays open after it."""

    stopped: threading.Event  # the server's

    def __init__(self, wire: socket.socket, target: str, headers: dict[str, str], body: bytes) -> None:
        self.wire, self.target, self.headers, self.body = wire, target, headers, body
        self.keep = True

    @property
    def asked(self) -> dict[str, Any]:
        return dict(json.loads(self.body))

    def answer(self, status: int, found: Any, **headers: str) -> None:
        """A whole answer; `found` is JSON unless it is bytes."""
        body = found if isinstance(found, bytes) else json.dumps(found).encode()
        named = {"Content-Type": "application/json", "Content-Length": str(len(body))} | {
            name.replace("_", "-"): text for name, text in headers.items()
        }
        lines = [f"HTTP/1.1 {status} Whatever", *(f"{name}: {text}" for name, text in named.items())]
        self.wire.sendall("\r\n".join([*lines, "", ""]).encode() + body)


class Endpoint:
    """A server on the loopback interface; `behave` answers a request, or one of a list in turn (the last one stays).

    It counts connections and how many requests were under way at once, and keeps every request.
    """

    def __init__(self, *behaviours: Behaviour, tls: ssl.SSLContext | None = None) -> None:
        self._tls = tls
        self.requests: list[Exchange] = []
        self.connections = self.at_once = self.most_at_once = 0
        self.stopped = threading.Event()
        self._behaviours = list(behaviours) or [lambda exchange: exchange.answer(200, completion())]
        self._lock = threading.Lock()
        self._wires: list[socket.socket] = []
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=200)
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self._listening.getsockname()[1]}/v1"

    def __enter__(self) -> Endpoint:
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.stopped.set()
        for wire in (self._listening, *self._wires):
            with contextlib.suppress(OSError):
                wire.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        for wire in (self._listening, *self._wires):
            wire.close()

    def _accept(self) -> None:
        while not self.stopped.is_set():
            try:
                wire, _ = self._listening.accept()
            except OSError:
                return
            self.connections += 1
            self._wires.append(wire)
            self._threads.append(threading.Thread(target=self._serve, args=(wire,)))
            self._threads[-1].start()

    def _serve(self, wire: socket.socket) -> None:
        if self._tls:
            try:
                wire = self._tls.wrap_socket(wire, server_side=True)
            except OSError:
                return
            self._wires.append(wire)
        stream = wire.makefile("rb")
        try:
            while exchange := self._read(wire, stream):
                exchange.stopped = self.stopped
                with self._lock:
                    nth = len(self.requests)
                    self.requests.append(exchange)
                    self.at_once += 1
                    self.most_at_once = max(self.most_at_once, self.at_once)
                try:
                    self._behaviours[min(nth, len(self._behaviours) - 1)](exchange)
                finally:
                    with self._lock:
                        self.at_once -= 1
                if not exchange.keep:
                    break
        except (OSError, ValueError):
            pass
        finally:
            stream.close()
            with contextlib.suppress(OSError):
                wire.shutdown(socket.SHUT_RDWR)

    @staticmethod
    def _read(wire: socket.socket, stream: Any) -> Exchange | None:
        first = stream.readline().decode()
        if not first:
            return None
        headers: dict[str, str] = {}
        while line := stream.readline().decode().strip():
            name, _, text = line.partition(":")
            headers[name.lower()] = text.strip()
        return Exchange(wire, first.split()[1], headers, stream.read(int(headers.get("content-length", "0"))))


# Behaviours


def answers(found: Any = None, status: int = 200, **headers: str) -> Behaviour:
    """Says this."""
    return lambda exchange: exchange.answer(status, completion() if found is None else found, **headers)


def refuses(status: int, message: str = "slow down", **headers: str) -> Behaviour:
    """Complains as OpenAI does."""
    return answers({"error": {"message": message, "type": "x", "code": None}}, status, **headers)


def cuts(exchange: Exchange) -> None:
    """Promises more than it sends."""
    exchange.wire.sendall(b'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"choices": [')
    exchange.keep = False


def cuts_a_chunk(exchange: Exchange) -> None:
    """The same of an answer that comes in chunks."""
    exchange.wire.sendall(b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{"choices": [')
    exchange.keep = False


def vanishes(exchange: Exchange) -> None:
    """Closes without a word."""
    exchange.keep = False


def no_http(exchange: Exchange) -> None:
    """Speaks another protocol."""
    exchange.wire.sendall(b"SSH-2.0-OpenSSH_9.2\r\n")
    exchange.keep = False


def never_ends(exchange: Exchange) -> None:
    """Sends as long as anybody reads."""
    exchange.wire.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    while True:
        exchange.wire.sendall(b"10000\r\n" + b" " * 65_536 + b"\r\n")


def threatens(exchange: Exchange) -> None:
    """Announces a gigabyte, and sends none of it."""
    exchange.wire.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")


def drips(first: bytes, then: bytes) -> Behaviour:
    """Sends a little so often that no single read ever waits for long."""

    def behave(exchange: Exchange) -> None:
        exchange.wire.sendall(first)
        while not exchange.stopped.wait(0.01):
            exchange.wire.sendall(then)

    return behave


drips_headers = drips(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n")
drips_a_body = drips(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", b" ")


def hangs(exchange: Exchange) -> None:
    """Says nothing at all."""
    exchange.stopped.wait()
