"""argv → command → exit code: the only place that catches."""

from __future__ import annotations

import gc
import os
import sys

from lastgood.core.value import TYPE_CHECKING
from lastgood.core.verdict import CANNOT_TELL, INTERRUPTED
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is the documented one, whatever happens."""
    if argv is None and sys.getfilesystemencoding() != "utf-8":
        _speak_utf8()
    try:
        code = _outcome(list(sys.argv[1:] if argv is None else argv))
        sys.stdout.flush()  # here, where somebody catches: at the interpreter's end it would change the exit code
    except OSError as exc:
        # The interpreter writes what is left at its end: to nobody, when nobody could be told what stands so far.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        if not isinstance(exc, BrokenPipeError):  # else the reader of our output left
            _complain(f"lastgood: {f'{exc.filename}: ' if exc.filename else ''}{exc.strerror or exc}")
        return CANNOT_TELL
    return code


def _speak_utf8() -> None:
    """Start anew where the locale is not UTF-8: git's names are, and no other encoding can write all of them."""
    if os.path.isfile(sys.argv[0]) and not sys.flags.utf8_mode:
        words = [os.fsencode(word) for word in (sys.executable, "-X", "utf8", *sys.argv)]
        os.execv(sys.executable, words)  # noqa: S606  # ourselves


def _outcome(words: list[str]) -> int:
    try:
        return _run(words)
    except LastgoodError as exc:
        from lastgood.commands.place import top
        from lastgood.report.findings import sentence
        from lastgood.report.speller import Speller

        _complain(sentence(exc.what, exc.path, exc.pointer, exc.fix, Speller.of(top())))
        return CANNOT_TELL
    except KeyboardInterrupt:
        _complain("lastgood: interrupted")
        return INTERRUPTED
    except SystemExit as exc:  # only argparse's --help and --version, which end with 0
        return CANNOT_TELL if exc.code else 0
    except OSError:
        raise
    except Exception:
        import traceback

        _complain(traceback.format_exc() + "lastgood: unexpected; this is a fault of lastgood, please report it")
        return CANNOT_TELL


def _complain(message: str) -> None:
    try:  # noqa: SIM105  # contextlib costs a hook a quarter of the interpreter's start
        print(message, file=sys.stderr, flush=True)
    except OSError:  # nobody reads it any more
        pass


def _open_streams() -> None:
    """Streams that were closed by whoever started us: else the first pipe to git would be our standard output."""
    fd = os.open(os.devnull, os.O_RDWR)
    while fd <= 2:
        fd = os.dup(fd)
    os.close(fd)
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w"))  # noqa: SIM115  # until the end


def _run(words: list[str]) -> int:
    # Nearly all that is made stays until the end: to look through it again and again for what can go finds nothing.
    gc.set_threshold(100_000, 50)
    _open_streams()
    for stream in (sys.stdout, sys.stderr):
        # A name that the locale cannot write must not turn a verdict into a traceback.
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    words, root = _rooted(words)
    if root or "lastgood.edge.roots" in sys.modules:  # where main is called again, another root may have been meant
        from lastgood.commands.place import mean

        mean(root)
    if len(words) == 1 and words[0] in ("check", "stub", "gate"):  # a hook: it can't wait for argparse
        from lastgood.commands.options import Options

        return int(_module(words[0]).run(Options()))
    from lastgood.arguments import parse
    from lastgood.arguments_alone import ALONE

    options = parse(words)
    if root and options.command in ALONE:
        raise LastgoodError(f"lastgood {options.command} is about no root", fix=f"lastgood {options.command} --help")
    return int(_module(options.command).run(options))


def _rooted(words: list[str]) -> tuple[list[str], str]:
    """The command line without `--root DIR`, and DIR: a hook can have it before or behind the command."""
    rest: list[str] = []
    root = ""
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word in ("--", "--cmd"):  # what follows is a completer's
            return [*rest, *words[at - 1 :]], root
        if (word == "--root" or word.startswith("--root=")) and rest[-1:] not in (["-p"], ["--reason"]):
            root, at = (word[len("--root=") :], at) if "=" in word else ("".join(words[at : at + 1]), at + 1)
            if not root.strip():  # an unset variable of a CI script must not quietly mean something else
                raise LastgoodError("--root must name a folder", fix="lastgood --help")
        else:
            rest.append(word)
    return rest, root


def _module(command: str) -> Any:
    from importlib import import_module

    return import_module(f"lastgood.commands.{command}")
