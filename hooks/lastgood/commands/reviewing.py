"""One person going through the moves of some runs: shows, reads keys, keeps decisions. Decides nothing itself."""

from __future__ import annotations

import shutil

from lastgood.commands.pending import raws, token_of
from lastgood.commands.shown import show
from lastgood.core.digest import value_hash
from lastgood.core.judgement import FAIL, PASS
from lastgood.core.review import DECISIONS, SKIP, Item, accept_alike, back, begin, decide, kinds_of
from lastgood.core.sha256 import SHORT, sha256_hex
from lastgood.core.value import TYPE_CHECKING
from lastgood.edge import decisions, history
from lastgood.edge.folder import run_folder
from lastgood.edge.keys import LEFT, RESIZED
from lastgood.edge.text_diff import unified
from lastgood.report.hunks import hunk_lines
from lastgood.report.moves import document
from lastgood.report.paint import PLAIN, TITLE
from lastgood.report.review import HELP, asked_lines, diff_lines, item_lines, keys_line, rule, screen, told_lines

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from lastgood.commands.pending import Pending
    from lastgood.commands.survey import Survey
    from lastgood.core.judgement import Judgement
    from lastgood.core.review import Walk
    from lastgood.edge.keys import Keys
    from lastgood.report.paint import Line, Paint


class Session:
    """The runs under review, what is shown of them, and where the person is."""

    def __init__(self, found: Survey, pending: Sequence[Pending], paint: Paint) -> None:
        self.found = found
        self.pending = {item.prompt_id: item for item in pending}
        self.paint = paint
        moved = document(show(found.root, pending), token_of(pending))
        self._prompts = {prompt["prompt_id"]: prompt for prompt in moved["prompts"]}
        self._cases = {(name, case["id"]): case for name, prompt in self._prompts.items() for case in prompt["cases"]}
        self._answers = {item.prompt_id: {j.case.id: _answer(item, j) for j in item.judgements} for item in pending}
        known = {
            (item.prompt_id, case_id): decision
            for item in pending
            for case_id, decision in decisions.read(
                found.root, item.completer.name, item.prompt_id, self._answers[item.prompt_id]
            ).items()
        }
        self.walk: Walk = begin([self._item(item, j) for item in pending for j in _to_decide(item)], known)

    def _item(self, item: Pending, judgement: Judgement) -> Item:
        case = self._cases[item.prompt_id, judgement.case.id]
        kinds = kinds_of(case["moves"] or [case["status"]], case["marks"])
        return Item((item.prompt_id, judgement.case.id), kinds, judgement.status != FAIL)

    def run(self, keys: Keys) -> bool:
        """Until everything is decided (True), or the person leaves (False)."""
        if not self.walk.ended:
            self._draw()
        while not self.walk.ended:
            key = keys.next()
            if key in (LEFT, "q", "\x04"):
                return False
            if key in DECISIONS or key in ("A", "b"):
                self._move(key)
                if not self.walk.ended:
                    self._draw()
            elif key == RESIZED or self._page(key, keys):
                self._draw()
        return True

    def _move(self, key: str) -> None:
        before = self.walk
        if key == "A":
            self.walk = accept_alike(before)
        else:
            self.walk = back(before) if key == "b" else decide(before, DECISIONS[key])
        if self.walk.decisions != before.decisions:
            self._keep()

    def _keep(self) -> None:
        for prompt_id, item in self.pending.items():
            ours = {key[1]: made for key, made in self.walk.decisions.items() if key[0] == prompt_id and made != SKIP}
            decisions.write(
                *(self.found.root, item.completer.name, prompt_id),
                token=token_of([item]),
                answers=self._answers[prompt_id],
                decisions=ours,
            )

    def _draw(self) -> None:
        prompt_id, _ = self.walk.here.key
        case = self._cases[self.walk.here.key]
        head = item_lines(self._prompts[prompt_id], case, self.walk)
        size = shutil.get_terminal_size()
        self._print(screen(self.paint, head, diff_lines(case), keys_line(self.walk), (size.columns, size.lines)))

    def _print(self, rows: Sequence[str]) -> None:
        # Where there is no colour there are no codes at all: a screen then follows the one before.
        above = "\x1b[H\x1b[2J" if self.paint.colour else rule(shutil.get_terminal_size().columns) + "\n"
        print(above + "\n".join(rows), flush=True)

    def _page(self, key: str, keys: Keys) -> bool:
        """Show one of the other screens; False when the key means nothing."""
        pages = {"w": self._whole, "p": self._prompt_diff, "i": self._asked, "?": _help}
        if key not in pages:
            return False
        self._leaf(pages[key](), keys)
        return True

    def _leaf(self, lines: Sequence[Line], keys: Keys) -> None:
        """Screen after screen of these lines."""
        at = 0
        while True:
            size = shutil.get_terminal_size()
            rows = [row for line in lines for row in self.paint.folded(line, size.columns, 2)]
            shown = rows[at : at + max(size.lines - 2, 4)]
            more = len(rows) - at - len(shown)
            foot = f"-- {more:,} more rows: any key; q back --" if more > 0 else "-- any key goes back --"
            self._print([*shown, *self.paint.folded([(TITLE, foot)], size.columns, 0)])
            pressed = keys.next()
            if pressed == RESIZED:
                continue
            if pressed in (LEFT, "q") or more <= 0:
                return
            at += len(shown)

    def _judgement(self) -> tuple[Pending, Judgement]:
        prompt_id, case_id = self.walk.here.key
        item = self.pending[prompt_id]
        return item, next(j for j in item.judgements if j.case.id == case_id)

    def _whole(self) -> list[Line]:
        item, judgement = self._judgement()
        prompt_id, case_id = self.walk.here.key
        only = [one for one in show(self.found.root, [item], whole=True) if one.prompt_id == prompt_id]
        case = next(case for case in document(only, "")["prompts"][0]["cases"] if case["id"] == case_id)
        same: list[Line] = [[(PLAIN, "nothing to show: it answered nothing")]]
        answer = diff_lines(case, whole=True) if judgement.completion else same
        return [*told_lines(case), [], *answer]

    def _asked(self) -> list[Line]:
        return asked_lines(self._judgement()[1].case.input)

    def _prompt_diff(self) -> list[Line]:
        item, _ = self._judgement()
        prompt, root = item.asked.audited.prompt, self.found.root
        then, now = self._prompts[item.prompt_id]["from"], item.asked.audited.prompt_sha256
        if not then:
            return [[(PLAIN, "no answer to this prompt was accepted yet")]]
        if then == now:
            return [[(PLAIN, f"the prompt has not moved: {now[:SHORT]}")]]
        state = history.prompt_state(root, prompt.files, then, self.found.layout.parts)
        held = state[1] if state else {}
        blobs = self.found.tree.read(prompt.files)
        texts = [(path, _text(held.get(path, b"")), _text(blobs[path])) for path in prompt.files]
        found = unified(texts, scratch=run_folder(root, "tmp"), max_lines=None)
        told = (
            f"{then[:SHORT]} (commit {state[0][:SHORT]}) → {now[:SHORT]}"
            if state
            else (f"no commit holds the prompt as it was ({then[:SHORT]}); as it is now:")
        )
        lines: list[Line] = [[(TITLE, told)]]
        for path in prompt.files:
            if found[path].lines:
                lines += [[(TITLE, path)], *hunk_lines(found[path].lines, whole=True)]
        return lines


def _to_decide(item: Pending) -> list[Judgement]:
    return [judgement for judgement in item.judgements if judgement.status != PASS]


def _answer(item: Pending, judgement: Judgement) -> str:
    """What stands for one answer and what it is compared with: a decision about it is about nothing else."""
    said = [sha256_hex(text.encode("utf-8", "surrogatepass")) for text in raws(item, judgement)]
    return value_hash([judgement.case.case_hash, judgement.previous, *said])


def _help() -> list[Line]:
    return [[(PLAIN, line)] for line in HELP]


def _text(data: Any) -> str:
    return bytes(data).decode("utf-8", "backslashreplace")
