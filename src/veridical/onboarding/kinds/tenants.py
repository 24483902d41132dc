"""Tenant columns: the same column in many tables, called as whoever owns the rows is called."""

from collections import defaultdict
from collections.abc import Iterable

from veridical.onboarding.findings import Findings
from veridical.onboarding.hints import hints_at
from veridical.onboarding.profile import ColumnProfile, TableProfile
from veridical.onboarding.proposal import Kind, Proposal

_FEWEST_TABLES = 2
_SHARE = 0.25


def find(findings: Findings) -> Iterable[Proposal]:
    """Columns that say whose row it is."""
    places: defaultdict[str, list[tuple[TableProfile, ColumnProfile]]] = defaultdict(list)
    tables = findings.base_tables()
    for table in tables:
        for column in table.columns:
            if hints_at(column.name, "tenant") and findings.key(table.name) != (column.name,):
                places[column.name.casefold()].append((table, column))
    for found in places.values():
        if len(found) < max(_FEWEST_TABLES, _SHARE * len(tables)):
            continue
        for table, column in found:
            yield Proposal(
                kind=Kind.TENANT,
                table=table.name,
                columns=(column.name,),
                reason="counted",
                evidence={
                    "tables": len(found),
                    "of": len(tables),
                    "tenants": column.distinct,
                },
                confidence=0.9,
                stake=max(0.0, float(column.distinct - 1)),
            )
