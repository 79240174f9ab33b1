"""A promptfoo configuration as golden cases: a case for each test and each combination of its variables."""

from __future__ import annotations

from itertools import islice, product

from lastgood.core.importing.drafts import (
    CaseFile,
    Draft,
    Ids,
    Imported,
    Loss,
    Unexpressed,
    hashed,
    losses_of,
    slug,
)
from lastgood.core.importing.promptfoo_assertions import ROWS, Around, held, why_not
from lastgood.core.importing.promptfoo_tests import Test, Tests, pointed, resolved
from lastgood.core.importing.sources import REFERENCE, parsed
from lastgood.core.importing.templates import rendered
from lastgood.core.kinds import is_number
from lastgood.core.value import TYPE_CHECKING
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from lastgood.core.importing.promptfoo_config import Config
    from lastgood.core.importing.sources import Sources

_MOST = 10_000  # combinations of one test's variables
_SILENT = {
    "$schema", "description", "tags", "prompts", "providers", "targets", "tests", "defaultTest", "assertionTemplates",
    "outputPath", "sharing", "commandLineOptions", "evaluateOptions", "metadata", "writeLatestResults",
}  # fmt: skip
_OF_TEST = {"vars", "assert", "description", "threshold", "options", "metadata", "prompts", "providers", "provider"}
_OF_ASSERTION = {"type", "value", "threshold", "metric", "weight", "provider", "rubricPrompt", "description"}
_ELSEWHERE = {
    "providers": "a completer is what lastgood.toml names it",
    "scenarios": "combinations of tests are not unfolded; write them as tests",
    "env": "a completer has the environment that lastgood.toml gives it",
    "extensions": "code of its own, and none is run",
    "derivedMetrics": "a score made of scores: an assertion here holds or fails",
    "redteam": "tests that a model makes up each time",
}


def read(config: Config, sources: Sources, prompt_id: str, prompt_files: frozenset[str]) -> Imported:
    """The golden cases of one prompt, whose files are `prompt_files`, with everything that was left out."""
    if not isinstance(config.root, dict):
        return Imported(losses=(Loss(config.path, "", "configuration", "is no object"),))
    reading = _Reading(config, sources, prompt_id, prompt_files)
    return reading.all()


class _Reading:
    def __init__(self, config: Config, sources: Sources, prompt_id: str, prompt_files: frozenset[str]) -> None:
        self._config, self._sources, self._prompt_id = config, sources, prompt_id
        self._root: dict[str, Any] = config.root
        ours = [prompt for prompt in config.prompts if prompt.path in prompt_files]
        self._called = {prompt_id, *prompt_files, *(name for prompt in ours for name in prompt.names)}
        self._ours = {prompt.pointer for prompt in ours}
        self._tests = Tests(sources, frozenset(ROWS))
        self._ids = Ids()
        self._losses: list[Loss] = []
        self._schemas: dict[str, Any] = {}
        self._tools = config.tools

    def all(self) -> Imported:
        self._lose_keys()
        default = self._default()
        drafts = [
            draft
            for test in self._tests.of(self._config.path, "/tests", self._root.get("tests"))
            for draft in self._cases(test, default)
        ]
        losses = tuple(dict.fromkeys((*self._losses, *self._tests.losses)))
        if not drafts and not losses:
            losses = (Loss(self._config.path, "/tests", "tests", "there is none"),)
        return Imported(tuple(drafts), self._schemas, losses)

    def _lose(self, path: str, pointer: str, name: str, why: str, *, aside: bool = False) -> None:
        self._losses.append(Loss(path, pointer, name, why, aside))

    def _lose_keys(self) -> None:
        for name in self._root:
            if name in ("providers", "targets"):
                self._lose(self._config.path, f"/{name}", name, _ELSEWHERE["providers"], aside=True)
            elif name not in _SILENT:
                why = _ELSEWHERE.get(name, "is nothing that this import reads")
                self._lose(
                    self._config.path, pointed("", name), name[:60], why, aside=name in ("env", "derivedMetrics")
                )
        for prompt in self._config.prompts:
            if prompt.pointer not in self._ours:
                what = "is another prompt" if prompt.path else "is a text in the configuration"
                why = f"{what}; keep each in a file of its own, and import its tests with --prompt"
                self._lose(self._config.path, prompt.pointer, "prompt", why, aside=True)

    def _default(self) -> Test | None:
        found = self._root.get("defaultTest")
        path, pointer = self._config.path, "/defaultTest"
        if isinstance(found, str):
            try:
                path, pointer = self._sources.beside(path, found), ""
                found = self._sources.document(path)
            except LastgoodError as exc:
                self._lose(self._config.path, "/defaultTest", "defaultTest", why_not(exc))
                return None
        if found is not None and not isinstance(found, dict):
            self._lose(path, pointer, "defaultTest", "is no object")
            return None
        return Test(path, pointer, found) if found else None

    # One test ---------------------------------------------------------------------------------------------------------

    def _cases(self, test: Test, default: Test | None) -> Iterator[Draft]:
        whole = {**(default.found if default else {}), **test.found}
        why = self._unfit(test, whole)
        if why:
            self._lose(test.path, test.pointer, "test", why)
            return
        for name in test.found:
            if name not in _OF_TEST:
                self._lose(
                    test.path, pointed(test.pointer, name), name[:60], "is nothing of a test that this import reads"
                )
        try:
            combinations = self._combinations(test, default, whole)
        except LastgoodError as exc:
            self._lose(test.path, pointed(test.pointer, "vars"), "test", f"its input cannot be told: {why_not(exc)}")
            return
        asserted = [
            *(self._assertions(default, default.found.get("assert"), "assert") if default and _defaults(whole) else ()),
            *self._assertions(test, test.found.get("assert"), "assert"),
        ]
        for given in combinations:
            draft = self._case(test, whole, given, asserted)
            if draft:
                yield draft

    def _unfit(self, test: Test, whole: dict[str, Any]) -> str:
        """Why nothing of a test can be a case, or ""."""
        only = test.found.get("prompts", whole.get("prompts"))
        only = [only] if isinstance(only, str) else only
        options = whole.get("options") if isinstance(whole.get("options"), dict) else {}
        assert isinstance(options, dict)
        if isinstance(only, list) and not any(str(name) in self._called for name in only):
            return "is of other prompts; import it with --prompt of one of these"
        if "threshold" in whole and not (is_number(whole["threshold"]) and whole["threshold"] >= 1):
            return "passes by a score: here every assertion must hold, so import would ask for more"
        if "assertScoringFunction" in whole:
            return "is scored by code of its own"
        for name in ("transform", "postprocess", "transformVars", "prefix", "suffix"):
            if options.get(name) or whole.get(name):
                return f"has {name}: what is asked or graded is not what the prompt and the model say"
        return ""

    def _combinations(self, test: Test, default: Test | None, whole: dict[str, Any]) -> list[dict[str, Any]]:
        found: dict[str, Any] = {}
        for one in (default, test):
            given = one.found.get("vars") if one else None
            if isinstance(given, str):
                assert one is not None
                given = self._sources.document(self._sources.beside(one.path, given))
            if given is not None and not isinstance(given, dict):
                raise Unexpressed("vars is no object")
            found |= {name: self._loaded(held, one) for name, held in (given or {}).items()}
        options = whole.get("options")
        fixed = isinstance(options, dict) and options.get("disableVarExpansion")
        axes = [held if isinstance(held, list) and held and not fixed else [held] for held in found.values()]
        rows = list(islice(product(*axes), _MOST + 1))
        if len(rows) > _MOST:
            raise Unexpressed(f"its variables have more than {_MOST} combinations")
        return [self._rendered(dict(zip(found, row, strict=True))) for row in rows]

    def _rendered(self, given: dict[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = rendered(given, given)
        return found

    def _loaded(self, held: Any, one: Test | None) -> Any:
        if isinstance(held, list):
            return [self._loaded(inner, one) if isinstance(inner, str) else inner for inner in held]
        if isinstance(held, str) and held.startswith(REFERENCE) and one:
            return self._sources.held(self._sources.beside(one.path, held))
        return held

    def _assertions(self, test: Test, found: Any, *names: object) -> Iterator[tuple[str, str, dict[str, Any]]]:
        """(path, pointer, assertion) of every assertion, sets without a threshold among them taken apart."""
        if found is not None and not isinstance(found, list):
            self._lose(test.path, pointed(test.pointer, *names), "assert", "is no list")
            return
        for nth, written in enumerate(found or ()):
            at = pointed(test.pointer, *names, nth)
            try:
                one = self._meant(written)
            except Unexpressed as exc:
                self._lose(test.path, at, "$ref", exc.what)
                continue
            if not isinstance(one, dict) or not isinstance(one.get("type"), str):
                self._lose(test.path, at, "assert", "has no type")
            elif one["type"] != "assert-set":
                yield test.path, at, one
            elif one.get("threshold", 1) != 1:
                self._lose(test.path, at, "assert-set", "passes by a score: here every assertion must hold")
            elif len(names) < 10:
                yield from self._assertions(test, one.get("assert"), *names, nth, "assert")

    def _meant(self, written: Any) -> Any:
        """An assertion itself, where it is written as a reference or in one string."""
        if isinstance(written, dict) and "$ref" in written:
            return resolved(self._root, written["$ref"])
        return self._tests.compact(written) if isinstance(written, str) else written

    def _case(
        self, test: Test, whole: dict[str, Any], given: dict[str, Any], asserted: list[tuple[str, str, dict[str, Any]]]
    ) -> Draft | None:
        described = whole.get("description")
        notes = described if isinstance(described, str) else ""
        case_id = self._ids.give(slug(notes, f"case-{hashed(given)}"), given)
        case = CaseFile(self._prompt_id, case_id, given, notes)
        for path, pointer, one in asserted:
            self._add(case, path, pointer, one, given)
        if case.empty:
            why = "no assertion of it can be said here" if asserted else "asserts nothing, and a case must"
            self._lose(test.path, test.pointer, "test", why)
            return None
        self._schemas |= case.schemas
        return Draft(case.object(), test.path, test.pointer)

    def _add(self, case: CaseFile, path: str, pointer: str, one: dict[str, Any], given: dict[str, Any]) -> None:
        kind = one["type"]
        try:
            if one.get("weight") == 0:
                raise Unexpressed("has weight 0, so it never fails")
            other = next((name for name in one if name not in _OF_ASSERTION and one[name] not in (None, {}, [])), None)
            if other:
                raise Unexpressed(f"{other!r} changes what it means")
            left = case.add(held(kind, self._value(kind, one, path, given), Around(self._tools, one.get("threshold"))))
            self._losses += losses_of(path, pointer, [(f"{kind}: {name}", why) for name, why in left])
            if one.get("weight") not in (None, 1):
                self._lose(path, pointer, "weight", "counts in a score; the assertion itself is taken over", aside=True)
        except LastgoodError as exc:
            self._lose(path, pointer, kind[:60], why_not(exc))

    def _value(self, kind: str, one: dict[str, Any], path: str, given: dict[str, Any]) -> Any:
        found = one.get("value")
        if (row := ROWS.get(kind)) and row.make is None:
            return found  # it becomes nothing, whatever it holds
        if isinstance(found, str) and found.startswith(REFERENCE):
            found = self._sources.held(self._sources.beside(path, rendered(found, given)))
        found = rendered(found, given)
        if isinstance(found, str) and kind.endswith("is-json") and found.strip():
            return parsed(found, f"{path}.yaml")
        return found


def _defaults(whole: dict[str, Any]) -> bool:
    options = whole.get("options")
    return not (isinstance(options, dict) and options.get("disableDefaultAsserts"))
