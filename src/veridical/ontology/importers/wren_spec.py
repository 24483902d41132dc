"""The parts of WrenAI's MDL: one manifest in JSON, or a project of YAML files with the same parts.

The manifest writes keys like ``tableReference``, the files like ``table_reference``: they are read
as the latter.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from pydantic import AliasChoices
from pydantic import Field as Pydantic

from veridical.ontology.importers.lenient import Lenient

_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_DIALECTS: Final = {
    "postgres": "postgres",
    "redshift": "redshift",
    "bigquery": "bigquery",
    "clickhouse": "clickhouse",
    "duckdb": "duckdb",
    "local_file": "duckdb",
    "mssql": "tsql",
    "mysql": "mysql",
    "oracle": "oracle",
    "snowflake": "snowflake",
    "spark": "spark",
    "databricks": "databricks",
    "athena": "athena",
    "trino": "trino",
}


class WrenProperties(Lenient):
    """The free properties of a part."""

    description: str = ""
    display_name: str = ""
    question: str = ""


class WrenColumn(Lenient):
    """A column of a model: of its table, computed, or the way to another model."""

    name: str
    type: str = ""
    relationship: str = ""
    is_calculated: bool = False
    not_null: bool = False
    expression: str = ""
    is_hidden: bool = False
    is_primary_key: bool = False
    properties: WrenProperties = WrenProperties()


class WrenTable(Lenient):
    """The table of a model."""

    catalog: str = ""
    schema_name: str = Pydantic(default="", validation_alias="schema")
    table: str = ""


class WrenModel(Lenient):
    """One model."""

    name: str
    table_reference: WrenTable = WrenTable()
    ref_sql: str = ""
    base_object: str = ""
    columns: tuple[WrenColumn, ...] = ()
    primary_key: Any = ""
    cached: bool = False
    refresh_time: str = ""
    properties: WrenProperties = WrenProperties()

    @property
    def key(self) -> tuple[str, ...]:
        """The columns of the primary key."""
        several = isinstance(self.primary_key, list)
        named = self.primary_key if several else [self.primary_key] if self.primary_key else []
        marked = [each.name for each in self.columns if each.is_primary_key]
        return tuple(map(str, named or marked))


class WrenRelationship(Lenient):
    """A join of two models."""

    name: str
    models: tuple[str, ...] = ()
    join_type: str = ""
    condition: str = ""
    properties: WrenProperties = WrenProperties()


class WrenExpression(Lenient):
    """A measure or a dimension."""

    name: str
    expression: str = ""
    type: str = ""
    properties: WrenProperties = WrenProperties()


class WrenCube(Lenient):
    """Measures over a model; older manifests call it a metric."""

    name: str
    base_object: str
    measures: tuple[WrenExpression, ...] = Pydantic(
        default=(), validation_alias=AliasChoices("measures", "measure")
    )
    dimensions: tuple[WrenExpression, ...] = Pydantic(
        default=(), validation_alias=AliasChoices("dimensions", "dimension")
    )
    time_dimensions: tuple[WrenExpression, ...] = ()
    time_grain: tuple[Any, ...] = ()
    hierarchies: dict[str, Any] = Pydantic(default_factory=dict[str, Any])
    properties: WrenProperties = WrenProperties()


class WrenView(Lenient):
    """A named query; with its question, if it was saved from an answer."""

    name: str
    statement: str = ""
    properties: WrenProperties = WrenProperties()


class WrenValue(Lenient):
    """A value of a closed list."""

    name: str
    value: str = ""


class WrenEnum(Lenient):
    """A closed list that columns name as their type."""

    name: str
    values: tuple[WrenValue, ...] = ()


class WrenPair(Lenient):
    """A question with the SQL that answers it."""

    question: str = Pydantic(validation_alias=AliasChoices("nl", "question"))
    sql: str


class WrenFile(Lenient):
    """A manifest, or one file of a project."""

    name: str = ""
    catalog: str = ""
    schema_name: str = Pydantic(default="", validation_alias="schema")
    data_source: str = ""
    models: tuple[WrenModel, ...] = ()
    relationships: tuple[WrenRelationship, ...] = ()
    cubes: tuple[WrenCube, ...] = ()
    metrics: tuple[WrenCube, ...] = ()
    views: tuple[WrenView, ...] = ()
    enum_definitions: tuple[WrenEnum, ...] = ()
    pairs: tuple[WrenPair, ...] = ()

    @property
    def dialect(self) -> str | None:
        """The dialect of its SQL."""
        return _DIALECTS.get(self.data_source.casefold())


def snake_keys(value: Any) -> Any:
    """The value with keys like ``table_reference`` throughout."""
    if isinstance(value, Mapping):
        return {
            _HUMP.sub("_", str(key)).lower(): snake_keys(each)
            for key, each in value.items()  # pyright: ignore[reportUnknownVariableType]
        }
    return [snake_keys(each) for each in value] if isinstance(value, list) else value
