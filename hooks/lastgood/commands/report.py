"""`lastgood report`: the pending run for people who'd rather look, and for CI. All forms say the same."""

from __future__ import annotations

import os

from lastgood.commands.pending import pending_runs
from lastgood.commands.reported import report_of
from lastgood.commands.survey import chosen, completer_of, worktree_survey
from lastgood.core.value import TYPE_CHECKING
from lastgood.edge import roots
from lastgood.edge.files import write_file
from lastgood.edge.folder import run_folder
from lastgood.report.printable import shown_path
from lastgood.report.speller import Speller

if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any


def run(options: Namespace) -> int:
    """Write every form asked for, the page where none is; the exit code is the run's own verdict, as of `eval`."""
    root = roots.find_root()
    found = worktree_survey(root)
    completer = completer_of(found.config, options.completer)
    pending = pending_runs(found, completer, chosen(found, options.prompt))
    report = report_of(found, pending, options, Speller.of(root), fail_on_diff=options.fail_on_diff)
    for form, path in _wanted(options, root):
        write_file(path, _FORMS[form](report, options).encode("utf-8", "backslashreplace"))
        print(f"wrote {shown_path(os.path.relpath(path))}")
    if options.github:
        from lastgood.report.github import github

        print(github(report, fail_on_diff=options.fail_on_diff), end="")
    return int(report["verdict"])


def _wanted(options: Namespace, root: str) -> list[tuple[str, str]]:
    wanted = [(form, path) for form in _FORMS if (path := getattr(options, form))]
    return wanted or ([] if options.github else [("html", os.path.join(run_folder(root), "report.html"))])


def _html(report: dict[str, Any], options: Namespace) -> str:  # noqa: ARG001  # one form like the others
    from lastgood.report.html import page

    return page(report)


def _junit(report: dict[str, Any], options: Namespace) -> str:
    from lastgood.report.junit import junit

    return junit(report, fail_on_diff=options.fail_on_diff)


def _markdown(report: dict[str, Any], options: Namespace) -> str:  # noqa: ARG001  # one form like the others
    from lastgood.report.moves_markdown import markdown

    return markdown(report, report["next"])


def _json(report: dict[str, Any], options: Namespace) -> str:  # noqa: ARG001  # one form like the others
    import json

    return json.dumps(report, indent=2) + "\n"


_FORMS: dict[str, Any] = {"html": _html, "junit": _junit, "markdown": _markdown, "json": _json}
