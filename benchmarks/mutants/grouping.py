"""Groups, aggregates and joins that are put together wrongly."""

from collections.abc import Iterator

from sqlglot import exp

from benchmarks.mutants.legal import Case, call_case, sql_case
from benchmarks.mutants.trees import (
    columns_of,
    groups_of,
    parsed,
    sources_of,
)
from veridical.contracts.call import AggregateCall, Filter, OrderBy, QueryCall, SqlCall
from veridical.packs.trustee import pack


def ungrouped_column(case: Case) -> Iterator[Case]:
    """A column beside an aggregate that the query does not group by."""
    call = case.call
    if isinstance(call, AggregateCall):
        known = {*call.group_by, call.field}
        others = [name for name in columns_of(call.table_name) if name not in known]
        for name in others[2:6]:
            order = (OrderBy(field=name),)
            yield call_case(case, call.model_copy(update={"order_by": order}))
        return
    if not isinstance(call, SqlCall):
        return
    for index, select in enumerate(case.tree.find_all(exp.Select)):
        yield from _fewer_groups(case, index, select)
        yield from _more_columns(case, index, select)


def _fewer_groups(case: Case, index: int, select: exp.Select) -> Iterator[Case]:
    groups = groups_of(select)
    for position in range(len(groups)):
        tree = case.tree.copy()
        same = list(tree.find_all(exp.Select))[index]
        rest = [each for place, each in enumerate(groups_of(same)) if place != position]
        if _has_key(same, rest):
            continue
        same.set("group", exp.Group(expressions=rest) if rest else None)
        yield sql_case(case, tree)


def _has_key(select: exp.Select, groups: list[exp.Expr]) -> bool:
    """Grouped by a whole key, the other columns of the row are fixed as well."""
    grouped = {column.name for group in groups for column in group.find_all(exp.Column)}
    keys = (pack.schema.tables[source.name].keys for source in sources_of(select))
    return any(set(key) <= grouped for table in keys for key in table)


def _more_columns(case: Case, index: int, select: exp.Select) -> Iterator[Case]:
    aggregated = any(
        each.find(exp.Sum, exp.Avg, exp.Count, exp.Max, exp.Min) and not each.find(exp.Window)
        for each in select.expressions
        if not each.find(exp.Select)
    )
    sources = sources_of(select)
    if not aggregated or not sources or _has_key(select, groups_of(select)):
        return
    taken = {column.name for group in groups_of(select) for column in group.find_all(exp.Column)}
    taken |= {each.name for each in select.expressions}
    source = sources[0]
    owner = source.alias or f'"{source.name}"'
    for name in ("id", "accountNumber", "label", "name", "text", "periodYear"):
        if name in columns_of(source.name) and name not in taken:
            tree = case.tree.copy()
            same = list(tree.find_all(exp.Select))[index]
            same.append("expressions", parsed(f'{owner}."{name}"'))
            yield sql_case(case, tree)


def misplaced_aggregate(case: Case) -> Iterator[Case]:
    """An aggregate in WHERE, in GROUP BY, inside another one; or written as a column."""
    call = case.call
    if isinstance(call, QueryCall):
        for name in call.fields[-2:]:
            fields = tuple(f"SUM({each})" if each == name else each for each in call.fields)
            yield call_case(case, call.model_copy(update={"fields": fields}))
        condition = Filter(field=f"MAX({call.fields[-1]})" if call.fields else "COUNT(*)", value=1)
        yield call_case(case, call.model_copy(update={"filters": (*call.filters, condition)}))
    elif isinstance(call, AggregateCall):
        if call.field:
            nested = f"MAX({call.field})"
            yield call_case(case, call.model_copy(update={"field": nested}))
        condition = Filter(field=f"{call.aggregate}({call.field or '*'})", op=">", value=10)
        yield call_case(case, call.model_copy(update={"filters": (*call.filters, condition)}))
    elif isinstance(call, SqlCall):
        yield from _misplaced_sql(case)


def _misplaced_sql(case: Case) -> Iterator[Case]:
    for index, node in enumerate(case.tree.find_all(exp.Sum, exp.Avg, exp.Max)):
        if node.find_ancestor(exp.Window):
            continue
        wrapped = case.tree.copy()
        same = list(wrapped.find_all(exp.Sum, exp.Avg, exp.Max))[index]
        outer = exp.Max if isinstance(node, exp.Sum) else exp.Sum
        same.replace(outer(this=same.copy()))
        yield sql_case(case, wrapped)
        filtered = case.tree.copy()
        same = list(filtered.find_all(exp.Sum, exp.Avg, exp.Max))[index]
        select = same.find_ancestor(exp.Select)
        if select is not None:
            condition = exp.GT(this=same.copy(), expression=exp.Literal.number(1000))
            select.where(condition, copy=False)
            yield sql_case(case, filtered)
    for index, select in enumerate(case.tree.find_all(exp.Select)):
        having = select.args.get("having")
        if having is not None:
            moved = case.tree.copy()
            same = list(moved.find_all(exp.Select))[index]
            condition = same.args["having"].this.copy()
            same.set("having", None)
            same.where(condition, copy=False)
            yield sql_case(case, moved)
        if groups_of(select):
            grouped = case.tree.copy()
            same = list(grouped.find_all(exp.Select))[index]
            same.args["group"].append("expressions", parsed("COUNT(*)"))
            yield sql_case(case, grouped)


def missing_join(case: Case) -> Iterator[Case]:
    """Two tables side by side with nothing that ties them."""
    if not isinstance(case.call, SqlCall):
        return
    for index, select in enumerate(case.tree.find_all(exp.Select)):
        joins = select.args.get("joins") or ()
        for position, join in enumerate(joins):
            tree = case.tree.copy()
            same = list(tree.find_all(exp.Select))[index]
            target = same.args["joins"][position]
            tied = target.args.get("on") is not None or target.args.get("using")
            if not isinstance(target.this, exp.Table) or join.side:
                continue
            for clause in ("on", "using", "kind", "side"):
                target.set(clause, None)
            untied = _untie(same, target.this.alias_or_name)
            if tied or untied:
                yield sql_case(case, tree)


def _untie(select: exp.Select, alias: str) -> bool:
    """Drop the equalities of WHERE that name this source and another one."""
    found = False
    where = select.args.get("where")
    for node in list(where.find_all(exp.EQ)) if where is not None else []:
        sides = (node.this, node.expression)
        if not all(isinstance(side, exp.Column) for side in sides):
            continue
        owners = {side.table for side in sides}
        if alias in owners and len(owners) == 2 and node.find_ancestor(exp.Select) is select:
            node.replace(exp.true())
            found = True
    return found
