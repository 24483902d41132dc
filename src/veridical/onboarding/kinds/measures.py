"""Measures: numbers that are neither keys, nor codes, nor flags, nor parts of a calendar."""

from collections.abc import Iterable

from veridical.onboarding.findings import Findings
from veridical.onboarding.hints import counts_things, hints_at, words_hint_at
from veridical.onboarding.kinds.soft_deletes import is_flag
from veridical.onboarding.names import words_of
from veridical.onboarding.profile import ColumnProfile
from veridical.onboarding.proposal import Proposal, ProposalKind

FLOW, STOCK = "flow", "stock"
_NO_MEASURES = ("calendar", "ordinal", "parameter", "state_flag")


def find(findings: Findings) -> Iterable[Proposal]:
    """The measures of every table; ``stock`` if the name means a state, not a movement."""
    for table in findings.tables.values():
        key = findings.key(table.name)
        for column in findings.plain(table):
            if column.name not in key and _is_measure(column):
                stock = is_stock_name(column.name) or (
                    is_stock_name(table.name) and not hints_at(column.name, "flow")
                )
                yield Proposal(
                    kind=ProposalKind.MEASURE,
                    table=table.name,
                    columns=(column.name,),
                    reason=STOCK if stock else FLOW,
                    evidence={"low": column.low, "high": column.high, "rows": column.filled},
                    confidence=0.9 if _is_named(column) else 0.7,
                    proven=True,
                )


def is_stock_name(name: str) -> bool:
    """True if a name means a state and not a movement."""
    is_stock = hints_at(name, "stock") and not hints_at(name, "flow")
    return is_stock or hints_at(name, "cumulative")


def _is_measure(column: ColumnProfile) -> bool:
    if not column.is_numeric or not column.filled:
        return False
    if column.values and column.is_whole and hints_at(column.name, "closed"):
        return False
    if is_flag(column) and not hints_at(column.name, "quantity"):
        return False
    if any(hints_at(column.name, kind) for kind in _NO_MEASURES):
        return _is_named(column) and not column.is_whole
    words = words_of(column.name)
    return not words_hint_at(words, "key") or counts_things(words) or _is_named(column)


def _is_named(column: ColumnProfile) -> bool:
    kinds = ("money", "quantity", "rate", "price", "stock", "flow")
    return any(hints_at(column.name, kind) for kind in kinds)
