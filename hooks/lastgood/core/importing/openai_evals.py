"""openai-evals: samples in JSON Lines, graded as the registry's YAML says. The class decides what `ideal` means."""

from __future__ import annotations

from lastgood.core.importing.drafts import CaseFile, Draft, Held, Ids, Imported, Loss, Unexpressed, hashed, slug
from lastgood.core.importing.patterns import any_of
from lastgood.core.importing.sources import lines, parsed
from lastgood.core.strict_json import escape
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from lastgood.core.importing.sources import Sources


@value(frozen=True)
class Row:
    """One class of the basic evals: what `ideal` becomes; `make` is None where it becomes nothing."""

    becomes: str
    make: Callable[[list[str], Mapping[str, Any]], Held] | None


def _match(ideal: list[str], _args: Mapping[str, Any]) -> Held:
    return Held(expect={"require_patterns": [f"\\A{any_of(ideal)}"]})


def _includes(ideal: list[str], args: Mapping[str, Any]) -> Held:
    return Held(expect={"require_patterns": [any_of(ideal, fold=bool(args.get("ignore_case")))]})


def _json_match(ideal: list[str], _args: Mapping[str, Any]) -> Held:
    return Held(expect={"fields": {"": {"in": [parsed(text, "ideal.json") for text in ideal]}}})


_GRADED = "a model's judgement: nothing here asks a model to grade"
ROWS: dict[str, Row] = {
    "Match": Row("`require_patterns` that begins with `\\A`: the answer starts with an ideal", _match),
    "Includes": Row("`require_patterns`: an ideal stands in the answer; `ignore_case` folds it", _includes),
    "JsonMatch": Row("`fields` with `in`: the answer is JSON and equals an ideal", _json_match),
    "FuzzyMatch": Row("either in the other, with words and signs taken out: no assertion says that", None),
    "ModelBasedClassify": Row(_GRADED, None),
}


def read(sources: Sources, path: str, prompt_id: str) -> Imported:
    """The golden cases of the evals that a registry's YAML file names."""
    document = sources.document(path)
    reading = _Reading(sources, path, prompt_id)
    drafts = tuple(reading.all(document))
    return Imported(drafts, {}, tuple(dict.fromkeys(reading.losses)))


class _Reading:
    def __init__(self, sources: Sources, path: str, prompt_id: str) -> None:
        self._sources, self._path, self._prompt_id = sources, path, prompt_id
        self._ids = Ids()
        self.losses: list[Loss] = []

    def all(self, document: Any) -> Iterator[Draft]:
        if not isinstance(document, dict):
            self._lose(self._path, "", "registry", "is no object of evals")
            return
        named = 0
        for name, entry in document.items():
            if isinstance(entry, dict) and "class" in entry:
                named += 1
                yield from self._eval(name, entry)
            elif not (isinstance(entry, dict) and "id" in entry):
                self._lose(self._path, f"/{escape(name)}", name[:60], "has neither class nor id")
        if not named:
            self._lose(self._path, "", "registry", "no entry has a class, so nothing says how samples are graded")

    def _eval(self, name: str, entry: dict[str, Any]) -> Iterator[Draft]:
        at = f"/{escape(name)}"
        kind = str(entry["class"]).rpartition(":")[2]
        args = entry.get("args") if isinstance(entry.get("args"), dict) else {}
        assert isinstance(args, dict)
        row = ROWS.get(kind)
        if row is None or row.make is None:
            why = row.becomes if row else "is a class that this import does not know"
            self._lose(self._path, f"{at}/class", kind[:60], why)
            return
        if args.get("num_few_shot"):
            why = "examples are put before every input, and the samples alone do not hold them"
            self._lose(self._path, f"{at}/args/num_few_shot", kind, why)
            return
        samples = args.get("samples_jsonl")
        if not isinstance(samples, str):
            self._lose(self._path, f"{at}/args", kind, "names no samples_jsonl")
            return
        try:
            place, every = self._samples(samples)
        except LastgoodError as exc:
            self._lose(self._path, f"{at}/args/samples_jsonl", samples[:60], exc.what)
            return
        for pointer, sample in every:
            yield from self._case(name, row, args, (place, pointer, sample))

    def _samples(self, name: str) -> tuple[str, list[tuple[str, Any]]]:
        """The samples, from beside the YAML file or from the registry's `data` folder."""
        told = ""
        for beside in (name, f"../data/{name}", f"data/{name}"):
            place = self._sources.beside(self._path, beside)
            try:
                text = self._sources.text(place)
            except Unexpressed as exc:
                told = told or exc.what
                continue
            if text.startswith("version https://git-lfs"):
                raise Unexpressed(f"{place} is only the pointer of an LFS file: git lfs pull")
            return place, lines(text, place)
        raise Unexpressed(told)

    def _case(self, name: str, row: Row, args: dict[str, Any], sample: tuple[str, str, Any]) -> Iterator[Draft]:
        path, pointer, found = sample
        try:
            given, ideal = _sample(found)
            assert row.make is not None
            case_id = self._ids.give(f"{slug(name.partition('.')[0], 'sample')}-{hashed(found)}", found)
            case = CaseFile(self._prompt_id, case_id, given)
            case.add(row.make(ideal, args))
            yield Draft(case.object(), path, pointer)
        except LastgoodError as exc:
            self._lose(path, pointer, "sample", exc.what)

    def _lose(self, path: str, pointer: str, name: str, why: str) -> None:
        self.losses.append(Loss(path, pointer, name, why))


def _sample(found: Any) -> tuple[dict[str, Any], list[str]]:
    if not isinstance(found, dict) or "input" not in found or "ideal" not in found:
        raise Unexpressed("has no input, or no ideal to hold an answer to")
    given, ideal = found["input"], found["ideal"]
    ideal = [ideal] if isinstance(ideal, str) else ideal
    if not isinstance(ideal, list) or not ideal or not all(isinstance(text, str) and text for text in ideal):
        raise Unexpressed("its ideal is no text and no list of texts")
    if isinstance(given, list) and given and all(isinstance(turn, dict) for turn in given):
        return {"messages": given}, ideal
    if isinstance(given, str):
        return {"input": given}, ideal
    raise Unexpressed("its input is no text and no list of messages")
