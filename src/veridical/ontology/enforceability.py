"""The *unprotected* parts: places where the ontology is too incomplete for a rule."""

from collections import Counter
from collections.abc import Iterator
from enum import StrEnum

from veridical.contracts.language import Language
from veridical.contracts.schema import Schema, ValueType
from veridical.contracts.wire import Wire
from veridical.messages import message
from veridical.ontology.catalog import Catalog, ColumnCard
from veridical.ontology.compile import column_name, compile_catalog
from veridical.ontology.model import Entity, Field, OntologyDescriptor, Role
from veridical.ontology.terms import terms
from veridical.word_file import word_file

_MONEY = frozenset(
    term
    for words in word_file("veridical.ontology", "money_words.toml").values()
    for term in terms(words)
)


class GapKind(StrEnum):
    """The kind of a gap."""

    MEASURE_WITHOUT_ADDITIVITY = "MEASURE_WITHOUT_ADDITIVITY"
    MONEY_WITHOUT_UNIT = "MONEY_WITHOUT_UNIT"
    TIME_WITHOUT_ENCODING = "TIME_WITHOUT_ENCODING"
    TABLE_WITHOUT_KEY = "TABLE_WITHOUT_KEY"
    TABLE_WITHOUT_REQUIRED_FILTER = "TABLE_WITHOUT_REQUIRED_FILTER"
    RELATION_WITHOUT_PAIRS = "RELATION_WITHOUT_PAIRS"
    ENTITY_WITHOUT_TABLE = "ENTITY_WITHOUT_TABLE"


class Coverage(Wire):
    """The number of items of a kind that a rule could protect, and the unprotected ones."""

    kind: GapKind
    total: int
    gaps: tuple[str, ...]


class Enforceability(Wire):
    """The report for a data owner after an import."""

    ontology_hash: str
    coverage: tuple[Coverage, ...]

    @property
    def gaps(self) -> int:
        """The number of all gaps."""
        return sum(len(each.gaps) for each in self.coverage)

    def text(self, language: Language) -> str:
        """The report in words: each kind that has gaps, then the names."""
        if not self.gaps:
            return message("lint.fully_protected", language)
        lines: list[str] = []
        for each in self.coverage:
            if each.gaps:
                kind = message(f"lint.{each.kind}", language)
                gaps = len(each.gaps)
                lines.append(
                    message("lint.protected", language, kind=kind, gaps=gaps, total=each.total)
                )
                lines += (f"  {name}" for name in each.gaps)
        return "\n".join(lines)


def enforceability(ontology: OntologyDescriptor, schema: Schema | None = None) -> Enforceability:
    """The protected and unprotected parts under this ontology."""
    catalog = compile_catalog(schema, ontology)
    totals: Counter[GapKind] = Counter()
    gaps: dict[GapKind, list[str]] = {kind: [] for kind in GapKind}
    for kind, path, is_gap in _findings(ontology, catalog):
        totals[kind] += 1
        if is_gap:
            gaps[kind].append(path)
    return Enforceability(
        ontology_hash=ontology.hash,
        coverage=tuple(
            Coverage(kind=kind, total=totals[kind], gaps=tuple(sorted(gaps[kind])))
            for kind in GapKind
        ),
    )


def _findings(
    ontology: OntologyDescriptor, catalog: Catalog
) -> Iterator[tuple[GapKind, str, bool]]:
    """Everything that could be protected, each with True if it is not."""
    entities = {entity.name: entity for entity in ontology.entities}
    for entity in ontology.entities:
        yield GapKind.ENTITY_WITHOUT_TABLE, entity.name, not _has_table(entity, entities)
        card = catalog.tables.get(entity.table or "")
        if card is None:
            continue
        yield GapKind.TABLE_WITHOUT_KEY, entity.name, not card.keys
        yield (
            GapKind.TABLE_WITHOUT_REQUIRED_FILTER,
            entity.name,
            not (card.required_filters or card.counted or card.things),
        )
        for field in entity.fields:
            column = card.column(column_name(field))
            if column is not None:
                yield from _field_findings(f"{entity.name}.{field.name}", field, column)
    for relation in ontology.relations:
        path = f"{relation.from_entity}–{relation.to_entity}"
        yield GapKind.RELATION_WITHOUT_PAIRS, path, not relation.pairs


def _field_findings(
    path: str, field: Field, column: ColumnCard
) -> Iterator[tuple[GapKind, str, bool]]:
    if field.role is Role.MEASURE:
        # A figure that adds up freely says so by guarding against joins that repeat it.
        stated = (column.never_aggregate, column.semi_additive, column.one_level, column.fan_out)
        yield GapKind.MEASURE_WITHOUT_ADDITIVITY, path, not any(stated)
        if column.type.is_numeric and not _MONEY.isdisjoint(terms(field.name)):
            yield GapKind.MONEY_WITHOUT_UNIT, path, not (field.unit or column.same_unit)
    if field.role is Role.TIME and column.type in (ValueType.INTEGER, ValueType.TEXT):
        counted = field.grain in ("year", "quarter", "month", "week", "day")
        encoded = field.encoding or column.encoding_guard or counted
        yield GapKind.TIME_WITHOUT_ENCODING, path, not encoded


def _has_table(entity: Entity, entities: dict[str, Entity]) -> bool:
    seen: set[str] = set()
    while entity.name not in seen:
        if entity.table:
            return True
        seen.add(entity.name)
        entity = entities.get(entity.parent_entity or "", entity)
    return False
