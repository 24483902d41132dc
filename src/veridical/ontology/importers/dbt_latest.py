"""dbt's latest YAML: semantics as annotations on ``models:`` and their columns.

Its content is that of the legacy form in other places, so it is rewritten into that form.
"""

from collections.abc import Mapping
from typing import Any, Final

from veridical.ontology.importers.dbt_spec import DbtProject
from veridical.ontology.importers.lenient import children

_AGGREGATION: Final = ("agg", "expr", "agg_time_dimension", "non_additive_dimension")
_PERCENTILE: Final = ("percentile", "percentile_type")
_CUMULATIVE: Final = ("window", "grain_to_date", "period_agg")
_CONVERSION: Final = (
    "base_metric",
    "conversion_metric",
    "entity",
    "calculation",
    "window",
    "constant_properties",
)
_PARAMS: Final = ("numerator", "denominator", "expr", "join_to_timespine", "fill_nulls_with")
_RENAMED: Final = {"input_metrics": "metrics", "input_metric": "metric", "hidden": "is_private"}
_KINDS: Final = frozenset({"simple", "derived", "ratio", "cumulative", "conversion"})

Node = Mapping[str, Any]


def recognises(document: Node) -> bool:
    """True when a model carries semantics, or a metric is written without ``type_params``."""
    return any(_is_semantic(model) for model in children(document, "models")) or any(
        _is_latest_metric(metric) for metric in children(document, "metrics")
    )


def read(document: Node) -> DbtProject:
    """The project's part in this document. Raises ``pydantic.ValidationError``."""
    models = [model for model in children(document, "models") if _is_semantic(model)]
    enabled = [model for model in models if _settings(model).get("enabled", True)]
    metrics = [
        _metric(metric, _name(model)) for model in enabled for metric in children(model, "metrics")
    ]
    across = [each for each in children(document, "metrics") if _is_latest_metric(each)]
    grains = [
        grain["name"]
        for model in children(document, "models")
        for grain in children(model.get("time_spine") or {}, "custom_granularities")
    ]
    return DbtProject.model_validate(
        {
            "semantic_models": [_model(model) for model in enabled],
            "metrics": [*metrics, *(_metric(metric, None) for metric in across)],
            "time_grains": grains,
        }
    )


def _is_semantic(model: Node) -> bool:
    return bool(model.get("semantic_model"))


def _is_latest_metric(metric: Node) -> bool:
    return "type_params" not in metric and metric.get("type") in _KINDS


def _settings(model: Node) -> Node:
    settings = model["semantic_model"]
    return settings if isinstance(settings, dict) else {}


def _name(model: Node) -> str:
    return _settings(model).get("name") or model["name"]


def _model(model: Node) -> dict[str, Any]:
    derived = model.get("derived_semantics") or {}
    columns = children(model, "columns")
    return {
        "name": _name(model),
        "model": f"ref('{model['name']}')",
        "description": model.get("description"),
        "primary_entity": model.get("primary_entity"),
        "defaults": {"agg_time_dimension": model.get("agg_time_dimension")},
        "entities": [
            *(_annotation(column, "entity") for column in columns if column.get("entity")),
            *children(derived, "entities"),
        ],
        "dimensions": [
            *(_dimension(column) for column in columns if column.get("dimension")),
            *(_time_settings(each, each) for each in children(derived, "dimensions")),
        ],
    }


def _annotation(column: Node, key: str) -> dict[str, Any]:
    """A column's ``entity:`` or ``dimension:``; a bare word is its type."""
    annotation = column[key]
    annotation = {"type": annotation} if isinstance(annotation, str) else dict(annotation)
    return {"name": column["name"], "description": column.get("description"), **annotation} | (
        {"expr": column["name"]} if annotation.get("name", column["name"]) != column["name"] else {}
    )


def _dimension(column: Node) -> dict[str, Any]:
    return _time_settings(_annotation(column, "dimension"), column)


def _time_settings(dimension: Node, column: Node) -> dict[str, Any]:
    rest = {
        key: dimension[key] for key in dimension if key not in ("granularity", "validity_params")
    }
    params = {
        "time_granularity": column.get("granularity") or dimension.get("granularity"),
        "validity_params": dimension.get("validity_params"),
    }
    return {**rest, "type_params": params}


def _metric(metric: Node, model: str | None) -> dict[str, Any]:
    kind = str(metric.get("type", "simple")).lower()
    params: dict[str, Any] = {
        new: metric[old] for old, new in _RENAMED.items() if metric.get(old) is not None
    }
    params |= _taken(metric, _PARAMS)
    read = {*_RENAMED, *_PARAMS}
    if kind == "simple":
        read |= {*_AGGREGATION, *_PERCENTILE}
        params["metric_aggregation_params"] = {
            **_taken(metric, _AGGREGATION),
            "semantic_model": model or "",
            "agg_params": _taken(metric, _PERCENTILE),
        }
    if kind == "cumulative":
        read |= set(_CUMULATIVE)
        params["cumulative_type_params"] = _taken(metric, _CUMULATIVE)
    if kind == "conversion":
        read |= set(_CONVERSION)
        params["conversion_type_params"] = _taken(metric, _CONVERSION)
    rest = {key: value for key, value in metric.items() if key not in read}
    return {**rest, "type": kind, "type_params": params}


def _taken(node: Node, keys: tuple[str, ...]) -> dict[str, Any]:
    return {key: node[key] for key in keys if node.get(key) is not None}
