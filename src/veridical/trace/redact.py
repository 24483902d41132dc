"""Redaction: removes secrets from events before they are stored."""

import json
import logging
import re
import traceback
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from veridical.contracts.step import Json
from veridical.contracts.trace import Event
from veridical.trace.event_json import as_text, from_stored, mapped, to_stored, to_stored_text

REDACTED = "[redacted]"

SECRETS = tuple(
    re.compile(pattern)
    for pattern in (
        r"\bsk-[A-Za-z0-9_-]{16,}",
        r"\b(?:gh[pousr]|github_pat)_[A-Za-z0-9_]{20,}",
        r"\bxox[abeprs]-[A-Za-z0-9-]{10,}",
        r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
        r"\bAIza[A-Za-z0-9_-]{30,}",
        r"\bvk_[A-Za-z0-9]+_[A-Za-z0-9_-]{8,}",
        r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*){2,4}",
        r"(?i)(?<=\bbearer )[A-Za-z0-9._~+/=-]{8,}",
        r"(?i)(?<=\bbasic )[A-Za-z0-9+/]{16,}={0,2}",
        r"(?i)(?<=\bapi[_-]key[=:])\s*[^\s\"',;&]{8,}",
        r"(?i)(?<=password=)(?:'(?:[^'\\]|\\.)*'|[^\s&\"',;]+)",
        # In the address of a database a password may hold anything: it ends at the last @.
        r"(?i)(?:(?<=sql://)|(?<=postgres://)|(?<=psycopg://))[^\s:/@]{0,100}:[^\s\"']{0,300}(?=@)",
        r"(?<=://)[^\s:/@]*:[^\s/@]+(?=@)",
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
    )
)
"""Keys of ours and of providers, tokens, credentials in headers and addresses, private keys.

Untrusted text is searched for them, so no pattern may rescan what it has just read.
"""

_SIGNS = (
    *("sk-", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "xox", "akia", "asia", "aiza"),
    *("vk_", "eyj", "bearer ", "basic ", "api_key", "api-key", "password=", "://", "-----begin "),
    # letters that count as i and s where capitals don't matter
    *("i\u0307", "ı", "ſ"),
)
"""In small letters: a text with none of these holds no secret, which is quickly checked."""


def redact(event: Event, patterns: Iterable[re.Pattern[str]] = SECRETS) -> Event:
    """The event with all that the patterns find replaced; the same event when they find nothing."""
    if patterns is SECRETS and not _is_suspect(to_stored_text(event)):
        return event
    given = to_stored(event)
    cleaned = redact_json(given, patterns)
    return event if cleaned is given or cleaned == given else from_stored(cleaned)


def redacted(event: Event) -> tuple[Event, str]:
    """The event and its text as a store holds it, with all secrets replaced."""
    text = to_stored_text(event)
    if not _is_suspect(text):
        return event, text
    cleaned = redact(event)
    return cleaned, to_stored_text(cleaned)


def stored_without_secrets(event: Event) -> str:
    """The event's text as a store holds it, with all secrets replaced."""
    return all_stored_without_secrets((event,))[0]


def all_stored_without_secrets(events: Sequence[Event]) -> list[str]:
    """The same for several events. Most hold no secret, which is checked faster for all at once."""
    texts = [to_stored_text(event) for event in events]
    if not _is_suspect("\n".join(texts)):
        return texts
    return [as_text(redact_json(json.loads(text))) for text in texts]


def redact_text(text: str, patterns: Iterable[re.Pattern[str]] = SECRETS) -> str:
    """The text with all that the patterns find replaced."""
    if patterns is SECRETS and not _is_suspect(text):
        return text
    for pattern in patterns:
        text = pattern.sub(REDACTED, text)
    return text


def redact_json(value: Json, patterns: Iterable[re.Pattern[str]] = SECRETS) -> Json:
    """The JSON with all that the patterns find in its texts and names replaced."""
    if patterns is SECRETS and not _is_suspect(json.dumps(value, ensure_ascii=False, default=str)):
        return value
    return mapped(value, partial(_cleaned, patterns=tuple(patterns)))


def _is_suspect(text: str) -> bool:
    small = text.lower()
    return any(sign in small for sign in _SIGNS)


def _cleaned(value: Any, patterns: tuple[re.Pattern[str], ...]) -> Any:
    return redact_text(value, patterns) if isinstance(value, str) else value


class RedactingFilter(logging.Filter):
    """Lets every record pass, cleaned: its message, its trace and its stack. The message becomes
    one line, so that no message can look like another record.

    To be put on handlers: a filter of a logger does not see what its children log.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Clean the record."""
        try:
            message = record.getMessage()
        except (TypeError, ValueError, KeyError):
            message = f"{record.msg!s} {record.args!r}"
        record.msg, record.args = " ".join(redact_text(message).split("\n")), None
        if record.exc_info and record.exc_info[0] is not None:
            text = "".join(traceback.format_exception(*record.exc_info))
            # A formatter takes this text as it is and does not write the trace once more.
            record.exc_text = redact_text(text.rstrip("\n"))
        if record.stack_info:
            record.stack_info = redact_text(record.stack_info)
        return True


def redact_logs(
    loggers: Iterable[str] = ("", "uvicorn", "uvicorn.access", "uvicorn.error"),
) -> None:
    """Redact everything that the handlers of these loggers write; repeating it has no effect."""
    for name in loggers:
        for handler in logging.getLogger(name or None).handlers:
            if not any(isinstance(each, RedactingFilter) for each in handler.filters):
                handler.addFilter(RedactingFilter())
