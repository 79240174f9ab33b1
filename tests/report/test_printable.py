"""Arbitrary text made safe to print."""

from __future__ import annotations

import subprocess
import sys

import pytest

from lastgood.report.printable import printable, shown_path, told_apart

ONE_LINE = {
    "plain": ("status: paid", "status: paid"),
    "other scripts and emoji": ("ü 注文 🎉 é", "ü 注文 🎉 é"),
    "no-break space": ("a\u00a0b", "a\u00a0b"),
    "backslash": ("a\\nb", "a\\nb"),
    "newline": ("a\nb", "a\\nb"),
    "tab": ("a\tb", "a\\tb"),
    "carriage return": ("100%\rdone", "100%\\rdone"),
    "escape sequence": ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
    "backspace": ("ok\x08\x08no", "ok\\x08\\x08no"),
    "NUL": ("a\0b", "a\\x00b"),
    "delete": ("a\x7fb", "a\\x7fb"),
    "C1 control sequence introducer": ("\x9b31m", "\\x9b31m"),
    "bidi override": ("a\u202etxt.exe", "a\\u202etxt.exe"),
    "bidi isolate": ("\u2066a\u2069", "\\u2066a\\u2069"),
    "bidi mark": ("a\u200f\u200e\u061c", "a\\u200f\\u200e\\u061c"),
    "line separator": ("a\u2028b\u2029", "a\\u2028b\\u2029"),
    "invisible tag characters": ("hi\U000e0041", "hi\\U000e0041"),
    "lone surrogate": ("a\ud800b", "a\\ud800b"),
    "workflow command": ("::error::all good", "\\x3a:error::all good"),
    "workflow command after spaces": ("  ::stop-commands::x", "  \\x3a:stop-commands::x"),
    "colons inside a line": ("std::vector a::b", "std::vector a::b"),
    "old workflow command": ("x ##[error]y", "x \\x23#[error]y"),
    "azure command": ("##vso[task.complete]", "\\x23#vso[task.complete]"),
    "teamcity command": ("##teamcity[buildStop]", "\\x23#teamcity[buildStop]"),
    "heading": ("## [link]", "## [link]"),
    "empty": ("", ""),
}

LINES = {
    "newline and tab stay": ("a\n\tb\n", "a\n\tb\n"),
    "carriage return": ("a\r\nb", "a\\r\nb"),
    "escape": ("a\n\x1b[2Jb", "a\n\\x1b[2Jb"),
    "line separator does not begin a line": ("a\u2028::error::", "a\\u2028::error::"),
    "command in a later line": ("a\n\t::add-mask::b\nc", "a\n\t\\x3a:add-mask::b\nc"),
    "command after an odd space": ("a\n\u3000::error::b", "a\n\u3000\\x3a:error::b"),
    "command in every line": ("::a\n::b", "\\x3a:a\n\\x3a:b"),
}

PATHS = {
    "plain": ("prompts/billing-v3.txt", "prompts/billing-v3.txt"),
    "umlaut and space": ("prompts/für alle.txt", "prompts/für alle.txt"),
    "newline": ("a\nb", "a\\nb"),
    "tab": ("a\tb", "a\\tb"),
    "double quote": ('a"b', "a\\x22b"),
    "single quote": ("it's", "it\\x27s"),
    "backslash": ("a\\x0ab", "a\\\\x0ab"),
    "leading dash": ("-rf", "./-rf"),
    "dash inside": ("a/-rf", "a/-rf"),
    "bytes that are no UTF-8": (b"caf\xe9.txt".decode("utf-8", "surrogateescape"), "caf\\xe9.txt"),
    "another surrogate": ("a\ud800", "a\\ud800"),
    "bidi override": ("a\u202eb", "a\\u202eb"),
    "workflow command": ("::error::x", "\\x3a:error::x"),
}


@pytest.mark.parametrize(("text", "shown"), ONE_LINE.values(), ids=ONE_LINE)
def test_one_line_holds_nothing_that_acts(text: str, shown: str) -> None:
    assert printable(text) == shown


@pytest.mark.parametrize(("text", "shown"), LINES.values(), ids=LINES)
def test_several_lines_keep_newline_and_tab_only(text: str, shown: str) -> None:
    assert printable(text, multiline=True) == shown


@pytest.mark.parametrize(("path", "shown"), PATHS.values(), ids=PATHS)
def test_a_path_is_one_line_and_unambiguous(path: str, shown: str) -> None:
    assert shown_path(path) == shown


@pytest.mark.parametrize("multiline", [False, True], ids=["one line", "lines"])
def test_every_character_comes_out_as_utf8_without_controls(multiline: bool) -> None:
    everything = "".join(map(chr, range(0x110000)))
    shown = printable(everything, multiline=multiline)
    assert shown.encode("utf-8")
    controls = {sign for sign in shown if ord(sign) < 0x20 or 0x7F <= ord(sign) < 0xA0}
    assert controls == ({"\n", "\t"} if multiline else set())


def test_what_is_printable_comes_back_as_it_is() -> None:
    for text in (*ONE_LINE.values(), *LINES.values()):
        once = printable(text[0], multiline=True)
        assert printable(once, multiline=True) == once


def test_importing_it_imports_nothing() -> None:
    code = "import sys; before = set(sys.modules); import lastgood.report.printable; print(*set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) <= {"__future__", "lastgood", "lastgood.report", "lastgood.report.printable"}


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        pytest.param("", [], id="nothing"),
        pytest.param("plain\n\ttext ü 日本", [(False, "plain\n\ttext ü 日本")], id="all of it seen"),
        pytest.param("a\u202eb", [(False, "a"), (True, "\\u202e"), (False, "b")], id="a bidi control"),
        pytest.param("\x00\x1b[", [(True, "\\x00\\x1b"), (False, "[")], id="control characters"),
        pytest.param("a\u200bb", [(False, "a"), (True, "\\u200b"), (False, "b")], id="no width"),
        pytest.param("👩\u200d👧 ::error", [(False, "👩\u200d👧 ::error")], id="a joiner between emoji"),
        pytest.param("\ud800", [(True, "\\ud800")], id="a lone surrogate"),
        pytest.param("\U000e0041", [(True, "\\U000e0041")], id="a tag character"),
    ],
)
def test_what_cannot_be_seen_is_told_apart(text: str, pieces: list[tuple[bool, str]]) -> None:
    assert told_apart(text) == pieces
