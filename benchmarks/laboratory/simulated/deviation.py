"""Classifies how a query differs from the right one, as a kind of mistake."""

from sqlglot import exp

from benchmarks.laboratory.simulated.profile import Mistake
from benchmarks.laboratory.simulated.query import comparisons, literals

_YEAR, _MONTH, _ACCOUNT, _CURRENCY = "periodYear", "periodMonth", "accountNumber", "currency"
_BALANCE = "closingBalance"
_TURNOVER = frozenset({"debitTotal", "creditTotal"})


def deviation(made: exp.Query, right: exp.Query) -> Mistake | None:
    """The plainest difference that can have changed the figures; none where there is none."""
    if made == right:
        return None
    columns, wanted = _columns(made), _columns(right)
    if columns & _TURNOVER and not wanted & _TURNOVER and _BALANCE not in columns:
        return Mistake.TURNOVER_FOR_BALANCE
    if _sums_over_months(made) and not _sums_over_months(right):
        return Mistake.SUMMED_BALANCE
    if made.find(exp.Sum) and _CURRENCY in wanted and _CURRENCY not in columns:
        return Mistake.MIXED_CURRENCIES
    for column, mistake in (
        (_YEAR, Mistake.WRONG_YEAR),
        (_MONTH, Mistake.WRONG_PERIOD_ROW),
        (_ACCOUNT, Mistake.WRONG_KIND),
    ):
        ours, theirs = _values(made, column), _values(right, column)
        if ours != theirs:
            return mistake if ours else Mistake.MISSING_FILTER
    if _tables(made) == _tables(right):
        return _other_values(made, right)
    return None


def _other_values(made: exp.Query, right: exp.Query) -> Mistake | None:
    """Another value of some other column, or none at all."""
    for column in sorted(_columns(right) - {_YEAR, _MONTH, _ACCOUNT}):
        ours, theirs = _values(made, column), _values(right, column)
        if ours != theirs and theirs:
            return Mistake.WRONG_KIND if ours else Mistake.MISSING_FILTER
    return None


def _sums_over_months(tree: exp.Query) -> bool:
    summed = any(
        column.name == _BALANCE for total in tree.find_all(exp.Sum) for column in [total.this]
    )
    months = _values(tree, _MONTH)
    single = [node for node in comparisons(tree, _MONTH) if isinstance(node, exp.EQ)]
    return summed and (len(months) != 1 or not single)


def _values(tree: exp.Query, column: str) -> frozenset[str]:
    return frozenset(each.name for node in comparisons(tree, column) for each in literals(node))


def _columns(tree: exp.Query) -> frozenset[str]:
    return frozenset(column.name for column in tree.find_all(exp.Column))


def _tables(tree: exp.Query) -> frozenset[str]:
    return frozenset(table.name for table in tree.find_all(exp.Table))
