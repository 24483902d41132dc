"""Calls and truths of gold cases as SQL syntax trees."""

import re
from typing import Any

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from veridical.contracts.call import AggregateCall, BrowseCall, Filter, QueryCall
from veridical.contracts.call import parse_call as parse
from veridical.evals.gold.case import Oracle

DIALECT = "postgres"
SQL_TOOL = "executeSqlSafe"
_TENANT = re.compile(r"\{([A-Za-z_]\w*)\}")
_MARK = "\0"


def tree_of(tool: str, arguments: dict[str, Any], dialect: str = DIALECT) -> exp.Query | None:
    """The call as a query; none where it is no readable query on tables."""
    try:
        if tool == SQL_TOOL:
            return _query(str(arguments.get("sql", "")), dialect)
        call = parse({"tool": tool, **arguments})
    except (SqlglotError, ValueError):
        return None
    if not isinstance(call, QueryCall | AggregateCall | BrowseCall):
        return None
    return _select(call)


def own_books(oracle: Oracle) -> exp.Query | None:
    """The truth's query without tenant conditions, as for one's own books only."""
    sql = _TENANT.sub(lambda slot: exp.Literal.string(_MARK + slot[1]).sql(DIALECT), oracle.sql)
    try:
        tree = _query(sql)
    except SqlglotError:
        return None
    for node in list(tree.find_all(exp.EQ)) if tree else ():
        if node.right.is_string and node.right.name.startswith(_MARK):
            drop(node)
    return tree


def drop(node: exp.Expr) -> None:
    """Take a condition out of the query."""
    parent = node.parent
    if isinstance(parent, exp.And):
        parent.replace(parent.right if parent.left is node else parent.left)
    elif isinstance(parent, exp.Where) and parent.parent is not None:
        parent.parent.set("where", None)
    else:
        node.replace(exp.true())


def _query(sql: str, dialect: str = DIALECT) -> exp.Query | None:
    tree = sqlglot.parse_one(sql, dialect=dialect)
    return tree if isinstance(tree, exp.Query) else None


def _select(call: QueryCall | AggregateCall | BrowseCall) -> exp.Select:
    table = exp.to_table(exp.to_identifier(call.table_name, quoted=True).sql(DIALECT), DIALECT)
    if isinstance(call, AggregateCall):
        keys = [_column(name) for name in call.group_by]
        shown: list[exp.Expr] = [*keys, _aggregate(call)]
        select = exp.select(*shown).from_(table)
        if keys:
            select = select.group_by(*(key.copy() for key in keys))
    else:
        names = [_column(name) for name in call.fields]
        select = exp.select(*(names or [exp.Star()])).from_(table)
    filters = () if isinstance(call, BrowseCall) else call.filters
    for each in filters:
        select = select.where(_condition(each), dialect=DIALECT)
    return select


def _aggregate(call: AggregateCall) -> exp.Expr:
    inner = "*" if call.field in (None, "*") else _column(call.field or "").sql(DIALECT)
    function, distinct = call.aggregate, ""
    if function == "count_distinct":
        function, distinct = "count", "DISTINCT "
    return exp.maybe_parse(
        f"{function}({distinct}{inner}) AS {exp.to_identifier(function, quoted=True).sql(DIALECT)}",
        dialect=DIALECT,
    )


def _condition(each: Filter) -> str:
    column = _column(each.field).sql(DIALECT)
    values = each.value if isinstance(each.value, tuple) else (each.value,)
    written = [exp.convert(value).sql(DIALECT) for value in values]
    match each.op.casefold():
        case "between" if len(written) == 2:
            return f"{column} BETWEEN {written[0]} AND {written[1]}"
        case "in" | "not in":
            return f"{column} {each.op} ({', '.join(written)})"
        case "is null" | "is not null" as op:
            return f"{column} {op}"
        case _:
            return f"{column} {each.op} {written[0]}"


def _column(name: str) -> exp.Column:
    return exp.column(name, quoted=True)
