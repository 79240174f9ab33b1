"""What looks like a secret, and what does not. The tokens are invented; none stands in this file as a literal."""

from __future__ import annotations

import base64
import hashlib
import json
import random
import string
import subprocess
import sys
import uuid

import pytest

from lastgood.edge.secrets import suspects
from lastgood.errors import LastgoodError

_DICE = random.Random(20261201)
_ALNUM = string.ascii_letters + string.digits
_UPPER = string.ascii_uppercase + "234567"


def some(count: int, signs: str = _ALNUM) -> str:
    return "".join(_DICE.choice(signs) for _ in range(count))


def encoded(found: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(found).encode()).decode().rstrip("=")


def private_key(name: str) -> str:
    dashes = "-" * 5
    body = "\n".join(some(64) for _ in range(12))
    return f"{dashes}BEGIN {name}PRIVATE KEY{dashes}\n{body}\n{dashes}END {name}PRIVATE KEY{dashes}"


def uuid4() -> str:
    return str(uuid.UUID(int=_DICE.getrandbits(128), version=4))


def hexdigest() -> str:
    return hashlib.sha256(some(9).encode()).hexdigest()


SECRETS = {
    "aws access key id": "Your key is " + "AKIA" + some(16, _UPPER) + ", keep it safe.",
    "aws secret key": json.dumps({"aws_access_key_id": "AKIA" + some(16, _UPPER), "aws_secret_access_key": some(40)}),
    "github token": "use " + "ghp_" + some(36),
    "github fine-grained token": "github" + "_pat_" + some(22) + "_" + some(59),
    "gitlab token": "glpat" + "-" + some(20),
    "openai key": "OPENAI_API_KEY=" + "sk-" + some(20) + "T3Blbk" + "FJ" + some(20),
    "openai project key": json.dumps({"key": "sk-" + "proj-" + some(74) + "T3Blbk" + "FJ" + some(74)}),
    "key of an openai-like vendor": "sk-" + some(48),
    "openai project key without its mark": "use " + "sk-" + "proj-" + some(48),
    "short key of an openai-like vendor": "sk-" + some(35),
    "openrouter key": "sk-" + "or-v1-" + some(64, "0123456789abcdef"),
    "anthropic key": "sk-" + "ant-api03-" + some(93) + "AA",
    "slack bot token": "xox" + f"b-{some(12, string.digits)}-{some(12, string.digits)}-{some(24)}",
    "slack webhook": f"https://hooks.slack.com/services/T{some(9, _UPPER)}/B{some(9, _UPPER)}/{some(24)}",
    "private key": private_key("RSA "),
    "private key in JSON": json.dumps({"key": private_key("")}),
    "openssh key": private_key("OPENSSH "),
    "jwt": ".".join((encoded({"alg": "HS256", "typ": "JWT"}), encoded({"sub": "1042", "iat": 1516239022}), some(43))),
    "stripe key": "sk_" + "live_" + some(24),
    "google key": "AI" + "za" + some(35),
    "hugging face token": "h" + "f_" + some(34, string.ascii_letters),
    "password in a connection string": f"postgresql://svc:{some(16)}@db.internal.net:5432/prod",
    "beside a lone surrogate": "\ud800 " + "ghp_" + some(36),
}

INNOCENT = {
    "english": "Please reset your password from the account page; the token in the mail is valid for an hour.",
    "order": '{"status": "paid", "order_id": "ord_1042"}',
    "vendor ids": json.dumps({"customer": "cus_" + some(14), "charge": "ch_3" + some(22), "call": "call_" + some(24)}),
    "uuids": json.dumps({"request_id": uuid4(), "key": uuid4(), "idempotency_key": uuid4()}),
    "sha256": json.dumps({"digest": hexdigest(), "prompt_sha256": hexdigest(), "key": hexdigest()}),
    "commit": f"Fixed in commit {hexdigest()[:40]}.",
    "token counts": '{"usage": {"total_tokens": 1532, "prompt_tokens": 1200}, "token_type": "bearer"}',
    "demo tokens": '{"name": "lookup_order", "arguments": {"session_token": "tok_demo", "user_token": "cus_8d7f6a"}}',
    "confirmation code": "confirmation_token: 7F3K-22LD, PIN 4821",
    "next page": json.dumps({"next_page_token": encoded({"offset": 100, "limit": 50})}),
    "code": "```python\napi_key = os.environ['OPENAI_API_KEY']\nclient = OpenAI(api_key=api_key)\n```",
    "placeholders": "Set OPENAI_API_KEY=sk-... and password=<your password>, then Authorization: Bearer YOUR_TOKEN",
    "example url": "https://user:pass@example.com/x",
    "redacted": '{"secret": "none", "api_key": null, "password": "***", "token": "redacted"}',
    "base64 of prose": base64.b64encode(b"hello world, this is a picture of nothing at all").decode(),
    "public key": "-----BEGIN PUBLIC KEY-----\n" + some(64) + "\n-----END PUBLIC KEY-----",
    "talk about keys": "An AWS key id starts with AKIA, a GitHub token with ghp_, a key file with BEGIN PRIVATE KEY.",
    "hyphens": "risk-based task-oriented desk-sharing SKU sk-1042-blue-large-cotton-shirt",
    "tracking number": "Tracking number 1Z999AA10123456784, invoice INV-2026-000123, IBAN DE89 3704 0044 0532 0130 00",
    "german": "Ihr Passwort: bitte zurücksetzen. Token: siehe Mail.",
    "empty": "",
}


@pytest.mark.parametrize("text", SECRETS.values(), ids=SECRETS)
def test_a_secret_is_suspected(text: str) -> None:
    assert [case_id for case_id, _ in suspects({"case": text})]


@pytest.mark.parametrize("text", INNOCENT.values(), ids=INNOCENT)
def test_an_innocent_text_is_not(text: str) -> None:
    assert suspects({"case": text}) == []


def test_case_and_kind_are_named_and_the_secret_is_not() -> None:
    secret = "ghp_" + some(36)
    found = suspects({"paid": "all good", "refund": f"{secret} and {secret}", "lost": SECRETS["slack webhook"]})
    assert found == [("refund", "github_token"), ("lost", "slack_webhook")]


def test_identifiers_that_a_thousand_answers_hold_are_no_secrets() -> None:
    names = ("key", "token", "session", "id", "hash", "auth", "cursor", "trace")
    makers = (uuid4, hexdigest, lambda: hexdigest()[:16], lambda: "ord_" + some(10))
    texts = {str(i): json.dumps({_DICE.choice(names): _DICE.choice(makers)()}) for i in range(1000)}
    assert suspects(texts) == []


def test_looking_opens_no_socket() -> None:
    code = (
        "import sys\n"
        "def watch(event, args):\n"
        "    if event.startswith('socket.'): raise SystemExit(event)\n"
        "sys.addaudithook(watch)\n"
        "from lastgood.edge.secrets import suspects\n"
        "assert suspects({'a': 'ghp' + '_' + 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5'})\n"
        "assert 'socket' not in sys.modules\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_scanner_that_cannot_be_loaded_is_an_error_and_no_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "redact_secret", None)  # what an installation without it does to the import
    with pytest.raises(LastgoodError, match="cannot be scanned") as caught:
        suspects({"case": "text"})
    assert caught.value.fix == "pip install --force-reinstall redact-secret"


def test_a_text_that_the_scanner_refuses_is_an_error_and_no_pass() -> None:
    with pytest.raises(LastgoodError, match="completion of huge cannot be scanned"):
        suspects({"small": "text", "huge": "a" * (64 * 1024 * 1024 + 1)})
