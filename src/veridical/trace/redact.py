"""Secrets taken out of events before they are stored."""

import re
from collections.abc import Iterable
from functools import partial
from typing import Any

from veridical.contracts.trace import Event
from veridical.trace.stored import from_stored, mapped, to_stored

REDACTED = "[redacted]"

SECRETS = tuple(
    re.compile(pattern)
    for pattern in (
        r"\bsk-[A-Za-z0-9_-]{16,}",
        r"\b(?:gh[pousr]|github_pat)_[A-Za-z0-9_]{20,}",
        r"\bxox[abeprs]-[A-Za-z0-9-]{10,}",
        r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
        r"\bAIza[A-Za-z0-9_-]{30,}",
        r"\beyJ[A-Za-z0-9_-]+\.eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+",
        r"(?i)(?<=\bbearer )[A-Za-z0-9._~+/=-]{8,}",
        r"(?i)(?<=\bbasic )[A-Za-z0-9+/]{16,}={0,2}",
        r"(?i)(?<=\bapi[_-]key[=:])\s*[^\s\"',;&]{8,}",
        r"(?<=://)[^\s:/@]+:[^\s/@]+(?=@)",
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
    )
)
"""Provider keys, tokens, credentials in headers and addresses, private keys."""


def redact(event: Event, patterns: Iterable[re.Pattern[str]] = SECRETS) -> Event:
    """The event with all that the patterns find replaced; the same event when they find nothing."""
    given = to_stored(event)
    cleaned = mapped(given, partial(_cleaned, patterns=tuple(patterns)))
    return event if cleaned == given else from_stored(cleaned)


def _cleaned(value: Any, patterns: tuple[re.Pattern[str], ...]) -> Any:
    if isinstance(value, str):
        for pattern in patterns:
            value = pattern.sub(REDACTED, value)
    return value
