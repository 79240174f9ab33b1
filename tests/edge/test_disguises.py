"""A value that must not be shown is found however somebody wrote it."""

from __future__ import annotations

import base64
import json
from urllib.parse import quote

import pytest

from lastgood.core.config import Completer
from lastgood.edge.completers.words import line, masked, secrets, shown

KEY = "sk/é\"<p&w>'=0123+45~"
PEM = "-----BEGIN KEY-----\nMIIEvQIBADANBgkq\nAAAAhkiG9w0BAQEF\nshort\n-----END KEY-----\n"


def hide(text: str, value: str = KEY) -> str:
    return masked(text, secrets(Completer("real", ("x",), env=("KEY",)), {"KEY": value}))


def test_as_it_is() -> None:
    assert hide(f"a {KEY} b {KEY}") == "a [KEY] b [KEY]"


@pytest.mark.parametrize(
    "written",
    [
        json.dumps(KEY),
        json.dumps(KEY, ensure_ascii=False),
        json.dumps(KEY).replace("/", "\\/"),
        json.dumps(KEY, ensure_ascii=False).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"),
        json.dumps(KEY)
        .replace("<", "\\u003c")
        .replace(">", "\\u003e")
        .replace("&", "\\u0026")
        .replace("=", "\\u003d")
        .replace("'", "\\u0027"),
        quote(KEY, safe=""),
    ],
    ids=["json, ASCII", "json, UTF-8", "as PHP", "as Go", "as Gson", "in an address"],
)
def test_escaped(written: str) -> None:
    assert hide(f"key {written}.") in ('key "[KEY]".', "key [KEY].")


@pytest.mark.parametrize("before", ["", "u", "us", "user:"])
@pytest.mark.parametrize("encode", [base64.b64encode, base64.urlsafe_b64encode])
def test_in_base64_wherever_it_stands(before: str, encode: object) -> None:
    assert callable(encode)
    whole = encode(f"{before}{KEY}@host".encode()).decode()
    left = hide(f"Basic {whole}")
    assert "[KEY]" in left
    assert len(left) < len("Basic [KEY]") + len(before) * 2 + 12, "what is left is what stood around it"


def test_a_line_of_a_key_of_several() -> None:
    assert hide("MIIEvQIBADANBgkq", PEM) == "[KEY]"
    assert hide(PEM.strip(), PEM) == "[KEY]"
    assert hide("a short one", PEM) == "a short one"


def test_without_the_line_feed_of_the_file_it_came_from() -> None:
    assert hide("is sk-123456789.", "sk-123456789\n") == "is [KEY]."


def test_white_space_in_it_hides_it_from_nobody() -> None:
    hidden = secrets(Completer("real", ("x",), env=("KEY",)), {"KEY": "pass  word\t12"})
    assert line("no pass  word\t12", hidden) == "no [KEY]"
    assert shown("no pass  word\t12", hidden) == "no [KEY]"


def test_a_short_one_hides_nothing() -> None:
    assert hide("in eu-west", "eu-west") == "in eu-west"
