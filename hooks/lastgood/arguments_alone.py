"""The options of commands that need no repository: single files, captured traces, shipped completers."""

from __future__ import annotations

import argparse

from lastgood.core.config import OUTPUTS
from lastgood.core.published import KINDS
from lastgood.usage import Parser, count, jobs, retries, seconds


def _pair(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--prompt", required=True, help="the prompt file")
    parser.add_argument("--golden", default="golden.json", help="the suite file (default: golden.json)")
    parser.add_argument("--baseline", default="baseline.json", help="the one-file baseline (default: baseline.json)")
    what_for = parser.add_mutually_exclusive_group()
    what_for.add_argument("--record", action="store_true", help="make what comes back the baseline, if all of it holds")
    what_for.add_argument("--fail-on-diff", action="store_true", help="exit 3 when a completion moved or is new")
    parser.add_argument("--output", choices=OUTPUTS, default="text", help="how standard output is read (default: text)")
    parser.add_argument("-j", "--jobs", type=jobs, default=None, help="processes at once")
    parser.add_argument("--timeout", type=seconds, default=60.0, help="seconds a case may take (default: 60)")
    _schemas(parser)
    parser.add_argument("--cmd", nargs=argparse.REMAINDER, help="the command, as the last option; or give it after --")
    parser.set_defaults(command_line=None)


def _schemas(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--schemas", default="", help="folder of output schemas (default: schemas/ beside the cases)")


def _grade(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--cases", required=True, help="folder of golden cases")
    parser.add_argument("--traces", required=True, help="an object by case id, or JSON Lines with an id a line")
    parser.add_argument("--output", choices=OUTPUTS, default="trace", help="how each is read (default: trace)")
    parser.add_argument("--out", default="", help="where the score document goes (default: standard output)")
    _schemas(parser)


def _compare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--old", required=True, help="the score document of the last accepted run")
    parser.add_argument("--new", required=True, help="the score document to compare with it")
    parser.add_argument("--fail-on-diff", action="store_true", help="exit 3 when a completion moved and still passes")


def _complete(parser: argparse.ArgumentParser) -> None:
    kinds = parser.add_subparsers(dest="kind", metavar="KIND", required=True, parser_class=Parser)
    for name, (summary, add) in _COMPLETERS.items():
        add(kinds.add_parser(name, help=summary, description=summary, allow_abbrev=False))


def _complete_openai(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--base-url", default="", metavar="URL", help="default: OPENAI_BASE_URL, else OpenAI's own")
    parser.add_argument("--model", required=True, help="as the endpoint calls it")
    parser.add_argument("--key-env", metavar="NAME", help="variable that holds the key, or none (OPENAI_API_KEY)")
    parser.add_argument("--header", action="append", default=[], metavar="'NAME: VALUE'", help="VALUE or env:VARIABLE")
    parser.add_argument("--temperature", default="0", metavar="N", help="default: 0; none leaves it out")
    parser.add_argument("--seed", default="0", metavar="N", help="default: 0; none leaves it out")
    parser.add_argument("--max-tokens", type=count, metavar="N", help="default: the endpoint's own")
    parser.add_argument("--param", action="append", default=[], metavar="KEY=JSON", help="any other parameter")
    parser.add_argument(
        "--response-format", default="", metavar="FORMAT", help="json, a file, or JSON: a schema or more"
    )
    parser.add_argument("--text", action="store_true", help="only the answer's text (default: the vendor's document)")
    parser.add_argument("--timeout", type=seconds, metavar="S", help="for a case in all (default: 0.9 of timeout_s)")
    parser.add_argument("--retries", type=retries, default=4, metavar="N", help="after 429, 5xx, lost connections (4)")
    parser.add_argument("--backoff", type=seconds, default=0.5, help=argparse.SUPPRESS)
    parser.add_argument("--in-flight", type=jobs, default=1000, metavar="N", help="requests at once (default: jobs)")


def _complete_replay(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--of", required=True, metavar="NAME", help="the completer whose baseline answers")


_COMPLETERS = {
    "openai": ("answers of an OpenAI-compatible endpoint", _complete_openai),
    "replay": ("answers of another completer's baseline, from the working tree", _complete_replay),
}


def _schema(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("kind", metavar="KIND", help=f"one of {', '.join(KINDS)}")


ALONE = {"pair": _pair, "grade": _grade, "compare": _compare, "complete": _complete, "schema": _schema}
