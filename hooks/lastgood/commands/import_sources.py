"""Each kind of source: which prompt it is of, and its files read. One function a kind, and one row in the table."""

from __future__ import annotations

import os

from lastgood.commands.survey import chosen
from lastgood.core.importing import native, openai_evals, promptfoo, recordings
from lastgood.core.importing.drafts import Imported, Loss
from lastgood.core.importing.promptfoo_config import Config
from lastgood.core.shell import quoted
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.edge import files, imports
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Mapping

    from lastgood.commands.survey import Survey
    from lastgood.core.catalog import Catalog
    from lastgood.core.importing.drafts import Said
    from lastgood.core.importing.native import Copy


@value(frozen=True)
class Source:
    """What one kind of source gave, by prompt id: drafts to write, or files to copy; `losses` belong to no prompt."""

    imported: Mapping[str, Imported] = {}
    copies: Mapping[str, tuple[Copy, ...]] = {}
    catalogs: Mapping[str, Catalog] = {}
    schemas: Mapping[str, bytes] = {}
    said: Mapping[tuple[str, str], Said] = {}
    losses: tuple[Loss, ...] = ()


def _promptfoo(found: Survey, options: Namespace) -> Source:
    path, prompt = options.path, options.prompt
    names = ("promptfooconfig.yaml", "promptfooconfig.yml", "promptfooconfig.json")
    main = imports.main_file(path, names).replace(os.sep, "/")
    if main.rpartition(".")[2] in ("js", "cjs", "mjs", "ts", "mts", "cts", "py"):
        raise LastgoodError("is a program, and none is run: promptfoo writes YAML of it", path=main)
    sources = imports.sources(found.root, main)
    config = Config(sources, main)
    owners = {name: _prompt_of(found, name) for name in (one.path for one in config.prompts) if name}
    prompt_id = _one(found, prompt, [owner for owner in owners.values() if owner])
    ours = frozenset(name for name, owner in owners.items() if owner == prompt_id)
    return Source({prompt_id: promptfoo.read(config, sources, prompt_id, ours)})


def _openai_evals(found: Survey, options: Namespace) -> Source:
    path, prompt = options.path, options.prompt
    if path.endswith((".jsonl", ".ndjson")):
        what = "samples alone do not say how they are graded; the registry's YAML file does"
        raise LastgoodError(what, path=path, fix="lastgood import openai-evals evals/registry/evals/NAME.yaml")
    main = imports.main_file(path, ()).replace(os.sep, "/")
    prompt_id = _one(found, prompt, [])
    return Source({prompt_id: openai_evals.read(imports.sources(found.root, main), main, prompt_id)})


def _brooder(found: Survey, options: Namespace) -> Source:
    path, prompt = options.path, options.prompt
    inside = (".brooder/baselines", "baselines")
    documents, losses = imports.documents(imports.json_below(path, inside, ("runs",)))
    agents = recordings.agents_of(documents)
    if prompt and len(agents) > 1:
        what = (
            f"holds baselines of several agents ({', '.join(sorted(map(repr, agents)))}), and --prompt names one prompt"
        )
        raise LastgoodError(what, path=path, fix="name the folder of one agent")
    config = imports.brooder_config(path)
    imported: dict[str, Imported] = {}
    for agent, paths in agents.items():
        if not prompt and agent not in found.prompts and len(agents) > 1:
            why = f"no prompt here is called {agent!r}; import its folder with --prompt"
            losses += (Loss(os.path.dirname(paths[0]), "", f"agent {agent}", why),)
            continue
        prompt_id = _one(found, prompt, [agent] if agent in found.prompts else [])
        mine = {name: documents[name] for name in paths}
        imported[prompt_id] = recordings.brooder(mine, prompt_id, config, traces=_traces(found, options, prompt_id))
    return Source(imported, losses=losses)


def _agentsnap(found: Survey, options: Namespace) -> Source:
    path, prompt = options.path, options.prompt
    passed = (".last_run",)
    documents, losses = imports.documents(imports.json_below(path, ("__agent_snapshots__",), passed))
    prompt_id = _one(found, prompt, [])
    imported = recordings.agentsnap(documents, prompt_id, traces=_traces(found, options, prompt_id))
    return Source({prompt_id: imported}, losses=losses)


def _cases(found: Survey, options: Namespace) -> Source:
    path, prompt = options.path, options.prompt
    names = _native_files(path)
    schemas = {}
    if os.path.isdir(os.path.join(path, "schemas")):
        schemas = files.json_files(os.path.join(path, "schemas"))
    shas = {prompt_id: audited.prompt_sha256 for prompt_id, audited in found.prompts.items()}
    said = native.prompt_ids(names)
    if prompt:
        chosen(found, [prompt])
        if said and prompt not in said:
            raise LastgoodError(f"says it is of {', '.join(map(repr, said))}, and not of {prompt!r}", path=path)
        shas = {prompt: shas[prompt]}
    whole = native.read(names, shas)
    by_prompt: dict[str, tuple[Copy, ...]] = {}
    for copy in whole.copies:
        by_prompt[copy.golden.prompt_id] = (*by_prompt.get(copy.golden.prompt_id, ()), copy)
    return Source(copies=by_prompt, catalogs=whole.catalogs, schemas=schemas, said=whole.said, losses=whole.losses)


def _native_files(path: str) -> dict[str, bytes]:
    if os.path.isdir(path):
        return files.json_files(path)
    found = {path: files.read_file(path)}
    beside = os.path.join(os.path.dirname(path), "baseline.json")
    if os.path.basename(path) == "golden.json" and os.path.isfile(beside):
        found[beside] = files.read_file(beside)
    return found


def _prompt_of(found: Survey, path: str) -> str:
    """The prompt that a file belongs to, "" for none."""
    name = imports.owner(found.root, path)
    return next((prompt_id for prompt_id, one in found.prompts.items() if name in one.prompt.files), "")


def _one(found: Survey, prompt: str, named: list[str]) -> str:
    """The prompt that cases go to: the one asked for, the one that the source names, or the only one there is."""
    if prompt:
        chosen(found, [prompt])
        return prompt
    candidates = list(dict.fromkeys(named)) or list(found.prompts)
    if len(candidates) == 1:
        return candidates[0]
    which = "the source names several prompts" if named else "nothing says which prompt these cases are of"
    known = ", ".join(candidates) or "none"
    fix = f"--prompt {quoted(candidates[0])}" if candidates else "lastgood status"
    raise LastgoodError(f"{which} (there are: {known})", fix=fix)


KINDS: dict[str, Callable[[Survey, Namespace], Source]] = {
    "promptfoo": _promptfoo,
    "openai-evals": _openai_evals,
    "brooder": _brooder,
    "agentsnap": _agentsnap,
    "cases": _cases,
}


def read(found: Survey, options: Namespace) -> Source:
    """What a source of this kind gave; LastgoodError when it cannot be read at all."""
    return KINDS[options.kind](found, options)


def _traces(found: Survey, options: Namespace, prompt_id: str) -> bool:
    """Whether the completer tells its calls: a case about them fails where it does not."""
    config = found.config
    completer = config.completer(options.completer or config.eval_completer or config.commit_completer)
    return completer is None or completer.output_for(prompt_id) != "text"
