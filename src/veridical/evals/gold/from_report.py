"""An answer that was held back wrongly, as a gold set of one question: so that it stays noticed."""

from collections.abc import Sequence

import sqlglot
from sqlglot import exp

from veridical.contracts.caller import Scope
from veridical.contracts.proof import Verdict
from veridical.contracts.schema import Schema
from veridical.contracts.trace import AgentTrace, Gated
from veridical.evals.gold.case import Case, GoldSet, Oracle
from veridical.evals.gold.from_run import NoCaseError, asked_of, begin_and_end, case_of
from veridical.statement.errors import EngineError
from veridical.statement.scope import Ground, apply_scope, scope_shape


def held_back_gold(
    trace: AgentTrace, name: str, schema: Schema, scope: Scope, columns: Sequence[str] = ()
) -> GoldSet:
    """The question of a run whose answer was right although it was held back. Its truth is the
    call as plain SQL over the asker's own rows; ``columns`` are the tenant's, in the pack's order.
    Raises ``NoCaseError``."""
    begun, ended = begin_and_end(trace)
    blocked = [
        each
        for each in trace.events
        if isinstance(each, Gated) and each.verdict is Verdict.BLOCK and each.text
    ]
    # The first attempt is what the report is about; what came after it was told to be otherwise.
    text = blocked[0].text if blocked else ended.answer.text
    asked = asked_of(begun, ended.answer.model_copy(update={"text": text}))
    return GoldSet(
        name=name,
        feature=asked.feature,
        today=asked.day.isoformat(),
        tenant=_tenant(scope, columns),
        cases=(_of_own_rows(case_of(asked, name), schema, scope, asked.dialect),),
    )


def _tenant(scope: Scope, columns: Sequence[str]) -> tuple[str, ...]:
    """The asker's value of each tenant column."""
    allowed = [scope.allowed.get(column, ()) for column in columns or scope.allowed]
    if any(len(values) != 1 for values in allowed):
        raise NoCaseError("of_a_tenant")
    return tuple(str(values[0]) for values in allowed)


def _of_own_rows(case: Case, schema: Schema, scope: Scope, dialect: str) -> Case:
    """The case with a truth that reads nothing but the asker's rows: an oracle sees all of them."""
    if case.truth is None or not scope.allowed:
        return case
    tree = sqlglot.parse_one(case.truth.sql, dialect=dialect)
    columns = {
        name: tuple(column.name for column in table.columns)
        for name, table in schema.tables.items()
    }
    ground = Ground((), {name: frozenset(each) for name, each in columns.items()}, columns)
    if not isinstance(tree, exp.Query):
        raise NoCaseError("no_truth")
    try:
        scoped, slots, _ = apply_scope(tree, scope_shape(scope, frozenset()), ground, 1)
    except EngineError as error:
        raise NoCaseError("no_truth") from error
    values = [value for _, column in slots for value in scope.allowed[column]]
    for each in list(scoped.find_all(exp.Parameter)):
        each.replace(exp.convert(values[int(each.name) - 1]))
    return case.model_copy(update={"truth": Oracle(sql=scoped.sql(dialect))})
