"""Conditions to filters: what every row must meet, and which columns must be equal."""

from collections.abc import Iterable

from sqlglot import exp

from veridical.check.facts import Equality, Filter, Literal, Origin
from veridical.check.sql.literals import OTHER, literal_of
from veridical.check.sql.scope import Output, Scope

_OPERATORS: dict[type[exp.Expr], str] = {
    exp.EQ: "=",
    exp.NullSafeEQ: "=",
    exp.NEQ: "!=",
    exp.NullSafeNEQ: "!=",
    exp.GT: ">",
    exp.GTE: ">=",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.Like: "like",
    exp.ILike: "ilike",
    exp.Glob: "glob",
    exp.SimilarTo: "like",
    exp.RegexpLike: "regexp",
    exp.RegexpILike: "regexp",
}
_TURNED = {">": "<", "<": ">", ">=": "<=", "<=": ">="}
_SPELLINGS = (exp.Cast, exp.Lower, exp.Upper, exp.Trim, exp.Collate, exp.TryCast)


def compare(scope: Scope, node: exp.Expr) -> list[Filter]:
    """The comparisons of a plain column with literals that this one predicate makes."""
    column, op, values = _shape(node)
    if column is None or values is None or not isinstance(column.unnest(), exp.Column):
        return []
    return [Filter(origin, op, values) for origin in _origins(scope, column)]


def required(scope: Scope, node: exp.Expr, only: frozenset[int] | None = None) -> list[Filter]:
    """The filters that hold for every row that passes this condition.

    ``only`` limits them to these uses: the ON of an outer join does not narrow the kept side.
    """
    found = _required(scope, node.unnest())
    return found if only is None else [each for each in found if each.origin.use in only]


def _required(scope: Scope, node: exp.Expr) -> list[Filter]:
    if isinstance(node, exp.And):
        return [each for part in node.flatten() for each in _required(scope, part.unnest())]
    if isinstance(node, exp.Or):
        _note_link(scope, node)
        return _alternatives([_required(scope, part.unnest()) for part in node.flatten()])
    if isinstance(node, exp.Column | exp.Not) and isinstance(node.unnest(), exp.Column):
        return [Filter(origin, "=", (OTHER,)) for origin in _origins(scope, node)]
    if isinstance(node, exp.EQ) and isinstance(node.this, exp.Tuple):
        return _tuple_equality(scope, node.this, node.expression)
    if isinstance(node, exp.In) and isinstance(node.this, exp.Tuple):
        parts = node.this.expressions
        return [Filter(origin, "in", ()) for part in parts for origin in _origins(scope, part)]
    if isinstance(node, exp.EQ):
        looked_up = _looked_up(scope, node)
        if looked_up:
            return looked_up
        if _note_equality(scope, node):
            return []
    column, op, values = _shape(node)
    if column is None or values is None:
        _note_link(scope, node)
    if column is None:
        return []
    return _filters(scope, column, op, values)


def _filters(
    scope: Scope, column: exp.Expr, op: str, values: tuple[Literal, ...] | None
) -> list[Filter]:
    inner = _bared(column)
    if isinstance(inner, exp.Column):
        ranked = _kept_rank(scope, inner, op, values)
        if ranked:
            return ranked
        known = values if values is not None else ()
        return [Filter(origin, op, known) for origin in _origins(scope, inner)]
    if values is None:
        return []
    columns = inner.find_all(exp.Column)
    return [Filter(origin, "within", ()) for each in columns for origin in _origins(scope, each)]


def _kept_rank(
    scope: Scope, column: exp.Column, op: str, values: tuple[Literal, ...] | None
) -> list[Filter]:
    output = scope.work.resolved.get(id(column))
    if output is None or not output.ranks or values is None or op not in ("=", "<="):
        return []
    if len(values) != 1 or values[0].value != 1:
        return []
    return [Filter(origin, "rank", (OTHER,)) for origin in output.ranks]


def _alternatives(branches: list[list[Filter]]) -> list[Filter]:
    """What all branches of an OR agree to narrow: each may take any of the branches' values."""
    first, *others = ({each.origin: each for each in branch} for branch in branches)
    agreed: list[Filter] = []
    for origin in first:
        if all(origin in other for other in others):
            every = [branch[origin] for branch in (first, *others)]
            agreed.append(_merged(origin, every))
    return agreed


def _merged(origin: Origin, filters: Iterable[Filter]) -> Filter:
    listed = list(filters)
    if all(each.op in ("=", "in") and each.values for each in listed):
        values = dict.fromkeys(value for each in listed for value in each.values)
        return Filter(origin, "in", tuple(values))
    return Filter(origin, "within", ())


def _tuple_equality(scope: Scope, left: exp.Tuple, right: exp.Expr) -> list[Filter]:
    parts = right.expressions if isinstance(right, exp.Tuple) else [None] * len(left.expressions)
    return [
        Filter(origin, "=", ((literal_of(value) if value is not None else None) or OTHER,))
        for column, value in zip(left.expressions, parts, strict=False)
        for origin in _origins(scope, column)
    ]


def _note_equality(scope: Scope, node: exp.EQ) -> bool:
    """True when it joins two columns side by side: that alone narrows neither of them.

    A column of the query around is one value at a time, and so is what an aggregate gave.
    """
    left, right = _bared(node.this), _bared(node.expression)
    if not isinstance(left, exp.Column) or not isinstance(right, exp.Column):
        return False
    _equate(scope, left, right, joins=True)
    outer = scope.work.outer
    if id(left) in outer or id(right) in outer:
        return False
    return bool(_origins(scope, left)) and bool(_origins(scope, right))


def _looked_up(scope: Scope, node: exp.EQ) -> list[Filter]:
    """``x = latest.year`` with a ``latest`` of one row settles x as a literal would."""
    for column, value in ((node.this, node.expression), (node.expression, node.this)):
        output = scope.work.resolved.get(id(_bared(value)))
        if output is not None and output.single:
            return [Filter(origin, "=", (OTHER,)) for origin in _origins(scope, column)]
    return []


def _note_link(scope: Scope, node: exp.Expr) -> None:
    uses = {origin.use for each in node.find_all(exp.Column) for origin in _origins(scope, each)}
    if len(uses) > 1:
        scope.work.facts.links.append(frozenset(uses))


def note_lookup(scope: Scope, node: exp.Expr) -> None:
    """``x = (SELECT y …)`` and ``x IN (SELECT y …)`` compare two columns without a join."""
    looked_up = node.args.get("query") if isinstance(node, exp.In) else node.expression
    inner = looked_up.unnest() if isinstance(looked_up, exp.Query) else None
    column = _bared(node.this)
    if isinstance(inner, exp.Query) and isinstance(column, exp.Column):
        _equate(scope, column, inner, joins=False)


def _equate(scope: Scope, left: exp.Expr, right: exp.Expr, joins: bool) -> None:
    equalities = scope.work.facts.equalities
    for one in _origins(scope, left):
        equalities.extend(Equality(one, other, joins) for other in _origins(scope, right))


def _shape(
    node: exp.Expr,
) -> tuple[exp.Expr | None, str, tuple[Literal, ...] | None]:
    """A predicate as (column side, operator, literals); no literals when it compares columns."""
    if isinstance(node, exp.Escape):
        return _shape(node.this)
    if isinstance(node, exp.Not):
        column, op, values = _shape(node.this.unnest())
        return column, f"not {op}", values
    if isinstance(node, exp.In):
        return node.this, "in", _members(node)
    if isinstance(node, exp.Between):
        bounds = [literal_of(node.args["low"]), literal_of(node.args["high"])]
        known = tuple(bound for bound in bounds if bound is not None)
        return node.this, "between", known if len(known) == len(bounds) else None
    if isinstance(node, exp.Is):
        op = "is null" if isinstance(node.expression, exp.Null) else "="
        value = literal_of(node.expression) or OTHER
        return node.this, f"not {op}" if node.args.get("negate") else op, (value,)
    op = _OPERATORS.get(type(node))
    if op is None:
        return None, "", None
    if node.args.get("negate"):
        op = f"not {op}"
    left, right = node.this, node.expression
    value = literal_of(right)
    if value is not None:
        return left, op, (value,)
    value = literal_of(left)
    if value is not None:
        return right, _TURNED.get(op, op), (value,)
    return left, op, None


def _members(node: exp.In) -> tuple[Literal, ...] | None:
    query = node.args.get("query")
    if query is not None:
        inner = query.unnest()
        one_row = isinstance(inner, exp.Select) and gives_one_row(inner)
        return (OTHER,) if one_row else ()
    known = [literal_of(each) for each in node.expressions]
    return None if any(each is None for each in known) else tuple(each for each in known if each)


def gives_one_row(select: exp.Select) -> bool:
    """True for LIMIT 1 and for an aggregate over everything."""
    limit = select.args.get("limit")
    if isinstance(limit, exp.Limit) and limit.expression and limit.expression.name == "1":
        return True
    grouped = select.args.get("group") is not None
    return not grouped and any(
        isinstance(each.unalias(), exp.Max | exp.Min | exp.Sum | exp.Avg | exp.Count)
        for each in select.expressions
    )


def _bared(node: exp.Expr) -> exp.Expr:
    """The column under casts and changes of case, which don't change which rows pass."""
    node = node.unnest()
    while isinstance(node, _SPELLINGS):
        node = node.this.unnest()
    return node


def _origins(scope: Scope, node: exp.Expr) -> list[Origin]:
    bared = _bared(node.this if isinstance(node, exp.Not) else node)
    output: Output | None = scope.work.resolved.get(id(bared))
    if output is None:
        return []
    return [term.origin for term in output.terms if not term.via]
