"""Figures: repeated by a join, added across currencies, turnover for balance, rates added up."""

from collections.abc import Iterator

from sqlglot import exp

from benchmarks.data import data_beside
from benchmarks.mutants.legal import Case, call_case, sql_case
from benchmarks.mutants.trees import (
    AMOUNTS,
    BALANCES,
    SNAPSHOTS,
    aggregates_of,
    columns_of,
    conditions,
    drop,
    feeding,
    groups_of,
    owner_of,
    parsed,
    qualify,
    select_of,
    sources_of,
    without_group,
)
from veridical.contracts.call import AggregateCall, QueryCall, SqlCall

_TENANT_JOIN = (
    '{f}."mandateId" = {o}."mandateId" AND {f}."featureInstanceId" = {o}."featureInstanceId"'
)
_DATA = data_beside(__file__)
_FANS: dict[str, list[list[str]]] = _DATA["fans"]
"""For each table with amounts: tables that have many rows for one of its rows."""
_RATES: dict[str, list[str]] = _DATA["rates"]
"""What is never added up, by table."""
_TURNOVER_FORMS: tuple[str, ...] = tuple(_DATA["turnover_forms"])


def fan_out(case: Case) -> Iterator[Case]:
    """A join that meets one amount with many rows, below the sum."""
    call = case.call
    if not isinstance(call, SqlCall | AggregateCall):
        return
    for index, node in enumerate(_added_up(case.tree)):
        select = select_of(node)
        source = _measured(select, node) if select is not None else None
        if source is None:
            continue
        for number, (table, on) in enumerate(_FANS.get(source.name, ())):
            tree = case.tree.copy()
            same = select_of(_added_up(tree)[index])
            assert same is not None
            own = next(s for s in sources_of(same) if s.alias_or_name == source.alias_or_name)
            qualify(same, own)
            owner = own.alias or f'"{own.name}"'
            condition = parsed(on.format(f="many", o=owner))
            kind = ("JOIN", "LEFT JOIN")[number % 2]
            joined = exp.alias_(exp.to_table(f'"{table}"'), "many", table=True)
            same.join(
                joined, on=condition, join_type=kind.split()[0] if number % 2 else "", copy=False
            )
            yield sql_case(case, tree)


def _added_up(tree: exp.Expr) -> list[exp.Expr]:
    found = aggregates_of(tree, AMOUNTS)
    return [
        node
        for node in found
        if isinstance(node, exp.Sum | exp.Avg) and not node.find_ancestor(exp.Window)
    ]


def _measured(select: exp.Select, node: exp.Expr) -> exp.Table | None:
    """The base table whose amount is added up right here, with no other sum in the way."""
    column = next((c for c in node.find_all(exp.Column) if c.name in AMOUNTS), None)
    if column is None or select.args.get("from_") is None or node.find(exp.Sum) is not node:
        return None
    for source in sources_of(select):
        named = not column.table or column.table == source.alias_or_name
        if named and column.name in columns_of(source.name):
            return source
    return None


def mixed_currency(case: Case) -> Iterator[Case]:
    """Amounts of several currencies in one figure."""
    call = case.call
    if isinstance(call, SqlCall):
        yield from _mixed_sql(case)
        return
    if not isinstance(call, AggregateCall) or call.field not in AMOUNTS:
        return
    if call.aggregate.upper() == "COUNT":
        return
    if "currency" in call.group_by:
        groups = tuple(each for each in call.group_by if each != "currency")
        kept = tuple(i for i, each in enumerate((*call.group_by, "")) if each != "currency")
        yield call_case(case, call.model_copy(update={"group_by": groups}), kept)
    rest = tuple(each for each in call.filters if each.field != "currency")
    if len(rest) < len(call.filters):
        yield call_case(case, call.model_copy(update={"filters": rest}))


def _mixed_sql(case: Case) -> Iterator[Case]:
    found = aggregates_of(case.tree, AMOUNTS)
    if not found or any(
        column.name == "rate" for each in found for column in each.find_all(exp.Column)
    ):
        return  # nothing is added up, or everything is converted first
    for name in ("currency", "foreignCurrency"):
        for index, node in enumerate(_chosen(case.tree, name)):
            if node.find_ancestor(exp.Case, exp.Filter):
                continue
            tree = case.tree.copy()
            drop(_chosen(tree, name)[index])
            yield sql_case(case, tree)
        tree = case.tree.copy()
        kept = without_group(tree, name) if isinstance(tree, exp.Select) else None
        if kept is not None:
            yield sql_case(case, tree, kept)
        tree = case.tree.copy()
        if isinstance(tree, exp.Select) and _any_currency(tree, name):
            yield sql_case(case, tree)


def _chosen(tree: exp.Expr, name: str) -> list[exp.Expr]:
    """The conditions on this column where amounts are taken together."""
    return feeding(conditions(tree, (name,)), aggregates_of(tree, AMOUNTS))


def _any_currency(select: exp.Select, name: str) -> bool:
    """MIN(currency) beside the sum: some currency, whichever."""
    groups = groups_of(select)
    rest = [g for g in groups if not (isinstance(g, exp.Column) and g.name == name)]
    shown = [each for each in select.expressions if isinstance(each, exp.Column)]
    hit = [each for each in shown if each.name == name]
    if len(rest) != len(groups) - 1 or not hit or any(each.is_int for each in groups):
        return False
    select.set("group", exp.Group(expressions=rest) if rest else None)
    select.set("order", None)
    hit[0].replace(exp.Min(this=hit[0].copy()))
    return True


def turnover_for_balance(case: Case) -> Iterator[Case]:
    """Debit or credit totals where the question asks for a balance or a result."""
    if case.about not in ("balance", "result"):
        return
    call = case.call
    if isinstance(call, SqlCall):
        for form in _TURNOVER_FORMS:
            tree = case.tree.copy()
            changed = False
            for column in list(tree.find_all(exp.Column)):
                if column.name in SNAPSHOTS and owner_of(column) == BALANCES:
                    owner = f"{column.table}." if column.table else ""
                    name = "" if not isinstance(column.parent, exp.Select) else column.name
                    value = parsed(form.format(t=owner))
                    column.replace(exp.alias_(value, name, quoted=True) if name else value)
                    changed = True
            if changed:
                yield sql_case(case, tree)
        return
    for name in ("debitTotal", "creditTotal"):
        if isinstance(call, AggregateCall) and call.field in SNAPSHOTS:
            yield call_case(case, call.model_copy(update={"field": name}))
        elif isinstance(call, QueryCall) and SNAPSHOTS & set(call.fields):
            fields = tuple(name if each in SNAPSHOTS else each for each in call.fields)
            yield call_case(case, call.model_copy(update={"fields": fields}))


def rates_summed(case: Case) -> Iterator[Case]:
    """Rates, days and period numbers added up or averaged."""
    call = case.call
    if isinstance(call, QueryCall | AggregateCall):
        for name in _RATES.get(call.table_name, ()):
            for function in ("SUM", "AVG"):
                groups = call.group_by if isinstance(call, AggregateCall) else ()
                if name not in groups:
                    yield call_case(
                        case,
                        AggregateCall(
                            table_name=call.table_name,
                            aggregate=function,
                            field=name,
                            filters=call.filters,
                            group_by=groups,
                        ),
                    )
        return
    if isinstance(call, SqlCall):
        yield from _rates_sql(case)


def _rates_sql(case: Case) -> Iterator[Case]:
    tree = case.tree
    if not isinstance(tree, exp.Select):
        return
    for number, source in enumerate(sources_of(tree)):
        for name in _RATES.get(source.name, ()):
            function = ("SUM", "AVG")[(number + len(case.sql)) % 2]
            wrong = tree.copy()
            owner = f"{source.alias}." if source.alias else ""
            value = parsed(f'{function}({owner}"{name}")')
            for clause in ("group", "order", "having", "limit", "distinct"):
                wrong.set(clause, None)
            wrong.set("expressions", [value])
            yield sql_case(case, wrong)
    for index, node in enumerate(tree.find_all(exp.Max, exp.Min)):
        inner = node.this
        if isinstance(inner, exp.Column) and inner.name in _RATES.get(owner_of(inner), ()):
            for function in (exp.Sum, exp.Avg):
                wrong = tree.copy()
                same = list(wrong.find_all(exp.Max, exp.Min))[index]
                same.replace(function(this=same.this.copy()))
                yield sql_case(case, wrong)
