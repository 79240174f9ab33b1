"""`lastgood complete replay`: answers with another completer's baseline, as the folder it runs in has it."""

from __future__ import annotations

import os
from functools import cache, partial

from lastgood.core.baseline import read_baseline, read_completion_of
from lastgood.core.case import read_golden
from lastgood.core.layout import BASELINES, CATALOG, baseline_folder, golden_folder
from lastgood.core.replay import replayed
from lastgood.core.value import TYPE_CHECKING
from lastgood.edge.files import read_file, reading
from lastgood.edge.serving import Said, serve
from lastgood.errors import LastgoodError
from lastgood.report.findings import in_words

if TYPE_CHECKING:
    from argparse import Namespace

    from lastgood.core.case import Case
    from lastgood.edge.serving import Asked


def serve_requests(options: Namespace) -> None:
    """Answer the requests on stdin, by either protocol."""
    folder = f"{BASELINES}{options.of}"
    if not os.path.isdir(folder):
        raise LastgoodError("there is no such baseline; run this at the top of the repository", path=folder)
    serve(partial(_complete, options.of), in_flight=1, explain=in_words)


def _complete(of: str, asked: Asked) -> Said:
    if ".." in asked.prompt_id.split("/") or "/" in asked.case_id:
        raise LastgoodError(f"no prompt {asked.prompt_id!r} with a case {asked.case_id!r}")
    folder = baseline_folder(of, asked.prompt_id)
    path = f"{folder}{asked.case_id}.json"
    if not os.path.isfile(path):  # an id that repeats within a run has a number behind it
        path = f"{folder}{asked.case_id.rpartition('#')[0] or asked.case_id}.json"
    if not os.path.isfile(path):
        raise LastgoodError(f"{of} has no accepted completion of this case", path=path, fix=f"lastgood eval -c {of}")
    data = read_file(path)
    baseline, completion = read_baseline(path, data), read_completion_of(path, data)
    try:
        return Said(replayed(baseline, completion, asked.input, _cases(asked.prompt_id)), {})
    except LastgoodError as exc:
        raise LastgoodError(exc.what, path=path, fix=f"lastgood eval -c {of}") from None


@cache
def _cases(prompt_id: str) -> dict[str, Case]:
    folder = golden_folder(prompt_id)
    with reading(folder):
        names = [name for name in os.listdir(folder) if name.endswith(".json") and name != CATALOG]
    found = [case for name in names for case in read_golden(folder + name, read_file(folder + name)).cases]
    return {case.case_hash: case for case in found}
