"""Figures: digits with what stands around them, as number, amount, percent, count or year."""

import re

from veridical.contracts.proof import ClaimKind
from veridical.gate.claim import Role
from veridical.gate.claims.calendar import a_day, a_month, a_year, at_its_end
from veridical.gate.claims.codes import CODE_CUES
from veridical.gate.claims.draft import Draft
from veridical.reading.figure import Digits, read_digits
from veridical.reading.listed import listed
from veridical.reading.period_words import MONTH_NUMBERS
from veridical.reading.surroundings import After, Before, after, before
from veridical.reading.units import HAN_COUNTERS

_SWISS_CENTS = re.compile(r"\.[-–—―]{1,2}(?![0-9])")
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b|\.?[ ]?(?:ter?|te[nsmr]?)\b")
_CLOSING = frozenset(")）")
_FIRST_YEAR, _LAST_YEAR = 1900, 2099
_RANKS = frozenset({"platz", "rang", "rank", "ranked", "place", "position", "第", "nummer", "#"})
_ENDS = frozenset({"ende", "end", "year-end", "jahresende", "close"})


def figure(text: str, start: int, end: int) -> list[Draft]:
    """The figure whose digits stand here; several where they are a row of small numbers."""
    said = text[start:end]
    lead = before(text, start)
    digits = read_digits(said)
    if start and text[start - 1] == "." and lead.start == start and said.isdigit():
        lead, digits = before(text, start - 1), read_digits("." + said)
    if not digits:
        return _row(text, start, said)
    dated = _dated(text, start, end, said, lead)
    if dated is not None:
        return [dated]
    cents = _SWISS_CENTS.match(text, end)
    if cents is not None:
        tail = after(text, cents.end(), currency=bool(lead.unit))
        unit = lead.unit or tail.unit or "CHF"
        exact = ((digits[0][0], 0.005),)
        stop = max(tail.end, cents.end())
        return [Draft(ClaimKind.AMOUNT, lead.start, stop, exact, unit, mark=lead.mark,
                      negative=lead.negative)]  # fmt: skip
    tail = after(text, end, currency=bool(lead.unit))
    return [_plain(text, start, end, digits, lead, tail)]


def _plain(
    text: str, start: int, end: int, digits: tuple[Digits, ...], lead: Before, tail: After
) -> Draft:
    ordinal = _ORDINAL.match(text, end)
    if ordinal is not None and text[start:end].isdigit():
        return Draft(ClaimKind.NUMBER, start, ordinal.end(), digits, role=Role.ORDINAL)
    unit = tail.unit if tail.factor != 1.0 or tail.unit == "%" else lead.unit or tail.unit
    kind = _kind(tail, unit)
    scales = (1.0, tail.scale) if tail.unsure else (tail.scale,)
    bracket = lead.bracket and tail.end < len(text) and text[tail.end] in _CLOSING
    draft = Draft(
        kind, lead.start, tail.end, digits, unit, tail.factor, scales, lead.negative, bracket,
        lead.mark,
    )  # fmt: skip
    if kind is ClaimKind.NUMBER and tail.scale == 1.0:
        _settle(text, start, end, draft, lead, tail)
    elif tail.unsure and not lead.unit:
        draft.unit = tail.unit
    return draft


def _kind(tail: After, unit: str) -> ClaimKind:
    if tail.unit == "%":
        return ClaimKind.PERCENT
    return ClaimKind.AMOUNT if unit else ClaimKind.NUMBER


def _settle(text: str, start: int, end: int, draft: Draft, lead: Before, tail: After) -> None:
    """Whether a bare number is a code, a rank, a year or a count after all."""
    whole = text[start:end].isdigit()
    if lead.word in CODE_CUES and whole and not lead.negative:
        draft.kind = ClaimKind.IDENTIFIER
    elif lead.word in _RANKS and whole:
        draft.role = Role.ORDINAL
    elif whole and _is_year(text[start:end]) and not lead.negative:
        draft.kind = ClaimKind.PERIOD
        days = a_year(int(text[start:end]))
        draft.days = at_its_end(days) if lead.word in _ENDS else days
    elif text[end : end + 1].isascii() and text[end : end + 1].isalpha():
        _lettered(text, end, draft)
    elif whole or draft.digits[0][1] == 0.5:
        draft.counted = counted(text, end, tail.word)
        if draft.counted:
            draft.kind = ClaimKind.COUNT


def _is_year(said: str) -> bool:
    return len(said) == 4 and _FIRST_YEAR <= int(said) <= _LAST_YEAR


_WORD_AFTER = re.compile(r"[\w-]*")


def _lettered(text: str, end: int, draft: Draft) -> None:
    """Letters right after the digits: 5G, 10th-placed, 3D are names of things."""
    if text[end] in "xX" and not text[end + 1 : end + 2].isalnum():
        draft.kind, draft.unit, draft.end = ClaimKind.AMOUNT, "x", end + 1
        return
    draft.kind = ClaimKind.IDENTIFIER
    draft.digits = ()
    draft.end = _WORD_AFTER.match(text, end).end()  # pyright: ignore[reportOptionalMemberAccess]


def _dated(text: str, start: int, end: int, said: str, lead: Before) -> Draft | None:
    """A date whose month stands before the digits: March 31, 2025; March 2025."""
    month = MONTH_NUMBERS.get(lead.word.rstrip(".,"))
    if month is None or not said.isdigit() or lead.word[0] > "\u2e80" or lead.unit:
        return None
    begin = text.rfind(lead.word[:3].capitalize(), max(0, start - 14), start)
    if begin < 0:
        return None
    if _is_year(said):
        return Draft(ClaimKind.PERIOD, begin, end, days=a_month(int(said), month))
    rest = _DAY_REST.match(text, end)
    if not 1 <= int(said) <= 31 or rest is None:
        return None
    stop = rest.end()
    if rest["year"]:
        return Draft(ClaimKind.DATE, begin, stop, days=a_day(int(rest["year"]), month, int(said)))
    return Draft(ClaimKind.DATE, begin, stop, yearless=(month, 1, int(said)))


_DAY_REST = re.compile(r"(?:st|nd|rd|th)?(?![0-9%])(?:,?\s(?P<year>(?:19|20)[0-9]{2})(?![0-9]))?")
_FOLLOWING = re.compile(r"\s([^\W\d_]+(?:-[^\W\d_]+)*)")
_NO_NOUN = listed(
    "in of and or to at on for from by with the a an is are was were be has have had as than per "
    "out more less times ago later after before if while but each respectively compared vs versus "
    "over under up down und oder von bis zu im am in an auf für mit bei aus ist sind war waren hat "
    "haben als wie pro mehr weniger mal der die das den dem des ein eine nach vor seit gegen "
    "gegenüber sowie bzw also auch nicht noch nur"
)
_IRREGULAR = frozenset({"people", "children", "men", "women", "staff", "persons"})


_HAN_NOUN = re.compile("[\u4e00-\u9fff]{1,5}")


def counted(text: str, end: int, word: str) -> str:
    """The noun that a whole number counts: the first one in capitals or in the plural.

    In Chinese the measure word with what follows it, since nothing parts the words.
    """
    if end < len(text) and text[end] in HAN_COUNTERS:
        return _HAN_NOUN.match(text, end)[0]  # pyright: ignore[reportOptionalSubscript]
    if not word:
        return ""
    for _ in range(3):
        match = _FOLLOWING.match(text, end)
        if match is None or match[1].lower() in _NO_NOUN:
            return ""
        word, end = match[1], match.end()
        if word[0].isupper() or word in _IRREGULAR or (word[-1] == "s" and word[-2:] != "ss"):
            return word
    return ""


def _row(text: str, start: int, said: str) -> list[Draft]:
    """Digits that are no one number: a version (1.2.3), or small numbers without a space."""
    if "." in said or "'" in said:
        return [Draft(ClaimKind.IDENTIFIER, start, start + len(said))]
    found: list[Draft] = []
    for each in said.split(","):
        found.append(Draft(ClaimKind.NUMBER, start, start + len(each), read_digits(each)))
        start += len(each) + 1
    return found
