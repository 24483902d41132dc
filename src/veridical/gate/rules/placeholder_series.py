"""The answer holds no made-up values: no series, no stock names, no stand-ins."""

import re
from collections.abc import Iterable, Iterator

from veridical.contracts.proof import GateCode
from veridical.gate.rules.gate_facts import GateFacts
from veridical.gate.rules.holding import holds, holds_number
from veridical.gate.rules.placeholder_words import (
    FIRST_BEHIND_LABEL,
    MARKED,
    SECOND_MARK,
    MadeUp,
    has_han,
    made_up,
    words_of,
)
from veridical.gate.rules.problem import Problem

_HAN_ORDER = {
    sign: order for signs in ("甲乙丙丁", "一二三四五") for order, sign in enumerate(signs)
}
_FEWEST = 2
_BRACKETS = ("[", "<", "{", "XX", "xx")


def find(facts: GateFacts) -> Iterator[Problem]:
    """One problem for each kind of made-up value that neither evidence nor question has."""
    known = made_up()
    for matches in (_stock(facts, known), _series(facts, known), _numbered(facts, known)):
        for found in matches:
            yield Problem(GateCode.PLACEHOLDER_SERIES, claim=found[0].strip(), start=found.start())
            break


def _stock(facts: GateFacts, known: MadeUp) -> Iterator[re.Match[str]]:
    """Stock names and numbers, the usual cast, values that nobody filled in."""
    text = facts.text
    words = words_of(text)
    patterns: list[re.Pattern[str]] = [*facts.policy.made_up]
    if words & known.stock_words:
        patterns.append(known.stock)
    if any(sign in text for sign in _BRACKETS):
        patterns.append(known.stand_in)
    if has_han(text):
        patterns.append(known.han_stock)
        yield from _cast(facts, known.han_cast.finditer(text))
    for pattern in patterns:
        yield from (found for found in pattern.finditer(text) if not holds(facts, found[0]))
    cast = words & known.cast
    if len(cast) >= _FEWEST:
        named = re.compile(rf"\b(?:{'|'.join(sorted(cast))})\b", re.IGNORECASE)
        yield from _cast(facts, named.finditer(text))


def _cast(facts: GateFacts, found: Iterable[re.Match[str]]) -> Iterator[re.Match[str]]:
    """Two of them together; one alone may be somebody."""
    strangers = [each for each in found if not holds(facts, each[0])]
    if len({each[0].casefold() for each in strangers}) >= _FEWEST:
        yield strangers[0]


def _series(facts: GateFacts, known: MadeUp) -> Iterator[re.Match[str]]:
    """The first of each series that runs on from its beginning: 1, 2 or A, B."""
    if SECOND_MARK.search(facts.text) is None:
        return
    runs: dict[str, dict[int, re.Match[str]]] = {}
    for found in MARKED.finditer(facts.text):
        word = found["kind"].casefold()
        kind = word if word in known.kinds else _ending(word, known.han_kinds)
        if kind:
            runs.setdefault(kind, {}).setdefault(_order(found["mark"]), found)
    for marks in runs.values():
        start = 0 if 0 in marks else 1
        ahead = range(start, start + _FEWEST)
        if all(order in marks for order in ahead):
            strangers = [marks[order] for order in ahead if not _is_held(marks[order], facts)]
            if len(strangers) == _FEWEST:
                yield strangers[0]


def _numbered(facts: GateFacts, known: MadeUp) -> Iterator[re.Match[str]]:
    if FIRST_BEHIND_LABEL.search(facts.text) is None:
        return
    for found in known.numbered.finditer(facts.text):
        if not holds(facts, found[0]) and not holds_number(facts, int(found["mark"])):
            yield found


def _is_held(found: re.Match[str], facts: GateFacts) -> bool:
    """The words before a Chinese noun run into it: only its end must be in the evidence."""
    words = found[0]
    return holds(facts, words) or (not words.isascii() and holds(facts, words[-3:]))


def _ending(word: str, kinds: Iterable[str]) -> str:
    return "" if word.isascii() else next((kind for kind in kinds if word.endswith(kind)), "")


def _order(mark: str) -> int:
    if mark.isdecimal():
        return int(mark)
    return _HAN_ORDER[mark] if mark in _HAN_ORDER else ord(mark.casefold()) - ord("a")
