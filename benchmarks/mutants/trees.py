"""Small changes to SQL trees: find a condition, drop it, put another in its place."""

from collections.abc import Iterable

import sqlglot
from sqlglot import exp

from veridical.contracts.schema import Column
from veridical.packs.trustee import pack

COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.In, exp.Between, exp.Like)
SNAPSHOTS = frozenset({"openingBalance", "closingBalance"})
TURNOVERS = frozenset({"debitTotal", "creditTotal"})
AMOUNTS = SNAPSHOTS | TURNOVERS | {
    "debitAmount", "creditAmount", "totalAmount", "openAmount", "invoiceAmount", "paidAmount",
    "foreignAmount",
}  # fmt: skip
AGGREGATES = (exp.Sum, exp.Avg, exp.Min, exp.Max)
BALANCES = "TrusteeDataAccountBalance"


def parsed(sql: str) -> exp.Expr:
    """A piece of SQL as a tree."""
    return sqlglot.parse_one(sql, dialect="postgres")


def columns_of(table: str) -> dict[str, Column]:
    """The columns of a table of the pack; none for another name."""
    known = pack.schema.tables.get(table)
    return {column.name: column for column in known.columns} if known else {}


def tables_in(tree: exp.Expr) -> list[exp.Table]:
    """The base tables in the order in which they are written."""
    return [each for each in tree.find_all(exp.Table) if each.name in pack.schema.tables]


def select_of(node: exp.Expr) -> exp.Select | None:
    """The SELECT that a node stands in."""
    return node.find_ancestor(exp.Select)


def sources_of(select: exp.Select) -> list[exp.Table]:
    """The base tables of one SELECT's own FROM."""
    first = select.args.get("from_")
    nodes = [first.this] if first else []
    nodes += [join.this for join in select.args.get("joins") or ()]
    return [each for each in nodes if isinstance(each, exp.Table) and columns_of(each.name)]


def owner_of(column: exp.Column) -> str:
    """The base table that a column comes from; empty when it comes from elsewhere."""
    select = select_of(column)
    while select is not None:
        for source in sources_of(select):
            named = not column.table or column.table == source.alias_or_name
            if named and column.name in columns_of(source.name):
                return source.name
        select = select.find_ancestor(exp.Select)
    return ""


def conditions(tree: exp.Expr, names: Iterable[str]) -> list[exp.Expr]:
    """The comparisons of one of these columns with something that is no column."""
    wanted = frozenset(names)
    return [node for node in tree.find_all(*COMPARISONS) if _compared(node) in wanted]


def _compared(node: exp.Expr) -> str:
    side = node.this
    other = node.args.get("expression")
    if not isinstance(side, exp.Column) or isinstance(other, exp.Column):
        return ""
    return side.name


def drop(node: exp.Expr) -> None:
    """Remove a condition from the AND that it stands in, or make it true."""
    parent = node.parent
    if isinstance(parent, exp.And):
        other = parent.expression if parent.this is node else parent.this
        parent.replace(other)
    elif isinstance(parent, exp.Where) and isinstance(parent.parent, exp.Select):
        parent.pop()
    else:
        node.replace(exp.true())


def literals(node: exp.Expr) -> list[exp.Literal]:
    """The values that a comparison names."""
    values = (value for key, value in node.args.items() if key != "this")
    listed = (each for value in values for each in (value if isinstance(value, list) else [value]))
    return [each for each in listed if isinstance(each, exp.Literal)]


def aggregates_of(tree: exp.Expr, names: Iterable[str]) -> list[exp.Expr]:
    """The sums, means, minima and maxima over one of these columns of a base table."""
    wanted = frozenset(names)
    return [
        node
        for node in tree.find_all(*AGGREGATES)
        if any(column.name in wanted for column in node.find_all(exp.Column))
    ]


def sums_snapshot(node: exp.Expr) -> bool:
    """True for a sum of a balance itself, not of a change of balances."""
    if not isinstance(node, exp.Sum) or node.find(exp.Sub):
        return False
    return any(column.name in SNAPSHOTS for column in node.find_all(exp.Column))


def feeding(nodes: Iterable[exp.Expr], aggregates: Iterable[exp.Expr]) -> list[exp.Expr]:
    """The nodes in a SELECT that holds one of the aggregates, or that such a SELECT reads from."""
    holders = [select_of(aggregate) for aggregate in aggregates]
    return [node for node in nodes if _is_within(select_of(node), holders)]


def _is_within(select: exp.Select | None, holders: list[exp.Select | None]) -> bool:
    while select is not None:
        if any(select is holder for holder in holders):
            return True
        select = select.find_ancestor(exp.Select)
    return False


def groups_of(select: exp.Select) -> list[exp.Expr]:
    """What it groups by; GROUP BY 1 and GROUP BY alias are not resolved."""
    group = select.args.get("group")
    return list(group.expressions) if group is not None else []


def is_grouped(tree: exp.Expr, name: str) -> bool:
    """True when some SELECT keeps this column apart by grouping, under whatever name."""
    selects = list(tree.find_all(exp.Select))
    names = {name} | {
        each.alias
        for select in selects
        for each in select.expressions
        if isinstance(each.unalias(), exp.Column) and each.unalias().name == name
    }
    for select in selects:
        for group in groups_of(select):
            shown = select.expressions[int(group.name) - 1] if group.is_int else group
            inner = shown.unalias()
            if isinstance(inner, exp.Column) and inner.name in names:
                return True
    return False


def without_group(select: exp.Select, name: str) -> tuple[int, ...] | None:
    """Drop a plain column from SELECT, GROUP BY and ORDER BY; returns the columns kept.

    Nothing is changed, and None returned, where the column is not plainly grouped by.
    """
    groups = groups_of(select)
    hit = [each for each in groups if isinstance(each, exp.Column) and each.name == name]
    shown = [
        index
        for index, each in enumerate(select.expressions)
        if isinstance(each, exp.Column) and each.name == name
    ]
    if len(hit) != 1 or len(shown) != 1 or len(groups) != len([g for g in groups if not g.is_int]):
        return None
    rest = [each for each in groups if each is not hit[0]]
    select.set("group", exp.Group(expressions=rest) if rest else None)
    select.set("order", None)
    kept = tuple(index for index in range(len(select.expressions)) if index not in shown)
    select.set("expressions", [select.expressions[index] for index in kept])
    return kept


def qualify(select: exp.Select, source: exp.Table) -> None:
    """Say of every bare column of a SELECT that it is this source's."""
    names = columns_of(source.name)
    alias = source.args.get("alias")
    owner = alias.this if alias else source.this
    for column in list(select.find_all(exp.Column)):
        if not column.table and column.name in names and select_of(column) is select:
            column.set("table", owner.copy())
