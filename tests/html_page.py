"""A page of HTML as a browser would read it: elements with their attributes and text, styles, scripts and data."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


class Element(dict[str, str]):
    """An element: its attributes by name; `tag`, `parent` and `children` (elements and texts in order)."""

    def __init__(self, tag: str, attributes: dict[str, str], parent: Element | None) -> None:
        super().__init__(attributes)
        self.tag = tag
        self.parent = parent
        self.children: list[Element | str] = []


class Page(HTMLParser):
    """A page, read strictly: an end tag that ends nothing, or an element that never ends, fails the test."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.top = Element("", {}, None)
        self._open = self.top
        self.feed(text)
        self.close()
        assert self._open is self.top, f"<{self._open.tag}> never ends"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs), f"<{tag}> has an attribute twice: {attrs}"
        found = Element(tag, {name: value or "" for name, value in attrs}, self._open)
        self._open.children.append(found)
        if tag not in VOID:
            self._open = found

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.tag == tag, f"</{tag}> inside <{self._open.tag}>"
        assert self._open.parent is not None
        self._open = self._open.parent

    def handle_data(self, data: str) -> None:
        self._open.children.append(data)

    def elements(self, *tags: str) -> list[Element]:
        """All elements of these tags (default: of any), in order."""
        return [found for found in self._walk(self.top) if not tags or found.tag in tags]

    def _walk(self, element: Element) -> Iterator[Element]:
        for child in element.children:
            if isinstance(child, Element):
                yield child
                yield from self._walk(child)

    def having(self, attribute: str) -> list[Element]:
        """All elements with an attribute."""
        return [found for found in self.elements() if attribute in found]

    def text_of(self, element: Element) -> str:
        """All text inside an element."""
        parts = (self.text_of(child) if isinstance(child, Element) else child for child in element.children)
        return "".join(parts)

    def data(self, name: str) -> str:
        """The text of the data block with an id."""
        (found,) = [found for found in self.elements("script") if found.get("id") == name]
        assert found["type"] == "application/json"
        return self.text_of(found)
