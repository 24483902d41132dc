"""Rows whose state often means that they don't count: drafts, tests, what was cancelled.

Data shows that there are such rows, never that they don't count: until somebody decides, figures
show each state apart.
"""

from collections.abc import Iterable, Iterator

from veridical.onboarding.findings import Findings
from veridical.onboarding.hints import is_value_of
from veridical.onboarding.profile import TableProfile, Value
from veridical.onboarding.proposal import Proposal, ProposalKind
from veridical.onboarding.source import text_literal

COUNTED, PARENT = "counted", "parent"
LIKELY = 0.8
"""The confidence from which a statement is warned about these rows before anybody decides."""


def find(findings: Findings) -> Iterable[Proposal]:
    """The lists with such a state, and the tables whose rows belong to rows with one."""
    own = [each for table in findings.base_tables() for each in _own(findings, table)]
    yield from own
    for proposal in own:
        for table in findings.base_tables():
            yield from _below(findings, table, proposal)


def _own(findings: Findings, table: TableProfile) -> Iterator[Proposal]:
    other = findings.columns(ProposalKind.SOFT_DELETE, table.name) | set(findings.key(table.name))
    for column in table.columns:
        marked = [each for each in column.values if _is_uncounted(each[0])]
        rows = sum(count for _, count in marked)
        if marked and column.is_text and column.name not in other and rows < column.filled:
            yield _proposal(
                table.name, (column.name,), [value for value, _ in marked], rows, table.seen
            )


def _is_uncounted(value: Value) -> bool:
    return _is(value, "uncounted") or _is(value, "perhaps_uncounted")


def _is(value: Value, kind: str) -> bool:
    return isinstance(value, str) and is_value_of(value, kind)


def _below(findings: Findings, table: TableProfile, above: Proposal) -> Iterator[Proposal]:
    """The pointer to the rows with such a state, if any row has one."""
    source = findings.source
    for link in findings.links(table.name):
        if link.target != above.table or table.name == above.table or len(link.columns) != 1:
            continue
        own, far = source.name(link.columns[0]), source.name(link.target_columns[0])
        values = ", ".join(text_literal(str(each)) for each in above.values)
        row = source.one(
            f"SELECT COUNT(*) FROM {source.rows_of(table)} JOIN {source.table(above.table)} AS p"
            f" ON t.{own} = p.{far} WHERE p.{source.name(above.columns[0])} IN ({values})"
        )
        if row and row[0]:
            found = _proposal(table.name, link.columns, above.values, int(row[0]), table.seen)
            yield found.model_copy(
                update={
                    "target": above.table,
                    "target_columns": above.columns,
                    "reason": PARENT,
                    "evidence": {**found.evidence, "target": above.table},
                }
            )


def _proposal(
    table: str, columns: tuple[str, ...], values: Iterable[Value], marked: int, rows: int
) -> Proposal:
    states = tuple(values)
    return Proposal(
        kind=ProposalKind.UNCOUNTED,
        table=table,
        columns=columns,
        values=states,
        reason=COUNTED,
        evidence={
            "marked": marked,
            "rows": rows,
            "share": round(100 * marked / rows, 1),
            "value": ", ".join(map(str, states)),
        },
        confidence=LIKELY if all(_is(each, "uncounted") for each in states) else 0.6,
        stake=round(marked / rows, 4),
    )
