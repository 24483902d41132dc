"""Requests of a model: one structured tool call, or one SQL statement."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from veridical.contracts.wire import Wire

Scalar = str | int | float | bool | None
Operator = str
"""Any text: an unknown operator is a violation with a suggestion, not a parse error."""


class Filter(Wire):
    """One condition on one field; conditions of a call are all required together."""

    field: str
    op: Operator = "="
    value: Scalar | tuple[Scalar, ...] = None


class OrderBy(Wire):
    """One sort key."""

    field: str
    direction: Literal["asc", "desc"] = "asc"


class BrowseCall(Wire):
    """Show what a table holds: its columns and some rows."""

    tool: Literal["browseTable"] = "browseTable"
    table_name: str
    fields: tuple[str, ...] = ()
    limit: Annotated[int, Field(ge=1)] = 20


class QueryCall(Wire):
    """Rows of one table."""

    tool: Literal["queryTable"] = "queryTable"
    table_name: str
    fields: tuple[str, ...] = ()
    filters: tuple[Filter, ...] = ()
    order_by: tuple[OrderBy, ...] = ()
    limit: Annotated[int, Field(ge=1)] = 100


class AggregateCall(Wire):
    """One aggregate over rows of one table, optionally by group."""

    tool: Literal["aggregateTable"] = "aggregateTable"
    table_name: str
    aggregate: str
    field: str | None = None
    filters: tuple[Filter, ...] = ()
    group_by: tuple[str, ...] = ()
    order_by: tuple[OrderBy, ...] = ()
    limit: Annotated[int, Field(ge=1)] = 100


class MetricCall(Wire):
    """Metrics of the ontology by dimensions that can be reached from them."""

    tool: Literal["queryMetrics"] = "queryMetrics"
    metrics: tuple[str, ...] = ()
    group_by: tuple[str, ...] = ()
    filters: tuple[Filter, ...] = ()
    where: tuple[str, ...] = ()
    order_by: tuple[str, ...] = ()
    limit: Annotated[int, Field(ge=1)] | None = None


class SqlCall(Wire):
    """One read-only SQL statement: ``SqlCall("SELECT …")``."""

    tool: Literal["executeSqlSafe"] = "executeSqlSafe"
    sql: str
    limit: Annotated[int, Field(ge=1)] = 1000

    def __init__(self, sql: str | None = None, /, **fields: Any) -> None:
        """The statement alone will do."""
        super().__init__(**(fields if sql is None else {"sql": sql, **fields}))


TableCall = BrowseCall | QueryCall | AggregateCall
Call = TableCall | MetricCall | SqlCall

_CALLS: TypeAdapter[Call] = TypeAdapter(Annotated[Call, Field(discriminator="tool")])


def parse_call(data: Any) -> Call:
    """The call that a JSON object describes. Raises ``pydantic.ValidationError``."""
    return _CALLS.validate_python(data)


TABLE_TOOLS: Mapping[str, type[BrowseCall | QueryCall | AggregateCall | SqlCall]] = {
    "browseTable": BrowseCall,
    "queryTable": QueryCall,
    "aggregateTable": AggregateCall,
    "executeSqlSafe": SqlCall,
}
METRIC_TOOL = "queryMetrics"
CALL_MODELS: Mapping[str, type[Call]] = {**TABLE_TOOLS, METRIC_TOOL: MetricCall}
