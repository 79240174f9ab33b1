"""The sides of a merge: each head of a forked chain with the completions that it accepted, as git holds them."""

from __future__ import annotations

from lastgood.core.baseline import baseline_hash, read_baseline, read_completion_of
from lastgood.core.layout import HEAD, baseline_folder
from lastgood.core.migration import heads
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.edge import git, history
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from lastgood.core.baseline import Baseline
    from lastgood.core.chain_audit import Chain
    from lastgood.core.migration import Migration
    from lastgood.core.trace import Completion


@value(frozen=True)
class Side:
    """One head. `baselines` and `completions`, by case id, are None where no commit within reach holds them."""

    head: Migration
    baselines: dict[str, Baseline] | None
    completions: dict[str, Completion] | None


def baselines_of(root: str, prompt_id: str, chain: Chain | None) -> dict[str, Baseline]:
    """What answers are compared with, by case id: the accepted completions, in a forked chain those of our side."""
    sides = sides_of(root, prompt_id, chain)
    if sides and sides[0].baselines is not None:
        return sides[0].baselines
    return chain.baselines if chain else {}


def sides_of(root: str, prompt_id: str, chain: Chain | None) -> tuple[Side, ...]:
    """Two heads of a forked chain, ours (that of HEAD's commit) first; none where the chain is in one piece.

    A migration has two parents at most: of three heads two are merged, and then what came of it with the third.
    """
    ends = heads(chain.migrations) if chain and not chain.tip else []
    if not chain or len(ends) < 2:
        return ()
    folder = baseline_folder(chain.completer, prompt_id)
    wanted = {end.head_line: end for end in ends}
    found: dict[str, Side] = {}
    lines = history.lines(root, folder + HEAD)
    for commit, line in lines:
        if line in wanted and line not in found:
            try:
                side = _side(wanted[line], folder, history.folder_at(root, commit, folder))
            except git.GitError:  # a partial clone lacks it, and nothing is fetched
                continue
            found |= {line: side} if side else {}
    ours = next((line for commit, line in lines if commit == "HEAD"), "")
    ends.sort(key=lambda end: end.head_line != ours)
    return tuple(found.get(end.head_line, Side(end, None, None)) for end in ends[:2])


def _side(head: Migration, folder: str, files: dict[str, bytes]) -> Side | None:
    """What a commit holds, where that is what `head` accepted: its completions may be half of another side's."""
    cases = {name.removesuffix(".json"): data for name, data in files.items() if name.endswith(".json")}
    try:
        baselines = {case_id: read_baseline(f"{folder}{case_id}.json", data) for case_id, data in cases.items()}
    except Malformed:
        return None
    if baseline_hash(one.triple for one in baselines.values()) != head.target.baseline_hash:
        return None
    return Side(
        head, baselines, {case_id: read_completion_of(folder + case_id, data) for case_id, data in cases.items()}
    )
