"""Faults of prompts and of the configuration that names them."""

from __future__ import annotations

from lastgood.core import glob
from lastgood.core.fault import NO_EDITABLE, NO_GUARDED, Fault, Ground, Guarded, Injected, editable
from lastgood.core.layout import lay_out
from lastgood.core.tree import SYMLINK
from lastgood.core.verdict import CANNOT_TELL, OUT_OF_STEP

_NOWHERE = "lastgood-prove-nowhere"


def _edited(ground: Ground) -> Injected | str:
    return _appended(ground, b"\nAnswer at length, and begin with a preface.\n")


def _space(ground: Ground) -> Injected | str:
    return _appended(ground, b" ")


def _appended(ground: Ground, more: bytes) -> Injected | str:
    found = editable(ground)
    return Injected({found[1]: ground.bytes_of(found[1]) + more}) if found else NO_EDITABLE


def _deleted(ground: Ground) -> Injected | str:
    one = _by_name(ground)
    if one is None:
        return _DECLARED
    only = len(ground.layout.prompts) == 1
    return Injected({one.audited.prompt.path: None}, expect=(CANNOT_TELL, "no-prompt") if only else None)


def _renamed(ground: Ground) -> Injected | str:
    one = _by_name(ground)
    if one is None:
        return _DECLARED
    old = one.audited.prompt.path
    stem, dot, suffix = old.rpartition(".")
    new = f"{stem}-renamed.{suffix}" if dot and "/" not in suffix else f"{old}-renamed"
    entries = {path: entry for path, entry in ground.tree.entries.items() if path != old}
    laid_out = lay_out(ground.config, {**entries, new: ground.tree.entries[old]})
    if laid_out.findings or not any(new in prompt.files for prompt in laid_out.prompts.values()):
        return "no glob of `prompts` takes another name"
    return Injected({old: None, new: ground.bytes_of(old)})


def _linked(ground: Ground) -> Injected | str:
    for one in ground.guarded:
        return Injected({}, links={one.audited.prompt.path: _NOWHERE})
    return NO_GUARDED


def _collides(ground: Ground) -> Injected | str:
    one = _by_name(ground)
    if one is None:
        return _DECLARED
    old = one.audited.prompt.path
    stem, dot, suffix = old.rpartition(".")
    new = f"{stem if dot and '/' not in suffix else old}.again"
    laid_out = lay_out(ground.config, {**ground.tree.entries, new: ground.tree.entries[old]})
    if not any(finding.code == "prompt-collision" for finding in laid_out.findings):
        return "no glob of `prompts` takes another suffix"
    return Injected({new: ground.bytes_of(old)})


def _unmerged(ground: Ground) -> Injected | str:
    for one in ground.guarded:
        return Injected({}, unmerged=(one.audited.prompt.path,))
    return NO_GUARDED


def _all_gone(ground: Ground) -> Injected | str:
    gone = dict.fromkeys(path for prompt in ground.layout.prompts.values() for path in prompt.files)
    if not gone:
        return "no prompt is here"
    return Injected(gone, expect=(CANNOT_TELL, "prompt-file-missing") if ground.config.declared else None)


def _watches_nothing(ground: Ground) -> Injected:
    table = "[tool.lastgood]\n" if ground.config.path == "pyproject.toml" else ""
    return Injected({ground.config.path: f'{table}prompts = ["{_NOWHERE}/**"]\n'.encode()})


def _no_config(ground: Ground) -> Injected:
    return Injected({ground.config.path: None})


def _no_toml(ground: Ground) -> Injected:
    return Injected({ground.config.path: ground.bytes_of(ground.config.path) + b"\nprompts = [\n"})


_DECLARED = "every prompt here is declared by its files"


def _by_name(ground: Ground) -> Guarded | None:
    """A prompt that is one regular file, and a prompt by its name alone."""
    declared = {row.prompt_id for row in ground.config.declared}
    taken = [glob.matcher(pattern) for row in ground.config.declared for pattern in row.files]
    for one in ground.guarded:
        path = one.audited.prompt.path
        shared = any(matches(path) for matches in taken)
        if one.prompt_id not in declared and not shared and ground.tree.entries[path][0] != SYMLINK:
            return one
    return None


FAULTS = (
    Fault("prompt edited alone", OUT_OF_STEP, "prompt-moved", _edited),
    Fault("prompt with a space more at its end", OUT_OF_STEP, "prompt-moved", _space),
    Fault("prompt deleted", OUT_OF_STEP, "prompt-gone", _deleted),
    Fault("prompt renamed", OUT_OF_STEP, "prompt-gone", _renamed),
    Fault("prompt replaced by a symbolic link", CANNOT_TELL, "prompt-mode", _linked),
    Fault("two prompts with one id", CANNOT_TELL, "prompt-collision", _collides),
    Fault("prompt in conflict", CANNOT_TELL, "unmerged", _unmerged),
    Fault("no prompt left", CANNOT_TELL, "no-prompt", _all_gone),
    Fault("configuration that watches nothing", CANNOT_TELL, "no-prompt", _watches_nothing),
    Fault("configuration deleted", CANNOT_TELL, "", _no_config, says="no configuration"),
    Fault("configuration that is no TOML", CANNOT_TELL, "", _no_toml, says="not TOML"),
)
