"""Bare numbers of a follow-up: "and 1000?" means an account after a question about one."""

import re
from collections.abc import Iterator
from datetime import date

from veridical.ontology.model import CanonicalQueryPattern, Slot, SlotKind
from veridical.reading.periods import At, Period
from veridical.route.slots import Code, Count, Token, Word

_YEARS_BACK = 15
"""A bare number this near is a year; further back it may be a code as well."""


def with_codes(
    tokens: tuple[Token, ...], pattern: CanonicalQueryPattern, today: date
) -> Iterator[tuple[Token, ...]]:
    """The token lists that are possible if a bare number may also be a code of the pattern."""
    slots = [slot for slot in pattern.slots if slot.kind is SlotKind.CODE]
    counts = any(slot.kind is SlotKind.COUNT for slot in pattern.slots)
    if len(slots) != 1 or any(isinstance(each, Code) for each in tokens):
        yield tokens
        return
    yield tokens
    for place, token in enumerate(tokens):
        code = _code(token, slots[0], today, counts=counts)
        if code is not None:
            yield (*tokens[:place], code, *tokens[place + 1 :])


def _code(token: Token, slot: Slot, today: date, *, counts: bool) -> Code | None:
    match token:
        case Word(folded=digits) if digits.isdecimal():
            pass
        case Count(number=number) if not counts:
            digits = str(number)
        case Period(grain="year", at=At.DURING, start=start) if (
            not today.year - _YEARS_BACK <= start.year <= today.year
        ):
            digits = str(start.year)
        case _:
            return None
    return Code(slot.name, digits) if re.fullmatch(slot.format, digits) else None
