"""Requests that no data answers: what can be asked, never mind, and whatever would change data.

Veridical only reads. Who asks it to delete or to book something is told so at once, rather than
left to a model that might say "done".
"""

import re
import tomllib
from enum import StrEnum
from importlib.resources import files
from typing import Any

from veridical.late_pattern import late_pattern

_WRITTEN: dict[str, Any] = tomllib.loads(
    files("veridical.route").joinpath("requests.toml").read_text("utf-8")
)
_LONGEST = 300
_ENDS = " \t\r\n.,;:!?¿¡…\"'“”„«»。，！？；：、~"
_APOSTROPHE = late_pattern(r"(?<=\w)['’](?=\w)")
_SPACES = late_pattern(r"\s+")


class Request(StrEnum):
    """What is asked for."""

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
    """What is asked for; none for everything else, which may be about data."""
    if len(text) > _LONGEST:
        return None
    if text.strip() and not text.strip(_ENDS):
        return Request.HELP if set(text.strip()) <= {"?", "？"} else None
    said = _SPACES.sub(" ", _APOSTROPHE.sub(" ", text.lower())).strip(_ENDS)
    if _HELP.fullmatch(said):
        return Request.HELP
    if _CANCEL.fullmatch(said):
        return Request.CANCEL
    return Request.CHANGE if _changes(said) else None


def _changes(said: str) -> bool:
    if _SQL.match(said):
        return True
    if _HARMLESS.match(said):
        return False
    if _ENGLISH.match(said) or _GERMAN.match(said):
        return True
    return _CHINESE.search(said) is not None and _CHINESE_NOT.search(said) is None


def leaves(text: str) -> bool:
    """True for a line that ends a chat."""
    return _LEAVE.fullmatch(text.lower().strip(_ENDS.replace(":", ""))) is not None
