"""The command line: one parser, built only when a command is more than a bare hook."""

from __future__ import annotations

from lastgood.arguments_alone import ALONE
from lastgood.core.value import TYPE_CHECKING
from lastgood.errors import LastgoodError
from lastgood.usage import Parser, Version, commit, file, jobs

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

# Command → what it does, in the order of `lastgood --help`. Each is a module of lastgood.commands.
COMMANDS = {
    "status": "every prompt: pinned or moved, cases, baselines, runs; what to run next",
    "check": "audit one tree: prompts, golden cases and baselines in step; runs no completer",
    "stub": "run the commit completer on what the commit can affect, grade, compare",
    "gate": "check, then stub, in one process: the hook most people use",
    "eval": "ask a completer every case, grade, compare; leaves a pending run",
    "diff": "the pending run against the baseline; prints the run's token",
    "review": "one move after another: accept, reject, skip; records what was accepted",
    "report": "the pending run as a page, for CI (JUnit, annotations, Markdown) or as JSON",
    "record": "make the pending run the baseline: exactly the bytes that were read",
    "catalog": "ship, bump, retire or restore golden cases",
    "log": "the history of accepted moves",
    "show": "one migration, whole",
    "prove": "break a copy of the repository in every known way: the gate must go red each time",
    "init": "set up a repository that has prompts: shows what it would write, asks, writes",
    "import": "what other tools keep, as golden cases: promptfoo, openai-evals, brooder, agentsnap",
    "doctor": "what is wrong with the set-up: hooks, attributes, completers; and what mends it",
    "pair": "single-file mode: one prompt, a suite file, a one-file baseline; no git needed",
    "grade": "grade captured traces and write the score document",
    "compare": "two score documents: regressions, fixed, added, removed",
    "complete": "a shipped completer: answers requests on stdin, by either protocol",
    "upgrade": "bring files of older formats to the newest, and say which they are of",
    "schema": "print the JSON Schema of a file kind, for editors and other programs",
}

_CODES = "exit codes: 0 held, 1 broken, 2 out of step, 3 moved (with --fail-on-diff), 4 cannot tell, 130 interrupted"


def parse(words: Sequence[str]) -> argparse.Namespace:
    """The options of one command line; LastgoodError when it cannot be understood."""
    parser = Parser(prog="lastgood", epilog=_CODES, allow_abbrev=False)
    parser.add_argument("--version", action=Version, nargs=0, help="say it, and the file formats that are read")
    what = "the folder whose configuration is meant (default: the nearest at or above this one)"
    parser.add_argument("--root", metavar="DIR", help=what)  # cli takes it out, wherever it stands
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=Parser)
    for name, summary in COMMANDS.items():
        command = commands.add_parser(name, help=summary, description=summary, epilog=_CODES, allow_abbrev=False)
        _ARGUMENTS[name](command)
    before, command_line = _split(words)
    options = parser.parse_args(_bound(before))
    if command_line is not None:
        if not hasattr(options, "command_line"):
            raise LastgoodError(f"lastgood {options.command} takes no command after --", fix="lastgood --help")
        if not command_line:
            raise LastgoodError("no command after --", fix=f"lastgood {options.command} --help")
        options.command_line = command_line
    return options


def _bound(words: Sequence[str]) -> list[str]:
    """`-p -x` as `-p-x`: a prompt may be called so, and argparse would take its name for an option."""
    found: list[str] = []
    for word in words:
        if found and found[-1] == "-p" and word.startswith("-"):
            found[-1] += word
        else:
            found.append(word)
    return found


def _split(words: Sequence[str]) -> tuple[list[str], list[str] | None]:
    """What stands after the first `--` is the completer's, untouched; argparse would take options out of it."""
    found = list(words)
    if "--" not in found:
        return found, None
    at = found.index("--")
    return found[:at], found[at + 1 :]


def _judging(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="trust nothing remembered: read and audit everything anew")
    parser.add_argument("--every-root", action="store_true", help="judge every folder with a configuration in the tree")
    parser.add_argument("--base", type=commit, help="commit that others share; what it holds must not be rewritten")
    parser.add_argument("--from-ref", type=commit, help="the base of a push")
    parser.add_argument("--to-ref", type=commit, help="judge this commit instead of the index")
    parser.add_argument("--format", choices=("text", "json", "github"), default="text")
    parser.set_defaults(gathered=None)


def _completer(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-c", "--completer", default="", help="the completer (default: eval_completer)")
    parser.add_argument("-p", "--prompt", action="append", default=[], help="only this prompt; may be repeated")


def _eval(parser: argparse.ArgumentParser) -> None:
    _completer(parser)
    parser.add_argument("-k", "--case", action="append", default=[], help="only this case; may be repeated")
    parser.add_argument("-j", "--jobs", type=jobs, default=None, help="processes or requests at once")
    parser.add_argument("--fail-on-diff", action="store_true", help="exit 3 when a completion moved or is new")
    again = parser.add_mutually_exclusive_group()
    again.add_argument("--all", action="store_true", help="ask anew also what the pending run has answers of")
    again.add_argument("--resume", action="store_true", help="go on with an interrupted run; refused when a pin moved")
    parser.add_argument("--repeat", type=jobs, default=None, metavar="N", help="answers a case (default: configured)")
    parser.add_argument("--dry-run", action="store_true", help="say what would be asked, and ask nothing")
    parser.add_argument("--executor", choices=("dask",), default="", help="spread processes over a cluster")
    parser.add_argument("--scheduler", default="", metavar="ADDRESS", help="where the cluster's scheduler listens")
    parser.set_defaults(command_line=None)


def _diff(parser: argparse.ArgumentParser) -> None:
    _completer(parser)
    parser.add_argument("--format", choices=("text", "json", "markdown"), default="text")
    _restore(parser)


def _report(parser: argparse.ArgumentParser) -> None:
    _completer(parser)
    parser.set_defaults(restore=None)  # always of a run
    for form, what in (
        ("html", "one page, nothing fetched (default: .lastgood/report.html)"),
        ("junit", "JUnit XML: a test suite a prompt"),
        ("markdown", "Markdown for a pull request, at most 65,536 characters"),
        ("json", "the document that all other forms are made of"),
    ):
        parser.add_argument(f"--{form}", type=file, metavar="FILE", help=what)
    parser.add_argument("--github", action="store_true", help="print GitHub annotations, on the lines they are about")
    parser.add_argument("--fail-on-diff", action="store_true", help="exit 3 when a completion moved or is new")


def _record(parser: argparse.ArgumentParser) -> None:
    _completer(parser)
    parser.add_argument("--reason", default="", help="why the moves are accepted; required")
    parser.add_argument("--accept", default="", metavar="TOKEN", help="the token that `lastgood diff` printed")
    _restore(parser)
    parser.add_argument("--merge", action="store_true", help="join two heads that a git merge left: two parents")
    parser.add_argument("--resume", action="store_true", help="finish a record that was interrupted")


def _restore(parser: argparse.ArgumentParser) -> None:
    what = "instead of a run, what migration N accepted, as git holds it; the prompt must be that one again"
    parser.add_argument("--restore", type=jobs, default=None, metavar="N", help=what)


def _catalog(parser: argparse.ArgumentParser) -> None:
    acts = parser.add_subparsers(dest="act", metavar="ACT", required=True, parser_class=Parser)
    ship = acts.add_parser("ship", help="add a row for every case that is not in the catalog yet", allow_abbrev=False)
    ship.add_argument("-p", "--prompt", action="append", default=[], help="only this prompt; may be repeated")
    ship.add_argument("--reason", default="", help="why an older version is retired by this one")
    for name, summary in (
        ("bump", "start a new version of a shipped case; an edit made in place becomes it"),
        ("retire", "stop asking a shipped case; its object stays"),
        ("restore", "put a shipped case that was edited back as it shipped"),
    ):
        act = acts.add_parser(name, help=summary, description=summary, allow_abbrev=False)
        act.add_argument("case", help="the case's id")
        act.add_argument("-p", "--prompt", default="", help="the case's prompt, when two prompts have such a case")
        if name != "restore":
            act.add_argument("--reason", default="", help="why the contract changed; required")
        act.add_argument("--case-version", type=jobs, default=None, help="the version (default: the active one)")
    acts.choices["retire"].add_argument("--replaced-by", default="", help="the id of the case that takes its place")


def _log(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("prompt", nargs="?", default="", help="only this prompt")
    parser.add_argument("-c", "--completer", default="", help="only this completer")
    parser.add_argument("--json", action="store_true", help="one JSON document")


def _show(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("migration", help="its hash, its name (0002_…), or PROMPT@NUMBER")
    what = "without the completions that it moved"
    parser.add_argument("--no-diff", action="store_false", dest="diff", help=what)
    parser.add_argument("-c", "--completer", default="", help="only this completer")


def _status(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-p", "--prompt", action="append", default=[], help="only this prompt; may be repeated")
    parser.add_argument("--json", action="store_true", help="one JSON document")


def _prove(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(command_line=None)


def _init(parser: argparse.ArgumentParser) -> None:
    what = "only files that match this glob are prompts; may be repeated"
    parser.add_argument("--only", action="append", default=[], metavar="GLOB", help=what)
    what = "where hooks are cloned from (default: run the lastgood that is installed)"
    parser.add_argument("--hook-repo", default="", metavar="URL", help=what)
    agreed = parser.add_mutually_exclusive_group()
    agreed.add_argument("--yes", action="store_true", help="write without asking")
    agreed.add_argument("--dry-run", action="store_true", help="show, and write nothing")


IMPORTED = ("promptfoo", "openai-evals", "brooder", "agentsnap", "cases")


def _import(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "kind", choices=IMPORTED, help="whose files these are; cases: golden cases of this form already"
    )
    parser.add_argument("path", type=file, help="the file or folder that holds them")
    parser.add_argument("-p", "--prompt", default="", help="the prompt that they are of (default: what they say)")
    what = "whose pending run takes recorded completions (default: eval_completer)"
    parser.add_argument("-c", "--completer", default="", help=what)
    agreed = parser.add_mutually_exclusive_group()
    agreed.add_argument("--yes", action="store_true", help="write without asking")
    agreed.add_argument("--dry-run", action="store_true", help="show, and write nothing")


def _upgrade(_parser: argparse.ArgumentParser) -> None:
    """It has no options."""


def _doctor(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON document")


_ARGUMENTS = {
    "status": _status,
    "check": _judging,
    "stub": _judging,
    "gate": _judging,
    "eval": _eval,
    "diff": _diff,
    "review": _completer,
    "report": _report,
    "record": _record,
    "catalog": _catalog,
    "log": _log,
    "show": _show,
    "prove": _prove,
    "init": _init,
    "import": _import,
    "doctor": _doctor,
    "upgrade": _upgrade,
    **ALONE,
}
