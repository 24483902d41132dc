"""The differences in meaning between two ontologies: above all, lifted constraints.

Constraints are compared as they take effect on each column, so that a glob spelled out, a renamed
entity or another order is no difference.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any

from veridical.contracts.language import Language
from veridical.contracts.wire import Wire
from veridical.messages import message
from veridical.ontology.catalog import Catalog, TableCard
from veridical.ontology.compile import compile_catalog
from veridical.ontology.model import Constraint, Judgement, OntologyDescriptor

_PARAMETERS = (
    "fields",
    "values",
    "purposes",
    "settled_by",
    "where_read",
    "condition",
    "levels",
    "encoding",
    "opening",
    "conversion",
    "ahead",
    "last_per",
    "instead_of",
    "zone",
    "local_zone",
)
_WORDING_KEYS = ("label", "unit", "scale", "percent", "decimals", "favourable")

Demands = dict[tuple[str, str, str], tuple[dict[str, Any], ...]]
"""The parameters of each constraint by table, column and rule."""


class ChangeKind(StrEnum):
    """The kind of a difference, the gravest first."""

    ALLOWED_NOW = "ALLOWED_NOW"
    RULE_CHANGED = "RULE_CHANGED"
    FORBIDDEN_NOW = "FORBIDDEN_NOW"
    TABLE_GONE = "TABLE_GONE"
    TABLE_ADDED = "TABLE_ADDED"
    COLUMN_GONE = "COLUMN_GONE"
    COLUMN_ADDED = "COLUMN_ADDED"
    COLUMN_CHANGED = "COLUMN_CHANGED"
    JOIN_GONE = "JOIN_GONE"
    JOIN_ADDED = "JOIN_ADDED"
    THING_GONE = "THING_GONE"
    THING_ADDED = "THING_ADDED"
    THING_CHANGED = "THING_CHANGED"
    JUDGEMENT_CHANGED = "JUDGEMENT_CHANGED"

    @property
    def loosens(self) -> bool:
        """True if something may now be allowed that was refused."""
        return self in (ChangeKind.ALLOWED_NOW, ChangeKind.RULE_CHANGED)


class Change(Wire):
    """One difference."""

    kind: ChangeKind
    path: str
    detail: str = ""

    def text(self, language: Language) -> str:
        """The difference in words."""
        return f"{self.path}: {message(f'diff.{self.kind}', language, detail=self.detail)}"


def ontology_diff(before: OntologyDescriptor, after: OntologyDescriptor) -> tuple[Change, ...]:
    """All differences, the gravest first, in a stable order."""
    old, new = compile_catalog(None, before), compile_catalog(None, after)
    found = (
        *_rules(_demands(old), _demands(new), old, new),
        *_tables(old, new),
        *_printed(before, after),
        *_joins(old, new),
        *_things("pattern", _patterns(before), _patterns(after)),
        *_things("metric", _metrics(before), _metrics(after)),
        *_things("purpose", _purposes(before), _purposes(after)),
        *_judgements(_judged(before), _judged(after)),
    )
    order = list(ChangeKind)
    return tuple(sorted(found, key=lambda each: (order.index(each.kind), each.path, each.detail)))


def _demands(catalog: Catalog) -> Demands:
    found: Demands = {}
    for card in catalog.tables.values():
        placed = [("", each) for each in card.constraints]
        placed += [
            (column.name, each) for column in card.columns.values() for each in column.constraints
        ]
        for name, each in placed:
            place = (card.name, name, each.rule)
            found[place] = (*found.get(place, ()), _parameters(each))
    return found


def _parameters(constraint: Constraint) -> dict[str, Any]:
    given = constraint.model_dump(include=set(_PARAMETERS))
    return {name: value for name, value in given.items() if value}


def _rules(before: Demands, after: Demands, old: Catalog, new: Catalog) -> Iterator[Change]:
    """The changed constraints of tables on both sides; those of new or removed ones say nothing."""
    for key in sorted({*before, *after}):
        table, column, rule = key
        path = f"{table}.{column}" if column else table
        if not (_has(old, table, column) and _has(new, table, column)):
            continue
        if key not in after:
            yield Change(kind=ChangeKind.ALLOWED_NOW, path=path, detail=_shown(rule, before[key]))
        elif key not in before:
            yield Change(kind=ChangeKind.FORBIDDEN_NOW, path=path, detail=_shown(rule, after[key]))
        elif before[key] != after[key]:
            detail = f"{_shown(rule, before[key])} → {_shown(rule, after[key])}"
            yield Change(kind=ChangeKind.RULE_CHANGED, path=path, detail=detail)


def _has(catalog: Catalog, table: str, column: str) -> bool:
    card = catalog.tables.get(table)
    return card is not None and (not column or column in card.columns)


def _shown(rule: str, constraints: tuple[Mapping[str, Any], ...]) -> str:
    listed = (
        " ".join(f"{name}={_value(value)}" for name, value in parameters.items())
        for parameters in constraints
    )
    return " ".join((rule, *filter(None, (" and ".join(listed),))))


def _value(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _tables(old: Catalog, new: Catalog) -> Iterator[Change]:
    for name in sorted({*old.tables, *new.tables}):
        before, after = old.tables.get(name), new.tables.get(name)
        if before is None:
            yield Change(kind=ChangeKind.TABLE_ADDED, path=name)
        elif after is None:
            yield Change(kind=ChangeKind.TABLE_GONE, path=name)
        else:
            yield from _columns(before, after)


def _columns(before: TableCard, after: TableCard) -> Iterator[Change]:
    for name in sorted({*before.columns, *after.columns}):
        path = f"{before.name}.{name}"
        old, new = before.columns.get(name), after.columns.get(name)
        if old is None:
            yield Change(kind=ChangeKind.COLUMN_ADDED, path=path)
        elif new is None:
            yield Change(kind=ChangeKind.COLUMN_GONE, path=path)
        else:
            for what in ("type", "role", "encoding"):
                was, now = getattr(old, what), getattr(new, what)
                if was != now:
                    detail = f"{what} {was or '-'} → {now or '-'}"
                    yield Change(kind=ChangeKind.COLUMN_CHANGED, path=path, detail=detail)


def _printed(before: OntologyDescriptor, after: OntologyDescriptor) -> Iterator[Change]:
    """The changed wording of columns and rows that are on both sides."""
    old, new = _wordings(before), _wordings(after)
    for path in sorted(old.keys() & new.keys()):
        for what, was in old[path].items():
            now = new[path][what]
            if was != now:
                detail = f"{what} {_text(was)} → {_text(now)}"
                yield Change(kind=ChangeKind.COLUMN_CHANGED, path=path, detail=detail)


def _wordings(ontology: OntologyDescriptor) -> dict[str, dict[str, Any]]:
    """The printed wording, by table, and by table and column."""
    found: dict[str, dict[str, Any]] = {}
    for entity in ontology.entities:
        place = entity.table or entity.name
        found[place] = {"noun": {key: each.one for key, each in entity.noun.items()}}
        for field in entity.fields:
            wording = {name: getattr(field, name) for name in _WORDING_KEYS}
            found[f"{place}.{field.column or field.name}"] = wording
    return found


def _text(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {each}" for key, each in sorted(value.items())) or "-"
    return "-" if value in (None, "") else str(value)


def _judged(ontology: OntologyDescriptor) -> dict[str, Judgement]:
    return {
        f"{entity.table or entity.name}.{each.name}": each
        for entity in ontology.entities
        for each in entity.judgements
    }


def _judgements(
    before: Mapping[str, Judgement], after: Mapping[str, Judgement]
) -> Iterator[Change]:
    yield from (
        each
        for each in _things("judgement", before, after)
        if each.kind is not ChangeKind.THING_CHANGED
    )
    for path in sorted(before.keys() & after.keys()):
        was, now = before[path].model_dump(), after[path].model_dump()
        changed = [name for name in Judgement.model_fields if was.get(name) != now.get(name)]
        if changed:
            changes = (
                f"{name} {_text(was.get(name))} → {_text(now.get(name))}" for name in changed
            )
            detail = f"judgement: {', '.join(changes)}"
            yield Change(kind=ChangeKind.JUDGEMENT_CHANGED, path=path, detail=detail)


def _joins(old: Catalog, new: Catalog) -> Iterator[Change]:
    before, after = _join_texts(old), _join_texts(new)
    for table, detail in sorted(before - after):
        yield Change(kind=ChangeKind.JOIN_GONE, path=table, detail=detail)
    for table, detail in sorted(after - before):
        yield Change(kind=ChangeKind.JOIN_ADDED, path=table, detail=detail)


def _join_texts(catalog: Catalog) -> set[tuple[str, str]]:
    return {
        (card.name, f"{join.target} on {_pairs(join.pairs)}, {join.cardinality}")
        for card in catalog.tables.values()
        for join in card.joins
    }


def _pairs(pairs: tuple[tuple[str, str], ...]) -> str:
    return ", ".join(near if near == far else f"{near}={far}" for near, far in pairs)


def _things(what: str, before: Mapping[str, Wire], after: Mapping[str, Wire]) -> Iterator[Change]:
    for name in sorted({*before, *after}):
        if name not in before:
            yield Change(kind=ChangeKind.THING_ADDED, path=name, detail=what)
        elif name not in after:
            yield Change(kind=ChangeKind.THING_GONE, path=name, detail=what)
        elif before[name] != after[name]:
            yield Change(kind=ChangeKind.THING_CHANGED, path=name, detail=what)


def _patterns(ontology: OntologyDescriptor) -> dict[str, Wire]:
    return {each.intent: each for each in ontology.canonical_patterns}


def _metrics(ontology: OntologyDescriptor) -> dict[str, Wire]:
    return {each.name: each for each in ontology.metrics}


def _purposes(ontology: OntologyDescriptor) -> dict[str, Wire]:
    return {each.name: each for each in ontology.purposes}
