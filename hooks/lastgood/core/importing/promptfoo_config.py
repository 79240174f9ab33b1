"""A promptfoo configuration: the prompts that it names, and the tools that its providers are given."""

from __future__ import annotations

from lastgood.core.importing.drafts import hashed
from lastgood.core.importing.sources import REFERENCE, suffix
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from typing import Any

    from lastgood.core.importing.sources import Sources


@value(frozen=True)
class Prompt:
    """One entry of `prompts`: the file that it names, "" for a text of its own, and what tests may call it."""

    path: str
    names: tuple[str, ...]
    pointer: str


class Config:
    """A parsed configuration, not yet any prompt's."""

    def __init__(self, sources: Sources, path: str) -> None:
        self._sources, self.path = sources, path
        self.root: Any = sources.document(path)

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        """The prompts it names, in order."""
        found = self.root.get("prompts") if isinstance(self.root, dict) else None
        every = found if isinstance(found, list) else [found] if found else []
        return tuple(self._prompt(one, f"/prompts/{nth}" if isinstance(found, list) else "/prompts")
                     for nth, one in enumerate(every))  # fmt: skip

    def _prompt(self, found: Any, pointer: str) -> Prompt:
        if isinstance(found, dict):
            names = tuple(str(found[key]) for key in ("label", "id") if isinstance(found.get(key), str))
            raw = found.get("raw") if isinstance(found.get("raw"), str) else found.get("id")
            return Prompt(self._file(raw), (*names, str(raw)), pointer)
        return Prompt(self._file(found), (str(found),), pointer)

    def _file(self, found: Any) -> str:
        if not isinstance(found, str) or "\n" in found:
            return ""
        plain = suffix(found) in ("txt", "md", "json", "yaml", "yml", "j2") and " " not in found
        return self._sources.beside(self.path, found) if found.startswith(REFERENCE) or plain else ""

    @property
    def tools(self) -> Any:
        """The tools that every provider which has any is given; None where none has, or they differ."""
        if not isinstance(self.root, dict):
            return None
        found: list[Any] = []
        providers = self.root.get("providers") or self.root.get("targets")
        for provider in providers if isinstance(providers, list) else [providers]:
            config = provider.get("config") if isinstance(provider, dict) else None
            tools = config.get("tools") if isinstance(config, dict) else None
            if isinstance(tools, str) and tools.startswith(REFERENCE):
                try:
                    tools = self._sources.document(self._sources.beside(self.path, tools))
                except LastgoodError:
                    tools = None
            if tools is not None:
                found.append(tools)
        return found[0] if found and all(hashed(tools) == hashed(found[0]) for tools in found) else None
