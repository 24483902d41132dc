"""An empty result is reported with its reason: nothing there, not allowed, or no such name."""

import re
from collections.abc import Iterator

from veridical.contracts.proof import GateCode, Ground
from veridical.contracts.result import Emptiness
from veridical.contracts.violation import Mode
from veridical.gate.bound import Bound
from veridical.gate.notions import Notion, find_notion
from veridical.gate.rules.gate_facts import TIMES, GateFacts
from veridical.gate.rules.holding import holds_number
from veridical.gate.rules.problem import Problem
from veridical.late_pattern import late_pattern
from veridical.word_file import word_file

_NO_RIGHT = late_pattern(word_file("veridical.gate")["no_right"]["form"], re.IGNORECASE)
"""Missing rights and refusals are not missing data."""
_SHORT = 240
_RESTS = (Ground.CELL, Ground.DERIVATION, Ground.CALCULATION, Ground.RECORD)
_EMPTY = (Emptiness.NO_MATCH, Emptiness.NOT_PERMITTED, Emptiness.VALUE_UNKNOWN)


def find(facts: GateFacts) -> Iterator[Problem]:
    """One problem for an answer that gives another reason than the receipt, or gives data."""
    reasons = {each.emptiness for each in facts.exhibits if each.emptiness in _EMPTY}
    if not reasons:
        yield from _nothing_from_data(facts)
        return
    if not facts.filled:
        yield from _data_from_nothing(facts)
    if len(reasons) == 1:
        yield from _other_reason(facts, *reasons)


def _nothing_from_data(facts: GateFacts) -> Iterator[Problem]:
    """Rows came back, but the answer only states that there are none, or that access is denied.

    A question whether there is any may need all rows together, so a plain no to it is a weaker
    sign.
    """
    if not facts.exhibits or not all(each.rows for each in facts.exhibits):
        return
    if len(facts.text) > _SHORT or any(_gives_data(bound) for bound in facts.stated):
        return
    denied = find_notion(Notion.FORBIDDEN, facts.text) or find_notion(Notion.ABSENT, facts.text)
    if denied is None or holds_number(facts, 0):
        return
    whether = find_notion(Notion.WHETHER, facts.question) or not facts.question
    yield Problem(
        GateCode.EMPTINESS_MISREPORTED,
        "rows",
        claim=denied[0],
        start=denied.start(),
        at_most=Mode.WARN if whether else Mode.BLOCK,
    )


def _gives_data(bound: Bound) -> bool:
    """True for a claim that a result supports; a period alone is no data."""
    return bound.ground in _RESTS and bound.kind not in TIMES


def _data_from_nothing(facts: GateFacts) -> Iterator[Problem]:
    for bound in facts.data:
        figures = bound.readings
        if not figures or any(reading.value for reading in figures):
            yield Problem(GateCode.EMPTINESS_MISREPORTED, "data", bound)
            return


def _other_reason(facts: GateFacts, reason: Emptiness | None) -> Iterator[Problem]:
    text = facts.text
    forbidden = find_notion(Notion.FORBIDDEN, text)
    rest = _NO_RIGHT.sub(_blanked, text)
    absent = find_notion(Notion.ABSENT, rest)
    match reason:
        case Emptiness.NOT_PERMITTED if absent and not forbidden:
            yield _misreported(reason, absent.group(), absent.start())
        case Emptiness.VALUE_UNKNOWN if not find_notion(Notion.UNKNOWN, rest):
            wrong = forbidden or absent
            if wrong:
                yield _misreported(reason, wrong.group(), wrong.start())
        case Emptiness.NO_MATCH if forbidden and not absent and not facts.filled:
            yield _misreported(reason, forbidden.group(), forbidden.start())
        case _:
            return


def _blanked(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _misreported(reason: Emptiness, words: str, start: int) -> Problem:
    return Problem(GateCode.EMPTINESS_MISREPORTED, reason.value, claim=words, start=start)
