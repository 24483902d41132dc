"""What only Chinese writes: 一百二十万, 百分之十二, 三成, 第三."""

import re
from collections.abc import Iterator

from veridical.contracts.proof import ClaimKind
from veridical.gate.claim import Role
from veridical.gate.claims.calendar import a_day, a_month, a_year
from veridical.gate.claims.counting import counted
from veridical.gate.claims.draft import Draft
from veridical.late_pattern import late_pattern
from veridical.reading.after import after
from veridical.reading.before import before
from veridical.reading.figure import DIGITS, read_digits
from veridical.reading.han_numbers import HAN_ONES, read_han
from veridical.reading.units import HAN_COUNTERS

HAN = late_pattern("[\u4e00-\u9fff]")
_NUMERAL = rf"[{HAN_ONES}十百千万亿]+(?:点[{HAN_ONES}]+)?"
_PLACE = late_pattern(
    rf"百分之(?P<percent>{_NUMERAL}|{DIGITS})"
    rf"|(?P<tenths>[一二两三四五六七八九])成(?P<more>[一二三四五六七八九半])?(?![立为员本果就熟功长交人])"
    rf"|第(?P<rank>{_NUMERAL}|[0-9]+)(?P<quarter>季度?)?"
    r"|(?P<year>[一二][〇零九][〇零一二三四五六七八九]{2})年"
    r"(?:(?P<month>十[一二]?|[一二三四五六七八九])月(?:(?P<day>[一二三]?十?[一二三四五六七八九]?)[日号])?)?"
    r"|(?<![十百千万亿])(?P<only_month>十[一二]?|[一二三四五六七八九])月(?!饼|球|亮)"
    r"(?:份|(?P<only_day>[一二三]?十?[一二三四五六七八九]?)[日号])?"
    rf"|(?P<number>{_NUMERAL})"
)
_LARGE = late_pattern("[十百千万亿点]")
_NO_NUMBER = late_pattern(
    "十分|万一|千万别|千万不|一一|百般|万分|三番|四处|一切|一些|一样|一直|一般|一致|一定|一起|一旦"
)
_ONLY = "仅只共有"
_UNIT_SIGNS = frozenset(
    "元个家笔张条名位份件台辆间人项种只本套户封单所场天年月日周小分秒倍次股页米公吨美欧"
)


def han_places(text: str) -> Iterator[Draft]:
    """Numerals, percents and ranks in Chinese characters, in order."""
    for match in _PLACE.finditer(text):
        draft = _READERS[match.lastgroup or "number"](text, match)
        if draft is not None:
            yield draft


def _percent(text: str, match: re.Match[str]) -> Draft | None:
    said = match["percent"]
    numeral = read_han(said) if not said[0].isascii() else None
    digits = (numeral,) if numeral else read_digits(said) if said[0].isascii() else ()
    if not digits:
        return None
    mark = before(text, match.start()).mark
    return Draft(ClaimKind.PERCENT, match.start(), match.end(), digits, "%", mark=mark)


def _tenths(text: str, match: re.Match[str]) -> Draft | None:
    tenths = (read_han(match["tenths"]) or (0.0, 0.0))[0]
    more = match["more"]
    if not more:
        digits = ((tenths * 10, 5.0),)
    else:
        digits = ((tenths * 10 + (5.0 if more == "半" else (read_han(more) or (0.0, 0))[0]), 0.5),)
    mark = before(text, match.start()).mark
    return Draft(ClaimKind.PERCENT, match.start(), match.end(), digits, "%", mark=mark)


def _rank(text: str, match: re.Match[str]) -> Draft | None:
    said = match["rank"]
    number = read_digits(said)[0] if said[0].isascii() else read_han(said)
    if number is None:
        return None
    if match["quarter"]:
        quarter = int(number[0])
        if not 1 <= quarter <= 4:
            return None
        return Draft(ClaimKind.PERIOD, match.start(), match.end(), yearless=(quarter * 3 - 2, 3, 0))
    return Draft(ClaimKind.NUMBER, match.start(), match.end(), (number,), role=Role.ORDINAL)


def _dated(text: str, match: re.Match[str]) -> Draft | None:
    year = int((read_han(match["year"]) or (0.0, 0.0))[0])
    if not match["month"]:
        return Draft(ClaimKind.PERIOD, match.start(), match.end(), days=a_year(year))
    month = int((read_han(match["month"]) or (0.0, 0.0))[0])
    day = read_han(match["day"]) if match["day"] else None
    kind = ClaimKind.DATE if day else ClaimKind.PERIOD
    days = a_day(year, month, int(day[0])) if day else a_month(year, month)
    return Draft(kind, match.start(), match.end(), days=days) if days else None


def _month(_: str, match: re.Match[str]) -> Draft | None:
    month = read_han(match["only_month"])
    day = read_han(match["only_day"]) if match["only_day"] else None
    if month is None:
        return None
    said = (int(month[0]), 1, int(day[0]) if day else 0)
    kind = ClaimKind.DATE if day else ClaimKind.PERIOD
    return Draft(kind, match.start(), match.end(), yearless=said)


def _numeral(text: str, match: re.Match[str]) -> Draft | None:
    said, start, end = match[0], match.start(), match.end()
    if _NO_NUMBER.match(text, start) or (start and text[start - 1] in "0123456789."):
        return None
    follows = text[end : end + 1]
    if (
        len(said) == 1
        and said in "一百千万亿零〇"
        and not (said == "一" and follows in _UNIT_SIGNS and text[start - 1 : start] in _ONLY)
    ):
        return None
    if follows not in _UNIT_SIGNS and not (len(said) > 1 and _LARGE.search(said)):
        return None
    digits = read_han(said)
    if digits is None:
        return None
    tail = after(text, end)
    mark = before(text, start).mark
    if tail.unit:
        kind = ClaimKind.PERCENT if tail.unit == "%" else ClaimKind.AMOUNT
        return Draft(kind, start, tail.end, (digits,), tail.unit, tail.factor, mark=mark)
    if follows in HAN_COUNTERS and follows:
        return Draft(
            ClaimKind.COUNT, start, end, (digits,), mark=mark, counted=counted(text, end, "")
        )
    return Draft(ClaimKind.NUMBER, start, end, (digits,), mark=mark)


_READERS = {
    "percent": _percent, "tenths": _tenths, "more": _tenths, "rank": _rank, "quarter": _rank,
    "year": _dated, "month": _dated, "day": _dated, "only_month": _month, "only_day": _month,
    "number": _numeral,
}  # fmt: skip
