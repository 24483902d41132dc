"""Periods and days: balances added up over time, years mixed with months, seconds as dates."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime

from sqlglot import exp

from benchmarks.data import data_beside
from benchmarks.mutants.legal import Case, call_case, sql_case
from benchmarks.mutants.trees import (
    BALANCES,
    SNAPSHOTS,
    TURNOVERS,
    aggregates_of,
    conditions,
    drop,
    feeding,
    is_grouped,
    literals,
    owner_of,
    parsed,
    select_of,
    sums_snapshot,
    tables_in,
    without_group,
)
from veridical.contracts.call import AggregateCall, Filter, QueryCall, Scalar, SqlCall

Wider = Mapping[str, Sequence[str]]
"""For each column, conditions on it that let more rows through."""

_PERIOD = ("periodYear", "periodMonth")
_RANKS = ("rn",)
_DATES = frozenset({
    "bookingDate", "invoiceDate", "dueDate", "paidDate", "documentDate", "startDate", "endDate",
    "rateDate", "validFrom", "validTo",
})  # fmt: skip
_DATA = data_beside(__file__)
_WIDER: dict[str, list[str]] = _DATA["wider"]
_MIXED: tuple[str, ...] = tuple(_DATA["mixed"])


def summed_balance(case: Case) -> Iterator[Case]:
    """A balance added up over periods: the filter is gone, or too wide, or the group is gone."""
    if isinstance(case.call, SqlCall):
        if _snapshot_sums(case.tree):
            names = tuple(name for name in _PERIOD if not is_grouped(case.tree, name))
            yield from _loosened(case, (*names, *_RANKS), _WIDER, _snapshot_sums)
            yield from _ungrouped(case, _PERIOD)
        elif _lists_snapshots(case):
            yield from _summed_rows(case)
        return
    call = case.call
    if isinstance(call, AggregateCall):
        if call.aggregate.upper() == "SUM" and call.field in SNAPSHOTS:
            yield from _loosened_call(case, call, widened=True)
            for name in (each for each in call.group_by if each in _PERIOD):
                yield _without_group(case, call, name)
    elif isinstance(call, QueryCall) and "closingBalance" in call.fields and _covers_several(call):
        summed = AggregateCall(
            table_name=call.table_name,
            aggregate="SUM",
            field="closingBalance",
            filters=call.filters,
            group_by=("currency",),
        )
        yield call_case(case, summed)


def _covers_several(call: QueryCall) -> bool:
    return any(each.field in _PERIOD and each.op not in ("=", "eq") for each in call.filters)


def _lists_snapshots(case: Case) -> bool:
    """True for rows of balances from several periods."""
    select = case.tree
    if not isinstance(select, exp.Select) or select.find(exp.AggFunc, exp.With, exp.Limit):
        return False
    shown = [each.alias_or_name for each in select.expressions]
    wide = [node for node in conditions(select, _PERIOD) if not isinstance(node, exp.EQ)]
    return "closingBalance" in shown and bool(wide or select.find(exp.Or))


def _summed_rows(case: Case) -> Iterator[Case]:
    assert isinstance(case.tree, exp.Select)
    shown = [each.alias_or_name for each in case.tree.expressions]
    kept = (shown.index("closingBalance"),)
    yield sql_case(case, f'SELECT SUM(q."closingBalance") AS total FROM ({case.sql}) AS q', kept)
    yield sql_case(case, f'WITH q AS ({case.sql}) SELECT SUM("closingBalance") FROM q', kept)


def mixed_levels(case: Case) -> Iterator[Case]:
    """Annual and monthly rows under one aggregate."""
    measures = SNAPSHOTS | TURNOVERS
    if isinstance(case.call, SqlCall):
        if _period_aggregates(case.tree):
            wider: Wider = {"periodMonth": _MIXED}
            yield from _ungrouped(case, ("periodMonth",), wider)
            if not is_grouped(case.tree, "periodMonth") and not _is_pivot(case):
                yield from _loosened(case, ("periodMonth",), wider, _period_aggregates)
        return
    call = case.call
    if not isinstance(call, AggregateCall) or call.field not in measures:
        return
    if call.aggregate.upper() == "COUNT":
        return
    widths: tuple[Filter, ...] = (
        Filter(field="periodMonth", op="between", value=(0, 12)),
        Filter(field="periodMonth", op=">=", value=0),
        Filter(field="periodMonth", op="in", value=tuple(range(13))),
        Filter(field="periodMonth", op="<=", value=12),
    )
    rest = tuple(each for each in call.filters if each.field != "periodMonth")
    groups = tuple(each for each in call.group_by if each != "periodMonth")
    kept = tuple(i for i, each in enumerate((*call.group_by, "")) if each != "periodMonth")
    bare = {"group_by": groups, "order_by": ()}
    for filters in (rest, *((*rest, width) for width in widths)):
        yield call_case(case, call.model_copy(update=bare | {"filters": filters}), kept)


def missing_period(case: Case) -> Iterator[Case]:
    """Rows of the balance table of whatever period."""
    if isinstance(case.call, SqlCall):
        reads = any(table.name == BALANCES for table in tables_in(case.tree))
        sums = bool(_snapshot_sums(case.tree))
        ranked = case.tree.find(exp.RowNumber) is not None
        if reads and not sums and not ranked and not _is_pivot(case):
            names = tuple(name for name in _PERIOD if not is_grouped(case.tree, name))
            yield from _loosened(case, names, {})
        return
    call = case.call
    if isinstance(call, QueryCall) and call.table_name == BALANCES:
        yield from _loosened_call(case, call, widened=False)


def _loosened(
    case: Case,
    names: tuple[str, ...],
    wider: Wider,
    aggregates: Callable[[exp.Expr], list[exp.Expr]] | None = None,
) -> Iterator[Case]:
    """Each condition on these columns dropped, or replaced by a wider one.

    With ``aggregates``, only conditions on the rows that one of them is taken over.
    """

    def found(tree: exp.Expr) -> list[exp.Expr]:
        nodes = [node for node in conditions(tree, names) if _is_of_balances(node)]
        return nodes if aggregates is None else feeding(nodes, aggregates(tree))

    for index, node in enumerate(found(case.tree)):
        tree = case.tree.copy()
        same = found(tree)[index]
        twins = [each for each in found(tree) if each.this == same.this]
        for twin in twins:
            if twin is same or (select_of(twin) is select_of(same) and _is_required(twin)):
                drop(twin)
        yield sql_case(case, tree)
        for form in wider.get(node.this.name, ()):
            tree = case.tree.copy()
            same = found(tree)[index]
            same.replace(parsed(form.format(c=same.this.sql("postgres"))))
            yield sql_case(case, tree)


def _is_pivot(case: Case) -> bool:
    """True when each figure picks its own month: then no filter around it must."""
    return any(not _is_required(node) for node in conditions(case.tree, ("periodMonth",)))


def _is_required(node: exp.Expr) -> bool:
    return not node.find_ancestor(exp.Or, exp.Case, exp.Filter)


def _is_of_balances(node: exp.Expr) -> bool:
    return node.this.name in _RANKS or owner_of(node.this) in (BALANCES, "")


def _snapshot_sums(tree: exp.Expr) -> list[exp.Expr]:
    return [node for node in tree.find_all(exp.Sum) if sums_snapshot(node)]


def _period_aggregates(tree: exp.Expr) -> list[exp.Expr]:
    return aggregates_of(tree, SNAPSHOTS | TURNOVERS)


def _ungrouped(case: Case, names: tuple[str, ...], wider: Wider | None = None) -> Iterator[Case]:
    """The result no longer by period, though it covers several."""
    for name in names:
        tree = case.tree.copy()
        if not isinstance(tree, exp.Select):
            return
        kept = without_group(tree, name)
        if kept is None:
            continue
        if wider is None:
            yield sql_case(case, tree, kept)
            continue
        for index in range(len(conditions(tree, (name,)))):
            wide = tree.copy()
            node = conditions(wide, (name,))[index]
            form = wider[name][len(case.sql) % len(wider[name])]
            node.replace(parsed(form.format(c=node.this.sql("postgres"))))
            yield sql_case(case, wide, kept)


def _loosened_call(case: Case, call: QueryCall | AggregateCall, *, widened: bool) -> Iterator[Case]:
    grouped = call.group_by if isinstance(call, AggregateCall) else ()
    for name in _PERIOD:
        if name in grouped:
            continue
        rest = tuple(each for each in call.filters if each.field != name)
        if len(rest) == len(call.filters):
            continue
        yield call_case(case, call.model_copy(update={"filters": rest}))
        if widened:
            values: tuple[Scalar, ...] = (1, 12) if name == "periodMonth" else (2020, 2025)
            wide = Filter(field=name, op="between", value=values)
            listed = Filter(field=name, op="in", value=(values[1], values[1] - 1))  # type: ignore[operator]
            for each in (wide, listed):
                yield call_case(case, call.model_copy(update={"filters": (*rest, each)}))


def _without_group(case: Case, call: AggregateCall, name: str) -> Case:
    kept = tuple(i for i, each in enumerate((*call.group_by, "")) if each != name)
    groups = tuple(each for each in call.group_by if each != name)
    return call_case(case, call.model_copy(update={"group_by": groups, "order_by": ()}), kept)


def iso_date(case: Case) -> Iterator[Case]:
    """A date as text, as a DATE, in milliseconds, as a year; a date function over the seconds."""
    if isinstance(case.call, SqlCall):
        yield from _iso_sql(case)
        return
    call = case.call
    if not isinstance(call, QueryCall | AggregateCall):
        return
    for index, each in enumerate(call.filters):
        if each.field not in _DATES or each.value is None:
            continue
        moments = each.value if isinstance(each.value, tuple) else (each.value,)
        for spell in (_iso, _iso_time, _dotted, _milliseconds, _digits, _year):
            wrong = tuple(spell(int(str(moment))) for moment in moments)
            value = wrong if isinstance(each.value, tuple) else wrong[0]
            changed = each.model_copy(update={"value": value})
            filters = (*call.filters[:index], changed, *call.filters[index + 1 :])
            yield call_case(case, call.model_copy(update={"filters": filters}))


def _iso_sql(case: Case) -> Iterator[Case]:
    for index, node in enumerate(conditions(case.tree, _DATES)):
        if not literals(node):
            continue
        moment = int(literals(node)[0].name)
        column = node.this.sql("postgres")
        for spell in _LITERALS:
            tree = case.tree.copy()
            for literal in literals(conditions(tree, _DATES)[index]):
                literal.replace(parsed(spell.format(**_spelled(int(literal.name)))))
            yield sql_case(case, tree)
        for form in _FUNCTIONS:
            tree = case.tree.copy()
            text = form.format(c=column, **_spelled(moment))
            conditions(tree, _DATES)[index].replace(parsed(text))
            yield sql_case(case, tree)
    for index in range(len(list(case.tree.find_all(exp.UnixToTime)))):
        for form in ("{c}", "to_timestamp({c} / 1000)", "to_timestamp({c}, 'YYYY-MM-DD')"):
            tree = case.tree.copy()
            node = list(tree.find_all(exp.UnixToTime))[index]
            if form == "{c}" and isinstance(node.parent, exp.Select | exp.Alias):
                continue  # shown as seconds: no beauty, but no lie
            node.replace(parsed(form.format(c=node.this.sql("postgres"))))
            yield sql_case(case, tree)


_LITERALS: tuple[str, ...] = tuple(_DATA["literals"])
_FUNCTIONS: tuple[str, ...] = tuple(_DATA["functions"])


def _spelled(moment: int) -> dict[str, object]:
    return {
        "iso": _iso(moment),
        "dotted": _dotted(moment),
        "ms": _milliseconds(moment),
        "digits": _digits(moment),
        "year": _year(moment),
        "seconds": moment,
    }


def _day(moment: int) -> datetime:
    return datetime.fromtimestamp(moment, UTC)


def _iso(moment: int) -> str:
    return _day(moment).date().isoformat()


def _iso_time(moment: int) -> str:
    return _day(moment).strftime("%Y-%m-%dT%H:%M:%SZ")


def _dotted(moment: int) -> str:
    return _day(moment).strftime("%d.%m.%Y")


def _milliseconds(moment: int) -> int:
    return moment * 1000


def _digits(moment: int) -> int:
    return int(_day(moment).strftime("%Y%m%d"))


def _year(moment: int) -> int:
    return _day(moment).year
