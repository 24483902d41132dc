"""Aggregate functions: which they are, what they are taken over, and which rows they count."""

from collections.abc import Iterable

from sqlglot import exp

AGGREGATES: dict[type[exp.Expr], str] = {
    exp.Sum: "sum",
    exp.Avg: "avg",
    exp.Count: "count",
    exp.CountIf: "count",
    exp.ApproxDistinct: "count",
    exp.Min: "min",
    exp.Max: "max",
    exp.Median: "median",
    exp.Stddev: "stddev",
    exp.StddevPop: "stddev",
    exp.StddevSamp: "stddev",
    exp.Variance: "variance",
    exp.VariancePop: "variance",
    exp.ArrayAgg: "list",
    exp.GroupConcat: "list",
    exp.JSONArrayAgg: "list",
    exp.JSONObjectAgg: "list",
    exp.AnyValue: "any",
    exp.PercentileCont: "median",
    exp.PercentileDisc: "median",
    exp.WithinGroup: "median",
    exp.LogicalAnd: "any",
    exp.LogicalOr: "any",
}
_NAMED = {"total": "sum"}
_ZEROS = frozenset({"0", "0.0"})


def aggregate_named(node: exp.Expr) -> str | None:
    """The aggregate that a call is, of those that sqlglot has no form for."""
    return _NAMED.get(node.name.casefold()) if isinstance(node, exp.Anonymous) else None


def argument_of(aggregate: exp.Expr) -> exp.Expr | None:
    """The expression that an aggregate is taken over."""
    if isinstance(aggregate, exp.Anonymous):
        return aggregate.expressions[0] if aggregate.expressions else None
    return aggregate.this if isinstance(aggregate.this, exp.Expr) else None


def counted_branch(function: str, taken: exp.Expr | None) -> exp.If | None:
    """The branch of ``CASE WHEN … THEN x END``, and of ``ELSE 0`` in a sum: rows that don't meet
    its condition count for nothing."""
    node = taken.unnest() if taken is not None else None
    if isinstance(node, exp.If):
        branches, rest = [node], node.args.get("false")
    elif isinstance(node, exp.Case) and node.args.get("this") is None:
        branches, rest = node.args["ifs"], node.args.get("default")
    else:
        return None
    zero = function == "sum" and rest is not None and rest.name in _ZEROS
    nothing = zero or rest is None or isinstance(rest, exp.Null)
    return branches[0] if len(branches) == 1 and nothing else None


def parts_of(aggregate: exp.Expr) -> Iterable[exp.Expr]:
    """Its arguments; ``WITHIN GROUP`` has them outside of the call."""
    if isinstance(aggregate, exp.WithinGroup):
        return (*aggregate.this.iter_expressions(), aggregate.expression)
    return aggregate.iter_expressions()


def is_scalar(node: exp.Expr, function: str) -> bool:
    """MAX(a, b) of two arguments compares values of one row in some engines."""
    return function in ("min", "max") and bool(node.expressions)
