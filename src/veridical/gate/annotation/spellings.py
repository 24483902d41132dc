"""The ways to write what the host has printed: the same figure, day or name in other signs.

As data in ``spellings.toml``. Digits are never more or fewer, units never others.
"""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from veridical.contracts.language import Language
from veridical.evidence.moment import Moment
from veridical.gate.references.printed import Printer
from veridical.gate.references.shown import Part, Piece
from veridical.late_pattern import late_pattern

_LOADED: dict[str, Any] = tomllib.loads(
    files("veridical.gate.annotation").joinpath("spellings.toml").read_text("utf-8")
)
BLANKS: str = _LOADED["blanks"]
_BLANK = f"[{BLANKS}]"
_NEW_LINE = late_pattern(r"\n")
_NO_MORE_DIGITS = r"(?!\d|[.,'’]\d)"
_PERCENT = "%"


@cache
def prose_pattern(text: str) -> re.Pattern[str]:
    """Prose as it stands; blanks count as one, line ends as one or as a new paragraph."""
    parts = re.split(r"(\s+)", text)
    return re.compile(
        "".join(_space(each) if each.isspace() else re.escape(each) for each in parts)
    )


def piece_pattern(piece: Piece, language: Language) -> re.Pattern[str]:
    """What a piece that was computed may be written like."""
    if piece.moment is not None and piece.part is Part.NAME:
        known = [re.escape(each) for each in _moments(piece.moment, piece.text, language)]
        return re.compile("|".join([re.escape(piece.text), *known]) + r"(?!\d)")
    if piece.part is Part.FIGURE:
        return re.compile(_figures(piece.text, language), re.IGNORECASE)
    return re.compile(prose_pattern(piece.text).pattern, re.IGNORECASE)


def joint_pattern(text: str, language: Language) -> re.Pattern[str] | None:
    """What may join the items of a list instead; none for other prose."""
    known: list[str] = _LOADED["joints"][language.value]
    if text not in known and text not in Printer(language).listed(["", "", ""]):
        return None
    same = sorted({text, *known}, key=len, reverse=True) if text in known else [text]
    return re.compile("|".join(map(re.escape, same)))


def _space(blanks: str) -> str:
    lines = len(_NEW_LINE.findall(blanks))
    if not lines:
        return f"{_BLANK}+"
    return rf"{_BLANK}*\n{_BLANK}*" if lines == 1 else r"\s*\n\s*\n\s*"


def _figures(text: str, language: Language) -> str:
    """The printed text with every number in all styles of the language."""
    group, decimal = Printer(language).signs
    number = re.compile(rf"\d+(?:{re.escape(group)}\d{{3}})*(?:{re.escape(decimal)}\d+)?")
    found: list[str] = []
    at = 0
    for match in number.finditer(text):
        found.append(_around(text[at : match.start()]))
        whole, _, part = match[0].replace(group, "").partition(decimal)
        styles = dict.fromkeys(_styled(whole, part, language))
        found.append(f"(?:{'|'.join(map(re.escape, styles))}){_NO_MORE_DIGITS}")
        at = match.end()
    return "".join([*found, _around(text[at:])])


def _styled(whole: str, part: str, language: Language) -> Iterator[str]:
    head = len(whole) % 3 or 3
    groups = [whole[:head], *(whole[at : at + 3] for at in range(head, len(whole), 3))]
    for group, decimal in _LOADED["figures"][language.value]:
        yield group.join(groups) + (decimal + part if part else "")


def _around(text: str) -> str:
    """What stands beside the digits: a sign, a unit."""
    minus = _LOADED["minus"]
    return "".join(
        f"[{re.escape(minus)}]"
        if sign in minus
        else f"{_BLANK}*"
        if sign in BLANKS
        else f"{_BLANK}?%"
        if sign == _PERCENT
        else re.escape(sign)
        for sign in text
    )


def _moments(moment: Moment, printed: str, language: Language) -> Iterator[str]:
    """The same day or month; the year is left out where the printed text has none."""
    if moment.month is None or moment.clock:
        return
    has_year = moment.year is not None and str(moment.year) in printed
    if moment.day is None:
        kind = "months" if has_year else ""
    else:
        kind = "days" if has_year else "short_days"
    names = Printer(language).months
    for pattern in _LOADED[kind][language.value] if kind else ():
        yield str(
            pattern.format(
                y=moment.year, m=moment.month, d=moment.day,
                month=names[moment.month - 1], mon=names[moment.month - 1][:3],
            )
        )  # fmt: skip
