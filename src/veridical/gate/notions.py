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
    RESTRICTED = "restricted"
    ALL = "all"
    COMPLETE = "complete"
    WHETHER = "whether"
    OLD = "old"
    UNABLE = "unable"
    SUPPOSED = "supposed"
    BOOKED = "booked"


class _Expressions(NamedTuple):
    whole: re.Pattern[str]
    latin: re.Pattern[str]
    """For texts in small letters, which are searched three times as fast."""
    han: re.Pattern[str]


def find_notion(notion: Notion, text: str) -> re.Match[str] | None:
    """The first expression of the notion in the text, in any language: answers may mix them."""
    patterns = _expressions(notion)
    latin, han = patterns.latin, patterns.han
    if latin.search(text.lower()) is None and (text.isascii() or not han.search(text)):
        return None
    return patterns.whole.search(text)


@cache
def _expressions(notion: Notion) -> _Expressions:
    words = _notion_words()[notion]
    latin = rf"(?<!\w)(?:{'|'.join((*words['de'], *words['en']))})(?!\w)"
    han = "|".join(words["zh"])
    return _Expressions(
        late_pattern(f"{latin}|{han}", re.IGNORECASE),
        late_pattern(latin),
        late_pattern(han, re.IGNORECASE),
    )


@cache
def _notion_words() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads(files(__package__ or "").joinpath("notions.toml").read_text("utf-8"))
