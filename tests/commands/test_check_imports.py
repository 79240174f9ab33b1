"""The commit hook loads only what it uses: an import it does not need costs every commit of every user."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from repository import Repository

PROGRAM = """\
import sys
sys.argv = ["lastgood", "check"]
from lastgood.cli import main
code = main()
print("loaded", *sorted(sys.modules), file=sys.stderr)
sys.exit(code)
"""

# What each of these alone would add to an interpreter's start is measured nowhere near nothing.
HEAVY = {
    "argparse",
    "asyncio",
    "base64",
    "contextlib",
    "dataclasses",
    "enum",
    "filelock",
    "hashlib",
    "json",
    "jsonschema_rs",
    "msgspec",
    "pathlib",
    "re",
    "re2",
    "redact_secret",
    "shutil",
    "socket",
    "subprocess",
    "tempfile",
    "threading",
    "tomli",
    "typing",
    "unidiff",
}


def test_a_moved_prompt_is_refused_without_a_heavy_import(repo: Repository) -> None:
    """In a repository that was checked before, as it is at nearly every commit."""
    repo.lastgood("check")
    repo.write({"prompts/billing.txt": "Moved.\n"})
    repo.git("add", "-A")
    # Without site: what an environment's .pth files load is not ours.
    paths = os.pathsep.join(path for path in sys.path if path)
    env = {"GIT_INDEX_FILE": ".git/index", "PYTHONPATH": paths}
    done = repo.run(sys.executable, "-S", "-c", PROGRAM, code=2, env=env)
    loaded = set(done.err.rpartition("loaded ")[2].split())
    assert "the prompt moved" in done.err
    assert loaded & HEAVY == set()
