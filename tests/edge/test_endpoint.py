"""An endpoint that does what it should not: every fault ends, in one sentence, and the key goes nowhere else."""

from __future__ import annotations

import http.client
import json
import shutil
import socket
import ssl
import subprocess
import threading
from contextlib import closing
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from typing import TYPE_CHECKING, Any

import pytest

import hostile
from hostile import answers, completion, refuses
from lastgood.edge.connections import Pool
from lastgood.edge.endpoint import Endpoint, Patience, completions_url
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

KEY = "sk-0123456789abcdef"
QUICK = Patience(timeout_s=20.0, retries=3, backoff_s=0.001)
SHORT = Patience(timeout_s=0.3, retries=3, backoff_s=0.001)


def endpoint(server: hostile.Endpoint, patience: Patience = QUICK) -> closing[Endpoint]:
    return closing(Endpoint(server.url, {"Authorization": f"Bearer {KEY}"}, (KEY,), patience))


def complaint_of(server: hostile.Endpoint, patience: Patience = QUICK) -> str:
    """The sentence with which asking ends."""
    with pytest.raises(LastgoodError) as failed, endpoint(server, patience) as asked:
        asked.ask(b"{}")
    return failed.value.what


def test_an_answer_is_handed_on_as_it_was_written() -> None:
    with hostile.Endpoint(answers(b' {"choices": [ ],\t"x": 1.50} ')) as server, endpoint(server) as asked:
        assert asked.ask(b'{"model": "m"}') == ('{"choices": [ ],\t"x": 1.50}', {"choices": [], "x": 1.5})
    (request,) = server.requests
    assert (request.target, request.asked) == ("/v1/chat/completions", {"model": "m"})
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.headers["content-type"] == "application/json"


HEALED = {
    "429 with seconds": [refuses(429, Retry_After="0.01")],
    "429 with a date": [refuses(429, Retry_After="Wed, 21 Oct 2015 07:28:00 GMT")],
    "429 with nonsense": [refuses(429, Retry_After="soon")],
    "500": [refuses(500)],
    "503 twice": [refuses(503), answers(b"<html>busy</html>", 503)],
    "529": [refuses(529, "overloaded")],
    "closed without a word": [hostile.vanishes],
    "cut off": [hostile.cuts],
    "cut off in a chunk": [hostile.cuts_a_chunk],
    "no HTTP": [hostile.no_http],
}


@pytest.mark.parametrize("faults", HEALED.values(), ids=HEALED)
def test_what_may_pass_is_asked_again(faults: list[Any]) -> None:
    with hostile.Endpoint(*faults, answers()) as server, endpoint(server) as asked:
        _, found = asked.ask(b"{}")
    assert found == completion()
    assert len(server.requests) == len(faults) + 1


FAULTS: dict[str, tuple[Any, int, str]] = {
    "400": (refuses(400, "no such parameter: seed"), 1, "127.0.0.1 answered 400 Bad Request: no such parameter: seed"),
    "401": (refuses(401, f"bad key {KEY}\x1b[2J"), 1, r"127.0.0.1 answered 401 Unauthorized: bad key ***\x1b[2J"),
    "404 of another shape": (answers({"detail": "no model"}, 404), 1, "127.0.0.1 answered 404 Not Found: no model"),
    "422": (answers({"detail": [{"loc": 1}]}, 422), 1, '127.0.0.1 answered 422 Unprocessable Entity: [{"loc": 1}]'),
    "a page": (answers(b"<h1>\n no </h1>", 403), 1, "127.0.0.1 answered 403 Forbidden: <h1> no </h1>"),
    "429 without end": (
        refuses(429, "no credit", Retry_After="0"),
        4,
        "127.0.0.1 answered 429 Too Many Requests: no credit (tried 4 times)",
    ),
    "500 without end": (answers(b"", 500), 4, "127.0.0.1 answered 500 Internal Server Error (tried 4 times)"),
    "a wait that is too long": (
        refuses(429, Retry_After="120"),
        1,
        "127.0.0.1 answered 429 Too Many Requests: slow down; asked to wait 120 s, which is more than is left",
    ),
    "no JSON": (
        answers(b"<html>hello</html>"),
        1,
        "127.0.0.1 answered 200 OK, which is no chat completion: not JSON: Expecting value at line 1 column 1",
    ),
    "half a JSON": (
        answers(b'{"choices": ['),
        1,
        "127.0.0.1 answered 200 OK, which is no chat completion: not JSON: Expecting value at line 1 column 14",
    ),
    "not UTF-8": (
        answers(b'{"choices": "\xff"}'),
        1,
        "127.0.0.1 answered 200 OK, which is no chat completion: not UTF-8: byte 0xff at offset 13",
    ),
    "another object": (
        answers({"object": "list", "data": []}),
        1,
        '127.0.0.1 answered 200 OK, which is no chat completion: holds no choices but {"object": "list", "data": []}',
    ),
    "an error with 200": (
        answers({"error": {"message": "upstream is gone"}}),
        1,
        "127.0.0.1 answered 200 OK, which is no chat completion: says: upstream is gone",
    ),
    "a stream": (
        answers(b'data: {"choices": []}\n\n'),
        1,
        "127.0.0.1 answered 200 OK, which is no chat completion: not JSON: Expecting value at line 1 column 1",
    ),
    "cut off without end": (
        hostile.cuts,
        4,
        "127.0.0.1 closed the connection in the middle of its answer (tried 4 times)",
    ),
    "silence without end": (
        hostile.vanishes,
        4,
        "127.0.0.1 cannot be asked: it closed the connection without an answer (tried 4 times)",
    ),
    "an endless body": (hostile.never_ends, 1, "127.0.0.1 answered more than 8000000 bytes"),
    "a gigabyte announced": (hostile.threatens, 1, "127.0.0.1 answered more than 8000000 bytes"),
}


@pytest.mark.parametrize(("behaviour", "requests", "sentence"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_one_sentence(behaviour: Any, requests: int, sentence: str) -> None:
    with hostile.Endpoint(behaviour) as server:
        assert complaint_of(server) == sentence
    assert len(server.requests) == requests


@pytest.mark.parametrize("behaviour", [hostile.hangs, hostile.drips_headers, hostile.drips_a_body])
def test_the_time_is_for_all_of_an_answer_however_it_is_stretched(behaviour: Any) -> None:
    with hostile.Endpoint(behaviour) as server:
        assert complaint_of(server, SHORT) == "127.0.0.1 did not answer within 0.3 s"
    assert len(server.requests) == 1


def test_a_date_to_wait_for_is_waited_for_or_said() -> None:
    later = format_datetime(datetime.now(timezone.utc) + timedelta(hours=1), usegmt=True)
    with hostile.Endpoint(refuses(503, "back soon", Retry_After=later)) as server:
        said = complaint_of(server)
    assert said.startswith("127.0.0.1 answered 503 Service Unavailable: back soon; asked to wait 3")
    assert len(server.requests) == 1


def test_a_redirect_is_not_followed_and_the_other_host_never_hears_of_the_key() -> None:
    with hostile.Endpoint() as elsewhere, hostile.Endpoint(answers(b"", 307, Location=elsewhere.url)) as server:
        said = complaint_of(server)
    assert said == f"127.0.0.1 answered 307 Temporary Redirect, a redirect to {elsewhere.url}; it is not followed"
    assert elsewhere.connections == 0


def test_nobody_there_is_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
    with pytest.raises(LastgoodError) as failed:
        Endpoint(url, {}, (), QUICK).ask(b"{}")
    assert failed.value.what == "127.0.0.1 cannot be asked: Connection refused (tried 4 times)"


def test_connections_are_kept_and_one_that_was_closed_meanwhile_is_no_failure() -> None:
    def once(exchange: hostile.Exchange) -> None:
        answers()(exchange)
        exchange.keep = False

    with hostile.Endpoint(answers(), answers(), once, answers()) as server:
        asked = Endpoint(server.url, {}, (), Patience(20.0, retries=0))
        for _ in range(4):
            assert asked.ask(b"{}")[1] == completion()
        asked.close()
    assert (len(server.requests), server.connections) == (4, 2)


def test_many_at_once_need_as_many_connections_and_no_more() -> None:
    together = threading.Barrier(20)

    def meets(exchange: hostile.Exchange) -> None:
        together.wait(20)
        answers()(exchange)

    with hostile.Endpoint(meets) as server, endpoint(server) as asked:
        for _ in range(2):
            threads = [threading.Thread(target=asked.ask, args=(b"{}",)) for _ in range(20)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
    assert (len(server.requests), server.connections, server.most_at_once) == (40, 20, 20)


def test_closing_wakes_whoever_waits() -> None:
    asked_for = threading.Event()

    def hangs(exchange: hostile.Exchange) -> None:
        asked_for.set()
        hostile.hangs(exchange)

    said: list[str] = []
    with hostile.Endpoint(hangs) as server, endpoint(server) as asked:

        def ask() -> None:
            with pytest.raises(LastgoodError) as failed:
                asked.ask(b"{}")
            said.append(failed.value.what)

        waiting = threading.Thread(target=ask)
        waiting.start()
        assert asked_for.wait(20)
        asked.close()
        waiting.join(20)
        assert not waiting.is_alive()
    assert said == ["127.0.0.1 cannot be asked: it closed the connection without an answer (tried 2 times)"]


URLS = {
    "https://api.openai.com/v1": "https://api.openai.com/v1/chat/completions",
    "http://localhost:8080/v1/": "http://localhost:8080/v1/chat/completions",
    "http://localhost:8080": "http://localhost:8080/chat/completions",
    "https://x.example/v1/chat/completions": "https://x.example/v1/chat/completions",
    "https://x.example/openai/deployments/d?api-version=2024-10-21": (
        "https://x.example/openai/deployments/d/chat/completions?api-version=2024-10-21"
    ),
}


@pytest.mark.parametrize(("base", "url"), URLS.items(), ids=URLS)
def test_a_base_url_leads_to_its_completions(base: str, url: str) -> None:
    assert completions_url(base) == url


@pytest.mark.parametrize(
    "base",
    [
        "",
        "api.openai.com/v1",
        "ftp://x/v1",
        "http://",
        "http://x:0/v1",
        "http://x:port/v1",
        "http://[::1/v1",
        "http://ü/v1",
    ],
)
def test_what_is_no_base_url_is_refused(base: str) -> None:
    with pytest.raises(LastgoodError, match="base URL"):
        Endpoint(base, {}, (), QUICK)


def test_a_password_in_a_base_url_is_refused_and_not_repeated() -> None:
    with pytest.raises(LastgoodError) as failed:
        Endpoint("https://me:hunter22hunter@x.example/v1", {}, (), QUICK)
    assert "hunter" not in failed.value.what


# TLS


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a key and a certificate of 127.0.0.1 that nobody has signed."""
    if not shutil.which("openssl"):
        pytest.skip("openssl makes the certificate")
    file = tmp_path_factory.mktemp("tls") / "both.pem"
    words = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=here", "-keyout", "-"]
    words += ["-addext", "subjectAltName=IP:127.0.0.1"]
    done = subprocess.run(["openssl", *words], check=True, capture_output=True)
    file.write_bytes(done.stdout)
    return file


@pytest.fixture
def tls(certificate: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    return context


def test_a_certificate_that_the_system_trusts_is_enough(
    certificate: Path, tls: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with hostile.Endpoint(tls=tls) as server, endpoint(server) as asked:
        assert [asked.ask(b"{}")[1] for _ in range(3)] == [completion()] * 3
    assert server.connections == 1


@pytest.mark.parametrize("behaviour", [hostile.hangs, hostile.drips_headers, hostile.drips_a_body])
def test_the_time_is_for_all_of_an_answer_also_over_tls(
    certificate: Path, tls: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch, behaviour: Any
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with hostile.Endpoint(behaviour, tls=tls) as server:
        assert complaint_of(server, Patience(1.0, 0)) == "127.0.0.1 did not answer within 1 s"


def test_any_other_certificate_is_refused_before_the_key_is_sent(tls: ssl.SSLContext) -> None:
    with hostile.Endpoint(tls=tls) as server:
        said = complaint_of(server)
    assert said == "127.0.0.1 shows a certificate that is not to be trusted: self-signed certificate"
    assert server.requests == []


# Proxies


@pytest.fixture
def proxy() -> Iterator[hostile.Endpoint]:
    with hostile.Endpoint() as server:
        yield server


def test_a_proxy_of_the_environment_is_asked_for_a_host_elsewhere(proxy: hostile.Endpoint) -> None:
    host = proxy.url.removeprefix("http://").removesuffix("/v1")
    pool = Pool("http://models.example/v1/x", {"http_proxy": f"http://me:p%40ss@{host}"})
    reply = pool.post(b"{}", {}, deadline=1e12, limit=10_000)
    pool.close()
    assert json.loads(reply.body) == completion()
    (request,) = proxy.requests
    assert request.target == "http://models.example:80/v1/x"
    assert request.headers["proxy-authorization"] == "Basic bWU6cEBzcw=="


def test_a_proxy_sees_only_the_name_of_a_host_that_is_asked_over_tls(proxy: hostile.Endpoint) -> None:
    """It refuses the tunnel here, by an answer that is none."""
    host = proxy.url.removeprefix("http://").removesuffix("/v1")
    pool = Pool("https://models.example/v1/x", {"HTTPS_PROXY": host})
    with pytest.raises((OSError, http.client.HTTPException)):
        pool.post(b"{}", {"Authorization": f"Bearer {KEY}"}, deadline=1e12, limit=10_000)
    pool.close()
    (request,) = proxy.requests
    assert (request.target, request.body) == ("models.example:443", b"")
    assert "authorization" not in request.headers


@pytest.mark.parametrize("excepted", ["*", "models.example", ".example", "other.org, example"])
def test_a_host_that_no_proxy_names_is_asked_itself(excepted: str) -> None:
    from lastgood.edge.connections import _proxy

    environ = {"https_proxy": "http://proxy.example:3128", "no_proxy": excepted}
    assert _proxy("https", "models.example", environ) is None
    assert _proxy("https", "models.elsewhere", environ | {"no_proxy": "example"}) == ("proxy.example", 3128, {})


def test_this_machine_is_never_asked_by_way_of_a_proxy() -> None:
    with hostile.Endpoint() as server:
        pool = Pool(server.url, {"http_proxy": "http://proxy.invalid:1", "all_proxy": "socks5://x"})
        assert pool.post(b"{}", {}, deadline=1e12, limit=10_000).status == 200
        pool.close()
