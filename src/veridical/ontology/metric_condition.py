"""The ``where`` of a metric query: one SQL condition over group-by items and metrics."""

from dataclasses import dataclass

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from veridical.ontology.metric_reference import Reference, templates

_STAND_IN = "veridical_item_"


class ConditionSyntaxError(ValueError):
    """The text is not one condition."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A parsed condition and all its names."""

    references: tuple[Reference, ...]


def parse_condition(text: str) -> Condition:
    """The condition in this text, in templates or with plain names.

    Raises ``ConditionSyntaxError``, or ``ReferenceSyntaxError`` for a template that names nothing.
    """
    sql, named = _without_templates(text)
    try:
        statements = sqlglot.parse(f"SELECT 1 WHERE {sql}")
    except (SqlglotError, RecursionError) as error:
        raise ConditionSyntaxError(text) from error
    statement = statements[0]
    if len(statements) != 1 or statement is None or not _is_only_a_condition(statement):
        raise ConditionSyntaxError(text)
    plain = (
        Reference("__".join(part.name for part in column.parts))
        for column in statement.find_all(exp.Column)
        if not column.name.startswith(_STAND_IN)
    )
    return Condition((*named, *dict.fromkeys(plain)))


def _without_templates(text: str) -> tuple[str, list[Reference]]:
    parts: list[str] = []
    named: list[Reference] = []
    end = 0
    for (start, stop), reference in templates(text):
        parts += (text[end:start], f"{_STAND_IN}{len(named)}")
        named.append(reference)
        end = stop
    return "".join((*parts, text[end:])), named


def _is_only_a_condition(statement: exp.Expr) -> bool:
    """True if there is only the condition, without a second statement or a sub-select."""
    if not isinstance(statement, exp.Select) or statement.find(exp.Subquery):
        return False
    clauses = {key for key, value in statement.args.items() if value}
    return clauses == {"expressions", "where"} and len(list(statement.find_all(exp.Query))) == 1
