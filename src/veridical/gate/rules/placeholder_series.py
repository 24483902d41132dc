"""The answer holds no made-up values: no series, no stock names, no stand-ins."""

import re
from collections.abc import Iterator

from veridical.contracts.proof import GateCode
from veridical.gate.rules.gate_facts import GateFacts
from veridical.gate.rules.holding import holds, holds_number
from veridical.gate.rules.placeholder_words import MadeUp, made_up
from veridical.gate.rules.problem import Problem

_HAN_ORDER = {
    mark: order for marks in ("甲乙丙丁", "一二三四五") for order, mark in enumerate(marks)
}
_FEWEST = 2


def find(facts: GateFacts) -> Iterator[Problem]:
    """One problem for each kind of made-up value that neither evidence nor question has."""
    known = made_up()
    for pattern in (known.stock, known.stand_in, *facts.policy.made_up):
        matches = pattern.finditer(facts.text)
        yield from _first(found for found in matches if not holds(facts, found[0]))
    cast = [found for found in known.cast.finditer(facts.text) if not holds(facts, found[0])]
    if len({found[0].casefold() for found in cast}) >= _FEWEST:
        yield from _first(iter(cast))
    yield from _first(_series(facts, known))
    yield from _first(_numbered(facts, known))


def _first(found: Iterator[re.Match[str]]) -> Iterator[Problem]:
    for each in found:
        yield Problem(GateCode.PLACEHOLDER_SERIES, claim=each[0].strip(), start=each.start())
        return


def _series(facts: GateFacts, known: MadeUp) -> Iterator[re.Match[str]]:
    """The first of each series that runs on from its beginning: 1, 2 or A, B."""
    runs: dict[str, dict[int, re.Match[str]]] = {}
    for found in known.series.finditer(facts.text):
        kind = (found["kind"] or found["han"]).casefold()
        order = _order(found["mark"] or found["han_mark"])
        runs.setdefault(kind, {}).setdefault(order, found)
    for marks in runs.values():
        starts = 0 if 0 in marks else 1
        ahead = range(starts, starts + _FEWEST)
        if all(order in marks for order in ahead):
            made_up = [marks[order] for order in ahead if not holds(facts, marks[order][0])]
            if len(made_up) == _FEWEST:
                yield made_up[0]


def _numbered(facts: GateFacts, known: MadeUp) -> Iterator[re.Match[str]]:
    for found in known.numbered.finditer(facts.text):
        number = int(found["mark"] or found["han_mark"])
        if not holds(facts, found[0]) and not holds_number(facts, number):
            yield found


def _order(mark: str) -> int:
    if mark.isdecimal():
        return int(mark)
    return _HAN_ORDER[mark] if mark in _HAN_ORDER else ord(mark.casefold()) - ord("a")
