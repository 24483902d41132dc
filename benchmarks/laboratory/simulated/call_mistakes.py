"""Mistakes in a call, made on its syntax tree: each gives the wrong query, or none where it
can't be made.

The names of columns are those of books as trustees keep them: they are what the mistakes are about.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime

from sqlglot import exp

from benchmarks.laboratory.simulated.profile import Mistake
from benchmarks.laboratory.simulated.query import comparisons, literals
from veridical.evals.gold.query import drop
from veridical.ontology.catalog import Catalog, ColumnCard
from veridical.ontology.model import Encoding

Wronged = Callable[[exp.Query, Catalog], bool]
"""Changes the tree in place; false where the mistake can't be made."""

_YEAR, _MONTH, _ACCOUNT, _CURRENCY = "periodYear", "periodMonth", "accountNumber", "currency"
_BALANCE, _TURNOVER = "closingBalance", "debitTotal"
_YEAR_SECONDS = 365 * 86_400
_SOME_MONTH = "6"


def with_mistake(kind: Mistake, right: exp.Query, catalog: Catalog) -> exp.Query | None:
    """The right query with this mistake in it; none where it can't be made."""
    make = _MISTAKES.get(kind)
    wrong = right.copy()
    if make is None or not make(wrong, catalog) or wrong == right:
        return None
    return wrong


def _wrong_period_row(tree: exp.Query, catalog: Catalog) -> bool:
    found = list(comparisons(tree, _MONTH))
    for node in found:
        for literal in literals(node):
            literal.replace(exp.Literal.number(_SOME_MONTH if literal.name == "0" else "0"))
    return bool(found)


def _wrong_year(tree: exp.Query, catalog: Catalog) -> bool:
    changed = False
    for node in comparisons(tree, _YEAR, *_encoded(catalog)):
        for literal in literals(node):
            if literal.is_number:
                step = 1 if _is_of(node, _YEAR) else _YEAR_SECONDS
                literal.replace(exp.Literal.number(str(int(float(literal.name)) - step)))
                changed = True
    return changed


def _wrong_kind(tree: exp.Query, catalog: Catalog) -> bool:
    for node in comparisons(tree, _ACCOUNT, *_closed(catalog)):
        literal = next(iter(literals(node)))
        other = _neighbour(node, literal, catalog)
        if other is not None and other != literal.name:
            written = exp.Literal.string(other) if literal.is_string else exp.Literal.number(other)
            literal.replace(written)
            return True
    return False


def _neighbour(node: exp.Expr, literal: exp.Literal, catalog: Catalog) -> str | None:
    """The account beside it, or the next value of the closed list."""
    name = literal.name
    if _is_of(node, _ACCOUNT):
        digits = name.rstrip("%")
        return str(int(digits) + 1) + name[len(digits) :] if digits.isdecimal() else None
    known = sorted(_closed(catalog).get(node.this.name, ()))
    place = known.index(name) + 1 if name in known else 0
    return known[place % len(known)] if known else None


def _turnover(tree: exp.Query, catalog: Catalog) -> bool:
    return _renamed(tree, _BALANCE, _TURNOVER)


def _summed_balance(tree: exp.Query, catalog: Catalog) -> bool:
    """The sum over all months where one row was meant."""
    columns = [each for each in tree.find_all(exp.Column) if each.name == _BALANCE]
    months = list(comparisons(tree, _MONTH))
    if not isinstance(tree, exp.Select) or not columns or not months:
        return False
    for node in months:
        node.replace(exp.GT(this=node.this.copy(), expression=exp.Literal.number("0")))
    if not tree.find(exp.Sum):
        total = exp.alias_(exp.Sum(this=columns[0].copy()), _BALANCE, quoted=True)
        tree.set("expressions", [total])
        tree.set("order", None)
    return True


def _mixed_currencies(tree: exp.Query, catalog: Catalog) -> bool:
    """One sum over accounts of several currencies."""
    if not isinstance(tree, exp.Select):
        return False
    for node in list(comparisons(tree, _CURRENCY)):
        drop(node)
    amounts = [
        each for each in tree.find_all(exp.Column) if catalog_unit(catalog, each.name) is not None
    ]
    if not amounts:
        return False
    total = tree.find(exp.Sum) or exp.Sum(this=amounts[0].copy())
    tree.set("expressions", [exp.alias_(total.copy(), "total")])
    for part in ("group", "having", "order"):
        tree.set(part, None)
    return True


def catalog_unit(catalog: Catalog, column: str) -> object:
    """The ontology's rule for adding up this column, in any table."""
    return next((card.same_unit for card in _cards(catalog, column) if card.same_unit), None)


def _invented_column(tree: exp.Query, catalog: Catalog) -> bool:
    for measure in (_BALANCE, _TURNOVER, "debitAmount", "openAmount", "totalAmount", "name"):
        if _renamed(tree, measure, "balance" if measure == _BALANCE else f"{measure}Value"):
            return True
    shown = next((each for each in tree.find_all(exp.Column)), None)
    return shown is not None and _renamed(tree, shown.name, f"{shown.name}Value")


def _invented_table(tree: exp.Query, catalog: Catalog) -> bool:
    tables = [each for each in tree.find_all(exp.Table) if each.name in catalog.tables]
    for table in tables[:1]:
        alias = table.alias
        table.set("this", exp.to_identifier(f"{table.name}s", quoted=True))
        if not alias:
            table.set("alias", exp.TableAlias(this=exp.to_identifier(tables[0].name, quoted=True)))
    return bool(tables)


def _iso_date(tree: exp.Query, catalog: Catalog) -> bool:
    changed = False
    for node in comparisons(tree, *_encoded(catalog)):
        for literal in list(literals(node)):
            if literal.is_number:
                day = datetime.fromtimestamp(int(float(literal.name)), UTC).date()
                literal.replace(exp.Literal.string(day.isoformat()))
                changed = True
    return changed


def _missing_filter(tree: exp.Query, catalog: Catalog) -> bool:
    """The month is left out, or else the year, or else the first condition there is."""
    for names in ((_MONTH,), (_YEAR,), tuple(_closed(catalog))):
        found = list(comparisons(tree, *names))
        if found:
            drop(found[0])
            return True
    return False


def _renamed(tree: exp.Query, name: str, other: str) -> bool:
    found = [each for each in tree.find_all(exp.Column) if each.name == name]
    for each in found:
        each.set("this", exp.to_identifier(other, quoted=True))
    return bool(found)


def _is_of(node: exp.Expr, column: str) -> bool:
    return node.this.name == column


def _cards(catalog: Catalog, column: str) -> Iterator[ColumnCard]:
    for table in catalog.tables.values():
        if column in table.columns:
            yield table.columns[column]


def _encoded(catalog: Catalog) -> set[str]:
    """The columns with days as seconds."""
    return {
        column.name
        for table in catalog.tables.values()
        for column in table.columns.values()
        if column.encoding is Encoding.UNIX_SECONDS
    }


def _closed(catalog: Catalog) -> dict[str, frozenset[str]]:
    """The columns with a closed list of texts, periods and currencies aside."""
    return {
        column.name: column.allowed_texts
        for table in catalog.tables.values()
        for column in table.columns.values()
        if column.allowed_texts and column.name not in (_YEAR, _MONTH, _CURRENCY)
    }


_MISTAKES: dict[Mistake, Wronged] = {
    Mistake.WRONG_PERIOD_ROW: _wrong_period_row,
    Mistake.WRONG_YEAR: _wrong_year,
    Mistake.WRONG_KIND: _wrong_kind,
    Mistake.TURNOVER_FOR_BALANCE: _turnover,
    Mistake.SUMMED_BALANCE: _summed_balance,
    Mistake.MIXED_CURRENCIES: _mixed_currencies,
    Mistake.INVENTED_COLUMN: _invented_column,
    Mistake.INVENTED_TABLE: _invented_table,
    Mistake.ISO_DATE: _iso_date,
    Mistake.MISSING_FILTER: _missing_filter,
}
