"""Which prompts a set of changed paths can affect: so that a hook's work grows with the change, not the repository."""

from __future__ import annotations

from lastgood.core import glob
from lastgood.core.completer import file_like
from lastgood.core.config import FILES
from lastgood.core.layout import BASELINES, GOLDEN, SCHEMAS, baseline_owner, golden_owner, prompt_id_of
from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping

    from lastgood.core.config import Config


def affected(config: Config, changed: Mapping[str, bool], known: Container[str]) -> frozenset[str] | None:
    """The ids of prompts whose audit a change can touch; None when every prompt's can be.

    `changed`: path → whether the tree still has it. `known`: the ids of the prompts that there were.
    """
    commands = _command_files(config)
    declared = [(row.prompt_id, [glob.matcher(pattern) for pattern in row.files]) for row in config.declared]
    globs = [(glob.fixed_part(pattern), glob.matcher(pattern)) for pattern in config.prompts]
    found: set[str] = set()
    for path, present in changed.items():
        if path.rpartition("/")[2] in FILES or path in commands or path.startswith(SCHEMAS):
            return None  # a configuration further down may begin or end a root there
        if path.startswith((GOLDEN, BASELINES)):
            owner = golden_owner(path) if path.startswith(GOLDEN) else baseline_owner(path)[1]
            if owner not in known:
                return None  # of a new prompt, or of none: only the whole picture tells
            found.add(owner)
        ids = [prompt_id for prompt_id, matchers in declared if any(matches(path) for matches in matchers)]
        ids += [
            prompt_id_of(path[len(fixed) :]) for fixed, matches in globs if path.startswith(fixed) and matches(path)
        ]
        if ids and not present:
            return None  # without a prompt, its cases and baselines are nobody's, and perhaps no prompt is left
        found.update(ids)
    return frozenset(found)


def roots(config: Config) -> tuple[str, ...]:
    """Folders and files below which everything lies that lastgood looks at; empty when that is the whole tree."""
    patterns = [*config.prompts, *(pattern for row in config.declared for pattern in row.files)]
    prompts = [glob.fixed_part(pattern) if glob.is_magic(pattern) else pattern for pattern in patterns]
    found = {path.rstrip("/") for path in (*FILES, GOLDEN, BASELINES, *prompts, *_command_files(config))}
    return () if "" in found else tuple(sorted(found))


def is_below(path: str, tops: tuple[str, ...]) -> bool:
    """Whether a path is one of `roots`, or lies below one."""
    return not tops or path in tops or path.startswith(tuple(top + "/" for top in tops))


def watched(config: Config, prompt_ids: frozenset[str]) -> Callable[[list[str]], list[str]]:
    """Picks the paths that the audit of `prompt_ids` looks at: few are, so the rest is not even parsed at a commit."""
    exact = _command_files(config)
    declared = [glob.matcher(p) for row in config.declared if row.prompt_id in prompt_ids for p in row.files]
    # Any file that could bear the same id belongs to the picture: two of them collide.
    prompts = [glob.fixed_part(pattern) + prompt_id for pattern in config.prompts for prompt_id in prompt_ids]
    starts = (SCHEMAS, *prompts, *(f"{GOLDEN}{prompt_id}/" for prompt_id in prompt_ids))
    middles = [f"/{prompt_id}/" for prompt_id in prompt_ids]

    def pick(paths: list[str]) -> list[str]:
        found = [path for path in paths if path.startswith(starts)]
        for middle in middles:
            found += [path for path in paths if middle in path and path.startswith(BASELINES)]
        for matches in declared:
            found += filter(matches, paths)
        return [*found, *exact.intersection(paths)]

    return pick


def _command_files(config: Config) -> frozenset[str]:
    """Every word of a command that could be a file."""
    return frozenset(path for completer in config.completers for path in file_like(completer))
