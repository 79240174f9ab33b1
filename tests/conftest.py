"""Every test runs with the same few environment variables, wherever it runs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Iterator

settings.register_profile("busy machine", deadline=None)  # how long an example took says what else ran
settings.load_profile("busy machine")

# What comes in from outside. An allow-list, because every CI vendor has its own variable, git sets another dozen
# inside a hook, and `record` refuses under any of them. Users' output is buffered, so ours is too.
KEPT_NAMES = {"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "VIRTUAL_ENV", "SSL_CERT_FILE"}
KEPT_PREFIXES = ("COVERAGE_", "DYLD_", "HYPOTHESIS_", "LD_", "PIP_", "PYENV_", "PYTEST_", "PYTHON")

SET = {
    "LC_ALL": "C.UTF-8",
    "GIT_AUTHOR_NAME": "Ada Brandt",
    "GIT_AUTHOR_EMAIL": "ada@example.com",
    "GIT_COMMITTER_NAME": "Ada Brandt",
    "GIT_COMMITTER_EMAIL": "ada@example.com",
    # The settings of whoever runs the tests must not reach them: autocrlf, signing, hooks, templates.
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
}


@pytest.fixture(scope="session", autouse=True)
def environment() -> Iterator[None]:
    """The environment of every test and of every process it starts."""
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name == "PYTHONUNBUFFERED" or (name not in KEPT_NAMES and not name.startswith(KEPT_PREFIXES)):
                patch.delenv(name)
        for name, text in SET.items():
            patch.setenv(name, text)
        yield
