"""What a figure is said to be of a stretch of rows: its lowest, its highest, its mean."""

import re
from enum import StrEnum


class Extent(StrEnum):
    """How a figure stands to the rows that it is told of."""

    POINT = "point"
    LOW = "low"
    HIGH = "high"
    MEAN = "mean"
    CHANGE = "change"


_WORDS = re.compile(
    r"""
    \b(?:
      (?P<low>lows|(?:an?|the|its|their|daily|record|new|overall)\s(?:[\w-]+\s)?low
          |low(?=\s(?:of|at|near|around|temp))|lowest|minimum|minima|minimal|coldest|coolest
          |bottom\w*|trough|nadir|(?:as|so)\slow\sas|tiefst\w*|niedrigst\w*|minimal\w*)
    | (?P<high>highs|(?:an?|the|its|their|daily|record|new|overall)\s(?:[\w-]+\s)?high
          |high(?=\s(?:of|at|near|around|temp))|highest|maximum|maxima|peak\w*
          |(?:as|so)\shigh\sas|hottest|warmest|record|strongest|up\sto|höchst\w*|bis\szu
          |spitzen\w*|maximal\w*)
    | (?P<mean>average\w*|averaging|mean|median|durchschnitt\w*|im\smittel)
    | (?P<change>(?:increas|decreas|declin|ris|rose|reduc|grow|grew|fall|fell|drop|chang|gain|loss)
          \w*\s(?:of|by)|difference\sof|gestiegen\sum|gesunken\sum|zunahme\svon|abnahme\svon)
    )\b
    | (?P<low2>最低|最小) | (?P<high2>最高|最大|峰值) | (?P<mean2>平均)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_AFTER = re.compile(
    r"\A[^,;.]{0,25}?\b(?:(?:was|is|being|as|will\sbe)\s(?:the|its|their)|the)\s"
    r"(?:(?P<low>lowest|minimum|coldest)|(?P<high>highest|maximum|peak|warmest))\b",
    re.IGNORECASE,
)
_RANGE = re.compile(
    r"\b(?:rang\w+|between|var(?:y|ies|ied|ying)|fluctuat\w+|from|span\w*|zwischen|von|schwank\w+)\b"
    r"|介于|在",
    re.IGNORECASE,
)
_TREND = re.compile(
    r"\b(?:ris(?:e|es|ing|en)|rose|increas\w+|decreas\w+|drop\w*|fall\w*|fell|declin\w+|climb\w*|"
    r"grow\w*|grew|warm\w*|cool\w*|chang\w+|mov\w+|jump\w*|steig\w+|stieg\w*|sink\w+|sank\w*|"
    r"went|going|improv\w+|start\w*|transition\w*)\b",
    re.IGNORECASE,
)
_TO = re.compile(
    r"\s*(?:[^\s\d,;.]{1,12}\s){0,3}?(?:to|and|or|bis|und|through|-|–|—|至|到)\s*"
    r"(?:(?:a|an|the|around|about|as)\s)?(?:(?:high|peak|low|maximum|minimum)s?\s(?:of|as)\s)?",
    re.IGNORECASE,
)


def extent_of(before: str, after: str) -> Extent:
    """What the words beside a figure say it is; the nearest before it decide."""
    last = None
    for match in _WORDS.finditer(before):
        last = match
    if last is not None and not re.search(r"[;:]", before[last.end() :]):
        return Extent((last.lastgroup or "").rstrip("2"))
    found = _AFTER.match(after)
    if found:
        return Extent.LOW if found["low"] else Extent.HIGH
    return Extent.POINT


def is_range(before: str, between: str) -> bool:
    """True where two figures are the ends of a range: what stands before and between them."""
    if not _TO.fullmatch(between):
        return False
    return re.fullmatch(r"\s*[-–—]\s*", between) is not None or bool(_RANGE.search(before))


def is_trend(before: str) -> bool:
    """True where a range is told as a way from one value to another."""
    return bool(_TREND.search(before))
