"""Figures: digits with what stands around them, as number, amount, percent, count or year."""

import re
from datetime import date

from veridical.contracts.proof import ClaimKind
from veridical.gate.claim import Days, Role
from veridical.gate.claims.calendar import a_day, a_month, a_year, at_its_end
from veridical.gate.claims.codes import CODE_CUES, HAN_CODE_CUES
from veridical.gate.claims.counting import counted, counted_once
from veridical.gate.claims.draft import Draft
from veridical.late_pattern import late_pattern
from veridical.reading.after import After, after
from veridical.reading.before import Before, before
from veridical.reading.figure import Digits, read_digits
from veridical.reading.listed import listed
from veridical.reading.period_words import MONTH_NUMBERS
from veridical.reading.units import CURRENCIES, HAN_COUNTERS, UNITS

# looking a member up in its enumeration costs more than most steps below
_NUMBER, _AMOUNT, _PERCENT, _COUNT = (
    ClaimKind.NUMBER,
    ClaimKind.AMOUNT,
    ClaimKind.PERCENT,
    ClaimKind.COUNT,
)
_PERIOD, _DATE, _IDENTIFIER = ClaimKind.PERIOD, ClaimKind.DATE, ClaimKind.IDENTIFIER
_ORDINAL_ROLE = Role.ORDINAL
_SWISS_CENTS = late_pattern(r"\.[-–—―]{1,2}(?![0-9])")
_DECADE = late_pattern(r"(?:'?s|er(?:n|-Jahre)?)\b")
_STREET = late_pattern(
    r"(?:\s[A-Z][\w.'-]*){1,4}?\s(?:St|Street|Ave|Avenue|Rd|Road|Blvd|Boulevard|Dr|Drive|Ln|Lane|Way"
    r"|Hwy|Highway|Plaza|Square|Ct|Court|Pl|Place|Pkwy|Calle)\b|\s(?:Calle|Via|Rue|Avenida)\s[A-Z]"
)
_ORDINAL = late_pattern(r"(?:st|nd|rd|th|te[nsmr]?)\b")
_HYPHENED = late_pattern(r"-(?:(?P<code>[A-Z]{1,3}\b)|(?P<word>[a-zäöü]+))")
_CODE_AFTER = late_pattern(r"[ \u00a0]([A-Z]{3})(?![A-Za-z]|[ \u00a0]?[0-9])")
_LETTERS = late_pattern(r"[\w-]*")
_DAY_REST = late_pattern(r"(?:st|nd|rd|th)?(?![0-9%])(?:,?\s(?P<year>(?:19|20)[0-9]{2})(?![0-9]))?")
_ROW_SIGNS = late_pattern(r"[, \u00a0\u202f\u2009]")
_ENDING_IN = late_pattern("ending in $")
_CAMEL = late_pattern(r"(?:[a-z]{1,2}|[A-Z][a-z]+)[A-Z]\w*")
"""A product's name; a longer small beginning is a field's: ``periodYear``."""
_CLOSING = frozenset(")）")
_REACH = 16
_FIRST_YEAR, _LAST_YEAR = 1900, 2099
_GERMAN_MONTHS = listed("Januar Februar März Mai Juni Juli Oktober Dezember Dez Okt")
_SHARED_MONTHS = listed("April August September November")
_GERMAN_HINTS = (" und ", " der ", " die ", " im ", " gab ", " sind ", " war")
_COUNTED_BY = listed("genau exakt insgesamt lediglich exactly altogether")
_THERE_ARE = late_pattern(r"\bthere (?:are|were) $", re.IGNORECASE)
_RANKS = listed("platz rang rank ranked place position")
_ENDS = listed("ende end year-end jahresende")


def figure(text: str, start: int, end: int) -> list[Draft]:
    """The figure whose digits stand here; several where they are a row of small numbers."""
    said = text[start:end]
    lead = before(text, start)
    if start and text[start - 1] == "." and lead.start == start and said.isdigit():
        lead, said = before(text, start - 1), "." + said
        start -= 1
    digits = read_digits(said)
    if not digits:
        return _row(start, said)
    whole = said.isdigit()
    special = None
    if whole and lead.word and not lead.unit:
        special = _month_before(text, lead, said, end)
    if special is None:
        special = _by_next_sign(text, start, end, digits, lead)
    if special is not None:
        return [special]
    if lead.unit and text[start - 1] == " " and _has_own_currency(text, end, lead.unit):
        lead = Before(start)
    return [_plain(text, start, end, digits, lead, after(text, end, currency=bool(lead.unit)))]


def _has_own_currency(text: str, end: int, unit: str) -> bool:
    """True where another currency follows, so the one before ends a name: in USD 66.69 CHF."""
    found = _CODE_AFTER.match(text, end)
    return found is not None and CURRENCIES.get(found[1], unit) != unit


def _by_next_sign(
    text: str, start: int, end: int, digits: tuple[Digits, ...], lead: Before
) -> Draft | None:
    """What the sign right after the digits may make of them, if anything special."""
    follows = text[end : end + 1]
    if follows == " " or not follows:
        return None
    if follows == ".":
        return _with_cents(text, end, digits, lead)
    if follows == "-":
        return _hyphened(text, start, end, digits)
    if follows == ")" and lead.bracket and not lead.negative:
        return _bracketed(text, end, digits, lead)
    if follows in "snrte" and digits[0][1] == 0.5:
        return _ranked_or_decade(text, start, end, digits)
    return None


def _ranked_or_decade(text: str, start: int, end: int, digits: tuple[Digits, ...]) -> Draft | None:
    ordinal = _ORDINAL.match(text, end)
    if ordinal is not None:
        return Draft(_NUMBER, start, ordinal.end(), digits, role=_ORDINAL_ROLE)
    decade = _DECADE.match(text, end) if end - start == 4 and text[end - 1] == "0" else None
    if decade is None or not _FIRST_YEAR <= int(text[start:end]) <= _LAST_YEAR:
        return None
    first = int(text[start:end])
    days = (Days(date(first, 1, 1), date(first + 9, 12, 31)),)
    return Draft(_PERIOD, start, decade.end(), days=days)


def _bracketed(text: str, end: int, digits: tuple[Digits, ...], lead: Before) -> Draft | None:
    """A negative amount whose scale or currency stands outside the brackets: $(473) million."""
    outer = before(text, lead.start - 1)
    currency = lead.unit or (outer.unit if text[lead.start - 2 : lead.start - 1] != " " else "")
    tail = after(text, end + 1, currency=bool(currency))
    if tail.unsure or not (currency or tail.scale != 1.0 or tail.unit == "%"):
        return None
    unit = tail.unit if tail.unit == "%" else currency or tail.unit
    kind = _PERCENT if unit == "%" else _AMOUNT if unit else _NUMBER
    start = outer.start if outer.unit and currency else lead.start - 1
    return Draft(
        kind, start, tail.end, digits, unit, tail.factor, (tail.scale,), bracket=True,
        mark=lead.mark or outer.mark,
    )  # fmt: skip


def _plain(
    text: str, start: int, end: int, digits: tuple[Digits, ...], lead: Before, tail: After
) -> Draft:
    stop, scale, unsure, unit, factor, word = tail
    kind = _PERCENT if unit == "%" else _AMOUNT
    if lead.unit and kind is not _PERCENT:
        unit = lead.unit
    elif not unit:
        kind = _NUMBER
    scales = (1.0, scale) if unsure else (scale,)
    bracket = lead.bracket and text[stop : stop + 1] in _CLOSING and unit not in UNITS
    draft = Draft(
        kind, lead.start, stop, digits, unit, factor, scales, lead.negative, bracket, lead.mark
    )
    if unsure and text[stop : stop + 2] in ("'s", "’s"):  # a company: 3M's
        draft.kind, draft.digits = _IDENTIFIER, ()
    if kind is _NUMBER:
        if scale == 1.0:
            _settle(text, start, end, draft, lead, word)
        elif word:
            draft.counted = counted(text, stop, word)
            draft.kind = _COUNT if draft.counted else kind
    return draft


def _settle(text: str, start: int, end: int, draft: Draft, lead: Before, word: str) -> None:
    """Whether a bare number is a code, a rank, a year or a count after all."""
    whole = text[start:end].isdigit()
    if (
        whole
        and lead.word
        and not lead.negative
        and _named_by_lead(text, draft, lead, text[end : end + 1])
    ):
        return
    if (
        whole
        and end - start == 4
        and _FIRST_YEAR <= int(text[start:end]) <= _LAST_YEAR
        and not _counts(text, start, end, lead, word)
    ):
        draft.kind = _PERIOD
        days = a_year(int(text[start:end]))
        early = _end_before(text, lead.start, lead.word)
        draft.days = at_its_end(days) if early < lead.start else days
        draft.start = early
        return
    follows = text[end : end + 1]
    if follows.isalpha() and follows < "\u2e80":
        _lettered(text, end, draft)
    elif whole or draft.digits[0][1] == 0.5:
        if whole and word[:1].isupper() and _STREET.match(text, end) is not None:
            draft.kind = _IDENTIFIER
            return
        one = end - start == 1 and text[start] == "1" and word
        draft.counted = counted_once(word) if one else counted(text, end, word)
        if draft.counted:
            draft.kind = _COUNT


def _counts(text: str, start: int, end: int, lead: Before, word: str) -> bool:
    """True where a number that could be a year counts things: there were 2024 customers."""
    if text[end : end + 1] in HAN_COUNTERS and end < len(text):
        return True
    if not word or (
        lead.lower not in _COUNTED_BY and not _THERE_ARE.search(text, max(0, start - _REACH), start)
    ):
        return False
    return bool(counted(text, end, word))


def _named_by_lead(text: str, draft: Draft, lead: Before, follows: str) -> bool:
    """True when the word before makes the number a code or a rank."""
    word = lead.lower
    if follows in HAN_COUNTERS and follows:  # 发票4张
        return False
    if word in CODE_CUES or (word[-1] > "\u2e80" and word.endswith(HAN_CODE_CUES)):
        draft.kind = _IDENTIFIER
    elif word == "in" and _ENDING_IN.search(text, max(0, lead.start - 12), lead.start):
        draft.kind = _IDENTIFIER  # the last digits of a card
    elif word in _RANKS:
        draft.role = _ORDINAL_ROLE
    elif word != lead.word and _CAMEL.fullmatch(lead.word) is not None:  # iPhone 15
        draft.kind, draft.digits = _IDENTIFIER, ()
        draft.start = lead.start - len(lead.word) - 1
    else:
        return False
    return True


def _end_before(text: str, start: int, word: str) -> int:
    """Where "Ende" or "end of" before this place begins; the place itself where it is not."""
    if word.lower() in _ENDS:
        return start - len(word) - 1
    if word == "of" and text[max(0, start - 7) : start - 3].lower() == "end ":
        return start - 7
    return start


def _lettered(text: str, end: int, draft: Draft) -> None:
    """Letters right after the digits: 3x is a multiple; 5G and 3D are names of things."""
    if text[end] == "x" and not text[end + 1 : end + 2].isalnum():
        draft.kind, draft.unit, draft.end = _AMOUNT, "x", end + 1
        return
    draft.kind, draft.digits = _IDENTIFIER, ()
    draft.end = _LETTERS.match(text, end).end()  # pyright: ignore[reportOptionalMemberAccess]


def _hyphened(text: str, start: int, end: int, digits: tuple[Digits, ...]) -> Draft | None:
    """A unit or a letter behind a hyphen: a 12-month term, a 10-K."""
    match = _HYPHENED.match(text, end)
    if match is None:
        return None
    if match["code"]:
        if digits[0][1] != 0.5:
            return None
        return Draft(_IDENTIFIER, start, match.end())
    if match["word"] not in UNITS:
        return None
    return Draft(_AMOUNT, start, match.end(), digits, match["word"])


def _with_cents(text: str, end: int, digits: tuple[Digits, ...], lead: Before) -> Draft | None:
    """The Swiss way to write that there are no cents: 5.–"""
    cents = _SWISS_CENTS.match(text, end)
    if cents is None:
        return None
    tail = after(text, cents.end(), currency=True)
    unit = lead.unit or (tail.unit if tail.scale == 1.0 else "") or "CHF"
    stop = tail.end if tail.unit and not lead.unit else cents.end()
    return Draft(
        _AMOUNT, lead.start, stop, ((digits[0][0], 0.005),), unit,
        negative=lead.negative, mark=lead.mark,
    )  # fmt: skip


def _month_before(text: str, lead: Before, said: str, end: int) -> Draft | None:
    """A date whose month stands before the digits: March 31, 2025; March 2025."""
    if lead.lower == lead.word:
        return None
    month = MONTH_NUMBERS.get(lead.lower.rstrip(".,"))
    if month is None:
        return None
    begin = lead.start - len(lead.word) - 1
    if text[begin : begin + len(lead.word)] != lead.word:
        return None
    number = int(said)
    if len(said) == 4 and _FIRST_YEAR <= number <= _LAST_YEAR:
        early = _end_before(text, begin, before(text, begin).word)
        days = a_month(number, month)
        days = at_its_end(days) if early < begin else days
        return Draft(_PERIOD, early, end, days=days)
    rest = _DAY_REST.match(text, end)
    if not 1 <= number <= 31 or rest is None or not _leads_day(text, lead.word):
        return None
    if not rest["year"]:
        return Draft(_DATE, begin, rest.end(), yearless=(month, 1, number))
    days = a_day(int(rest["year"]), month, number)
    return Draft(_DATE, begin, rest.end(), days=days) if days else None


def _leads_day(text: str, month: str) -> bool:
    """True where the month may stand before its day: in English, and without a comma."""
    if month.endswith(",") or month in _GERMAN_MONTHS:
        return False
    return month not in _SHARED_MONTHS or not any(hint in text for hint in _GERMAN_HINTS)


def _row(start: int, said: str) -> list[Draft]:
    """Digits that are no one number: a version (1.2.3), more of them than any number has, or small
    numbers without a blank."""
    parts = [(each, read_digits(each)) for each in _ROW_SIGNS.split(said)]
    if "." in said or "'" in said or "’" in said or not all(digits for _, digits in parts):
        return [Draft(_IDENTIFIER, start, start + len(said))]
    found: list[Draft] = []
    for each, digits in parts:
        found.append(Draft(_NUMBER, start, start + len(each), digits))
        start += len(each) + 1
    return found
