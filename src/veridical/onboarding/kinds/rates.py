"""Prices, rates, shares and means: measures that don't add up over rows."""

from collections.abc import Iterable

from veridical.onboarding.findings import Findings
from veridical.onboarding.hints import hints_at, is_value_of, words_hinting
from veridical.onboarding.names import words_of
from veridical.onboarding.profile import ColumnProfile, TableProfile
from veridical.onboarding.proposal import Proposal, ProposalKind

_PRICE = "price"
_PROOF = 0.98
_ENOUGH = 20
_CENT = 0.011
RATIO_PARTS = ("numerator", "denominator")
_MOST_WHOLES = 4
_MOST_PARTS = 6
_NEAR = 0.01
"""Ratios are rounded."""


def find(findings: Findings) -> Iterable[Proposal]:
    """The measures whose sum is meaningless, each with the reason."""
    for table in findings.tables.values():
        for name in findings.measures(table.name):
            column = table.by_name[name]
            reason = _reason(table, column)
            if reason == "price" and _is_of_a_sale(findings, table):
                reason = ""
            if not reason and (
                _is_of_a_unit(findings, table, column) or _is_per_piece(findings, table, column)
            ):
                reason = "rate"
            if reason == "rate" and _are_parts(findings, table, column):
                reason = ""
            if reason:
                yield _proposal(findings, table, column, reason)


def _reason(table: TableProfile, column: ColumnProfile) -> str:
    listed = hints_at(table.name, "price") and hints_at(column.name, "money")
    if is_price(column.name) or (listed and not hints_at(column.name, "whole")):
        return "price"
    if hints_at(column.name, "rate"):
        return "rate"
    return "share" if _is_share(column) else ""


def _is_of_a_sale(findings: Findings, table: TableProfile) -> bool:
    """True if a row is one purchase, with a time, pointers and no quantity: its cost adds up."""
    if hints_at(table.name, "price") or not findings.columns(ProposalKind.TIME_COLUMN, table.name):
        return False
    counted = any(
        hints_at(each, "quantity") and not hints_at(each, "duration")
        for each in findings.measures(table.name)
    )
    return (
        len(findings.links(table.name)) > 1 and not counted and len(findings.key(table.name)) == 1
    )


def _is_per_piece(findings: Findings, table: TableProfile, column: ColumnProfile) -> bool:
    """True if it is an amount divided by a number of things, under any name."""
    if not column.fractions:
        return False
    parts = _parts_of(findings, table, column)
    return parts is not None and table.by_name[parts["denominator"]].is_whole


def _are_parts(findings: Findings, table: TableProfile, column: ColumnProfile) -> bool:
    """True if together they are an amount of their parent row, as instalments are."""
    source = findings.source
    key = findings.key(table.name)
    for link in findings.links(table.name):
        if len(link.columns) != 1 or link.target is None or link.columns[0] not in key:
            continue
        own, far = source.name(link.columns[0]), source.name(link.target_columns[0])
        for whole in findings.measures(link.target)[:_MOST_WHOLES]:
            row = source.one(
                f"SELECT COUNT(*), SUM(CASE WHEN ABS(c.s - p.{source.name(whole)})"
                f" <= {_CENT} * c.n THEN 1 ELSE 0 END) FROM (SELECT t.{own} AS k, COUNT(*) AS n,"
                f" SUM(t.{source.name(column.name)}) AS s FROM {source.rows_of(table)}"
                f" GROUP BY t.{own}) AS c JOIN {source.table(link.target)} AS p ON p.{far} = c.k"
            )
            if row and row[0] >= _ENOUGH and (row[1] or 0) >= _PROOF * row[0]:
                return True
    return False


def _is_of_a_unit(findings: Findings, table: TableProfile, column: ColumnProfile) -> bool:
    """True if it is the value of one unit: its table has a row for each currency and day."""
    key = findings.key(table.name)
    times = findings.columns(ProposalKind.TIME_COLUMN, table.name)
    units = [each for each in key if _has_units(table.by_name[each])]
    rest = [each for each in key if each not in times and each not in units]
    return column.fractions > 0 and bool(units) and not rest


def _has_units(column: ColumnProfile) -> bool:
    codes = [str(value) for value, _ in column.values]
    named = hints_at(column.name, "currency") or hints_at(column.name, "unit")
    return column.is_text and (
        named or (bool(codes) and all(is_value_of(code, "currency_code") for code in codes))
    )


def is_price(name: str) -> bool:
    """True for a unit price by name; the price of a line or an order adds up."""
    words = words_of(name)
    priced = hints_at(name, "price") or any(word.endswith(_PRICE) for word in words)
    whole = any(unpriced in words_hinting("whole") for unpriced in map(_before_price, words))
    return priced and not whole and not hints_at(name, "whole")


def _before_price(word: str) -> tuple[str, ...]:
    return (word.removesuffix(_PRICE),)


def _is_share(column: ColumnProfile) -> bool:
    """True for fractions between zero and one."""
    low, high = column.low, column.high
    if not isinstance(low, int | float) or not isinstance(high, int | float):
        return False
    return column.fractions > 0 and 0 <= low <= high <= 1


def _proposal(
    findings: Findings, table: TableProfile, column: ColumnProfile, reason: str
) -> Proposal:
    found = Proposal(
        kind=ProposalKind.NOT_ADDITIVE,
        table=table.name,
        columns=(column.name,),
        reason=reason,
        evidence={"low": column.low, "high": column.high, "rows": column.filled},
        confidence=0.9 if reason != "share" else 0.8,
    )
    product = _product(findings, table, column) if reason == "price" else None
    if product is None:
        parts = _parts_of(findings, table, column) if reason != "price" else None
        return (
            found.model_copy(update={"evidence": {**found.evidence, **parts}}) if parts else found
        )
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


def _parts_of(
    findings: Findings, table: TableProfile, ratio: ColumnProfile
) -> dict[str, str] | None:
    """The two measures of its rows whose quotient it is."""
    names = [each for each in findings.measures(table.name) if each != ratio.name][:_MOST_PARTS]
    pairs = [(one, other) for one in names for other in names if one != other]
    if not pairs or table.seen < _ENOUGH:
        return None
    source = findings.source
    x = f"t.{source.name(ratio.name)}"

    def met(one: str, other: str, times: int) -> str:
        a, b = f"t.{source.name(one)}", f"t.{source.name(other)}"
        near = f"ABS({x} * {b} - {times} * {a}) <= {_NEAR} * ABS({x} * {b})"
        return f"SUM(CASE WHEN {b} <> 0 AND {a} <> 0 AND {near} THEN 1 ELSE 0 END)"

    quotients = [(one, other, times) for one, other in pairs for times in (1, 100)]
    found = source.one(
        f"SELECT SUM(CASE WHEN {x} <> 0 THEN 1 ELSE 0 END), "
        f"{', '.join(met(*each) for each in quotients)} FROM {source.rows_of(table)}"
    )
    if found is None or not found[0] or found[0] < _ENOUGH:
        return None
    rows, *matching = found
    for (one, other, _), count in zip(quotients, matching, strict=True):
        if (count or 0) >= _PROOF * rows:
            return dict(zip(RATIO_PARTS, (one, other), strict=True))
    return None


def _product(
    findings: Findings, table: TableProfile, price: ColumnProfile
) -> tuple[str, str, int, int] | None:
    """The quantity and the total of which it is the price, with the rows where this is exact."""
    names = findings.measures(table.name)
    quantities = [each for each in names if hints_at(each, "quantity")]
    totals = [
        each
        for each in names
        if each != price.name and hints_at(each, "money") and not is_price(each)
    ]
    source = findings.source
    for quantity in quantities[:2]:
        for total in totals[:3]:
            q, p, t = (f"t.{source.name(each)}" for each in (quantity, price.name, total))
            row = source.one(
                f"SELECT COUNT(*), SUM(CASE WHEN ABS({q} * {p} - {t}) <= {_CENT} THEN 1 ELSE 0 END)"
                f" FROM {source.rows_of(table)}"
                f" WHERE {q} IS NOT NULL AND {p} IS NOT NULL AND {t} IS NOT NULL"
            )
            if row and row[0] >= _ENOUGH and (row[1] or 0) >= 0.9 * row[0]:
                return quantity, total, int(row[1]), int(row[0])
    return None
