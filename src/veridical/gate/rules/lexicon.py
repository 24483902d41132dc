"""How answers speak of what is missing, partial, forbidden, old or only supposed."""

import re
import tomllib
from enum import StrEnum
from functools import cache
from importlib.resources import files


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


def said(notion: Notion, text: str) -> re.Match[str] | None:
    """Where the text says so first, in any language: an answer may mix them."""
    return _expression(notion).search(text)


@cache
def _expression(notion: Notion) -> re.Pattern[str]:
    told = _told()[notion]
    words = "|".join((*told["de"], *told["en"]))
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)|{'|'.join(told['zh'])}", re.IGNORECASE)


@cache
def _told() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads(files(__package__ or "").joinpath("lexicon.toml").read_text("utf-8"))
