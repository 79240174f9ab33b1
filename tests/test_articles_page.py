"""docs/articles.md is run as it is read: its files are written, its commands typed, what they print is compared."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from repository import LASTGOOD, Repository

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = Path(__file__).resolve().parent.parent / "docs" / "articles.md"
FENCE = re.compile(r"^```(\w+) ?(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def steps(block: str) -> Iterator[tuple[str, str]]:
    """Command and output, as often as a line begins with `$ `."""
    for part in ("\n" + block).split("\n$ ")[1:]:
        command, continued, rest = "", True, part
        while continued:
            line, _, rest = rest.partition("\n")
            command += line + "\n"
            continued = line.endswith("\\")
        yield command, rest if not rest or rest.endswith("\n") else rest + "\n"


def test_the_page_prints_what_happens(tmp_path: Path) -> None:
    desk = Repository(tmp_path, init=False)
    path = os.pathsep.join([os.path.dirname(LASTGOOD), os.environ["PATH"]])
    code, typed = 0, 0
    for language, name, block in FENCE.findall(PAGE.read_text(encoding="utf-8")):
        if language != "console":
            assert name, f"a block that is no file: {block}"
            desk.write({name: block.encode()})
            continue
        for command, printed in steps(block):
            done = desk.run("sh", "-c", f"(exit {code})\n{command}", code=None, env={"PATH": path})
            assert (command, done.said) == (command, printed)
            code, typed = done.code, typed + 1
    assert typed > 5
