"""Faults of the files that a completer runs, and of what a completer says."""

from __future__ import annotations

import json

from lastgood.core.completer import named_files
from lastgood.core.fault import Fault, Ground, Injected
from lastgood.core.judgement import DIFF, FAIL, judge
from lastgood.core.rehearsal import ANSWERS, answers_file, configuration, output_of, said
from lastgood.core.value import TYPE_CHECKING
from lastgood.core.verdict import BROKEN, CANNOT_TELL, MOVED, OUT_OF_STEP

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lastgood.core.case import Case
    from lastgood.core.fault import Guarded


def _file_edited(ground: Ground) -> Injected | str:
    path = _file(ground)
    return Injected({path: ground.bytes_of(path) + b"\n"}) if path else _NO_FILE


def _file_left_out(ground: Ground) -> Injected | str:
    path = _file(ground)
    return Injected({}, left_out=(path,)) if path else _NO_FILE


def _file_linked(ground: Ground) -> Injected | str:
    path = _file(ground)
    return Injected({}, links={path: "lastgood-prove-nowhere"}) if path else _NO_FILE


_NO_FILE = "the completer's command names no file of this repository"


def _file(ground: Ground) -> str:
    completer = ground.config.completer(ground.completer)
    files = named_files(completer, ground.tree.entries) if completer else ()
    return files[0] if files else ""


FAULTS = (
    Fault("completer file edited", OUT_OF_STEP, "completer-moved", _file_edited),
    Fault("completer file not in the tree", CANNOT_TELL, "completer-untracked", _file_left_out),
    Fault("completer file replaced by a symbolic link", CANNOT_TELL, "completer-mode", _file_linked),
)


# Below: of the rehearsal, where a program says what was accepted, and for one case what it is told to.


def _moves(ground: Ground) -> Injected | str:
    return _says_otherwise(ground, DIFF) or "no other answer would keep every assertion of a case"


def _breaks(ground: Ground) -> Injected | str:
    return _says_otherwise(ground, FAIL) or "no answer would break an assertion"


def _says_otherwise(ground: Ground, status: str) -> Injected | None:
    """An edit by which the first answer that can be has this status."""
    for one in ground.guarded:
        for case in one.cases:
            accepted, how = one.chain.baselines[case.id].digest, output_of(ground, one)
            for output in _others(said(ground, one, case), how):
                judged = judge(case, output, ("", ""), how, accepted, ground.schemas)
                if judged.status == status:
                    return Injected({ANSWERS: answers_file(ground, {(one.prompt_id, case.id): {"output": output}})})
    return None


def _others(accepted: str, how: str) -> Iterator[str]:
    """Other answers, those that say nearly the same first."""
    found = json.loads(accepted) if how == "trace" else None
    for text in _reworded(found["final_text"] if found else accepted):
        yield json.dumps({**found, "final_text": text}) if found else text


def _reworded(text: str) -> Iterator[str]:
    if text[:1] in ("{", "["):
        yield text[0] + " " + text[1:].lstrip()
        yield text[0] + text[1:].lstrip()
    yield from (f"{text} Thank you.", f"{text}.", f"Well, {text}", "", "{}", "as an AI I cannot tell", "x" * 5000)


def _does(act: str) -> Callable[[Ground], Injected | str]:
    def inject(ground: Ground) -> Injected | str:
        one, case = _first(ground)
        files: dict[str, bytes | None] = {ANSWERS: answers_file(ground, {(one.prompt_id, case.id): {"act": act}})}
        if act == "hang":
            files[ground.config.path] = configuration(ground, timeout_s=1)
        return Injected(files)

    return inject


def _first(ground: Ground) -> tuple[Guarded, Case]:
    return ground.guarded[0], ground.guarded[0].cases[0]


REHEARSED = (
    Fault("completer answers otherwise", MOVED, "", _moves, says=DIFF),
    Fault("completer breaks an assertion", BROKEN, "", _breaks, says=FAIL),
    Fault("completer dies", BROKEN, "", _does("die"), says="completer_failed"),
    Fault("completer hangs", CANNOT_TELL, "", _does("hang"), says="completer_timeout"),
    Fault("completer writes bad UTF-8", BROKEN, "", _does("bytes"), says="bad_utf8"),
)
