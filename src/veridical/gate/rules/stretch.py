"""Stretches of time that the answer only names: the three months of a quarter, 12 months of a year.

They are as long as a period that the answer, the question or a result's receipt speaks of, or there
is a row for each of their parts.
"""

from collections.abc import Iterator
from datetime import timedelta

from veridical.gate.bound import Bound
from veridical.gate.claim import Days
from veridical.gate.claims import find_claims
from veridical.gate.rules.gate_facts import GateFacts
from veridical.reading.units import DAYS_OF, MONTHS_OF

_DAYS_PER_MONTH = 30.44
_ONE_DAY = timedelta(days=1)


def names_a_stretch(bound: Bound, facts: GateFacts) -> bool:
    """True for a number of months, days and the like that is the length of a known period."""
    readings = bound.claim.readings
    if not readings or not all(each.unit in MONTHS_OF or each.unit in DAYS_OF for each in readings):
        return False
    if any(len(each.rows) == readings[0].value for each in facts.filled):
        return True
    spans = {*_spans(facts)}
    if not spans:
        return False
    whole = Days(min(each.start for each in spans), max(each.end for each in spans))
    value, unit = readings[0].value, readings[0].unit
    return (
        value in {_length(each, unit) for each in (*spans, whole)}
        or value == sum(_length(each, unit) == 1 for each in spans)
        or value in {_apart(one, other, unit) for one in spans for other in spans if one != other}
    )


def _apart(one: Days, other: Days, unit: str) -> int:
    """How long after the one the other begins, rounded as people do: two weeks for 15 days."""
    days = (other.start - one.start).days
    return round(days / (DAYS_OF.get(unit) or MONTHS_OF[unit] * _DAYS_PER_MONTH))


def _spans(facts: GateFacts) -> Iterator[Days]:
    """Every period that is spoken of."""
    for bound in facts.bounds:
        yield from bound.claim.days
    ranges = {f"{each.start}; {each.end}" for told in facts.exhibits for each in told.time_range}
    for text in (facts.conversation, *ranges):
        found = [days for claim in find_claims(text) for days in claim.days] if text else []
        yield from found
        if found:
            yield Days(min(each.start for each in found), max(each.end for each in found))


def _length(days: Days, unit: str) -> float:
    """How many of the unit a period has; 0 where it has no whole number of months."""
    if unit in DAYS_OF:
        return ((days.end - days.start).days + 1) / DAYS_OF[unit]
    after = days.end + _ONE_DAY
    if after.day != days.start.day:
        return 0
    months = (after.year - days.start.year) * 12 + after.month - days.start.month
    return months / MONTHS_OF[unit]
