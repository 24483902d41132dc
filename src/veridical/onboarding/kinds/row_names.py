"""The columns that name a row: its name, its title, or a first and a last name."""

from collections.abc import Iterable

from veridical.onboarding.findings import Findings
from veridical.onboarding.hints import hints_at, words_hint_at
from veridical.onboarding.kinds.personal import is_about_people
from veridical.onboarding.names import nouns_of, words_of
from veridical.onboarding.profile import ColumnProfile, TableProfile, Value
from veridical.onboarding.proposal import Proposal, ProposalKind

_FEW = 60
"""Rows whose names are kept."""


def find(findings: Findings) -> Iterable[Proposal]:
    """The columns of every table, with the names of its rows where there are few and no people."""
    for table in findings.base_tables():
        columns = _columns(findings, table)
        if columns:
            yield Proposal(
                kind=ProposalKind.ROW_NAMES,
                table=table.name,
                columns=columns,
                values=_values(findings, table, columns),
                reason="named",
            )


def _columns(findings: Findings, table: TableProfile) -> tuple[str, ...]:
    pointing = findings.columns(ProposalKind.FOREIGN_KEY, table.name)
    texts = [each for each in table.columns if each.is_text and each.name not in pointing]
    nouns = set(nouns_of(table.name))
    ranked = sorted(
        (rank, at, each.name) for at, each in enumerate(texts) if (rank := _rank(each, nouns))
    )
    if ranked:
        return (ranked[0][2],)
    parts = tuple(each.name for each in texts if hints_at(each.name, "name_part"))
    return parts if len(parts) > 1 else ()


def _rank(column: ColumnProfile, nouns: set[str]) -> int:
    """How well a column names a row: less is better, zero is no name."""
    words = words_of(column.name)
    before, last = words[:-1], words[-1:]
    if words_hint_at(last, "called"):
        own = not before or set(nouns_of(" ".join(before))) <= nouns
        return 1 if own else 2 if words_hint_at(before[-1:], "whole_name") else 0
    return 3 if words_hint_at(last, "title") and not before else 0


def _values(findings: Findings, table: TableProfile, columns: tuple[str, ...]) -> tuple[Value, ...]:
    if table.rows > _FEW or len(columns) != 1 or is_about_people(table):
        return ()
    source = findings.source
    name = source.name(columns[0])
    rows = source.ask(f"SELECT DISTINCT t.{name} FROM {source.table(table.name)} AS t", _FEW)
    return tuple(value for row in rows or () for value in row if value is not None)
