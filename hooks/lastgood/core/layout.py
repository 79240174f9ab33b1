"""Which file of a tree belongs to which prompt: decided by names alone, before anything is read."""

from __future__ import annotations

from lastgood.core import glob
from lastgood.core.shell import quoted
from lastgood.core.tree import NO_FILES
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.core.verdict import CANNOT_TELL, OUT_OF_STEP, Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lastgood.core.config import Config

GOLDEN, BASELINES, SCHEMAS, MIGRATIONS, HEAD = "golden/", "baselines/", "golden/schemas/", "migrations", "HEAD"
# Before a path: back to what HEAD holds of it. Unlike a checkout, it also takes away what HEAD does not hold.
RESTORE = "git restore -SW --source HEAD -- "
CATALOG = "catalog.json"
_OWN = (GOLDEN, BASELINES)  # never prompts, whatever a glob says


@value(frozen=True)
class Prompt:
    """A prompt: one file, or a declared set of files, that is hashed as one."""

    prompt_id: str
    files: tuple[str, ...]

    @property
    def path(self) -> str:
        """The file that messages name."""
        return self.files[0]


@value(frozen=True)
class Layout:
    """Every file of a tree that matters, by the prompt it belongs to.

    `baselines` is keyed by (completer, prompt_id). `strays` lie under golden/ or baselines/ and belong to no prompt.
    """

    prompts: dict[str, Prompt]
    unguarded: tuple[str, ...]
    golden: dict[str, tuple[str, ...]]
    baselines: dict[tuple[str, str], tuple[str, ...]]
    schemas: tuple[str, ...]
    strays: tuple[str, ...]
    findings: tuple[Finding, ...]
    parts: dict[str, str]  # path of a prompt's file → the part of it that is the prompt, where that is not all of it

    def completers_of(self, prompt_id: str) -> list[str]:
        """Completers that have a baseline, or a part of one, of this prompt."""
        return sorted(name for name, owner in self.baselines if owner == prompt_id)


def golden_folder(prompt_id: str) -> str:
    """Where a prompt's golden cases live."""
    return f"{GOLDEN}{prompt_id}/"


def baseline_folder(completer: str, prompt_id: str) -> str:
    """Where the accepted completions of one (completer, prompt) pair live."""
    return f"{BASELINES}{completer}/{prompt_id}/"


def lay_out(config: Config, entries: Mapping[str, tuple[str, str]], *, partial: bool = False) -> Layout:
    """Sort every path of a tree to its prompt; what cannot be sorted is a finding.

    `partial`: the entries are a part of a tree that has every prompt it had when it was last found clean, so that
    what is missing among them says nothing.
    """
    findings: list[Finding] = []
    prompts, unguarded = _prompts(config, entries, findings)
    if partial:
        findings = [finding for finding in findings if finding.code != "prompt-file-missing"]
    elif not prompts and not findings:
        findings.append(_no_prompt(config, unguarded))
    golden: dict[str, list[str]] = {}
    baselines: dict[tuple[str, str], list[str]] = {}
    schemas: list[str] = []
    strays: list[str] = []
    for path in entries:
        if path.startswith(SCHEMAS):
            schemas.append(path)
        elif path.startswith((GOLDEN, BASELINES)) and not path.rpartition("/")[2].startswith("."):
            completer, prompt_id = _owner(path)
            if prompt_id not in prompts:
                strays.append(path)
            elif completer:
                baselines.setdefault((completer, prompt_id), []).append(path)
            elif not path.endswith(".md"):
                golden.setdefault(prompt_id, []).append(path)
    return Layout(
        prompts=prompts,
        unguarded=unguarded,
        golden={owner: tuple(sorted(paths)) for owner, paths in golden.items()},
        baselines={pair: tuple(sorted(paths)) for pair, paths in baselines.items()},
        schemas=tuple(sorted(schemas)),
        strays=tuple(sorted(strays)),
        findings=tuple(findings),
        parts=_parts(config, prompts) if config.parts else {},
    )


def _parts(config: Config, prompts: Mapping[str, Prompt]) -> dict[str, str]:
    matchers = [(glob.matcher(pattern), part) for pattern, part in config.parts]
    files = [path for prompt in prompts.values() for path in prompt.files]
    found = ((path, next((part for matches, part in matchers if matches(path)), "")) for path in files)
    return {path: part for path, part in found if part}


def owner_of(path: str) -> str:
    """The prompt_id that a path under golden/ or baselines/ belongs to by its folders."""
    return _owner(path)[1]


def _owner(path: str) -> tuple[str, str]:
    return baseline_owner(path) if path.startswith(BASELINES) else ("", golden_owner(path))


def golden_owner(path: str) -> str:
    """The prompt_id that the folders of a path under golden/ name."""
    return path[len(GOLDEN) :].rpartition("/")[0]


def baseline_owner(path: str) -> tuple[str, str]:
    """(completer, prompt_id) that the folders of a path under baselines/ name."""
    completer, _, rest = path[len(BASELINES) :].partition("/")
    return completer, rest.rpartition("/")[0].removesuffix("/" + MIGRATIONS)


def _prompts(
    config: Config, entries: Mapping[str, tuple[str, str]], findings: list[Finding]
) -> tuple[dict[str, Prompt], tuple[str, ...]]:
    declared, taken = _declared(config, entries, findings)
    prompts = dict(declared)
    unguarded: list[str] = []
    skip = [glob.matcher(pattern) for pattern in config.unguarded]
    for pattern in config.prompts:
        fixed, matches = glob.fixed_part(pattern), glob.matcher(pattern)
        for path in entries:
            if path in taken or not path.startswith(fixed) or not matches(path) or path.startswith(_OWN):
                continue
            if "/." in "/" + path[len(fixed) :] and path != pattern:  # hidden, unless it is named itself
                continue
            taken.add(path)
            if any(matches(path) for matches in skip):
                unguarded.append(path)
                continue
            prompt_id = prompt_id_of(path[len(fixed) :])
            if prompt_id in prompts:
                findings.append(_collision(path, prompts[prompt_id]))
            elif why := _unusable_for(prompt_id):
                findings.append(_unusable(path, why))
            else:
                prompts[prompt_id] = Prompt(prompt_id, (path,))
    for prompt in prompts.values():
        findings.extend(_bad_modes(prompt, entries))
    return prompts, tuple(unguarded)


def _declared(
    config: Config, entries: Mapping[str, tuple[str, str]], findings: list[Finding]
) -> tuple[dict[str, Prompt], set[str]]:
    prompts: dict[str, Prompt] = {}
    for row in config.declared:
        files: list[str] = []
        for pattern in row.files:
            matches = glob.matcher(pattern)
            found = [path for path in entries if matches(path) and not path.startswith(_OWN)]
            files.extend(path for path in found if path not in files)
            if not found:
                findings.append(_declared_missing(config, row.prompt_id, pattern))
        if why := _unusable_for(row.prompt_id):
            findings.append(_unusable(config.path, why))
        elif files:
            prompts[row.prompt_id] = Prompt(row.prompt_id, tuple(files))
    return prompts, {path for prompt in prompts.values() for path in prompt.files}


def prompt_id_of(name: str) -> str:
    """The id of a prompt by its path below the fixed part of its glob: the name without suffix."""
    stem, dot, suffix = name.rpartition(".")
    # `agent-v1.2` has a version, not a suffix
    return stem if dot and stem and not stem.endswith("/") and not suffix.isdigit() and "/" not in suffix else name


def _unusable_for(prompt_id: str) -> str:
    """Why the folders and files of a prompt could not be called so, or ""."""
    try:
        prompt_id.encode("utf-8")
    except UnicodeEncodeError:
        return "is not UTF-8"
    parts = prompt_id.split("/")
    if parts[0] == "schemas" or any(part in (MIGRATIONS, HEAD) or part.endswith(".json") for part in parts):
        return "is what lastgood calls files and folders of its own"
    if any(not part or part.startswith(".") for part in parts):
        return "has a part that is empty or hidden"
    return ""


def _unusable(path: str, why: str) -> Finding:
    return Finding(
        "prompt-name",
        CANNOT_TELL,
        path,
        f"the name of this prompt {why}; its cases could not be kept in a folder of it",
    )


def _collision(path: str, other: Prompt) -> Finding:
    return Finding(
        "prompt-collision",
        CANNOT_TELL,
        path,
        f"two prompts share the id {other.prompt_id!r}: {other.path} has it too",
        fix=(f'name the files of each under [prompt."{other.prompt_id}"] in the configuration, or rename one',),
    )


def _declared_missing(config: Config, prompt_id: str, pattern: str) -> Finding:
    ours = pattern.startswith(_OWN)
    return Finding(
        "prompt-file-missing",
        CANNOT_TELL,
        config.path,
        f"the prompt {prompt_id!r} names {pattern!r}, "
        + ("but what lies there is never a prompt" if ours else "which matches no file of the tree"),
        pointer=f"prompt.{prompt_id}.files",
        fix=("name files outside golden/ and baselines/" if ours else f"git add {quoted(pattern)}",),
        prompt_id=prompt_id,
    )


def _no_prompt(config: Config, unguarded: tuple[str, ...]) -> Finding:
    globs = ", ".join(config.prompts)
    also = f" ({len(unguarded)} are unguarded)" if unguarded else ""
    return Finding(
        "no-prompt",
        CANNOT_TELL,
        config.path,
        f"no prompt to check: no file of the tree matches {globs}{also}",
        fix=("stage the prompts, or set `prompts` to the globs that name them",),
    )


def _bad_modes(prompt: Prompt, entries: Mapping[str, tuple[str, str]]) -> Iterable[Finding]:
    for path in prompt.files:
        mode = entries[path][0]
        if mode in NO_FILES:
            yield Finding(
                "prompt-mode",
                CANNOT_TELL,
                path,
                f"is {NO_FILES[mode]} (mode {mode}), not a file: its bytes are not in this commit",
                fix=(f"replace it by a regular file, then git add {quoted(path)}",),
                prompt_id=prompt.prompt_id,
            )


def stray_findings(layout: Layout) -> list[Finding]:
    """Files under golden/ and baselines/ that belong to no prompt of the tree."""
    owners: dict[tuple[str, str], list[str]] = {}
    for path in layout.strays:
        owners.setdefault(_owner(path), []).append(path)
    findings = []
    for (completer, prompt_id), paths in sorted(owners.items()):
        what = f"baseline of {completer}" if completer else "golden cases"
        more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
        folder = baseline_folder(completer, prompt_id) if completer else golden_folder(prompt_id)
        findings.append(
            Finding(
                "prompt-gone",
                OUT_OF_STEP,
                paths[0],
                f"{what} without a prompt: no prompt {prompt_id!r} is in the tree{more}",
                fix=(
                    f"put the prompt back, or git mv {quoted(folder)} to where it went",
                    f"or git rm -r {quoted(folder)}",
                ),
                prompt_id=prompt_id,
                completer=completer,
            )
        )
    return findings
