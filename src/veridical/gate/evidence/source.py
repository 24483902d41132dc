"""Exhibits from recorded calls, with the meaning of each column from the ontology."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from veridical.arithmetic import ArithmeticRefusedError, compute
from veridical.contracts.answer import Source
from veridical.contracts.language import Language, Text
from veridical.contracts.lineage import Lineage
from veridical.contracts.result import TimeRange
from veridical.evidence.column import Additivity
from veridical.evidence.exhibit import Calculation, Exhibit, Measure
from veridical.gate.evidence.read_cells import Named, keep_read_cells, none_named
from veridical.gate.evidence.statement import (
    Origin,
    compared,
    parsed,
    pinned,
    projected,
    row_table,
)
from veridical.lineage.statement import lineage_of_text
from veridical.messages import message
from veridical.ontology.catalog import Catalog, ColumnCard
from veridical.ontology.model import (
    Encoding,
    Entity,
    Field,
    Judgement,
    OntologyDescriptor,
    Role,
)
from veridical.reading.stored import stored_date

_EXPRESSION = "expression"
_ADDS_UP = frozenset({"sum", "count"})
_FULL = "count"


@dataclass(frozen=True, slots=True)
class Meaning:
    """Knowledge of columns beyond the rows: their names, how they add up."""

    catalog: Catalog
    labels: Mapping[str, tuple[str, ...]]
    """The names of each column in all languages."""
    fields: Mapping[str, Field]
    """Fields by ``table.column``."""
    entities: Mapping[str, Entity]
    """Entities by casefolded table."""
    titles: Mapping[str, Text]
    """Titles in answers by column of any known question's result."""
    questions: Mapping[str, Mapping[str, Text]]
    """The same by intent: those of one known question."""
    measured: frozenset[str] = frozenset()
    """Casefolded columns that are measured wherever they stand: a filter does not prove a value."""


def meaning_of(ontology: OntologyDescriptor, catalog: Catalog) -> Meaning:
    """Collected once for a feature."""
    labels: dict[str, list[str]] = {}
    fields: dict[str, Field] = {}
    titles: dict[str, Text] = {}
    for entity in ontology.entities:
        for field in entity.fields:
            column = field.column or field.name
            labels.setdefault(column, []).extend((*field.synonyms, *_texts(field.label)))
            fields[f"{entity.table}.{column}"] = field
    for pattern in ontology.canonical_patterns:
        for column, text in pattern.labels.items():
            labels.setdefault(column, []).extend(_texts(text))
            titles[column] = text
    known = {name: tuple(dict.fromkeys(found)) for name, found in labels.items() if found}
    entities = {each.table.casefold(): each for each in ontology.entities if each.table}
    questions = {each.intent: each.labels for each in ontology.canonical_patterns if each.labels}
    return Meaning(catalog, known, fields, entities, titles, questions, _measured(catalog))


def _texts(text: Text) -> Iterable[str]:
    return filter(None, (text,) if isinstance(text, str) else text.values())


def _measured(catalog: Catalog) -> frozenset[str]:
    roles: dict[str, set[Role]] = {}
    for table in catalog.tables.values():
        for column in table.columns.values():
            roles.setdefault(column.name.casefold(), set()).add(column.role)
    return frozenset(name for name, found in roles.items() if found == {Role.MEASURE})


def exhibit_of(source: Source, meaning: Meaning, named: Named = none_named) -> Exhibit:
    """The exhibit behind one executed call; ``named`` is true for the user's own numbers."""
    receipt, known = source.receipt, source.known
    own = meaning.questions.get(known.intent) if known else None
    if own:
        meaning = replace(meaning, titles={**meaning.titles, **own})
    calculation = _calculation(source)
    if calculation is not None:
        return Exhibit(name=source.tool, calculation=calculation)
    sql = source.arguments.get("sql")
    if isinstance(sql, str):
        statement = parsed(sql)
        shown = tuple(projected(statement, source.columns, meaning.catalog))
        held = compared(statement)
        fixed = pinned(statement)
        table = row_table(statement)
    else:
        shown = tuple(_columns(source, meaning.catalog))
        held = _held(source)
        fixed = set(held)
        table = "" if source.arguments.get("aggregate") else source.arguments.get("tableName")
    entity = meaning.entities.get(str(table).casefold())
    seen = fixed | {each.card.name for each in shown if each.card and not each.aggregate}
    named_by_host = not isinstance(sql, str)
    measures = {
        column: _measure(column, origin, held, seen, meaning, named_by_host=named_by_host)
        for column, origin in zip(source.columns, shown, strict=True)
        if origin.card is not None or column in meaning.labels or origin.aggregate
    }
    held = {name: value for name, value in held.items() if name.casefold() not in meaning.measured}
    encodings = [_encoding(origin) for origin in shown]
    exhibit = Exhibit(
        name=source.tool,
        columns=source.columns,
        rows=_with_days(source.rows, encodings),
        measures=measures,
        held=held,
        row_count=None if receipt.truncated else receipt.row_count,
        truncated=receipt.truncated,
        time_range=tuple(_in_days(each, meaning.catalog) for each in receipt.time_range),
        emptiness=receipt.emptiness,
        nouns=entity.noun if entity else {},
        judgements=tuple(_judgements(entity, source.columns, shown)) if entity else (),
        known=known,
    )
    return keep_read_cells(exhibit, _lineage(source), named)


def _judgements(
    entity: Entity, columns: Sequence[str], shown: Sequence[Origin]
) -> Iterator[Judgement]:
    """Confirmed judgements whose fields the result shows, under the result's names."""
    named = {
        origin.card.name: column
        for column, origin in zip(columns, shown, strict=True)
        if origin.card is not None and not origin.aggregate
    }
    found = {field.name: named.get(field.column or field.name) for field in entity.fields}
    for judgement in entity.judgements:
        if not judgement.proposed and all(found.get(name) for name in judgement.fields):
            yield judgement.model_copy(
                update={
                    "field": found[judgement.field],
                    "limit_field": found.get(judgement.limit_field or ""),
                    "unless": found.get(judgement.unless or ""),
                }
            )


def _lineage(source: Source) -> Lineage | None:
    """The recorded lineage, or that of the statement for an older record."""
    sql = source.arguments.get("sql")
    if source.receipt.lineage is not None or not isinstance(sql, str):
        return source.receipt.lineage
    return lineage_of_text(sql)


def _calculation(source: Source) -> Calculation | None:
    expression = source.arguments.get(_EXPRESSION)
    if not isinstance(expression, str):
        return None
    try:
        done = compute(expression)
    except ArithmeticRefusedError:
        return None
    return Calculation(expression, float(done.value))


def _columns(source: Source, catalog: Catalog) -> Iterator[Origin]:
    card = catalog.table(str(source.arguments.get("tableName", "")))
    aggregate = str(source.arguments.get("aggregate", "")).strip().lower()
    field = source.arguments.get("field")
    for column in source.columns:
        plain = card.column(column) if card else None
        if plain is not None or not aggregate:
            yield Origin(plain)
        else:
            yield Origin(card.column(str(field)) if card and field else None, aggregate)


def _held(source: Source) -> dict[str, Any]:
    """Values that every row shares because the call filtered for them."""
    filters = source.arguments.get("filters") or ()
    held: dict[str, Any] = {}
    for each in filters if isinstance(filters, list | tuple) else ():
        if isinstance(each, Mapping) and each.get("op", "=") in ("=", "eq", "=="):
            held[str(each.get("field"))] = each.get("value")
    return held


def _measure(
    column: str,
    origin: Origin,
    held: Mapping[str, Any],
    seen: Set[str],
    meaning: Meaning,
    *,
    named_by_host: bool,
) -> Measure:
    """What is known of a column; one that the host named after a call is entitled anew."""
    card = origin.card
    number = _counted() if named_by_host and origin.aggregate.startswith(_FULL) else ""
    name = card.name if card else column
    labels = meaning.labels.get(column, ()) or meaning.labels.get(name, ())
    if card is None:
        counted = origin.aggregate == _FULL
        additivity = Additivity.FULL if counted else None
        title = meaning.titles.get(column, "") or number
        return Measure(labels=labels, additivity=_after(origin.aggregate, additivity), label=title)
    unit_column = card.same_unit.fields[0].rpartition(".")[2] if card.same_unit else ""
    field = meaning.fields.get(f"{card.table}.{card.name}")
    unit = (field.unit if field else "") or str(held.get(unit_column, ""))
    counted = origin.aggregate.startswith(_FULL)
    summed = named_by_host and origin.aggregate == "sum"
    same = not origin.aggregate or summed or column.casefold() == card.name.casefold()
    printed = field if field is not None and not counted else None
    return Measure(
        labels=labels,
        unit="" if counted else unit,
        additivity=_after(origin.aggregate, _additivity(card, seen)),
        unit_column="" if counted else unit_column,
        # the schema alone does not give the purpose of a column
        is_key=field is not None and not origin.aggregate and card.role is not Role.MEASURE,
        # A mean with its own name does not take the name of its column.
        label=_title(column, card.name if same else "", meaning)
        or (printed.label if printed and same else number),
        scale=printed.scale if printed else 1.0,
        decimals=printed.decimals if printed else None,
        percent=printed.percent if printed else None,
        favourable=printed.favourable if printed else None,
    )


@cache
def _counted() -> Text:
    """The title of a number of rows."""
    return {language: message("facts.number_of_rows", language) for language in Language}


def _title(column: str, field: str, meaning: Meaning) -> Text:
    """The title of a column, or that of the field whose values or sums it has."""
    return meaning.titles.get(column, "") or meaning.titles.get(field, "")


def _additivity(card: ColumnCard, seen: Set[str]) -> Additivity | None:
    """``seen`` are the columns that the rows show or that one value holds for."""
    if card.never_aggregate is not None:
        return Additivity.NEVER
    if card.semi_additive is not None:
        times = {each.rpartition(".")[2] for each in card.semi_additive.fields}
        return Additivity.NOT_OVER_TIME if times <= seen else Additivity.NEVER
    return Additivity.FULL if card.role is Role.MEASURE else None


def _after(aggregate: str, additivity: Additivity | None) -> Additivity | None:
    """Means, extremes and distinct counts of groups don't add up."""
    if not aggregate or aggregate in _ADDS_UP:
        return Additivity.FULL if aggregate == _FULL else additivity
    return Additivity.NEVER


def _encoding(origin: Origin) -> Encoding | None:
    """The encoding of the column's days; a count or a mean of them is no day."""
    still_a_day = origin.aggregate in ("", "min", "max")
    return origin.card.encoding if origin.card and still_a_day else None


def _with_days(
    rows: tuple[tuple[Any, ...], ...], encodings: list[Encoding | None]
) -> tuple[tuple[Any, ...], ...]:
    if not any(encodings):
        return rows
    return tuple(
        tuple(_day(value, encoding) for value, encoding in zip(row, encodings, strict=True))
        for row in rows
    )


def _day(value: Any, encoding: Encoding | None) -> Any:
    if encoding is None or value is None:
        return value
    try:
        return stored_date(value, encoding).isoformat()
    except (ValueError, OverflowError, OSError):
        return value


def _in_days(period: TimeRange, catalog: Catalog) -> TimeRange:
    table, _, column = period.field.partition(".")
    card = catalog.table(table)
    found = card.column(column) if card else None
    encoding = found.encoding if found else None
    if encoding is None:
        return period
    return period.model_copy(
        update={"start": _day(period.start, encoding), "end": _day(period.end, encoding)}
    )
