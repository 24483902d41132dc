"""Conditions to filters: what every row must meet, and which columns must be equal."""

from collections.abc import Iterable

from sqlglot import exp

from veridical.check.facts import EXTREMES, Filter, Literal, LiteralKind, Origin
from veridical.check.narrowing import admits
from veridical.check.sql.choices import is_left_out
from veridical.check.sql.columns import (
    bared,
    ends_of_groups,
    equate,
    note_lookups,
    origins,
    plain_origins,
)
from veridical.check.sql.kinds import coalesced, is_choosing_form
from veridical.check.sql.literals import OTHER, literal_of
from veridical.check.sql.scope import SelectScope

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
    exp.SimilarTo: "similar",
    exp.RegexpLike: "regexp",
    exp.RegexpILike: "regexp",
}
_CHOOSES = ("where", "having", "limit", "qualify", "group", "joins", "distinct")
"""The parts of a query that may leave rows out."""
_ORDERS = frozenset({"<", "<=", ">", ">="})
_TURNED = {">": "<", "<": ">", ">=": "<=", "<=": ">="}
_NEGATED = {
    "=": "!=", "!=": "=", ">": "<=", ">=": "<", "<": ">=", "<=": ">", "in": "not in",
    "not in": "in", "like": "not like", "ilike": "not ilike", "not like": "like",
    "not ilike": "ilike", "not is null": "is null",
}  # fmt: skip
_JOINED = (exp.And, exp.Or)
_EQUALS = (exp.EQ, exp.NEQ, exp.In)
_TRUTHS = (exp.Column, exp.Not)
_OF_ALL_ROWS = (exp.Max, exp.Min, exp.Sum, exp.Avg, exp.Count)
_CASTS = (exp.Cast, exp.TryCast)


def compare(scope: SelectScope, node: exp.Expr) -> list[Filter]:
    """The comparisons of plain columns in this predicate: with literals, or by their order."""
    column, op, values = _shape(node)
    if column is None:
        return []
    if isinstance(node, _EQUALS) and is_left_out(node):
        op = _negation(op)
    if values is None:
        sides = (column, node.expression) if op in _ORDERS else ()
        return [Filter(each, op, ()) for side in sides for each in plain_origins(scope, side)]
    return [Filter(origin, op, values) for origin in plain_origins(scope, column)]


def required(
    scope: SelectScope, node: exp.Expr, only: frozenset[int] | None = None, negated: bool = False
) -> list[Filter]:
    """The filters that hold for every row that passes this condition; negated, that fails it.

    ``only`` limits them to these uses: the ON of an outer join does not narrow the kept side.
    """
    found = _required(scope, node.unnest(), negated)
    return found if only is None else [each for each in found if each.origin.use in only]


def _required(scope: SelectScope, node: exp.Expr, negated: bool = False) -> list[Filter]:
    if isinstance(node, exp.Not) and not isinstance(node.this.unnest(), exp.Column):
        return _required(scope, node.this.unnest(), not negated)
    if isinstance(node, _JOINED):
        if isinstance(node, exp.Or):
            _note_link(scope, node)
        parts = [_required(scope, part.unnest(), negated) for part in node.flatten()]
        together = isinstance(node, exp.And) is not negated
        return [each for part in parts for each in part] if together else _alternatives(parts)
    if isinstance(node, _TRUTHS):
        return [Filter(origin, "=", (OTHER,)) for origin in origins(scope, node)]
    if not negated or isinstance(node, exp.NEQ):
        joined = _compared_side_by_side(scope, node, negated)
        if joined is not None:
            return joined
    column, op, values = _shape(node)
    if column is None or values is None:
        _note_link(scope, node)
    if isinstance(node, exp.EQ) and values is None:
        _note_computed(scope, node)
    if column is None:
        return []
    return _filters(scope, column, _negation(op) if negated else op, values)


def _negation(op: str) -> str:
    return _NEGATED.get(op, f"not {op}")


def _compared_side_by_side(
    scope: SelectScope, node: exp.Expr, negated: bool
) -> list[Filter] | None:
    """The filters of rows compared as a whole, and of columns that a join makes equal."""
    if isinstance(node, exp.NEQ):
        return [] if negated and _note_equality(scope, node) else None
    if isinstance(node, exp.EQ) and isinstance(node.this, exp.Tuple):
        return _tuple_equality(scope, node.this, node.expression)
    if isinstance(node, exp.In) and isinstance(node.this, exp.Tuple):
        if _lists_everything(scope, node.args.get("query"), node.this.expressions):
            return []
        note_lookups(scope, node)
        ends = ends_of_groups(scope, node.args.get("query"))
        return [
            Filter(origin, "in", (OTHER,) if index in ends else ())
            for index, part in enumerate(node.this.expressions)
            for origin in origins(scope, part)
        ]
    if isinstance(node, exp.EQ):
        looked_up = [*_looked_up(scope, node), *_found_end(scope, node)]
        if looked_up or _note_equality(scope, node):
            return looked_up
    elif not isinstance(node, exp.In):
        return None
    query = node.args.get("query") if isinstance(node, exp.In) else _any_of(node)
    return [] if query is not None and _lists_everything(scope, query, [node.this]) else None


def _any_of(node: exp.Expr) -> exp.Expr | None:
    """The query of ``x = ANY (SELECT …)``."""
    right = node.expression if isinstance(node, exp.EQ) else None
    return right.this if isinstance(right, exp.Any) else None


def _lists_everything(scope: SelectScope, query: exp.Expr | None, columns: list[exp.Expr]) -> bool:
    """``x IN (SELECT x FROM t)`` lets every row of t pass, unless that query makes a choice."""
    inner = query.unnest() if query is not None else None
    if not isinstance(inner, exp.Select) or any(inner.args.get(part) for part in _CHOOSES):
        return False
    own = {
        scope.work.facts.uses[each.use].table for part in columns for each in origins(scope, part)
    }
    shown = [origin for each in inner.expressions for origin in origins(scope, each.unalias())]
    return any(scope.work.facts.uses[each.use].table in own for each in shown)


def _filters(
    scope: SelectScope, column: exp.Expr, op: str, values: tuple[Literal, ...] | None
) -> list[Filter]:
    inner = bared(column)
    first, *defaults = coalesced(inner)
    if defaults and isinstance(bared(first), exp.Column):
        if not values:
            return []
        found = [Filter(origin, op, values) for origin in origins(scope, first)]
        later = [origin for each in defaults for origin in origins(scope, each)]
        return [
            *(_or_empty(defaults[0], each) for each in found),
            *(Filter(each, "within", (), parts=(Filter(each, op, values),)) for each in later),
        ]
    if isinstance(inner, exp.Query) and values:
        return [Filter(origin, op, values) for origin in origins(scope, inner.unnest())]
    if isinstance(inner, exp.Column):
        if ranked := _kept_rank(scope, inner, op, values):
            return ranked
        if values is None and op != "=":
            return []  # compared with another column: that chooses nothing by itself
        through = "" if _is_itself(column) else "spelling"
        return [Filter(origin, op, values or (), through) for origin in origins(scope, inner)]
    if values is None or not is_choosing_form(inner):
        return []
    return [
        Filter(origin, "within", (), parts=(Filter(origin, op, values),))
        for each in inner.find_all(exp.Column)
        for origin in origins(scope, each)
    ]


def _or_empty(instead: exp.Expr, each: Filter) -> Filter:
    """``COALESCE(kind, 'A') = 'A'`` keeps the rows without a kind, too."""
    default = literal_of(instead)
    if default is None or not admits((each,), default.value or ""):
        return each
    empty = Filter(each.origin, "is null", (Literal(LiteralKind.NULL),))
    return Filter(each.origin, "or", (), "coalesce", parts=(empty, each))


def _is_itself(node: exp.Expr) -> bool:
    """True for a column under casts that keep its values apart."""
    node = node.unnest()
    while isinstance(node, _CASTS) and not node.to.expressions:
        node = node.this.unnest()
    return isinstance(node, exp.Column)


def _kept_rank(
    scope: SelectScope, column: exp.Column, op: str, values: tuple[Literal, ...] | None
) -> list[Filter]:
    output = scope.work.resolved.get(id(column))
    if output is None or not output.ranks or not values:
        return []
    kept = (Filter(each.origin, op, values) for each in output.ranks)
    return list(output.ranks) if all(_keeps_first(each) for each in kept) else []


def _keeps_first(each: Filter) -> bool:
    """True for ``= 1``, ``< 2`` and ``IN (1)``: what lets the first rank pass, and no second."""
    return admits((each,), 1) and not admits((each,), 2)


def _alternatives(branches: list[list[Filter]]) -> list[Filter]:
    """The columns that all branches of an OR narrow: each may take any of the branches' values."""
    first, *others = map(_by_origin, branches)
    agreed: list[Filter] = []
    for origin in first:
        if all(origin in other for other in others):
            every = [branch[origin] for branch in (first, *others)]
            agreed.append(_merged(origin, every))
    return agreed


def _by_origin(branch: list[Filter]) -> dict[Origin, Filter]:
    found: dict[Origin, Filter] = {}
    for each in branch:
        other = found.get(each.origin)
        found[each.origin] = (
            each if other is None else Filter(each.origin, "and", (), parts=(other, each))
        )
    return found


def _merged(origin: Origin, filters: Iterable[Filter]) -> Filter:
    listed = list(filters)
    if all(each.op in ("=", "in") and each.values for each in listed):
        values = dict.fromkeys(value for each in listed for value in each.values)
        spelled = next((each.through for each in listed if each.through), "")
        return Filter(origin, "in", tuple(values), spelled)
    return Filter(origin, "or", (), parts=tuple(listed))


def _tuple_equality(scope: SelectScope, left: exp.Tuple, right: exp.Expr) -> list[Filter]:
    parts = right.expressions if isinstance(right, exp.Tuple) else [None] * len(left.expressions)
    found: list[Filter] = []
    for column, value in zip(left.expressions, parts, strict=False):
        if value is not None and isinstance(bared(value), exp.Column):
            equate(scope, bared(column), bared(value), joins=True)
            continue
        literal = (literal_of(value) if value is not None else None) or OTHER
        found.extend(Filter(origin, "=", (literal,)) for origin in origins(scope, column))
    return found


def _note_equality(scope: SelectScope, node: exp.Binary) -> bool:
    """True when it joins two columns side by side: that alone narrows neither of them.

    A column of the query around is one value at a time, and so is what an aggregate gave.
    """
    left, right = bared(node.this), bared(node.expression)
    if not isinstance(left, exp.Column) or not isinstance(right, exp.Column):
        return False
    equate(scope, left, right, joins=True)
    outer = scope.work.outer
    if id(left) in outer or id(right) in outer:
        return False
    return bool(origins(scope, left)) and bool(origins(scope, right))


def _looked_up(scope: SelectScope, node: exp.EQ) -> list[Filter]:
    """``x = latest.year`` with a ``latest`` of one row settles x as a literal would."""
    for column, value in ((node.this, node.expression), (node.expression, node.this)):
        output = scope.work.resolved.get(id(bared(value)))
        if output is not None and output.single:
            return [Filter(origin, "=", (OTHER,)) for origin in origins(scope, column)]
    return []


def _found_end(scope: SelectScope, node: exp.EQ) -> list[Filter]:
    """``x = last.x`` with the greatest x of each group settles x, for each group, as ``last`` of
    one row does for all."""
    for column, value in ((node.this, node.expression), (node.expression, node.this)):
        output = scope.work.resolved.get(id(bared(value)))
        ends = output.terms if output is not None else ()
        if len(ends) == 1 and ends[0].via in EXTREMES:
            found = [
                each for each in origins(scope, column) if each.column is ends[0].origin.column
            ]
            if found:
                _note_link(scope, node)
                return [Filter(each, "=", (OTHER,)) for each in found]
    return []


def _note_link(scope: SelectScope, node: exp.Expr) -> None:
    found = (scope.work.resolved.get(id(each)) for each in node.find_all(exp.Column))
    uses = {term.origin.use for output in found if output for term in output.terms}
    if len(uses) > 1:
        scope.work.facts.links.append(frozenset(uses))


def _note_computed(scope: SelectScope, node: exp.EQ) -> None:
    """``c.id = COALESCE(k.merged_into, k.id)``: one value of c.id for each row of k."""
    for side, other in ((node.this, node.expression), (node.expression, node.this)):
        if not isinstance(bared(side), exp.Column) or other.find(exp.Query, exp.AggFunc):
            continue
        made_of = frozenset(
            origin.use for each in other.find_all(exp.Column) for origin in origins(scope, each)
        )
        computed = scope.work.facts.computed
        computed.extend((each, made_of) for each in origins(scope, side) if made_of)


def note_lookup(scope: SelectScope, node: exp.Expr) -> None:
    """``x = (SELECT y …)`` and ``x IN (SELECT y …)`` compare two columns without a join."""
    looked_up = node.args.get("query") if isinstance(node, exp.In) else node.expression
    inner = looked_up.unnest() if isinstance(looked_up, exp.Query) else None
    column = bared(node.this)
    if isinstance(inner, exp.Query) and isinstance(column, exp.Column):
        equate(scope, column, inner, joins=False)


def _shape(node: exp.Expr) -> tuple[exp.Expr | None, str, tuple[Literal, ...] | None]:
    """A predicate as (column side, operator, literals); no literals when it compares columns."""
    op = _OPERATORS.get(type(node))
    if op is None:
        return _other_shape(node)
    if node.args.get("negate"):
        op = f"not {op}"
    left, right = node.this, node.expression
    if isinstance(right, exp.Subquery) and literal_of(left) is not None:
        left, right, op = right, left, _TURNED.get(op, op)  # 'A' = (SELECT kind …)
    if isinstance(right, exp.Any) and op == "=":
        return left, "in", _listed(right.this.unnest())
    value = literal_of(right)
    if value is not None:
        return left, op, (value,)
    value = literal_of(left)
    if value is not None:
        return right, _TURNED.get(op, op), (value,)
    return left, op, None


def _other_shape(node: exp.Expr) -> tuple[exp.Expr | None, str, tuple[Literal, ...] | None]:
    """The same for what is no plain operator."""
    if isinstance(node, exp.Escape):
        return _shape(node.this)
    if isinstance(node, exp.Not):
        column, op, values = _shape(node.this.unnest())
        return column, _negation(op), values
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
    return None, "", None


def _members(node: exp.In) -> tuple[Literal, ...] | None:
    query = node.args.get("query")
    if query is not None:
        inner = query.unnest()
        one_row = isinstance(inner, exp.Select) and gives_one_row(inner)
        return (OTHER,) if one_row else ()
    return _literals(node.expressions)


def _listed(array: exp.Expr) -> tuple[Literal, ...] | None:
    if not isinstance(array, exp.Array):
        return () if isinstance(array, exp.Query) else None
    return _literals(array.expressions)


def _literals(nodes: Iterable[exp.Expr]) -> tuple[Literal, ...] | None:
    known = [literal_of(each) for each in nodes]
    return None if any(each is None for each in known) else tuple(each for each in known if each)


def gives_one_row(select: exp.Select) -> bool:
    """True for LIMIT 1 and for an aggregate over everything."""
    limit = select.args.get("limit")
    if isinstance(limit, exp.Limit) and limit.expression and limit.expression.name == "1":
        return True
    grouped = select.args.get("group") is not None
    return not grouped and any(
        isinstance(each.unalias(), _OF_ALL_ROWS) for each in select.expressions
    )
