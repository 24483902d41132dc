"""Databricks metric views: one source, its joins, dimensions and measures."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from pydantic import AliasChoices
from pydantic import Field as Pydantic

from veridical.contracts.schema import ValueType
from veridical.ontology.importers.by_name import warn_by_name
from veridical.ontology.importers.entity_fields import (
    EntityFields,
    guard_sum,
    guessed_type,
    join_pairs,
    sourced,
)
from veridical.ontology.importers.expression import ADDITIVE, aggregate_of, columns_in
from veridical.ontology.importers.imported import Draft
from veridical.ontology.importers.lenient import Lenient, unknown_keys
from veridical.ontology.importers.row_filter import add_row_filter
from veridical.ontology.model import Cardinality, Entity, Field, Metric, MetricKind, Relation, Role

_DIALECT: Final = "databricks"
_SOURCE: Final = "source"
"""The name of the source's rows in conditions."""


class _Member(Lenient):
    name: str
    expr: str
    comment: str = ""
    display_name: str | None = None
    synonyms: tuple[str, ...] = ()
    format: Any = None


class _Measure(_Member):
    window: tuple[dict[str, Any], ...] = ()


class _Join(Lenient):
    name: str
    source: str
    # YAML 1.1 reads a bare `on` as true.
    on: str = Pydantic(default="", validation_alias=AliasChoices("on", "True", "using"))
    rely: Any = None
    joins: "tuple[_Join, ...]" = ()


class MetricView(Lenient):
    """One metric view."""

    source: str
    comment: str = ""
    filter: str = ""
    joins: tuple[_Join, ...] = ()
    dimensions: tuple[_Member, ...] = Pydantic(
        default=(), validation_alias=AliasChoices("dimensions", "fields")
    )
    measures: tuple[_Measure, ...] = ()


def recognises(document: Mapping[str, Any]) -> bool:
    """True for a source with measures that have expressions."""
    measures = document.get("measures")
    return (
        isinstance(document.get(_SOURCE), str)
        and isinstance(measures, list)
        and all(isinstance(each, dict) and "expr" in each for each in measures)
    )


def read(document: Mapping[str, Any]) -> MetricView:
    """The typed document. Raises ``pydantic.ValidationError``."""
    return MetricView.model_validate(_with_names(dict(document)))


def _with_names(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _with_names(each) for key, each in value.items()}
    return [_with_names(each) for each in value] if isinstance(value, list) else value


def build(views: Iterable[MetricView], draft: Draft) -> None:
    """Put each view into the draft: an entity for its source, and one for each join."""
    for view in views:
        _add(view, draft)


def _add(view: MetricView, draft: Draft) -> None:
    name = _table(view.source) or "source"
    parts = {name: view.source, **{each.name: each.source for each, _ in _joins(view.joins, name)}}
    fields = {each: EntityFields() for each in parts}
    _add_fields(view, name, fields, draft)
    for measure in view.measures:
        _add_measure(measure, name, fields[name], draft)
    for entity, source in parts.items():
        table = _table(source)
        if table is None:
            draft.approximated(f"{entity}.source", "query_text", sql=" ".join(source.split()))
        draft.entities.append(
            Entity(
                name=entity,
                semantic_type=guessed_type(entity == name and bool(view.measures)),
                description=view.comment if entity == name else "",
                table=table,
                fields=tuple(fields[entity].fields.values()),
            )
        )
    for join, near in _joins(view.joins, name):
        _add_relation(join, near, name, fields, draft)
    if view.filter:
        add_row_filter(name, view.filter, f"{name}.filter", draft)
    _note_formats(view, name, draft)
    for path, key in unknown_keys(view, name):
        if not path.endswith(("synonyms", "display_name")):
            draft.dropped(path, "key_unread", part=key)


def _table(source: str) -> str | None:
    """The last part of the table's name; none for a query."""
    return None if any(map(str.isspace, source.strip())) else source.rpartition(".")[2].strip("`")


def _joins(joins: Iterable[_Join], near: str) -> Iterator[tuple[_Join, str]]:
    """All joins with the name of what they join to."""
    for each in joins:
        yield each, near
        yield from _joins(each.joins, each.name)


def _add_fields(view: MetricView, name: str, fields: dict[str, EntityFields], draft: Draft) -> None:
    for each in view.dimensions:
        named = {table or name for table, _ in columns_in(each.expr, _DIALECT)}
        owners = {name if table == _SOURCE else table for table in named} & fields.keys()
        owner = owners.pop() if len(owners) == 1 else name
        expr = each.expr.removeprefix(f"{owner}.").removeprefix(f"{_SOURCE}.")
        plain = Field(
            name=each.name,
            role=Role.DIMENSION,
            type=ValueType.UNKNOWN,
            description=each.comment,
            synonyms=tuple(filter(None, (each.display_name, *each.synonyms))),
        )
        fields[owner].put(sourced(plain, expr))


def _add_measure(measure: _Measure, name: str, fields: EntityFields, draft: Draft) -> None:
    path = f"{name}.measures.{measure.name}"
    single = aggregate_of(measure.expr, _DIALECT)
    function = single.function if single else None
    column = single.argument if single and single.is_column else None
    if column and function in ("sum", "average"):
        field = fields.on_column(column)
        if field is None:
            field = fields.put(Field(name=column, role=Role.MEASURE, type=ValueType.NUMBER))
        fields.measure(field)
        guard_sum(f"{name}.{field}", path, draft)
        if function == "sum":
            warn_by_name(name, field, (measure.name,), path, draft)
    if measure.window:
        window = "; ".join(f"{key}: {each[key]}" for each in measure.window for key in each)
        draft.approximated(path, "cumulative", window=window)
    if function not in ADDITIVE:
        draft.approximated(path, "not_additive", aggregate=function or measure.expr)
    draft.metrics.append(
        Metric(
            name=f"{name}.{measure.name}",
            kind=_kind(measure, is_simple=single is not None),
            entity=name,
            aggregate=function,
            field=fields.on_column(column) if column else None,
            expr=measure.expr,
            description=measure.comment,
            label=measure.display_name,
            additive=function in ADDITIVE and not measure.window,
        )
    )


def _kind(measure: _Measure, *, is_simple: bool) -> MetricKind:
    if measure.window:
        return MetricKind.CUMULATIVE
    return MetricKind.SIMPLE if is_simple else MetricKind.DERIVED


def _add_relation(
    join: _Join, near: str, name: str, fields: dict[str, EntityFields], draft: Draft
) -> None:
    path = f"{name}.joins.{join.name}"
    named = {**fields, _SOURCE: fields[name]}
    root = _SOURCE if near == name else near
    via = join_pairs(join.on, root, join.name, named)
    if via is None:
        draft.approximated(path, "join_unreadable", sql=join.on)
    if join.rely:
        draft.dropped(f"{path}.rely", "key_unread", part=f"rely ({json.dumps(join.rely)})")
    draft.relations.append(
        Relation(
            from_entity=near,
            to_entity=join.name,
            cardinality=Cardinality.MANY_TO_ONE,
            via=via or (),
        )
    )


def _note_formats(view: MetricView, name: str, draft: Draft) -> None:
    formats = [
        f"{each.name} ({json.dumps(each.format)})"
        for each in (*view.dimensions, *view.measures)
        if each.format
    ]
    if formats:
        draft.dropped(f"{name}.formats", "formats", formats=", ".join(formats))
