"""How answers speak of what is missing, partial, forbidden, old or only supposed."""

import re
import tomllib
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import NamedTuple


class Notion(StrEnum):
    """What an answer can say about its own data."""

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


@cache
def _expressions(notion: Notion) -> _Expressions:
    told = _told()[notion]
    latin = rf"(?<!\w)(?:{'|'.join((*told['de'], *told['en']))})(?!\w)"
    han = "|".join(told["zh"])
    return _Expressions(
        re.compile(f"{latin}|{han}", re.IGNORECASE),
        re.compile(latin),
        re.compile(han, re.IGNORECASE),
    )


@cache
def _told() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads(files(__package__ or "").joinpath("lexicon.toml").read_text("utf-8"))
