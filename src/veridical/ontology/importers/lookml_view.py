"""A LookML view as an entity, and its measures as metrics."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from veridical.contracts.schema import ValueType
from veridical.ontology.importers.by_name import warn_by_name
from veridical.ontology.importers.entity_fields import (
    EntityFields,
    guard_sum,
    guessed_type,
    sourced,
)
from veridical.ontology.importers.expression import (
    ADDITIVE,
    aggregate_of,
    is_linear,
    plain_column,
)
from veridical.ontology.importers.imported import Draft
from veridical.ontology.importers.lookml_text import Block, Pair
from veridical.ontology.model import Entity, Field, Metric, MetricKind, Role

_REFERENCE = re.compile(r"\$\{\s*([\w.]+)\s*\}")
_TEMPLATE = re.compile(r"\{%|\{\{")
_TYPES: Final = {
    "string": ValueType.TEXT,
    "zipcode": ValueType.TEXT,
    "number": ValueType.NUMBER,
    "tier": ValueType.TEXT,
    "bin": ValueType.TEXT,
    "yesno": ValueType.BOOLEAN,
    "date": ValueType.DATE,
    "date_time": ValueType.TIMESTAMP,
    "time": ValueType.TIMESTAMP,
}
_TIMES: Final = frozenset({"date", "date_time", "time"})
_AGGREGATES: Final = {
    "sum": "sum",
    "sum_distinct": "sum",
    "count": "count",
    "count_distinct": "count_distinct",
    "average": "average",
    "average_distinct": "average",
    "min": "min",
    "max": "max",
    "median": "median",
    "median_distinct": "median",
    "percentile": "percentile",
    "percentile_distinct": "percentile",
}
_NUMBER: Final = "number"
_COMPARED = re.compile(r"(>=|<=|<>|!=|>|<|=)\s*(-?\d+(?:\.\d+)?)\Z")
_FIGURE = re.compile(r"-?\d+(?:\.\d+)?\Z")
_PLAIN = re.compile(r"-?[^%,\"'^]+\Z")
_RELATIVE = re.compile(r"(?i)^(?:last|this|next|before|after|today|yesterday|\d+ \w+)\b|\bago\b")
_TRUTH = {"yes": "TRUE", "no": "FALSE"}


@dataclass(slots=True)
class ViewFields:
    """A view with its dimensions as fields, by which explores and measures refer to columns."""

    name: str
    parts: tuple[Block, ...]
    fields: EntityFields = field(init=False)

    def __post_init__(self) -> None:
        self.fields = EntityFields()
        for block in self._last("dimension", "dimension_group"):
            if block.text("type") != "duration":
                self.fields.put(sourced(_field(block), self.sql(block.text("sql")) or None))

    def text(self, key: str) -> str:
        """The text of this parameter that counts: the last one."""
        return next((found for each in reversed(self.parts) if (found := each.text(key))), "")

    def measures(self) -> list[Block]:
        """Its measures, each as it was written last."""
        return self._last("measure")

    def members(self) -> list[Block]:
        """Its dimensions and measures."""
        return self._last("dimension", "dimension_group", "measure")

    def keys(self) -> tuple[str, ...]:
        """The dimensions that are its primary key."""
        return tuple(each.name for each in self._last("dimension") if each.is_on("primary_key"))

    def is_derived(self) -> bool:
        """True if a query stands behind it."""
        return any(True for each in self.parts for _ in each.blocks("derived_table"))

    def sql(self, text: str) -> str:
        """The SQL with names in place of references: ``${TABLE}.id`` is ``id`` of this view."""
        return _REFERENCE.sub(lambda found: self._named(found[1]), text).strip()

    def column(self, name: str) -> str:
        """The field behind a reference to this view, where a dimension group has timeframes."""
        if name in self.fields.fields:
            return name
        return next((each for each in self.fields.fields if name.startswith(f"{each}_")), name)

    def _named(self, reference: str) -> str:
        if reference == "TABLE":
            return self.name
        return reference if "." in reference else f"{self.name}.{reference}"

    def _last(self, *kinds: str) -> list[Block]:
        merged: dict[str, Block] = {}
        for part in self.parts:
            for block in part.blocks(*kinds):
                before = merged.get(block.name)
                parts = [*before.parts, *block.parts] if before else block.parts
                merged[block.name] = Block(block.kind, block.name, parts)
        return list(merged.values())


def add_view(view: ViewFields, draft: Draft) -> None:
    """Put the view's entity and its metrics into the draft."""
    measures = view.measures()
    for measure in measures:
        _add_measure(measure, view, {each.name: each for each in measures}, draft)
    keys = view.keys()
    table = view.text("sql_table_name").strip("` ").rpartition(".")[2].strip('`" ')
    if view.is_derived():
        draft.approximated(view.name, "query_source")
    if not keys:
        draft.approximated(view.name, "no_key")
    draft.entities.append(
        Entity(
            name=view.name,
            semantic_type=guessed_type(bool(measures)),
            description=view.text("description"),
            table=None if view.is_derived() else plain_column(table) or view.name,
            fields=tuple(view.fields.fields.values()),
            keys=(keys,) if keys else (),
            synonyms=tuple(filter(None, (view.text("label"),))),
        )
    )
    _note_display(view, draft)


def _note_display(view: ViewFields, draft: Draft) -> None:
    """One note each for what is hidden and for how figures are printed."""
    members = view.members()
    if hidden := [each.name for each in members if each.is_on("hidden")]:
        draft.approximated(f"{view.name}.hidden", "hidden_members", names=", ".join(hidden))
    formats = [
        f"{each.name} ({shown})"
        for each in members
        if (shown := each.text("value_format_name") or each.text("value_format"))
    ]
    if formats:
        draft.dropped(f"{view.name}.formats", "formats", formats=", ".join(formats))


def _field(block: Block) -> Field:
    kind = "time" if block.kind == "dimension_group" else block.text("type") or "string"
    is_time = kind in _TIMES
    is_key = block.is_on("primary_key")
    return Field(
        name=block.name,
        role=Role.KEY if is_key else Role.TIME if is_time else Role.DIMENSION,
        type=_TYPES.get(kind, ValueType.UNKNOWN),
        description=block.text("description"),
        synonyms=tuple(filter(None, (block.text("label"),))),
    )


def _add_measure(measure: Block, view: ViewFields, own: dict[str, Block], draft: Draft) -> None:
    path = f"{view.name}.measures.{measure.name}"
    kind = measure.text("type") or "string"
    if kind not in _AGGREGATES and kind != _NUMBER:
        draft.dropped(path, "text_measure", kind=kind)
        return
    sql = view.sql(measure.text("sql"))
    if _TEMPLATE.search(sql):
        draft.approximated(path, "template")
    if key := measure.text("sql_distinct_key"):
        draft.approximated(path, "distinct_key", column=view.sql(key))
    if parameter := measure.text("label_from_parameter"):
        draft.approximated(path, "label_parameter", parameter=parameter)
    function, argument = _AGGREGATES.get(kind), sql
    if kind == _NUMBER and (single := aggregate_of(sql)):
        function, argument = single.function, single.argument or ""
    field_name = _summed(argument, view) if function in ("sum", "average") else None
    if field_name:
        view.fields.measure(field_name)
        guard_sum(f"{view.name}.{field_name}", path, draft)
    if function == "sum":
        warn_by_name(view.name, field_name, (measure.name, argument), path, draft)
    additive = function in ADDITIVE if function else _is_additive_sum(measure, view, own)
    if not additive:
        draft.approximated(path, "not_additive", aggregate=kind)
    conditions = [filter_sql(each, view.name) for each in measure.filters()]
    if not all(conditions):
        draft.approximated(path, "filter_expression")
    draft.metrics.append(
        Metric(
            name=f"{view.name}.{measure.name}",
            kind=MetricKind.SIMPLE if function else MetricKind.DERIVED,
            entity=view.name,
            aggregate=function,
            field=field_name,
            expr=None if field_name else argument or None,
            inputs=() if function else tuple(_inputs(measure, view)),
            filter=" AND ".join(filter(None, conditions)) or None,
            description=measure.text("description"),
            label=measure.text("label") or None,
            additive=additive,
        )
    )


def _summed(argument: str, view: ViewFields) -> str | None:
    """The field that a measure adds up, if it is one."""
    table, _, column = argument.rpartition(".")
    if not plain_column(argument) or table not in ("", view.name):
        return None
    if column in view.fields.fields:
        return column
    return view.fields.on_column(column) or view.fields.put(
        Field(name=column, role=Role.MEASURE, type=ValueType.NUMBER)
    )


def _inputs(measure: Block, view: ViewFields) -> Iterator[str]:
    for name in dict.fromkeys(_REFERENCE.findall(measure.text("sql"))):
        if name != "TABLE":
            yield name if "." in name else f"{view.name}.{name}"


def _is_additive_sum(measure: Block, view: ViewFields, own: dict[str, Block]) -> bool:
    """True for sums and differences of measures of this view that add up themselves."""
    inputs = list(_inputs(measure, view))
    named = [own.get(each.removeprefix(f"{view.name}.")) for each in inputs]
    linear = is_linear(view.sql(measure.text("sql")))
    return bool(inputs) and linear and all(each and _adds_up(each) for each in named)


def _adds_up(measure: Block) -> bool:
    return _AGGREGATES.get(measure.text("type")) in ADDITIVE


def filter_sql(pair: Pair, view: str) -> str:
    """The condition in SQL; nothing where the expression says more than one comparison does."""
    name = pair.name.strip()
    column = name if "." in name else f"{view}.{name}"
    value = pair.value.strip()
    if value.lower() in _TRUTH:
        return f"{column} = {_TRUTH[value.lower()]}"
    if found := _COMPARED.match(value):
        return f"{column} {found[1].replace('!=', '<>')} {found[2]}"
    if _FIGURE.match(value):
        return f"{column} = {value}"
    if value.upper() in ("NULL", "-NULL"):
        return f"{column} IS {'NOT ' if value[0] == '-' else ''}NULL"
    if not value or not _PLAIN.match(value) or _RELATIVE.search(value):
        return ""
    if value.startswith("-"):
        return f"{column} <> '{value[1:]}'"
    return f"{column} = '{value}'"
