"""What `lastgood init` would write, for a person to read."""

from __future__ import annotations

from lastgood.core.value import TYPE_CHECKING
from lastgood.report.printable import printable, shown_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lastgood.core.setup import Setup, Step
    from lastgood.report.speller import Speller

_RECORD = "lastgood record --reason 'First baseline'"
_SHOWN = 12  # golden cases that are named one by one


def shown(found: Setup, files: Mapping[str, bytes], down: str = "") -> str:
    """The plan, file by file, with the lines that are added to files that exist; `down` leads to the root."""
    count = len(found.prompts)
    rows = [f"{count} prompt{'s' * (count != 1)}\n"]
    cases = [step for step in found.steps if step.path.startswith("golden/")]
    for step in found.steps:
        if step in cases[_SHOWN:]:
            continue
        rows.append(f"{step.act:6}  {shown_path(_from(down, step.path))}  {printable(step.why)}\n")
        if step.act == "add to" or step.path == "lastgood.toml":
            rows += [f"        + {printable(line)}\n" for line in _added(step, files.get(step.path, b""))]
    if cases[_SHOWN:]:
        rows.append(f"new     golden/…  and {len(cases) - _SHOWN} more first cases\n")
    if not found.steps:
        rows.append("nothing to write: all of it is there\n")
    return "".join(rows + [f"note: {note}\n" for note in found.notes])


def _from(down: str, path: str) -> str:
    """A path of the root as it is called further up."""
    while down and path.startswith("../"):
        down, path = down.rstrip("/").rpartition("/")[0], path[3:]
        down += "/" * bool(down)
    return down + path


def _added(step: Step, old: bytes) -> list[str]:
    """The lines that are new: one run of them, as nothing else is touched."""
    before, after = (data.decode("utf-8", "replace").splitlines() for data in (old, step.data))
    start = 0
    while start < len(before) and start < len(after) and before[start] == after[start]:
        start += 1
    end = 0
    while end < len(before) - start and end < len(after) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return [line for line in after[start : len(after) - end] if line.strip()]


def next_steps(paths: Iterable[str], spell: Speller) -> str:
    """What is left to a person, as commands."""
    paths = list(paths)
    tops = dict.fromkeys("golden" if path.startswith("golden/") else path for path in paths if path[:1] != "'")
    names = " ".join(dict.fromkeys([*tops, "golden", "baselines"]))
    return (
        f"wrote {len(paths)} files\n"
        "next: fill in the cases under golden/, or begin with them as they are, then\n"
        f"  {spell('lastgood doctor')}    # fixers that would rewrite what is hashed, rules that ignore it\n"
        f"  {spell('lastgood catalog ship')}\n"
        f"  {spell('lastgood eval')} && {spell('lastgood diff')}\n"
        f"  {spell(_RECORD)}\n"
        f"  {spell(f'git add {names}')}\n"
        "  pre-commit install -t pre-commit -t pre-merge-commit -t pre-push\n"
        "  git commit -m 'Guard the prompts'\n"
    )
