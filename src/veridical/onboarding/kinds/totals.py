"""Totals beside their parts: month 0 is the year, the region "total" is the sum of the others."""

from collections.abc import Iterable, Iterator

from veridical.onboarding.findings import Findings
from veridical.onboarding.hints import hints_at, is_value_of
from veridical.onboarding.profile import ColumnProfile, TableProfile, Value
from veridical.onboarding.proposal import Proposal, ProposalKind
from veridical.onboarding.source import text_literal

_FEWEST_GROUPS = 5
_PROVING_GROUPS = 8
_LIKELY, _PROOF = 0.9, 0.98
_FEWEST_PARTS = 2
_MOST_GROUPED = 6
_TOTAL_NUMBERS = (0, 13, 99, 999)


def find(findings: Findings) -> Iterable[Proposal]:
    """Columns with a value whose rows equal the sum of all others."""
    for table in findings.base_tables():
        rates = findings.columns(ProposalKind.NOT_ADDITIVE, table.name)
        measures = [each for each in findings.measures(table.name) if each not in rates]
        if not measures:
            continue
        for column, value in _candidates(findings, table, set(measures)):
            found = _tested(findings, table, column, value, measures)
            if found is not None:
                yield found


def _candidates(
    findings: Findings, table: TableProfile, measures: set[str]
) -> Iterator[tuple[ColumnProfile, Value]]:
    """Columns with few values, and the one of them that may be the total."""
    for column in table.columns:
        values = [value for value, _ in column.values]
        if column.name in measures or len(values) <= _FEWEST_PARTS:
            continue
        for value in values:
            if _may_be_total(column, value):
                yield column, value


def _may_be_total(column: ColumnProfile, value: Value) -> bool:
    if isinstance(value, str):
        return is_value_of(value, "total")
    return value in _TOTAL_NUMBERS and column.is_whole and hints_at(column.name, "calendar")


def _tested(
    findings: Findings,
    table: TableProfile,
    column: ColumnProfile,
    value: Value,
    measures: list[str],
) -> Proposal | None:
    """The proposal, if the sums agree in most groups for some measure."""
    source = findings.source
    groups = _grouped_by(findings, table, column, set(measures))
    written = text_literal(value) if isinstance(value, str) else str(value)
    own = f"t.{source.name(column.name)}"
    sums = [
        f"SUM(CASE WHEN {own} = {written} THEN t.{source.name(name)} END) AS w{number},"
        f" SUM(CASE WHEN {own} <> {written} THEN t.{source.name(name)} END) AS p{number}"
        for number, name in enumerate(measures)
    ]
    agree = [
        f"SUM(CASE WHEN w{number} IS NOT NULL AND p{number} IS NOT NULL"
        f" AND (w{number} <> 0 OR p{number} <> 0) THEN 1 ELSE 0 END),"
        f" SUM(CASE WHEN (w{number} <> 0 OR p{number} <> 0)"
        f" AND ABS(w{number} - p{number}) <= 0.005 * ABS(w{number}) + 0.011 THEN 1 ELSE 0 END)"
        for number in range(len(measures))
    ]
    by = f" GROUP BY {', '.join(f't.{source.name(each)}' for each in groups)}" if groups else ""
    row = source.one(
        f"SELECT {', '.join(agree)} FROM (SELECT {', '.join(sums)}"
        f" FROM {source.table(table.name)} AS t{by}) AS g"
    )
    if row is None:
        return None
    counts = [(row[2 * number + 1] or 0, row[2 * number] or 0) for number in range(len(measures))]
    best = max(range(len(measures)), key=lambda number: counts[number][0])
    agreeing, compared = counts[best]
    if compared < _FEWEST_GROUPS or agreeing < _LIKELY * compared:
        return None
    rest = sorted((each for each, _ in column.values if each != value), key=_in_order)
    share = agreeing / compared
    return Proposal(
        kind=ProposalKind.TOTAL_ROWS,
        table=table.name,
        columns=(column.name,),
        values=(value, *rest),
        reason="counted",
        evidence={
            "value": value,
            "measure": measures[best],
            "agreeing": agreeing,
            "groups": compared,
            "share": round(100 * share, 1),
        },
        confidence=round(min(0.99, share), 3),
        proven=share >= _PROOF and compared >= _PROVING_GROUPS,
        stake=1.0,
    )


def _in_order(value: Value) -> tuple[float, str]:
    return (float(value) if isinstance(value, int | float) else 0.0, str(value))


def _grouped_by(
    findings: Findings, table: TableProfile, column: ColumnProfile, measures: set[str]
) -> list[str]:
    """The common columns of the parts of one total: the rest of the key, or pointers and dates."""
    key = findings.key(table.name)
    if len(key) > 1 and column.name in key:
        return [each for each in key if each != column.name]
    used = {column.name, *measures, *(key if len(key) == 1 else ())}
    pointing = findings.columns(ProposalKind.FOREIGN_KEY, table.name)
    dated = findings.columns(ProposalKind.TIME_COLUMN, table.name)
    return [
        each.name
        for each in table.columns
        if each.name not in used
        and (each.name in pointing | dated or each.values or hints_at(each.name, "calendar"))
    ][:_MOST_GROUPED]
