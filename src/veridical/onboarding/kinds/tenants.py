"""Tenant columns: the same column in many tables, named like an owner of rows, or one that rows
repeat from their parent rows, back to a few owners."""

from collections import defaultdict
from collections.abc import Iterable

from veridical.onboarding.findings import Findings
from veridical.onboarding.hints import hints_at
from veridical.onboarding.profile import ColumnProfile, TableProfile
from veridical.onboarding.proposal import Proposal, ProposalKind

_FEWEST_TABLES = 2
_SHARE, _SHARE_NAMED = 0.25, 0.1
_REPEATING_TABLES = 3
_MOST_OWNERS = 50
_ENOUGH_ROWS = 20
_NO_OWNERS = ("currency", "unit", "closed", "open", "time", "calendar", "person")
"""Columns that rows repeat without being owned by them: a country, a category, a customer."""
_Places = list[tuple[TableProfile, ColumnProfile]]


def find(findings: Findings) -> Iterable[Proposal]:
    """Columns of the owner of a row."""
    tables = findings.base_tables()
    named: defaultdict[str, _Places] = defaultdict(list)
    for table in tables:
        for column in table.columns:
            if hints_at(column.name, "tenant") and findings.key(table.name) != (column.name,):
                named[column.name.casefold()].append((table, column))
    for found in named.values():
        if len(found) >= max(_FEWEST_TABLES, _SHARE_NAMED * len(tables)):
            yield from _proposals(found, len(tables), confidence=0.9)
    for name, found in _repeated(findings).items():
        enough = len(found) >= max(_REPEATING_TABLES, _SHARE * len(tables))
        if name not in named and enough and _agree(findings, found):
            yield from _proposals(found, len(tables), confidence=0.7)


def _proposals(found: _Places, tables: int, *, confidence: float) -> Iterable[Proposal]:
    for table, column in found:
        yield Proposal(
            kind=ProposalKind.TENANT,
            table=table.name,
            columns=(column.name,),
            reason="counted",
            evidence={"tables": len(found), "of": tables, "tenants": column.distinct},
            confidence=confidence,
            stake=max(0.0, float(column.distinct - 1)),
        )


def _repeated(findings: Findings) -> dict[str, _Places]:
    """The columns of one name that point to the same few rows, which point nowhere, by name."""
    places: defaultdict[tuple[str, str], _Places] = defaultdict(list)
    for table in findings.base_tables():
        for link in findings.links(table.name):
            if len(link.columns) == 1 and link.target is not None and _may_own(findings, link):
                column = table.by_name[link.columns[0]]
                places[column.name.casefold(), link.target].append((table, column))
    return {name: found for (name, _), found in places.items()}


def _may_own(findings: Findings, link: Proposal) -> bool:
    owner = findings.tables.get(link.target or "")
    if owner is None or not 1 < owner.rows <= _MOST_OWNERS or findings.links(owner.name):
        return False
    names = (owner.name, link.columns[0])
    if not any(hints_at(name, "owner") for name in names):
        return False
    return not any(hints_at(name, kind) for name in names for kind in _NO_OWNERS)


def _agree(findings: Findings, found: _Places) -> bool:
    """True if every row has the owner of the row that it points to, and some point."""
    columns = {table.name: column.name for table, column in found}
    source = findings.source
    seen = False
    for table, column in found:
        for link in findings.links(table.name):
            other = columns.get(link.target or "")
            if other is None or link.target == table.name:
                continue
            on = " AND ".join(
                f"t.{source.name(own)} = p.{source.name(far)}"
                for own, far in zip(link.columns, link.target_columns, strict=True)
            )
            row = source.one(
                f"SELECT COUNT(*), SUM(CASE WHEN t.{source.name(column.name)}"
                f" = p.{source.name(other)} THEN 1 ELSE 0 END) FROM {source.rows_of(table)}"
                f" JOIN {source.table(link.target or '')} AS p ON {on}"
            )
            if row is None or not row[0] or row[1] != row[0]:
                return False
            seen = seen or row[0] >= _ENOUGH_ROWS
    return seen
