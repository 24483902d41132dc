"""How many rows a total is said to be over, beside how many it adds up."""

from collections.abc import Iterator

from veridical.contracts.proof import ClaimKind, GateCode, Ground, Standing
from veridical.gate.bound import Bound
from veridical.gate.notions import Notion, said
from veridical.gate.rules.gate_facts import GateFacts
from veridical.gate.rules.problem import Problem

_FEWEST = 2
_NOT_ALL = (Notion.EXAMPLES, Notion.RESTRICTED, Notion.PARTIAL)


def find(facts: GateFacts) -> Iterator[Problem]:
    """A total over all rows in an answer that counts, or lists and counts, only some of them."""
    if len(facts.filled) != 1 or len(facts.filled[0].rows) <= _FEWEST:
        return
    rows = len(facts.filled[0].rows)
    totals = [each for each in facts.bounds if _is_total(each, rows)]
    listed = _listed(facts) if totals else 0
    if not _FEWEST <= listed < rows:
        return
    for bound in facts.bounds:
        claim = bound.claim
        if claim.kind is not ClaimKind.COUNT or not claim.readings:
            continue
        told = claim.readings[0].value
        if told == listed or (told == rows and not _is_choice(facts)):
            values = (("items", listed), ("rows", rows))
            yield Problem(GateCode.LIST_MISMATCH, "left_out", bound, values=values)
            return


def _is_total(bound: Bound, rows: int) -> bool:
    return (
        bound.standing is Standing.GROUNDED
        and bound.ground is Ground.DERIVATION
        and bound.derivation.count(" + ") == rows - 1
    )


def _listed(facts: GateFacts) -> int:
    """How many rows the answer tells: their figure, or a text that only they have."""
    places = {
        bound.place
        for bound in facts.bounds
        if bound.claim.kind is ClaimKind.AMOUNT
        and bound.ground is Ground.CELL
        and bound.place is not None
    }
    if len({(each.sheet, each.column) for each in places}) != 1:
        return 0
    return len({each.row for each in places} | set(_named(facts)))


def _named(facts: GateFacts) -> Iterator[int]:
    rows = facts.filled[0].rows
    for column in zip(*rows, strict=True):
        if len(set(map(str, column))) == len(rows):
            for row, cell in enumerate(column):
                if isinstance(cell, str) and cell in facts.text:
                    yield row


def _is_choice(facts: GateFacts) -> bool:
    """True where the answer or the question speaks of some rows only: the largest two of five."""
    context = f"{facts.text} {facts.question}"
    return any(said(notion, context) for notion in _NOT_ALL)
