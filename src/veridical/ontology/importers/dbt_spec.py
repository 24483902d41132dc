"""The parts of a dbt project that carry meaning, in the shape of its compiled manifest."""

import re
from typing import Annotated, Any

from pydantic import AliasChoices, BeforeValidator, Field, model_validator

from veridical.ontology.importers.lenient import Lenient

_REFERENCE = re.compile(r"(?:ref|source)\s*\((.*?)\)", re.DOTALL)
_QUOTED = re.compile(r"""['"]([^'"]+)['"]""")


def _as_filter(value: Any) -> Any:
    """One SQL template: YAML has a text or a list of them, a manifest has a list of objects."""
    if isinstance(value, dict):
        value = value.get("where_filters", [])
    if isinstance(value, list):
        parts = [
            part.get("where_sql_template") if isinstance(part, dict) else part for part in value
        ]
        return " AND ".join(f"({part})" if len(parts) > 1 else str(part) for part in parts) or None
    return value


def _as_input(value: Any) -> Any:
    return {"name": value} if isinstance(value, str) else value


def _as_window(value: Any) -> Any:
    if isinstance(value, dict):
        return f"{value.get('count')} {value.get('granularity')}"
    return value


def _as_expr(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def _as_aggregate(value: Any) -> Any:
    folded = str(value).lower()
    return "average" if folded in ("avg", "mean") else folded


Filter = Annotated[str | None, BeforeValidator(_as_filter)]
Window = Annotated[str | None, BeforeValidator(_as_window)]
Expr = Annotated[str | None, BeforeValidator(_as_expr)]
Agg = Annotated[str, BeforeValidator(_as_aggregate)]
Lower = Annotated[str, BeforeValidator(lambda value: str(value).lower())]


class DbtInput(Lenient):
    """A metric or measure within a metric."""

    name: str
    filter: Filter = None
    alias: str | None = None
    offset_window: Window = None
    offset_to_grain: str | None = None
    fill_nulls_with: int | None = None
    join_to_timespine: bool = False


Input = Annotated[DbtInput, BeforeValidator(_as_input)]


class DbtEntity(Lenient):
    """A key of a semantic model."""

    name: str
    type: Lower
    expr: Expr = None
    description: str = ""
    label: str | None = None
    role: str | None = None


class DbtValidity(Lenient):
    """The end of a row's validity that a time dimension marks."""

    is_start: bool = False
    is_end: bool = False


class DbtDimensionParams(Lenient):
    """The settings of a time dimension."""

    time_granularity: Lower = "day"
    validity_params: DbtValidity | None = None


class DbtDimension(Lenient):
    """A dimension."""

    name: str
    type: Lower = "categorical"
    expr: Expr = None
    description: str = ""
    label: str | None = None
    is_partition: bool = False
    type_params: DbtDimensionParams = DbtDimensionParams()


class DbtNonAdditive(Lenient):
    """The dimension over which a measure does not add up."""

    name: str
    window_choice: Lower = Field(
        default="min", validation_alias=AliasChoices("window_choice", "window_agg")
    )
    window_groupings: tuple[str, ...] = Field(
        default=(), validation_alias=AliasChoices("window_groupings", "group_by")
    )


class DbtMeasure(Lenient):
    """An aggregate of one semantic model."""

    name: str
    agg: Agg
    expr: Expr = None
    description: str = ""
    label: str | None = None
    create_metric: bool = False
    agg_time_dimension: str | None = None
    agg_params: dict[str, Any] = Field(default_factory=dict[str, Any])
    non_additive_dimension: DbtNonAdditive | None = None


class DbtAggregation(Lenient):
    """The aggregate of a simple metric that needs no measure."""

    semantic_model: str
    agg: Agg
    expr: Expr = None
    agg_time_dimension: str | None = None
    agg_params: dict[str, Any] = Field(default_factory=dict[str, Any])
    non_additive_dimension: DbtNonAdditive | None = None


class DbtDefaults(Lenient):
    """The defaults of measures."""

    agg_time_dimension: str | None = None


class DbtNodeRelation(Lenient):
    """The relation of a compiled model."""

    alias: str
    schema_name: str | None = None
    database: str | None = None
    relation_name: str | None = None


class DbtModel(Lenient):
    """One semantic model."""

    name: str
    model: str | None = None
    node_relation: DbtNodeRelation | None = None
    description: str = ""
    label: str | None = None
    primary_entity: str | None = None
    defaults: DbtDefaults = DbtDefaults()
    entities: tuple[DbtEntity, ...] = ()
    dimensions: tuple[DbtDimension, ...] = ()
    measures: tuple[DbtMeasure, ...] = ()

    @property
    def table(self) -> str:
        """The table behind the model: the last name that ``ref()`` or ``source()`` quotes."""
        if self.node_relation:
            return self.node_relation.alias
        called = _REFERENCE.search(self.model or "")
        quoted = _QUOTED.findall(called.group(1)) if called else []
        return quoted[-1] if quoted else (self.model or self.name)


class DbtConversion(Lenient):
    """The two events of a conversion."""

    base_measure: Input | None = None
    conversion_measure: Input | None = None
    base_metric: Input | None = None
    conversion_metric: Input | None = None
    entity: str | None = None
    calculation: str | None = None
    window: Window = None
    constant_properties: tuple[Any, ...] = ()


class DbtCumulative(Lenient):
    """The window of a running figure."""

    window: Window = None
    grain_to_date: str | None = None
    period_agg: str | None = None
    metric: Input | None = None


class DbtMetricParams(Lenient):
    """The parameters of a metric's type."""

    measure: Input | None = None
    metric: Input | None = None
    metrics: tuple[Input, ...] = ()
    numerator: Input | None = None
    denominator: Input | None = None
    expr: Expr = None
    window: Window = None
    grain_to_date: str | None = None
    cumulative_type_params: DbtCumulative | None = None
    conversion_type_params: DbtConversion | None = None
    input_measures: tuple[Any, ...] = ()
    metric_aggregation_params: DbtAggregation | None = None
    join_to_timespine: bool = False
    fill_nulls_with: int | None = None
    is_private: bool = False


class DbtMetric(Lenient):
    """One metric."""

    name: str
    type: Lower = "simple"
    description: str = ""
    label: str | None = None
    filter: Filter = None
    type_params: DbtMetricParams = DbtMetricParams()


class DbtQueryParams(Lenient):
    """The parameters of a saved query."""

    metrics: tuple[str, ...] = ()
    group_by: tuple[str, ...] = ()
    where: Filter = None
    order_by: tuple[str, ...] = ()
    limit: int | None = None


class DbtSavedQuery(Lenient):
    """A saved query."""

    name: str
    description: str = ""
    label: str | None = None
    query_params: DbtQueryParams = DbtQueryParams()
    exports: tuple[Any, ...] = ()


class DbtProject(Lenient):
    """All declarations of one or more files."""

    semantic_models: tuple[DbtModel, ...] = ()
    metrics: tuple[DbtMetric, ...] = ()
    saved_queries: tuple[DbtSavedQuery, ...] = ()
    time_grains: tuple[str, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _only_what_is_ours(cls, data: Any) -> Any:
        if isinstance(data, dict):
            return {key: value for key, value in data.items() if key in cls.model_fields}
        return data
