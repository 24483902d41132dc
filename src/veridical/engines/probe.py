"""After an empty result: whether the column has the requested value at all."""

from collections.abc import Mapping, Sequence

from sqlglot import exp

from veridical.contracts.caller import Scope
from veridical.contracts.statement import Bound, Statement
from veridical.engines.conditions import Condition
from veridical.engines.receipt import is_time
from veridical.statement.emit import emit
from veridical.statement.filters import bound
from veridical.statement.scope import Ground, ScopeShape


def worth_asking(
    conditions: Sequence[Condition], visible: Mapping[str, Sequence[str]], scope: Scope
) -> list[Condition]:
    """The conditions on values: no periods, no tenants, no hidden columns."""
    return [
        condition
        for condition in conditions
        if condition.op in ("=", "in")
        and condition.column.name in visible.get(condition.column.table, ())
        and condition.column.name not in scope.allowed
        and not is_time(condition.column)
    ]


def existence_of(
    conditions: Sequence[Condition], scope: Scope, shape: ScopeShape, ground: Ground, dialect: str
) -> Statement:
    """One row with a truth value for each condition: whether any of the caller's rows meets it."""
    values: list[Bound] = []
    answers: list[exp.Expr] = []
    for condition in conditions:
        known = [bound(value) for value in condition.values if value is not None]
        parameters = [
            exp.Parameter(this=exp.Literal.number(len(values) + number))
            for number in range(1, len(known) + 1)
        ]
        values += known
        answers.append(_exists(condition, parameters))
    tree = exp.Select(expressions=answers)
    return emit(tree, shape, ground, 1, dialect, len(values)).bind(tuple(values), scope)


def _exists(condition: Condition, parameters: list[exp.Parameter]) -> exp.Exists:
    table = exp.Table(this=exp.to_identifier(condition.column.table, quoted=True))
    table.meta["table"] = condition.column.table
    met = exp.In(this=exp.column(condition.column.name, quoted=True), expressions=parameters)
    select = exp.Select(
        expressions=[exp.Literal.number(1)],
        from_=exp.From(this=table),
        where=exp.Where(this=met if parameters else exp.false()),
    )
    return exp.Exists(this=select)
