"""Closed lists: columns with few values that come again and again."""

from collections.abc import Iterable

from veridical.onboarding.findings import Findings
from veridical.onboarding.hints import hints_at
from veridical.onboarding.profile import ColumnProfile, TableProfile, Value
from veridical.onboarding.proposal import Proposal, ProposalKind

_MOST = 12
_MOST_NAMED = 40
_LONGEST = 40
_LONGEST_CODE = 12
_FEWEST_ROWS = 20
_REPEATED = 5
"""Rows for each value."""


def find(findings: Findings) -> Iterable[Proposal]:
    """Text columns that choose from few values, and pointers to one of few rows."""
    for table in findings.base_tables():
        yield from _pointers(findings, table)
        other = {
            *findings.measures(table.name),
            *findings.columns(ProposalKind.SOFT_DELETE, table.name),
        }
        for column in (*findings.plain(table), *_numbered_kinds(findings, table)):
            if column.name not in other and _is_list(table, column):
                named = hints_at(column.name, "closed")
                values = _all_values(findings, table, column)
                if len(values) > _MOST_NAMED:
                    continue
                yield Proposal(
                    kind=ProposalKind.CLOSED_LIST,
                    table=table.name,
                    columns=(column.name,),
                    values=values,
                    reason="counted",
                    evidence={"count": len(values), "rows": column.filled},
                    confidence=0.9 if named else 0.7,
                )


def _numbered_kinds(findings: Findings, table: TableProfile) -> list[ColumnProfile]:
    """Codes for kinds of something: a status is chosen from few, too."""
    codes = findings.columns(ProposalKind.CODE, table.name)
    return [each for each in table.columns if each.name in codes and hints_at(each.name, "closed")]


def _pointers(findings: Findings, table: TableProfile) -> Iterable[Proposal]:
    """Codes that point to a short list of their own: a currency, a country, a rate of tax."""
    for link in findings.links(table.name):
        target = findings.tables.get(link.target or "")
        if target is None or len(link.columns) != 1 or not 1 < target.rows <= _MOST_NAMED:
            continue
        column = table.by_name[link.columns[0]]
        if not column.is_text or table.seen < _FEWEST_ROWS or column.filled < _REPEATED:
            continue
        values = tuple(sorted(map(str, _distinct(findings, target, link.target_columns[0]))))
        if values and max(map(len, values)) <= _LONGEST_CODE:
            yield Proposal(
                kind=ProposalKind.CLOSED_LIST,
                table=table.name,
                columns=link.columns,
                target=target.name,
                values=values,
                reason="parent",
                evidence={"count": len(values), "target": target.name},
                confidence=0.8,
            )


def _distinct(findings: Findings, table: TableProfile, name: str) -> list[Value]:
    """The values of all rows, one more than a list may have at most; none if that takes long."""
    source = findings.source
    key, place = f"t.{source.name(name)}", f"{source.table(table.name)} AS t"
    query = f"SELECT DISTINCT {key} FROM {place} WHERE {key} IS NOT NULL"
    return [row[0] for row in source.ask(query, _MOST_NAMED + 1) or ()]


def _all_values(
    findings: Findings, table: TableProfile, column: ColumnProfile
) -> tuple[Value, ...]:
    """The values seen, and those of rows that a sample left out; of counted steps also those
    between without a row today."""
    present = [value for value, _ in column.values]
    if table.is_sampled:
        present = list(dict.fromkeys((*present, *_distinct(findings, table, column.name))))
    steps = [value for value in present if isinstance(value, int)]
    if len(steps) < len(present) or not steps or max(steps) - min(steps) > _MOST:
        return tuple(present)
    return tuple(range(min(steps), max(steps) + 1))


def _is_list(table: TableProfile, column: ColumnProfile) -> bool:
    named = hints_at(column.name, "closed")
    listed = column.is_text or (column.is_whole and named)
    if not column.values or not listed or column.longest > _LONGEST:
        return False
    if hints_at(column.name, "open") and not named:
        return False
    often = column.filled >= _REPEATED * column.distinct and table.seen >= _FEWEST_ROWS
    return often and 1 < column.distinct <= (_MOST_NAMED if named else _MOST)
