"""dbt's metrics as metrics of the ontology, with a note wherever something is lost."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from veridical.ontology.importers.dbt_entity import measured_field
from veridical.ontology.importers.dbt_spec import DbtInput, DbtMeasure, DbtMetric, DbtModel
from veridical.ontology.importers.entity_fields import EntityFields
from veridical.ontology.importers.expression import ADDITIVE, is_linear
from veridical.ontology.importers.imported import Draft
from veridical.ontology.model import Metric, MetricKind

_KINDS: Final = {kind.value.casefold(): kind for kind in MetricKind}


@dataclass(frozen=True, slots=True)
class Measured:
    """A measure, the model it belongs to, and that model's fields."""

    measure: DbtMeasure
    model: DbtModel
    entity_fields: EntityFields


Measures = Mapping[str, Measured]


def add_metrics(metrics: Iterator[DbtMetric], measures: Measures, draft: Draft) -> None:
    """Put the metrics, and those that measures declare themselves, into the draft."""
    for name, found in measures.items():
        if found.measure.create_metric:
            draft.metrics.append(_over(found, name, MetricKind.SIMPLE))
            _note_aggregate(found.measure, f"metrics.{name}", draft)
    for metric in metrics:
        built = _metric(metric, measures, draft)
        if built is not None:
            draft.metrics.append(built)
            _note_inputs(metric, draft)
    _settle_additivity(draft)


def _metric(metric: DbtMetric, measures: Measures, draft: Draft) -> Metric | None:
    path = f"metrics.{metric.name}"
    kind = _KINDS.get(metric.type)
    if kind is None:
        draft.dropped(path, "metric_kind_unknown", kind=metric.type)
        return None
    inputs = tuple(each.name for each in metric_inputs(metric))
    measure = _measure_of(metric)
    if measure is None and not inputs:
        draft.dropped(path, "metric_without_input")
        return None
    found = measures.get(measure.name) if measure else None
    if measure and found is None:
        draft.dropped(path, "measure_unknown", measure=measure.name)
        return None
    if found and measure:
        built = _over(found, metric.name, kind, _both(metric.filter, measure.filter))
        _note_aggregate(found.measure, path, draft)
    else:
        built = Metric(name=metric.name, kind=kind, filter=metric.filter, inputs=inputs)
    return built.model_copy(
        update={
            "description": metric.description or built.description,
            "label": metric.label,
            "expr": metric.type_params.expr if not found else built.expr,
        }
    )


def _over(found: Measured, name: str, kind: MetricKind, condition: str | None = None) -> Metric:
    measure, model = found.measure, found.model
    summed = measure.agg in ADDITIVE and measure.non_additive_dimension is None
    return Metric(
        name=name,
        kind=kind,
        entity=model.name,
        aggregate=measure.agg,
        field=measured_field(measure, found.entity_fields),
        filter=condition,
        description=measure.description,
        label=measure.label,
        time_field=measure.agg_time_dimension or model.defaults.agg_time_dimension,
        additive=summed and kind is MetricKind.SIMPLE,
    )


def _measure_of(metric: DbtMetric) -> DbtInput | None:
    params = metric.type_params
    if params.metric_aggregation_params and not params.measure:
        return DbtInput(name=metric.name)
    conversion = params.conversion_type_params
    return params.measure or (conversion.base_measure if conversion else None)


def metric_inputs(metric: DbtMetric) -> Iterator[DbtInput]:
    """The other metrics in a metric, the base of a conversion first."""
    params = metric.type_params
    conversion, cumulative = params.conversion_type_params, params.cumulative_type_params
    several = (
        params.numerator,
        params.denominator,
        params.metric,
        cumulative.metric if cumulative else None,
        conversion.base_metric if conversion else None,
        conversion.conversion_metric if conversion else None,
    )
    yield from params.metrics
    yield from (each for each in several if each is not None)


def _both(first: str | None, second: str | None) -> str | None:
    parts = [part.strip() for part in (first, second) if part]
    return parts[0] if len(parts) == 1 else " AND ".join(f"({part})" for part in parts) or None


def _note_aggregate(measure: DbtMeasure, path: str, draft: Draft) -> None:
    if measure.agg not in ADDITIVE:
        draft.approximated(path, "not_additive", aggregate=measure.agg)


def _note_inputs(metric: DbtMetric, draft: Draft) -> None:
    path, params = f"metrics.{metric.name}", metric.type_params
    if metric.type == "cumulative":
        cumulative = params.cumulative_type_params
        window = params.window or params.grain_to_date
        if cumulative:
            window = window or cumulative.window or cumulative.grain_to_date
        draft.approximated(path, "cumulative", window=window or "-")
    if metric.type == "conversion":
        conversion = params.conversion_type_params
        draft.approximated(path, "conversion", window=(conversion and conversion.window) or "-")
    for each in metric_inputs(metric):
        offset = each.offset_window or each.offset_to_grain
        if offset:
            draft.approximated(path, "input_offset", input=each.name, offset=offset)
        if each.filter:
            draft.approximated(path, "input_filter", input=each.name, filter=each.filter.strip())


def _settle_additivity(draft: Draft) -> None:
    """Marks metrics of metrics as additive if they only add and subtract additive ones."""
    known = {metric.name: metric for metric in draft.metrics}

    def adds_up(metric: Metric, above: frozenset[str]) -> bool:
        if metric.entity:
            return metric.additive
        if metric.kind is not MetricKind.DERIVED or metric.name in above:
            return False
        below = above | {metric.name}
        parts = [known.get(name) for name in metric.inputs]
        return is_linear(metric.expr or "") and all(part and adds_up(part, below) for part in parts)

    draft.metrics[:] = [
        metric.model_copy(update={"additive": adds_up(metric, frozenset())})
        for metric in draft.metrics
    ]
