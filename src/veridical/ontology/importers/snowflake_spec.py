"""The parts of a Snowflake semantic view, or of its forerunner the semantic model, in YAML."""

from typing import Annotated, Any

from pydantic import AliasChoices, BeforeValidator
from pydantic import Field as Pydantic

from veridical.ontology.importers.expression import plain_column
from veridical.ontology.importers.lenient import Lenient


def _as_sample(value: Any) -> Any:
    return value if isinstance(value, str | int | float) else str(value)


def _as_columns(value: Any) -> Any:
    return value.get("columns", ()) if isinstance(value, dict) else value


Sample = Annotated[str | int | float, BeforeValidator(_as_sample)]
Columns = Annotated[tuple[str, ...], BeforeValidator(_as_columns)]


class SnowflakeColumn(Lenient):
    """A dimension, a point in time or a fact of a table."""

    name: str
    expr: str | None = None
    description: str = ""
    synonyms: tuple[str, ...] = ()
    data_type: str = ""
    unique: bool = False
    is_enum: bool = False
    sample_values: tuple[Sample, ...] = ()
    default_aggregation: str | None = None
    access_modifier: str = "public_access"


class SnowflakeNonAdditive(Lenient):
    """A dimension over which a metric does not add up."""

    table: str = ""
    dimension: str
    sort_direction: str = "ascending"
    null_order: str | None = None


class SnowflakeMetric(Lenient):
    """An aggregate of a table, or a figure over metrics of several."""

    name: str
    expr: str
    description: str = ""
    synonyms: tuple[str, ...] = ()
    access_modifier: str = "public_access"
    non_additive_dimensions: tuple[SnowflakeNonAdditive, ...] = ()


class SnowflakeBaseTable(Lenient):
    """The base table."""

    database: str = ""
    schema_name: str = Pydantic(default="", validation_alias="schema")
    table: str = ""


class SnowflakeTable(Lenient):
    """One logical table."""

    name: str
    description: str = ""
    synonyms: tuple[str, ...] = ()
    base_table: SnowflakeBaseTable = SnowflakeBaseTable()
    primary_key: Columns = ()
    unique_keys: tuple[Columns, ...] = ()
    dimensions: tuple[SnowflakeColumn, ...] = ()
    time_dimensions: tuple[SnowflakeColumn, ...] = ()
    facts: tuple[SnowflakeColumn, ...] = Pydantic(
        default=(), validation_alias=AliasChoices("facts", "measures")
    )
    metrics: tuple[SnowflakeMetric, ...] = ()

    @property
    def keys(self) -> tuple[tuple[str, ...], ...]:
        """The declared keys, and each unique column."""
        single = (
            (plain_column(column.expr) or column.name,)
            for column in (*self.dimensions, *self.time_dimensions)
            if column.unique
        )
        declared = (self.primary_key, *self.unique_keys, *single)
        return tuple(dict.fromkeys(key for key in declared if key))


class SnowflakePair(Lenient):
    """Two columns that must be equal."""

    left_column: str
    right_column: str


class SnowflakeRelationship(Lenient):
    """A join of two tables: the left one has the foreign key."""

    name: str = ""
    left_table: str
    right_table: str
    relationship_columns: tuple[SnowflakePair, ...] = ()
    relationship_type: str = ""
    join_type: str = ""


class SnowflakeVerifiedQuery(Lenient):
    """A question and its verified SQL."""

    name: str
    question: str
    sql: str
    verified_at: Any = None
    verified_by: str = ""
    use_as_onboarding_question: bool = False


class SnowflakeFile(Lenient):
    """One semantic view or model."""

    name: str = ""
    description: str = ""
    tables: tuple[SnowflakeTable, ...] = ()
    relationships: tuple[SnowflakeRelationship, ...] = ()
    metrics: tuple[SnowflakeMetric, ...] = ()
    verified_queries: tuple[SnowflakeVerifiedQuery, ...] = ()
    custom_instructions: str = ""
    module_custom_instructions: dict[str, str] = Pydantic(default_factory=dict[str, str])
