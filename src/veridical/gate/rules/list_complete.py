"""A list holds what was returned: its items are keys, its announced length is its length."""

import re
from collections.abc import Iterator

from veridical.contracts.proof import ClaimKind, GateCode, Standing
from veridical.contracts.violation import Mode
from veridical.gate.bound import Bound
from veridical.gate.claim import Role
from veridical.gate.rules.gate_facts import FIGURES, GateFacts
from veridical.gate.rules.lexicon import Notion, said
from veridical.gate.rules.problem import Problem

_LEADS_ON = re.compile(
    r"(?:[:：]|\b(?:nämlich|und zwar|namely|i\.e\.|that is)|即|分别(?:是|为))[\s*_>\-•·–]*$"
)
_WIDEST_GAP = 120
_LONGEST = 200
_NOT_ALL = (Notion.EXAMPLES, Notion.RESTRICTED, Notion.PARTIAL)


def find(facts: GateFacts) -> Iterator[Problem]:
    """One problem for items that nothing returned, a wrong count before a list, rows left out."""
    for bound in facts.bounds:
        if bound.claim.kind is not ClaimKind.LIST:
            continue
        if bound.standing in (Standing.UNGROUNDED, Standing.CONTRADICTED) and facts.filled:
            yield Problem(
                GateCode.LIST_MISMATCH, "item", bound, values=(("item", bound.reason or "?"),)
            )
        yield from _announced(facts, bound)
        yield from _left_out(facts, bound)


def _announced(facts: GateFacts, listed: Bound) -> Iterator[Problem]:
    """A count that leads on to the list and is not its length."""
    for bound in facts.bounds:
        gap = facts.text[bound.claim.end : listed.claim.start]
        if (
            bound.claim.kind in FIGURES
            and bound.claim.role in (Role.STATED, Role.QUOTED)
            and 0 < listed.claim.start - bound.claim.end <= _WIDEST_GAP
            and _LEADS_ON.search(gap)
            and not re.search(r"\d|\n\s*\n.*\n", gap)
            and not said(Notion.EXAMPLES, gap)
            and _miscounts(bound, len(listed.claim.items))
        ):
            values = (("count", bound.claim.text), ("items", len(listed.claim.items)))
            yield Problem(GateCode.LIST_MISMATCH, "count", bound, values=values)


def _miscounts(bound: Bound, items: int) -> bool:
    """True for a whole number of things, none of whose readings is the list's length."""
    readings = bound.claim.readings
    return (
        not bound.claim.approximate
        and not bound.claim.bound
        and bool(readings)
        and all(
            reading.unit not in ("%",)
            and not (len(reading.unit) == 3 and reading.unit.isupper())
            and 0 < reading.value <= _LONGEST
            and reading.value == int(reading.value)
            and int(reading.value) != items
            for reading in readings
        )
    )


def _left_out(facts: GateFacts, listed: Bound) -> Iterator[Problem]:
    """A list of all that names only some of the returned keys."""
    if listed.place is None or listed.standing is not Standing.GROUNDED:
        return
    if len(facts.filled) != 1 or not facts.filled[0].rows:
        return
    exhibit = facts.filled[0]
    if listed.place.column >= len(exhibit.columns):
        return
    keys = {str(row[listed.place.column]) for row in exhibit.rows}
    items = len(listed.claim.items)
    lead = facts.text[: listed.claim.start]
    context = f"{lead} {facts.question}"
    if items >= len(keys) or any(said(notion, context) for notion in _NOT_ALL):
        return
    at_most = Mode.BLOCK if said(Notion.ALL, lead) else Mode.WARN
    values = (("items", items), ("rows", len(keys)))
    yield Problem(GateCode.LIST_MISMATCH, "left_out", listed, values=values, at_most=at_most)
