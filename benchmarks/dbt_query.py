"""Statements to dbt's semantic layer: SQL around ``{{ semantic_layer.query(...) }}``.

The call inside becomes a ``MetricCall``; the SQL around it is read with the call's columns as its
table. Nothing of the template is evaluated.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import sqlglot
from pydantic import ValidationError
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.qualify import qualify

from veridical.contracts.call import MetricCall
from veridical.ontology.metric_reference import Reference, ReferenceSyntaxError, reference_from
from veridical.ontology.metrics import GRAINS

_OPTIONS: Final = frozenset(
    {"metrics", "group_by", "where", "order_by", "limit", "compile", "grain", "read_cache"}
)
_STAND_IN: Final = "veridical_call_"
_UNRESOLVED = re.compile(r"(?:Column '|Unknown column: )\"?([\w.]+)")


class StatementError(ValueError):
    """The text is no statement that the semantic layer could run; the message says where."""


@dataclass(frozen=True, slots=True)
class DbtCall:
    """One call in a statement, and the columns that it gives to the SQL around it."""

    call: MetricCall
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DbtStatement:
    """A statement's calls, and the columns of its SQL that no call gives."""

    calls: tuple[DbtCall, ...]
    missing_columns: tuple[str, ...] = field(default=())


def parse_statement(text: str, dialect: str = "snowflake") -> DbtStatement:
    """The calls in this text. Raises ``StatementError``."""
    calls: list[DbtCall] = []
    outer: list[str] = []
    for part, is_template in _parts(text):
        if is_template:
            outer.append(f"{_STAND_IN}{len(calls)}")
            calls.append(_call(part))
        else:
            outer.append(part)
    if not calls:
        raise StatementError("no semantic_layer.query(...) in the text")
    return DbtStatement(tuple(calls), _missing_columns("".join(outer), calls, dialect))


def _parts(text: str) -> Iterator[tuple[str, bool]]:
    """The text in turns outside and inside ``{{ }}``; braces in quotes don't count."""
    while text:
        before, opened, rest = text.partition("{{")
        yield before, False
        if not opened:
            return
        end = _end_of_template(rest)
        if end is None:
            raise StatementError("a template that is not closed")
        yield rest[:end], True
        text = rest[end + 2 :]


def _end_of_template(text: str) -> int | None:
    quote: str | None = None
    for place, sign in enumerate(text):
        if quote:
            quote = None if sign == quote and text[place - 1] != "\\" else quote
        elif sign in "'\"":
            quote = sign
        elif text.startswith("}}", place):
            return place
    return None


def _call(template: str) -> DbtCall:
    try:
        node = ast.parse(template.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError) as error:
        raise StatementError(f"not a call: {template.strip()}") from error
    options = _options(node)
    metrics = _references(options.get("metrics"))
    group_by = _references(options.get("group_by"))
    data: dict[str, Any] = {
        "metrics": tuple(metric.name for metric in metrics),
        "group_by": tuple(item.item for item in group_by),
        "where": _texts(options.get("where")),
        "order_by": tuple(item.sort_key for item in _references(options.get("order_by"))),
        "limit": _literal(options.get("limit")),
    }
    try:
        call = MetricCall(**data)
    except ValidationError as error:
        raise StatementError(str(error)) from error
    return DbtCall(call, tuple(_columns(metrics, group_by)))


def _columns(metrics: list[Reference], group_by: list[Reference]) -> Iterator[str]:
    """The columns of a call's result; a time without a grain comes back with its own grain."""
    for each in (*metrics, *group_by):
        yield each.alias or each.item
    for item in group_by:
        if not item.alias and not item.grain:
            yield from (f"{item.item}__{grain}" for grain in GRAINS)


def _options(node: ast.expr) -> dict[str, ast.expr]:
    match node:
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id="semantic_layer"), attr="query"),
            args=[],
            keywords=keywords,
        ):
            found = {keyword.arg or "**": keyword.value for keyword in keywords}
        case _:
            raise StatementError(f"not semantic_layer.query(...): {ast.unparse(node)}")
    unknown = sorted(set(found) - _OPTIONS)
    if unknown:
        raise StatementError(f"unknown options: {', '.join(unknown)}")
    return found


def _elements(node: ast.expr | None) -> list[ast.expr]:
    if node is None or (isinstance(node, ast.Constant) and node.value is None):
        return []
    return node.elts if isinstance(node, ast.List | ast.Tuple) else [node]


def _references(node: ast.expr | None) -> list[Reference]:
    try:
        return [reference_from(each) for each in _elements(node)]
    except ReferenceSyntaxError as error:
        raise StatementError(f"names nothing: {error}") from error


def _texts(node: ast.expr | None) -> tuple[str, ...]:
    texts = [_literal(each) for each in _elements(node)]
    if not all(isinstance(text, str) for text in texts):
        raise StatementError("where is a text or a list of texts")
    return tuple(str(text) for text in texts)


def _literal(node: ast.expr | None) -> object:
    if node is None or isinstance(node, ast.Constant):
        return node.value if node else None
    raise StatementError(f"not a plain value: {ast.unparse(node)}")


def _missing_columns(sql: str, calls: list[DbtCall], dialect: str) -> tuple[str, ...]:
    """The columns that the surrounding SQL reads and no call gives."""
    try:
        statements = sqlglot.parse(sql, dialect=dialect)
    except (SqlglotError, RecursionError) as error:
        raise StatementError(f"the SQL around the call: {error}") from error
    if len(statements) != 1 or not isinstance(statements[0], exp.Query):
        raise StatementError("the SQL around the call is not one query")
    schema: dict[str, object] = {
        f"{_STAND_IN}{place}": dict.fromkeys(call.columns, "variant")
        for place, call in enumerate(calls)
    }
    try:
        qualify(statements[0], schema=schema, dialect=dialect, quote_identifiers=False)
    except SqlglotError as error:
        return tuple(dict.fromkeys(_UNRESOLVED.findall(str(error))))
    return ()
