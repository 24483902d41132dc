"""Rows that exist and don't count: a flag or a time of deletion, active or not."""

from collections.abc import Iterable
from functools import cache

from veridical.onboarding.findings import Findings
from veridical.onboarding.hints import hints_at
from veridical.onboarding.profile import ColumnProfile, TableProfile, Value
from veridical.onboarding.proposal import Proposal, ProposalKind
from veridical.word_file import word_file


def find(findings: Findings) -> Iterable[Proposal]:
    """Flags and times of deletion that some rows have and others don't."""
    for table in findings.base_tables():
        times = findings.columns(ProposalKind.TIME_COLUMN, table.name)
        for column in table.columns:
            if not hints_at(column.name, "deleted") or not table.seen:
                continue
            marked = _marked(table, column, is_time=column.name in times)
            if marked is not None:
                yield _proposal(table, column, *marked)


def _marked(
    table: TableProfile, column: ColumnProfile, *, is_time: bool
) -> tuple[int, bool] | None:
    """The number of rows with the rarer mark, and True if a mark may be missing."""
    if is_time:
        return (column.filled, True) if 0 < column.filled < table.seen else None
    if not is_flag(column):
        return None
    counts = [count for _, count in column.values]
    empty = table.seen - column.filled  # a mark, or nothing at all
    counts += [empty] if empty and len(counts) == 1 else []
    return (min(counts) if len(counts) > 1 else 0, False)


def kept_mark(table: TableProfile, column: ColumnProfile) -> Value:
    """The mark of the rows that count: the more frequent one, or none."""
    if not column.values:
        return None
    value, rows = max(column.values, key=lambda each: each[1])
    return value if rows >= table.seen - column.filled else None


def is_flag(column: ColumnProfile) -> bool:
    """True for yes and no."""
    return 0 < len(column.values) <= 2 and all(_is_mark(value) for value, _ in column.values)


def _is_mark(value: Value) -> bool:
    return str(value).casefold() in _flags()


def _proposal(table: TableProfile, column: ColumnProfile, marked: int, is_time: bool) -> Proposal:
    share = marked / table.seen
    return Proposal(
        kind=ProposalKind.SOFT_DELETE,
        table=table.name,
        columns=(column.name,),
        reason="time" if is_time else "flag",
        evidence={"marked": marked, "rows": table.seen, "share": round(100 * share, 1)},
        values=tuple(value for value, _ in column.values),
        confidence=0.9 if 0 < share < 0.5 else 0.7,
        stake=round(share, 4),
    )


@cache
def _flags() -> frozenset[str]:
    flags = word_file("veridical.onboarding")["flag"].values()
    return frozenset({"0", "1", "x", ""}).union(*flags)
