"""Codes: what names a thing by letters and digits, or by digits beside a cue."""

import re

from veridical.contracts.proof import ClaimKind
from veridical.gate.claims.calendar import a_year, across_years, full_year
from veridical.gate.claims.dates import part_of_year
from veridical.gate.claims.draft import Draft
from veridical.late_pattern import late_pattern
from veridical.reading.listed import listed
from veridical.reading.units import CURRENCIES

CODE_CUES = listed(
    "account acct account: konto kontos kontonummer invoice rechnung rechnungsnummer order "
    "bestellung auftrag auftragsnummer beleg belegnummer customer kunde kundennummer id id: nr nr. "
    "no. number: nummer nummer: # sku artikel ticket case zip plz tel tel. phone phone: "
    "telefon reservation booking user mandant version release art. p. s."
)
HAN_CODE_CUES = ("科目", "账户", "账号", "编号", "号码", "尾号", "发票", "订单", "单号", "第")
_TOKEN_LEFT = late_pattern(r"[\w./-]*(?<![./-])", re.ASCII)
_TOKEN_RIGHT = late_pattern(r"[\w/-]*(?:\.[\w/-]+)*(?<![/-])", re.ASCII)
_PART = late_pattern(
    r"(?P<part>[QH])(?P<number>[1-4])(?:[ /-]?(?:of )?(?:FY ?)?(?:(?P<year>(?:19|20)[0-9]{2})"
    r"|['’](?P<short>[0-9]{2})|(?<=[QH].)[/-]?(?P<bare>[0-9]{2})))?(?![0-9A-Za-z])"
)
_FISCAL = late_pattern(
    r"[FC]Y[ -]?['’]?(?P<year>(?:19|20)[0-9]{2}|[0-9]{2})(?:/(?P<next>[0-9]{2,4}))?(?![0-9A-Za-z])"
)
_CLOCK_BEFORE = late_pattern(r"[0-9]\s?[ap]\.?m\.?-$", re.IGNORECASE)
_JOINERS = "_-./#"


def glued_code(text: str, start: int) -> Draft | None:
    """The code, quarter or business year that letters glued to the digits make; else nothing."""
    left = text[start - 1]
    if not (left.isascii() and left.isalpha()):
        if left not in _JOINERS or not _lettered(text, start):
            return None
        if left == "-" and _CLOCK_BEFORE.search(text, max(0, start - 7), start):
            return None
    elif left in "xX" and start > 1 and text[start - 2].isdigit():
        return None
    begin = start - _TOKEN_LEFT.match(text[max(0, start - 40) : start][::-1]).end()  # pyright: ignore[reportOptionalMemberAccess]
    period = _part(text, begin) or _fiscal(text, begin)
    if period is not None:
        return period
    if text[begin:start] in CURRENCIES:
        return None
    end = _TOKEN_RIGHT.match(text, start).end()  # pyright: ignore[reportOptionalMemberAccess]
    return Draft(ClaimKind.IDENTIFIER, begin, end)


def _lettered(text: str, start: int) -> bool:
    """True when a letter stands before the sign that joins: ``INV_77``, ``COVID-19``."""
    if start < 2:
        return text[0] == "#"
    before = text[start - 2]
    return text[start - 1] == "#" or (before.isascii() and (before.isalpha() or before == "_"))


def _part(text: str, begin: int) -> Draft | None:
    match = _PART.match(text, begin)
    if match is None:
        return None
    year = match["year"] or match["short"] or match["bare"] or ""
    return part_of_year(match, year, match["part"], int(match["number"]))


def _fiscal(text: str, begin: int) -> Draft | None:
    match = _FISCAL.match(text, begin)
    if match is None:
        return None
    year = full_year(match["year"])
    days = across_years(year) if match["next"] else a_year(year)
    return Draft(ClaimKind.PERIOD, begin, match.end(), days=days)
