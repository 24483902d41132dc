"""What an answer enumerates: the items of its lists, the rows of its tables."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from veridical.contracts.proof import ClaimKind
from veridical.gate.rules.gate_facts import GateFacts
from veridical.late_pattern import late_pattern

_TABLE = late_pattern(r"(?:^\|.*\|[ ]*$\n?){3,}", re.MULTILINE)
_RULE = late_pattern(r"\|[\s:|-]+\|\s*")
_TOTAL_WORDS = (
    r"(?:(?:(?:grand |sub)?totals?|(?:zwischen|gesamt)?summe|gesamt\w*|insgesamt|zusammen|sum"
    r"|overall|altogether|together|saldo)\b|[合总共小]计|总[额和数]|[∑Σ])"
)
_TOTAL = late_pattern(rf"\|(?:[\s*_]*\|)*[\s*_]*{_TOTAL_WORDS}", re.IGNORECASE)
_TOTAL_ITEM = late_pattern(_TOTAL_WORDS, re.IGNORECASE)
_BOLD = late_pattern(r"\|(?:\s*\|)*\s*(?:\*\*|__)")


class Enumeration(NamedTuple):
    """Where it stands and how many items it has."""

    start: int
    end: int
    length: int


def enumerations(facts: GateFacts) -> Iterator[Enumeration]:
    """Lists and tables, in this order."""
    for bound in facts.bounds:
        if bound.claim.kind is ClaimKind.LIST:
            items = bound.claim.items
            totals = len(items) > 1 and is_total(items[-1])
            yield Enumeration(bound.claim.start, bound.claim.end, len(items) - totals)
    for table in _TABLE.finditer(facts.text) if "|" in facts.text else ():
        lines = table[0].strip().splitlines()
        if _RULE.fullmatch(lines[1]):
            yield Enumeration(table.start(), table.end(), _rows(lines[2:]))


def is_total(item: str) -> bool:
    """True for an item that adds up the others."""
    return _TOTAL_ITEM.match(item) is not None


def _rows(lines: list[str]) -> int:
    """How many rows a table has beside its totals, which may be told by bold type alone."""
    rows = sum(_TOTAL.match(line) is None for line in lines)
    bold = [_BOLD.match(line) is not None for line in lines]
    stands_out = rows == len(lines) > 1 and bold[-1] and not any(bold[:-1])
    return rows - stands_out
