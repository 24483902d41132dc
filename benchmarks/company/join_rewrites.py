"""Joins written in other ways: as the sub-query that chooses the same rows, the other way round, by
commas."""

from collections.abc import Callable

from sqlglot import exp


def comma_joins(tree: exp.Expr) -> exp.Expr | None:
    """Inner joins by commas, their conditions in WHERE."""
    for select in tree.find_all(exp.Select):
        joins = select.args.get("joins") or []
        if not joins or any(join.side or join.args.get("using") for join in joins):
            continue
        for join in joins:
            on = join.args.get("on")
            if on is not None:
                select.where(on, copy=False)
            join.set("on", None)
            join.set("kind", None)
    return tree


def filters_in_on(tree: exp.Expr) -> exp.Expr | None:
    """The whole WHERE in the ON of the last join, where all joins are inner ones."""
    for select in tree.find_all(exp.Select):
        joins, where = select.args.get("joins") or [], select.args.get("where")
        if where is None or not joins or any(join.side for join in joins):
            continue
        on = joins[-1].args.get("on")
        if on is not None:
            joins[-1].set("on", exp.and_(on, where.this))
            select.set("where", None)
    return tree


def join_as_exists(tree: exp.Expr) -> exp.Expr | None:
    """An inner join whose columns only choose rows, as EXISTS."""
    return _chosen_by(tree, lambda inner, _pair: exp.Exists(this=inner))


def join_as_in(tree: exp.Expr) -> exp.Expr | None:
    """The same as IN, where it is joined by one pair of columns."""

    def within(inner: exp.Select, pair: tuple[exp.Column, exp.Column]) -> exp.Expr:
        near, far = pair
        kept = [
            part
            for part in parts_of(inner.args["where"].this)
            if not (isinstance(part, exp.EQ) and {part.this, part.expression} == {near, far})
        ]
        listed = exp.select(far.copy()).from_(inner.args["from_"].this.copy())
        return exp.In(this=near.copy(), query=(listed.where(*kept) if kept else listed).subquery())

    return _chosen_by(tree, within)


def left_as_right(tree: exp.Expr) -> exp.Expr | None:
    """``a LEFT JOIN b`` as ``b RIGHT JOIN a``, where it is the only join."""
    for select in tree.find_all(exp.Select):
        from_, joins = select.args.get("from_"), select.args.get("joins")
        if from_ is None or not joins or len(joins) != 1 or joins[0].side != "LEFT":
            continue
        near, far = from_.this.copy(), joins[0].this.copy()
        from_.set("this", far)
        joins[0].set("this", near)
        joins[0].set("side", "RIGHT")
    return tree


def joins_turned(tree: exp.Expr) -> exp.Expr | None:
    """Two tables that are joined inner, the other one first."""
    for select in tree.find_all(exp.Select):
        from_, joins = select.args.get("from_"), select.args.get("joins")
        if from_ is None or not joins or len(joins) != 1 or joins[0].side:
            continue
        near, far = from_.this.copy(), joins[0].this.copy()
        from_.set("this", far)
        joins[0].set("this", near)
    return tree


def _chosen_by(
    tree: exp.Expr,
    write: Callable[[exp.Select, tuple[exp.Column, exp.Column]], exp.Expr],
) -> exp.Expr | None:
    for select in list(tree.find_all(exp.Select)):
        joins, where = select.args.get("joins") or [], select.args.get("where")
        for join in list(joins):
            alias, on = join.alias_or_name, join.args.get("on")
            if join.side or on is None or not isinstance(join.this, exp.Table):
                continue
            parts = parts_of(where.this) if where is not None else []
            own = [part for part in parts if is_of(part, alias)]
            inside = {id(column) for part in own for column in part.find_all(exp.Column)}
            inside |= {id(column) for column in on.find_all(exp.Column)}
            used = [
                column
                for column in select.find_all(exp.Column)
                if column.table in (alias, "") and id(column) not in inside
            ]
            pair = _pair(on, alias)
            if used or pair is None or select.is_star:
                continue
            inner = exp.select("1").from_(join.this.copy()).where(*parts_of(on.copy()), *own)
            rest = [part for part in parts if part not in own]
            joins.remove(join)
            select.set("joins", joins)
            select.set("where", exp.Where(this=exp.and_(*rest, write(inner, pair))))
            where = select.args["where"]
    return tree


def _pair(on: exp.Expr, alias: str) -> tuple[exp.Column, exp.Column] | None:
    """The one pair of columns that a join compares: the near one and the far one."""
    compared = [
        (part.this, part.expression)
        for part in parts_of(on)
        if isinstance(part, exp.EQ)
        and isinstance(part.this, exp.Column)
        and isinstance(part.expression, exp.Column)
    ]
    found = [(far, near) if near.table == alias else (near, far) for near, far in compared]
    return found[0] if len(found) == 1 else None


def parts_of(node: exp.Expr) -> list[exp.Expr]:
    """The conditions that AND ties together."""
    return list(node.flatten()) if isinstance(node, exp.And) else [node]


def is_of(part: exp.Expr, alias: str) -> bool:
    """True for a condition on this source alone."""
    columns = list(part.find_all(exp.Column))
    return (
        bool(columns)
        and part.find(exp.Query) is None
        and all(column.table == alias for column in columns)
    )
