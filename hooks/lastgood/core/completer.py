"""The identity of a completer: what its baselines were taken with."""

from __future__ import annotations

from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from lastgood.core.config import Completer


def named_files(completer: Completer, paths: Container[str]) -> tuple[str, ...]:
    """The repository files that the command names, in its order: their bytes are part of the fingerprint."""
    return tuple(path for path in file_like(completer) if path in paths)


def file_like(completer: Completer) -> tuple[str, ...]:
    """The words of the command that could be repository files: relative, and no option; without a leading `./`."""
    return tuple(dict.fromkeys(path for _, path in named_words(completer) if path))


def named_words(completer: Completer) -> tuple[tuple[str, str], ...]:
    """(word, the repository path it would be, or "") of a command."""
    return tuple((word, "" if _no_file(word) else _plain(word)) for word in completer.command)


def _no_file(word: str) -> bool:
    return word.startswith(("-", "/", "../", "~")) or "://" in word


def _plain(word: str) -> str:
    while word.startswith("./"):
        word = word[2:]
    return word


def fingerprint(completer: Completer, prompt_id: str, files: Mapping[str, str]) -> str:
    """16 hex digits over command, model, parameters and the bytes (path → SHA-256) of every file the command names.

    Limits and environment are left out: they decide whether an answer comes, not which.
    """
    from lastgood.core.digest import value_hash

    return value_hash(
        {
            "command": list(completer.command),
            "protocol": completer.protocol,
            "output": completer.output_for(prompt_id),
            "stdin": completer.stdin,
            "take": completer.take,
            "model": completer.model,
            "files": dict(files),
        }
    )
