"""The words of a command line as values: each says what it must be when it is not."""

from __future__ import annotations

import argparse


def commit(text: str) -> str:
    """The name of a commit."""
    if not text.strip():  # an unset variable of a CI script must not quietly mean something else
        raise argparse.ArgumentTypeError("must name a commit, and is empty")
    return text


def jobs(text: str) -> int:
    """How many at once, or which one: from 1."""
    if not text.isdecimal() or not 0 < int(text) <= 10_000:
        raise argparse.ArgumentTypeError("must be a whole number from 1 to 10000")
    return int(text)


def file(text: str) -> str:
    """The name of a file."""
    if not text:  # an unset variable of a CI script must not quietly mean the default
        raise argparse.ArgumentTypeError("must name a file, and is empty")
    return text


def seconds(text: str) -> float:
    """A time, above 0."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError("must be a number of seconds above 0")
    return seconds


def count(text: str) -> int:
    """A whole number above 0."""
    if not text.isdecimal() or not 0 < int(text) <= 10**9:
        raise argparse.ArgumentTypeError("must be a whole number above 0")
    return int(text)


def retries(text: str) -> int:
    """How often to try again."""
    if not text.isdecimal() or int(text) > 100:
        raise argparse.ArgumentTypeError("must be a whole number from 0 to 100")
    return int(text)
