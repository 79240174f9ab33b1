"""Does a completion seem to hold a secret? What is recorded goes into git, where nothing can be taken back.

`redact-secret` does the looking, inside this process: it opens no file and no socket, its findings never carry what
they found, and looking through a completion takes microseconds.
"""

from __future__ import annotations

from lastgood.core.value import TYPE_CHECKING
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# Its guesses from a name alone (`"session_token": "tok_demo"`) are of medium confidence; refusing a record for one of
# those would teach people to work around the scan. This one is a guess from the value: `sk-` and 48 letters.
_TRUSTED_AT_MEDIUM = ("vendor_prefixed_credential",)

# What it does not know yet.
_ALSO = {
    "openai_key": r"\bsk-(?:(?:proj|svcacct|admin|or-v1)-[A-Za-z0-9_-]{20,}|[A-Za-z0-9]{32,})",
    "slack_webhook": r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Z0-9]{6,}/[A-Z0-9]{6,}/[A-Za-z0-9]{16,}",
}


def suspects(texts: Mapping[str, str]) -> list[tuple[str, str]]:
    """(case id, kind of secret) of each completion that seems to hold one, in the order given; never the secret.

    `texts` maps case ids to completions. Raises LastgoodError when it cannot look: a scan is never skipped.
    """
    return [(case_id, kind) for case_id, text in texts.items() for kind in sorted(set(_kinds(case_id, text)))]


def _kinds(case_id: str, text: str) -> Iterator[str]:
    try:
        import redact_secret
    except ImportError as exc:
        raise LastgoodError(
            f"completions cannot be scanned for secrets: {exc}", fix="pip install --force-reinstall redact-secret"
        ) from None
    from lastgood.core.pattern import compiled

    readable = text.encode("utf-8", "replace").decode("utf-8")  # the scanner takes no lone surrogates
    try:
        found = redact_secret.scan(readable)
    except redact_secret.SecretScanError as exc:
        raise LastgoodError(f"the completion of {case_id} cannot be scanned for secrets: {exc}") from None
    yield from (hit.type for hit in found if hit.confidence == "high" or hit.type in _TRUSTED_AT_MEDIUM)
    yield from (kind for kind, pattern in _ALSO.items() if compiled(pattern).search(readable))
