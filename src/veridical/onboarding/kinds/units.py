"""Units and currencies beside a measure, or on the row that it belongs to."""

from collections.abc import Iterable
from functools import partial

from veridical.onboarding.findings import Findings
from veridical.onboarding.hints import hints_at, is_value_of, words_hint_at
from veridical.onboarding.kinds.rates import is_price
from veridical.onboarding.names import words_of
from veridical.onboarding.profile import ColumnProfile, TableProfile
from veridical.onboarding.proposal import Proposal, ProposalKind

_CURRENCY, _UNIT = "currency", "unit"
_UNITS_IN_NAMES = ("currency_code", "unit_code", "duration")
_PRICES = frozenset({"price", "product"})
_LONGEST_CODE = 10
_ROWS_EACH = 10
"""From so many rows of a kind it is no chance that all have one unit."""
_Column = ColumnProfile | None


def find(findings: Findings) -> Iterable[Proposal]:
    """The unit column of each measure that has one."""
    by_table = {table.name: list(_unit_columns(table)) for table in findings.tables.values()}
    for table in findings.tables.values():
        for name in findings.measures(table.name):
            own = by_table[table.name]
            kinds = _kinds_of(findings, table, name)
            # The unit in its own row comes before the one of the row's parent.
            for kind in sorted(kinds, key=partial(_is_elsewhere, own, name)):
                found = _found(findings, table, name, kind, by_table)
                if found is not None:
                    yield _with_kinds(findings, _proposal(table, name, *found, kind))
                    break


def _with_kinds(findings: Findings, proposal: Proposal) -> Proposal:
    """The proposal with the list of kinds that also determines the unit, if there is one."""
    owner = findings.tables[proposal.target or proposal.table]
    if not proposal.reason.startswith(_UNIT):
        return proposal
    column = _kind_column(findings, owner, owner.by_name[proposal.target_columns[0]])
    known = {**proposal.evidence, "settled_by": column} if column else proposal.evidence
    return proposal.model_copy(update={"evidence": known})


def _unit_columns(table: TableProfile) -> Iterable[tuple[str, ColumnProfile]]:
    """The columns with currencies and those with units."""
    for column in table.columns:
        if column.is_text:
            yield from ((kind, column) for kind in (_CURRENCY, _UNIT) if _says(column, kind))


def _of_measure(columns: list[tuple[str, ColumnProfile]], kind: str, name: str) -> _Column:
    """The column named most like the measure: a foreign amount, a foreign currency."""
    own = set(words_of(name))

    def likeness(column: ColumnProfile) -> int:
        words = [each for each in words_of(column.name) if not words_hint_at((each,), kind)]
        return sum(1 if each in own else -1 for each in words)

    fitting = [column for column_kind, column in columns if column_kind == kind]
    return max(fitting, key=likeness, default=None)


def _is_elsewhere(own: list[tuple[str, ColumnProfile]], name: str, kind: str) -> bool:
    return _of_measure(own, kind, name) is None


def _says(column: ColumnProfile, kind: str) -> bool:
    codes = [str(value) for value in column.known_values]
    if not codes:
        return False
    known = sum(is_value_of(code, f"{kind}_code") for code in codes)
    if hints_at(column.name, kind):
        short = all(len(code) <= _LONGEST_CODE for code in codes)
        return kind == _CURRENCY or known >= 0.5 * len(codes) or (known > 0 and short)
    return known == len(codes) and all(len(code) == 3 and code.isupper() for code in codes)


def _kinds_of(findings: Findings, table: TableProfile, name: str) -> tuple[str, ...]:
    """The possible kinds of a measure, money or quantity; rates are neither, nor are names with
    their own unit: ``cost_eur``, ``weight_kg``."""
    column = table.by_name[name]
    words = words_of(name)
    unit_words = [words_hint_at((word,), kind) for word in words for kind in _UNITS_IN_NAMES]
    if len(words) > 1 and any(unit_words):
        return ()
    rates = {
        each.columns[0]: each.reason for each in findings.of(ProposalKind.NOT_ADDITIVE, table.name)
    }
    if is_price(name) or rates.get(name) in _PRICES:
        return (_CURRENCY,)
    if name in rates:
        return ()
    if hints_at(name, "quantity"):
        return (_UNIT,)
    if hints_at(name, "money") and not hints_at(name, "reading"):
        return (_CURRENCY,)
    return (_CURRENCY, _UNIT) if column.fractions else ()


def _found(
    findings: Findings,
    table: TableProfile,
    name: str,
    kind: str,
    by_table: dict[str, list[tuple[str, ColumnProfile]]],
) -> tuple[str, ColumnProfile] | None:
    """The column in the table itself, else in the only parent that has one, or that its key names:
    a line belongs first to its invoice."""
    own = _of_measure(by_table[table.name], kind, name)
    if own is not None:
        return table.name, own
    parents = {
        link.target: column
        for link in findings.links(table.name)
        if link.target and link.target != table.name
        if (column := _of_measure(by_table.get(link.target, []), kind, name)) is not None
    }
    if len(parents) > 1:
        key = set(findings.key(table.name))
        owners = {
            each.target for each in findings.links(table.name) if key.issuperset(each.columns)
        }
        parents = {name: column for name, column in parents.items() if name in owners}
    return next(iter(parents.items())) if len(parents) == 1 else None


def _kind_column(findings: Findings, owner: TableProfile, unit: ColumnProfile) -> str:
    """The list of kinds that also determines the unit: electricity is in kWh, gas in m3."""
    source = findings.source
    lists = [
        each
        for each in owner.columns
        if each.name != unit.name and each.is_text and len(each.values) > 1
        if each.filled == owner.seen >= _ROWS_EACH * each.distinct
    ]
    for each in sorted(lists, key=lambda column: column.distinct):
        names = f"t.{source.name(each.name)}, t.{source.name(unit.name)}"
        row = source.one(
            f"SELECT COUNT(*) FROM (SELECT DISTINCT {names} FROM {source.rows_of(owner)}) AS d"
        )
        if row is not None and row[0] == each.distinct:
            return each.name
    return ""


def _proposal(
    table: TableProfile, name: str, owner: str, column: ColumnProfile, kind: str
) -> Proposal:
    codes = [str(value) for value in column.known_values]
    rows = sum(count for _, count in column.values)
    largest = column.values[0][1] if column.values else rows
    return Proposal(
        kind=ProposalKind.UNIT,
        table=table.name,
        columns=(name,),
        target=owner,
        target_columns=(column.name,),
        values=tuple(codes),
        reason=kind if owner == table.name else f"{kind}_parent",
        evidence={"units": ", ".join(codes[:6]), "count": len(codes), "column": column.name},
        confidence=0.95 if owner == table.name else 0.85,
        stake=round(1 - largest / rows, 4) if rows else 0.0,
    )
