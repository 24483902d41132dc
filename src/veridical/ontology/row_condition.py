"""The condition of the rows that count: ``cancelled = 'N' AND Customer.kind NOT IN ('T', 'I')``."""

from collections.abc import Iterator
from dataclasses import dataclass

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from veridical.ontology.model import Constraint

_LISTS: dict[type[exp.Expr], str] = {exp.EQ: "in", exp.NEQ: "not in"}
_SINGLE = {"in": "=", "not in": "<>"}
_ORDERS: dict[type[exp.Expr], str] = {exp.LT: "<", exp.LTE: "<=", exp.GT: ">", exp.GTE: ">="}


class RowConditionError(ValueError):
    """The text is no condition on columns by values that are written out."""


@dataclass(frozen=True, slots=True)
class Part:
    """One column compared with values; ``table.column`` for a column of a parent."""

    column: str
    op: str
    """``in``, ``not in``, ``is null``, ``not is null`` or a comparison."""
    values: tuple[str, ...] = ()
    in_quotes: bool = False
    """True if its values are written as texts."""


Alternatives = tuple[Part, ...]
"""Parts of which one is enough."""


@dataclass(frozen=True, slots=True)
class RowCondition:
    """The rows that count: every one of these is met."""

    constraint: Constraint
    parts: tuple[Alternatives, ...]

    @property
    def marks(self) -> frozenset[str]:
        """The columns that say by themselves whether a row counts; none for a notion, which says
        what kind of row is meant."""
        if self.constraint.purposes:
            return frozenset()
        named = ({part.column for part in parts} for parts in self.parts)
        return frozenset(name for names in named if len(names) == 1 for name in names)


def written(alternatives: Alternatives) -> str:
    """The condition in SQL."""
    return " OR ".join(map(_written, alternatives))


def _written(part: Part) -> str:
    if part.op.endswith("is null"):
        return f"{part.column} {'IS NOT NULL' if part.op.startswith('not') else 'IS NULL'}"
    values = [_quoted(value) if part.in_quotes else value for value in part.values]
    if len(values) == 1:
        return f"{part.column} {_SINGLE.get(part.op, part.op)} {values[0]}"
    return f"{part.column} {part.op.upper()} ({', '.join(values)})"


def _quoted(value: str) -> str:
    return exp.Literal.string(value).sql()


def parts_of(text: str) -> tuple[Alternatives, ...]:
    """What the condition demands. Raises ``RowConditionError``."""
    try:
        tree = sqlglot.parse_one(f"SELECT 1 WHERE {text}")
    except (SqlglotError, RecursionError) as error:
        raise RowConditionError(text) from error
    where = tree.args.get("where")
    if where is None or tree.find(exp.Subquery) is not None:
        raise RowConditionError(text)
    return tuple(_demands(where.this.unnest(), text))


def is_whole(text: str) -> bool:
    """True where its parts are all that the condition demands: no alternative has several."""
    tree = sqlglot.parse_one(f"SELECT 1 WHERE {text}")
    return not any(each.find(exp.And, exp.Between) for each in tree.find_all(exp.Or))


def _demands(node: exp.Expr, text: str) -> Iterator[Alternatives]:
    if isinstance(node, exp.And):
        for each in node.flatten():
            yield from _demands(each.unnest(), text)
    elif isinstance(node, exp.Or):
        branches = [tuple(_demands(each.unnest(), text)) for each in node.flatten()]
        # A AND B OR C: each branch is known by its first part, which is the least it demands.
        yield tuple(branch[0][0] for branch in branches)
    elif isinstance(node, exp.Between):
        column = _column(node.this, text)
        for op, bound in ((">=", node.args["low"]), ("<=", node.args["high"])):
            yield (Part(column, op, (_value(bound, text),), bound.is_string),)
    else:
        yield (_part(node, text),)


def _part(node: exp.Expr, text: str) -> Part:
    negated = isinstance(node, exp.Not)
    inner = node.this.unnest() if negated else node
    column = _column(inner.this, text) if isinstance(inner.this, exp.Expr) else ""
    if isinstance(inner, exp.Is) and isinstance(inner.expression, exp.Null):
        return Part(column, "not is null" if negated else "is null")
    if isinstance(inner, exp.In):
        values = tuple(_value(each, text) for each in inner.expressions)
        quoted = any(each.is_string for each in inner.expressions)
        return Part(column, "not in" if negated else "in", values, quoted)
    op = _LISTS.get(type(inner)) or _ORDERS.get(type(inner))
    if op is None or (negated and op not in _LISTS.values()):
        raise RowConditionError(text)
    if negated:
        op = "in" if op == "not in" else "not in"
    return Part(column, op, (_value(inner.expression, text),), inner.expression.is_string)


def _column(node: exp.Expr, text: str) -> str:
    if not isinstance(node, exp.Column):
        raise RowConditionError(text)
    return ".".join(part.name for part in node.parts)


def _value(node: exp.Expr, text: str) -> str:
    sign = ""
    if isinstance(node, exp.Neg):
        sign, node = "-", node.this
    if isinstance(node, exp.Boolean):
        return str(int(node.this))
    if not isinstance(node, exp.Literal):
        raise RowConditionError(text)
    return sign + node.name
