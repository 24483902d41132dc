"""Other ways to write a statement. Each is executed: only what returns the same counts.

A rewrite changes the form and nothing else: a condition by its equivalent, a join by the sub-query
that chooses the same rows, a table by a derived table or a CTE. Pairs of rewrites give forms that
no single one has.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from itertools import count, permutations

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from benchmarks.company.join_rewrites import (
    comma_joins,
    filters_in_on,
    is_of,
    join_as_exists,
    join_as_in,
    joins_turned,
    left_as_right,
    parts_of,
)

Rewrite = Callable[[exp.Expr], exp.Expr | None]
"""The tree in another form; None where the form does not occur in it."""
_DIALECT = "sqlite"
_MOST_ROWS = 10_000
_ROUNDED = 4
_STEPS, _LOOKS = 100_000, 200
"""SQLite looks up after so many steps, so many times; a form that takes longer is left out."""


def rewrites_of(
    sql: str, connection: sqlite3.Connection, paired: bool = True
) -> Iterator[tuple[str, str]]:
    """Name and text of each rewrite that returns what the statement returns."""
    wanted = _rows(connection, sql)
    if wanted is None:
        return
    seen = {sql}
    singles = [(name, each) for name, each in _applied(sql, REWRITES.items())]
    names = list(permutations([name for name, _ in singles], 2)) if paired else []
    texts = dict(singles)
    doubles = (
        (f"{first}, {second}", text)
        for first, second in names
        for _, text in _applied(texts[first], [(second, REWRITES[second])])
    )
    for name, text in (*singles, *doubles):
        if text not in seen and _rows(connection, text) == wanted:
            seen.add(text)
            yield name, text


def _applied(sql: str, rewrites: Iterable[tuple[str, Rewrite]]) -> Iterator[tuple[str, str]]:
    for name, rewrite in rewrites:
        try:
            changed = rewrite(parse_one(sql, read=_DIALECT))
            text = changed.sql(dialect=_DIALECT) if changed is not None else sql
        except SqlglotError:
            continue
        if text != sql:
            yield name, text


def _rows(connection: sqlite3.Connection, sql: str) -> list[str] | None:
    looks = count(1)
    connection.set_progress_handler(lambda: next(looks) > _LOOKS, _STEPS)
    try:
        rows = connection.execute(sql).fetchmany(_MOST_ROWS)
    except sqlite3.Error:
        return None
    return sorted(str([_cell(value) for value in row]) for row in rows)


def _cell(value: object) -> object:
    return round(float(value), _ROUNDED) if isinstance(value, int | float) else value


def _in_cte(tree: exp.Expr) -> exp.Expr | None:
    return parse_one(f"WITH answer AS ({tree.sql(_DIALECT)}) SELECT * FROM answer", read=_DIALECT)


def _derived(tree: exp.Expr) -> exp.Expr | None:
    return parse_one(f"SELECT * FROM ({tree.sql(_DIALECT)}) AS answer", read=_DIALECT)


def _derived_unnamed(tree: exp.Expr) -> exp.Expr | None:
    return parse_one(f"SELECT * FROM ({tree.sql(_DIALECT)})", read=_DIALECT)


def _base_tables(tree: exp.Expr) -> list[exp.Table]:
    known = {cte.alias for cte in tree.find_all(exp.CTE)}
    return [
        table
        for table in tree.find_all(exp.Table)
        if table.name not in known and isinstance(table.parent, exp.From | exp.Join)
    ]


def _tables_derived(tree: exp.Expr) -> exp.Expr | None:
    for table in _base_tables(tree):
        alias = table.alias_or_name
        inner = exp.select("*").from_(exp.to_table(table.name))
        table.replace(inner.subquery(alias))
    return tree


def _tables_in_ctes(tree: exp.Expr) -> exp.Expr | None:
    """Each base table under another name, in the outermost WITH."""
    if not isinstance(tree, exp.Select):
        return None
    bodies: dict[str, exp.Expr] = {}
    for table in _base_tables(tree):
        name = f"all_{table.name}"
        bodies[name] = exp.select("*").from_(exp.to_table(table.name))
        table.replace(exp.alias_(exp.to_table(name), table.alias_or_name, table=True))
    with_ = tree.args.get("with_")
    ctes = [
        exp.CTE(this=body, alias=exp.TableAlias(this=exp.to_identifier(name)))
        for name, body in bodies.items()
    ]
    if with_ is not None:
        with_.set("expressions", [*ctes, *with_.expressions])
        return tree
    whole = parse_one("WITH x AS (SELECT 1) SELECT 1", read=_DIALECT)
    new = whole.args["with_"]
    new.set("expressions", ctes)
    tree.set("with_", new)
    return tree


def _between_apart(tree: exp.Expr) -> exp.Expr | None:
    def apart(node: exp.Expr) -> exp.Expr:
        if not isinstance(node, exp.Between):
            return node
        low = exp.GTE(this=node.this.copy(), expression=node.args["low"])
        high = exp.LTE(this=node.this.copy(), expression=node.args["high"])
        return exp.paren(exp.and_(low, high, copy=False), copy=False)

    return tree.transform(apart)


def _in_as_or(tree: exp.Expr) -> exp.Expr | None:
    def each(node: exp.Expr) -> exp.Expr:
        if not isinstance(node, exp.In) or not node.expressions or node.args.get("query"):
            return node
        same = [exp.EQ(this=node.this.copy(), expression=value) for value in node.expressions]
        return exp.paren(exp.or_(*same, copy=False), copy=False)

    return tree.transform(each)


def _equals_as_in(tree: exp.Expr) -> exp.Expr | None:
    def listed(node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.EQ) and isinstance(node.expression, exp.Literal):
            return exp.In(this=node.this, expressions=[node.expression])
        return node

    return tree.transform(listed)


_MIRRORED: dict[type[exp.Expr], type[exp.Binary]] = {
    exp.EQ: exp.EQ, exp.NEQ: exp.NEQ, exp.LT: exp.GT, exp.GT: exp.LT, exp.LTE: exp.GTE,
    exp.GTE: exp.LTE,
}  # fmt: skip
_OPPOSITE: dict[type[exp.Expr], type[exp.Binary]] = {
    exp.EQ: exp.NEQ, exp.NEQ: exp.EQ, exp.LT: exp.GTE, exp.GTE: exp.LT, exp.GT: exp.LTE,
    exp.LTE: exp.GT,
}  # fmt: skip


def _mirrored(tree: exp.Expr) -> exp.Expr | None:
    def turned(node: exp.Expr) -> exp.Expr:
        kind = _MIRRORED.get(type(node))
        return kind(this=node.expression, expression=node.this) if kind is not None else node

    return tree.transform(turned)


def _negated(tree: exp.Expr) -> exp.Expr | None:
    """NOT of the opposite, which is the same for every row that a condition keeps."""
    for where in tree.find_all(exp.Where):
        for node in list(where.this.flatten() if isinstance(where.this, exp.And) else [where.this]):
            kind = _OPPOSITE.get(type(node))
            if kind is not None:
                opposite = kind(this=node.this.copy(), expression=node.expression.copy())
                node.replace(exp.Not(this=exp.paren(opposite)))
    return tree


def _filters_in_table(tree: exp.Expr) -> exp.Expr | None:
    """Conditions on one table only, inside a derived table: ``FROM (SELECT * … WHERE …) t``."""
    for select in list(tree.find_all(exp.Select)):
        from_, where = select.args.get("from_"), select.args.get("where")
        if from_ is None or where is None or not isinstance(from_.this, exp.Table):
            continue
        table = from_.this
        parts = list(where.this.flatten()) if isinstance(where.this, exp.And) else [where.this]
        own = [part for part in parts if is_of(part, table.alias_or_name)]
        if not own or table.name in {cte.alias for cte in tree.find_all(exp.CTE)}:
            continue
        named = exp.alias_(exp.to_table(table.name), table.alias_or_name, table=True)
        inner = exp.select("*").from_(named)
        inner = inner.where(*own)
        rest = [part for part in parts if part not in own]
        select.set("where", exp.Where(this=exp.and_(*rest)) if rest else None)
        table.replace(inner.subquery(table.alias_or_name))
    return tree


def _coalesce_as_case(tree: exp.Expr) -> exp.Expr | None:
    def case(node: exp.Expr) -> exp.Expr:
        if not isinstance(node, exp.Coalesce) or len(node.expressions) != 1:
            return node
        empty = exp.Is(this=node.this.copy(), expression=exp.Null())
        return exp.Case(
            ifs=[exp.If(this=empty, true=node.expressions[0])], default=node.this.copy()
        )

    return tree.transform(case)


def _count_as_sum(tree: exp.Expr) -> exp.Expr | None:
    def summed(node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.Count) and isinstance(node.this, exp.Star):
            return exp.func("COUNT", exp.Literal.number(1))
        return node

    return tree.transform(summed)


def _union_by_value(tree: exp.Expr) -> exp.Expr | None:
    """A sum over an IN list as the sum of a UNION ALL, a part for each half of the list."""
    if not isinstance(tree, exp.Select) or len(tree.expressions) != 1 or tree.args.get("group"):
        return None
    inner = tree.expressions[0].unalias()
    if not isinstance(inner, exp.Sum) or tree.args.get("with_") or tree.args.get("having"):
        return None
    where = tree.args.get("where")
    listed = next(
        (
            part
            for part in (parts_of(where.this) if where is not None else [])
            if isinstance(part, exp.In) and len(part.expressions) > 1
        ),
        None,
    )
    if listed is None:
        return None
    halves: list[str] = []
    for chosen in (listed.expressions[:1], listed.expressions[1:]):
        half = tree.copy()
        found = next(each for each in half.find_all(exp.In) if each == listed)
        found.set("expressions", [value.copy() for value in chosen])
        half.set("expressions", [exp.alias_(inner.copy(), "part")])
        halves.append(half.sql(_DIALECT))
    return parse_one(
        f"SELECT SUM(part) FROM ({' UNION ALL '.join(halves)}) AS parts", read=_DIALECT
    )


def _sum_of_cases(tree: exp.Expr) -> exp.Expr | None:
    """The WHERE of a single figure, in its aggregate: ``SUM(CASE WHEN … THEN x ELSE 0 END)``."""
    if not isinstance(tree, exp.Select) or tree.args.get("group") or len(tree.expressions) != 1:
        return None
    where, figure = tree.args.get("where"), tree.expressions[0].find(exp.Sum)
    if where is None or figure is None or where.find(exp.Query) is not None:
        return None
    if len(list(tree.find_all(exp.AggFunc))) != 1:
        return None
    zero = exp.Literal.number(0)
    chosen = exp.Case(ifs=[exp.If(this=where.this.copy(), true=figure.this.copy())], default=zero)
    figure.set("this", chosen)
    tree.set("where", None)
    return tree


REWRITES: dict[str, Rewrite] = {
    "in a CTE": _in_cte,
    "derived": _derived,
    "derived without a name": _derived_unnamed,
    "tables derived": _tables_derived,
    "tables in CTEs": _tables_in_ctes,
    "BETWEEN apart": _between_apart,
    "IN as OR": _in_as_or,
    "= as IN": _equals_as_in,
    "mirrored": _mirrored,
    "negated": _negated,
    "comma joins": comma_joins,
    "WHERE in ON": filters_in_on,
    "WHERE in a derived table": _filters_in_table,
    "join as EXISTS": join_as_exists,
    "join as IN": join_as_in,
    "COALESCE as CASE": _coalesce_as_case,
    "COUNT(1)": _count_as_sum,
    "LEFT as RIGHT": left_as_right,
    "joins turned": joins_turned,
    "union by value": _union_by_value,
    "conditions in CASE": _sum_of_cases,
}
"""By the name of what is written another way."""
