"""What a reviewer decided so far, beside the run: a decision is about one answer, and forgotten with it."""

from __future__ import annotations

import json
import os

from lastgood.core.formats import NEWEST, refuse_newer
from lastgood.core.review import ACCEPT, REJECT
from lastgood.core.value import TYPE_CHECKING
from lastgood.edge.folder import replace_file
from lastgood.edge.runs import folder_of
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from collections.abc import Mapping

_NAME = "review.json"


def read(root: str, completer: str, prompt_id: str, answers: Mapping[str, str]) -> dict[str, str]:
    """Case id → decision, of those that are about the very `answers` (case id → what stands for it) of now."""
    path = os.path.join(folder_of(root, completer, prompt_id), _NAME)
    try:
        with open(path, "rb") as file:
            found = json.load(file)
        refuse_newer(found, path=path, key="lastgood_review", pointer="/lastgood_review")
        if found["lastgood_review"] != NEWEST:
            return {}
        rows = found["cases"]
        return {
            case_id: rows[case_id]["decision"]
            for case_id, answer in answers.items()
            if case_id in rows and rows[case_id]["answer"] == answer and rows[case_id]["decision"] in (ACCEPT, REJECT)
        }
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError, RecursionError):  # then everything is asked again
        return {}


def write(
    root: str, completer: str, prompt_id: str, *, token: str, answers: Mapping[str, str], decisions: Mapping[str, str]
) -> None:
    """Keep them; `token` is that of the run that was shown."""
    rows = {case_id: {"decision": decision, "answer": answers[case_id]} for case_id, decision in decisions.items()}
    found = {"lastgood_review": NEWEST, "token": token, "cases": rows}
    path = os.path.join(folder_of(root, completer, prompt_id), _NAME)
    try:
        replace_file(path, (json.dumps(found, indent=1) + "\n").encode("ascii"), durable=False)
    except OSError as exc:
        raise LastgoodError(f"decisions cannot be kept: {exc.strerror}", path=path, fix="df -h .") from None
