"""How answers speak of what is missing, partial, forbidden, old, denied or only supposed."""

import re
import tomllib
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from veridical.late_pattern import late_pattern


class Notion(StrEnum):
    """What an answer can say about its own data and about a figure in it."""

    ABSENT = "absent"
    FORBIDDEN = "forbidden"
    UNKNOWN = "unknown"
    PARTIAL = "partial"
    EXAMPLES = "examples"
    RESTRICTED = "restricted"
    ALL = "all"
    COMPLETE = "complete"
    WHETHER = "whether"
    OLD = "old"
    UNABLE = "unable"
    SUPPOSED = "supposed"
    NOT = "not"
    NONE = "none"
    INSTEAD = "instead"
    CORRECTED = "corrected"
    LIMITED = "limited"
    WRONG = "wrong"
    UNSURE = "unsure"
    ASKED = "asked"
    AIMED = "aimed"
    PREMISED = "premised"
    CONFIRMED = "confirmed"
    BEING = "being"
    PRECISION = "precision"
    SINCE = "since"
    CHOSEN = "chosen"
    EXTREME = "extreme"
    COMPARED = "compared"
    OR_MORE = "or_more"
    AS_OF = "as_of"
    YES = "yes"
    BOOKED = "booked"


_REACH = 40
_SENTENCE_ENDS = late_pattern(r"(?<=[.!?;])\s+|(?<=[。！；，])")


class _Expressions(NamedTuple):
    whole: re.Pattern[str]
    latin: re.Pattern[str]
    """For texts in small letters, which are searched three times as fast."""
    han: re.Pattern[str]


def said(notion: Notion, text: str) -> re.Match[str] | None:
    """Where the text says so first, in any language: an answer may mix them."""
    told = _expressions(notion)
    if told.latin.search(text.lower()) is None and (text.isascii() or not told.han.search(text)):
        return None
    return told.whole.search(text)


def last_said(notion: Notion, text: str) -> re.Match[str] | None:
    """Where the text says so last."""
    return next(iter(reversed(list(_expressions(notion).whole.finditer(text)))), None)


def leads(notion: Notion, text: str, place: int) -> bool:
    """True where such words stand right before this place."""
    before = text[max(0, place - _REACH) : place].rstrip()
    found = last_said(notion, before)
    return found is not None and found.end() == len(before)


def opens(notion: Notion, text: str) -> re.Match[str] | None:
    """Such words at the beginning of the text."""
    return _expressions(notion).whole.match(text)


def follows(notion: Notion, text: str, place: int) -> bool:
    """True where such words stand right after this place."""
    behind = text[place : place + _REACH].lstrip()
    return opens(notion, behind) is not None


def asks_whether(question: str) -> bool:
    """True where what is asked last, or a sentence of it, wants a yes or a no."""
    asked = question.strip().rpartition("\n")[2]
    return any(said(Notion.WHETHER, part) for part in _SENTENCE_ENDS.split(asked))


@cache
def _expressions(notion: Notion) -> _Expressions:
    told = _told()[notion]
    latin = rf"(?<!\w)(?:{'|'.join((*told['de'], *told['en']))})(?!\w)"
    han = "|".join(told["zh"])
    return _Expressions(
        late_pattern(f"{latin}|{han}", re.IGNORECASE),
        late_pattern(latin),
        late_pattern(han, re.IGNORECASE),
    )


@cache
def _told() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads(files(__package__ or "").joinpath("notions.toml").read_text("utf-8"))
