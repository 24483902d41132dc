"""Prices, rates, shares and means: measures that don't add up over rows."""

from collections.abc import Iterable

from veridical.onboarding.findings import Findings
from veridical.onboarding.hints import hints_at
from veridical.onboarding.profile import ColumnProfile, TableProfile
from veridical.onboarding.proposal import Kind, Proposal

_PROOF = 0.98
_ENOUGH = 20


def find(findings: Findings) -> Iterable[Proposal]:
    """The measures that a sum makes no sense of, each with why."""
    for table in findings.tables.values():
        for name in findings.measures(table.name):
            column = table.by_name[name]
            reason = _reason(column)
            if reason:
                yield _proposal(findings, table, column, reason)


def _reason(column: ColumnProfile) -> str:
    if hints_at(column.name, "price"):
        return "price"
    if hints_at(column.name, "rate"):
        return "rate"
    return "share" if _is_share(column) else ""


def _is_share(column: ColumnProfile) -> bool:
    """Fractions between nought and one."""
    low, high = column.low, column.high
    if not isinstance(low, int | float) or not isinstance(high, int | float):
        return False
    return column.fractions > 0 and 0 <= low <= high <= 1


def _proposal(
    findings: Findings, table: TableProfile, column: ColumnProfile, reason: str
) -> Proposal:
    found = Proposal(
        kind=Kind.NOT_ADDITIVE,
        table=table.name,
        columns=(column.name,),
        reason=reason,
        evidence={"low": column.low, "high": column.high, "rows": column.filled},
        confidence=0.9 if reason != "share" else 0.8,
    )
    product = _product(findings, table, column) if reason == "price" else None
    if product is None:
        return found
    quantity, total, matching, rows = product
    counts = {"quantity": quantity, "total": total, "matching": matching, "rows": rows}
    return found.model_copy(
        update={
            "reason": "product",
            "evidence": counts,
            "confidence": 0.99,
            "proven": matching >= _PROOF * rows,
        }
    )


def _product(
    findings: Findings, table: TableProfile, price: ColumnProfile
) -> tuple[str, str, int, int] | None:
    """The quantity and the total of which it is the price, with the rows where this is exact."""
    names = findings.measures(table.name)
    quantities = [each for each in names if hints_at(each, "quantity")]
    totals = [
        each
        for each in names
        if each != price.name and hints_at(each, "money") and not hints_at(each, "price")
    ]
    source = findings.source
    for quantity in quantities[:2]:
        for total in totals[:3]:
            q, p, t = (f"t.{source.name(each)}" for each in (quantity, price.name, total))
            row = source.one(
                f"SELECT COUNT(*), SUM(CASE WHEN ABS({q} * {p} - {t}) <= 0.011 THEN 1 ELSE 0 END)"
                f" FROM {source.rows_of(table)}"
                f" WHERE {q} IS NOT NULL AND {p} IS NOT NULL AND {t} IS NOT NULL"
            )
            if row and row[0] >= _ENOUGH and (row[1] or 0) >= 0.9 * row[0]:
                return quantity, total, int(row[1]), int(row[0])
    return None
