"""What an answer enumerates: the items of its lists, the rows of its tables."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from veridical.contracts.proof import ClaimKind
from veridical.gate.rules.gate_facts import GateFacts

_TABLE = re.compile(r"(?:^\|.*\|[ ]*$\n?){3,}", re.MULTILINE)
_RULE = re.compile(r"\|[\s:|-]+\|\s*")
_TOTAL = re.compile(
    r"\|[\s*_]*(?:total|summe|gesamt\w*|insgesamt|sum|overall|saldo|合计|总计|总额|共计)\b",
    re.IGNORECASE,
)


class Enumeration(NamedTuple):
    """Where it stands and how many items it has."""

    start: int
    end: int
    length: int


def enumerations(facts: GateFacts) -> Iterator[Enumeration]:
    """Lists and tables, in this order."""
    for bound in facts.bounds:
        if bound.claim.kind is ClaimKind.LIST:
            yield Enumeration(bound.claim.start, bound.claim.end, len(bound.claim.items))
    for table in _TABLE.finditer(facts.text) if "|" in facts.text else ():
        lines = table[0].strip().splitlines()
        if _RULE.fullmatch(lines[1]):
            rows = sum(_TOTAL.match(line) is None for line in lines[2:])
            yield Enumeration(table.start(), table.end(), rows)
