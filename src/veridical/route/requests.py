"""Requests that no data answers: help, cancel, and changes of data.

Veridical only reads. A request to delete or to book something is refused at once, instead of
left to a model that might say "done".
"""

import re
from enum import StrEnum

from veridical.late_pattern import late_pattern
from veridical.reading.punctuation import LIST_MARKS, marks
from veridical.word_file import word_file

_WRITTEN = word_file("veridical.route", "requests.toml")
_LONGEST = 300
_ENDS = f" \t\r\n¿¡…~\"'“”„«»{marks('.,;:!?')}{LIST_MARKS}"
_APOSTROPHE = late_pattern(r"(?<=\w)['’](?=\w)")
_SPACES = late_pattern(r"\s+")


class Request(StrEnum):
    """A request that no data answers."""

    HELP = "help"
    CANCEL = "cancel"
    CHANGE = "change"


def _any(expressions: list[str]) -> re.Pattern[str]:
    return late_pattern("|".join(f"(?:{each})" for each in expressions))


_HELP, _CANCEL, _LEAVE = (_any(_WRITTEN[name]) for name in ("help", "cancel", "leave"))
_CHANGE: dict[str, str] = _WRITTEN["change"]
_ENGLISH = late_pattern(
    rf"{_CHANGE['lead']}(?:{_CHANGE['verbs']}\b|{_CHANGE['bare']}\s{_CHANGE['objects']}\b)"
)
_HARMLESS = late_pattern(rf"{_CHANGE['lead']}{_CHANGE['harmless']}")
_GERMAN = late_pattern(
    rf"{_CHANGE['de_lead']}{_CHANGE['de_verbs']}\b"
    rf"|{_CHANGE['de_lead']}{_CHANGE['de_asking']}.{{0,120}}\b{_CHANGE['de_infinitives']}$"
)
_CHINESE, _CHINESE_NOT = late_pattern(_CHANGE["zh"]), late_pattern(_CHANGE["zh_not"])
_SQL = late_pattern(_CHANGE["sql"])


def request_of(text: str) -> Request | None:
    """The kind of request; None for all others, which may be about data."""
    if len(text) > _LONGEST:
        return None
    if text.strip() and not text.strip(_ENDS):
        return Request.HELP if set(text.strip()) <= set(marks("?")) else None
    words = _SPACES.sub(" ", _APOSTROPHE.sub(" ", text.lower())).strip(_ENDS)
    if _HELP.fullmatch(words):
        return Request.HELP
    if _CANCEL.fullmatch(words):
        return Request.CANCEL
    return Request.CHANGE if _changes(words) else None


def _changes(words: str) -> bool:
    if _SQL.match(words):
        return True
    if _HARMLESS.match(words):
        return False
    if _ENGLISH.match(words) or _GERMAN.match(words):
        return True
    return _CHINESE.search(words) is not None and _CHINESE_NOT.search(words) is None


def leaves(text: str) -> bool:
    """True for a line that ends a chat."""
    return _LEAVE.fullmatch(text.lower().strip(_ENDS.replace(":", ""))) is not None
