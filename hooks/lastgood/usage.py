"""How a command line is understood or refused, and the kinds of value that options take."""

from __future__ import annotations

import argparse

from lastgood import __version__
from lastgood.core.formats import said
from lastgood.core.value import TYPE_CHECKING
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from typing import NoReturn


class Parser(argparse.ArgumentParser):
    """Usage errors are exit 4: argparse's own 2 means "out of step" here."""

    def error(self, message: str) -> NoReturn:
        raise LastgoodError(message, fix=f"{self.prog} --help")


class Version(argparse.Action):
    """`--version`: ours, and the file formats that are read, a line each."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        print(f"{parser.prog} {__version__}\n{said()}")
        parser.exit()


def jobs(text: str) -> int:
    if not text.isdecimal() or len(text) > 9 or not 0 < int(text) <= 10_000:
        raise argparse.ArgumentTypeError("must be a whole number from 1 to 10000")
    return int(text)


def commit(text: str) -> str:
    if not text.strip():  # an unset variable of a CI script must not quietly mean something else
        raise argparse.ArgumentTypeError("must name a commit, and is empty")
    return text


def file(text: str) -> str:
    if not text:  # an unset variable of a CI script must not quietly mean the default
        raise argparse.ArgumentTypeError("must name a file, and is empty")
    return text


def seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError("must be a number of seconds above 0")
    return seconds


def count(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) <= 10**9:
        raise argparse.ArgumentTypeError("must be a whole number above 0")
    return int(text)


def retries(text: str) -> int:
    if not text.isdecimal() or int(text) > 100:
        raise argparse.ArgumentTypeError("must be a whole number from 0 to 100")
    return int(text)
