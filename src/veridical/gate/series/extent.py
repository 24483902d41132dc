"""What a figure is said to be of a stretch of rows: its lowest, its highest, its mean."""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from veridical.gate.records.lexicon import RecordLexicon
from veridical.late_pattern import late_pattern


class Extent(StrEnum):
    """How a figure stands to the rows that it is told of."""

    POINT = "point"
    LOW = "low"
    HIGH = "high"
    MEAN = "mean"
    CHANGE = "change"


_NEVER = "(?!)"
# ‹lowest›, ‹highest› and ‹trends› stand for what lexicons add.
_WORDS = r"""
    \b(?:
      (?P<low>lows|(?:an?|the|its|their|daily|record|new|overall)\s(?:[\w-]+\s)?low
          |low(?=\s(?:of|at|near|around))|lowest|minimum|minima|minimal|‹lowest›
          |bottom\w*|trough|nadir|(?:as|so)\slow\sas|tiefst\w*|niedrigst\w*|minimal\w*)
    | (?P<high>highs|(?:an?|the|its|their|daily|record|new|overall)\s(?:[\w-]+\s)?high
          |high(?=\s(?:of|at|near|around))|highest|maximum|maxima|peak\w*
          |(?:as|so)\shigh\sas|‹highest›|record|strongest|up\sto|höchst\w*|bis\szu
          |spitzen\w*|maximal\w*)
    | (?P<mean>average\w*|averaging|mean|median|durchschnitt\w*|im\smittel)
    | (?P<change>(?:increas|decreas|declin|ris|rose|reduc|grow|grew|fall|fell|drop|chang|gain|loss)
          \w*\s(?:of|by)|difference\sof|gestiegen\sum|gesunken\sum|zunahme\svon|abnahme\svon)
    )\b
    | (?P<low2>最低|最小) | (?P<high2>最高|最大|峰值) | (?P<mean2>平均)
"""
_AFTER = (
    r"\A[^,;.]{0,25}?\b(?:(?:was|is|being|as|will\sbe)\s(?:the|its|their)|the)\s"
    r"(?:(?P<low>lowest|minimum|‹lowest›)|(?P<high>highest|maximum|peak|‹highest›))\b"
)
_RANGE = late_pattern(
    r"\b(?:rang\w+|between|var(?:y|ies|ied|ying)|fluctuat\w+|from|span\w*|zwischen|von|schwank\w+)\b"
    r"|介于|在",
    re.IGNORECASE,
)
_TREND = (
    r"\b(?:ris(?:e|es|ing|en)|rose|increas\w+|decreas\w+|drop\w*|fall\w*|fell|declin\w+|climb\w*|"
    r"grow\w*|grew|‹trends›|chang\w+|mov\w+|jump\w*|steig\w+|stieg\w*|sink\w+|sank\w*|"
    r"went|going|improv\w+|start\w*|transition\w*)\b"
)
_TO = late_pattern(
    r"\s*(?:[^\s\d,;.]{1,12}\s){0,3}?(?:to|and|or|bis|und|through|-|–|—|至|到)\s*"
    r"(?:(?:a|an|the|around|about|as)\s)?(?:(?:high|peak|low|maximum|minimum)s?\s(?:of|as)\s)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ExtentWords:
    """The expressions with the words of a lexicon in them."""

    words: re.Pattern[str]
    after: re.Pattern[str]
    trend: re.Pattern[str]


@lru_cache(maxsize=16)
def extent_words(lexicon: RecordLexicon) -> ExtentWords:
    """How a text tells extents, in general and in the domains of the lexicon."""

    def compiled(written: str, flags: re.RegexFlag = re.IGNORECASE) -> re.Pattern[str]:
        for name in ("lowest", "highest", "trends"):
            told = getattr(lexicon, name)
            written = written.replace(f"‹{name}›", "|".join(told).replace(" ", r"\s") or _NEVER)
        return late_pattern(written, flags)

    return ExtentWords(
        compiled(_WORDS, re.VERBOSE | re.IGNORECASE), compiled(_AFTER), compiled(_TREND)
    )


def extent_of(before: str, after: str, words: ExtentWords) -> Extent:
    """What the words beside a figure say it is; the nearest before it decide."""
    last = None
    for match in words.words.finditer(before):
        last = match
    if last is not None and not re.search(r"[;:]", before[last.end() :]):
        return Extent((last.lastgroup or "").rstrip("2"))
    found = words.after.match(after)
    if found:
        return Extent.LOW if found["low"] else Extent.HIGH
    return Extent.POINT


def is_range(before: str, between: str) -> bool:
    """True where two figures are the ends of a range: what stands before and between them."""
    if not _TO.fullmatch(between):
        return False
    return re.fullmatch(r"\s*[-–—]\s*", between) is not None or bool(_RANGE.search(before))


def is_trend(before: str, words: ExtentWords) -> bool:
    """True where a range is told as a way from one value to another."""
    return bool(words.trend.search(before))
