"""The view of an ontology: a drawing of entities and relations, and each measure with the rules
that protect it, the unprotected ones first."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from veridical.ontology.model import Constraint, ConstraintRule, OntologyDescriptor, Role

COLUMNS = 4
CELL_WIDTH, CELL_HEIGHT = 220, 96
WIDTH = COLUMNS * CELL_WIDTH
_PROTECTING = frozenset(
    {
        ConstraintRule.NEVER_AGGREGATE,
        ConstraintRule.NEVER_SUM,
        ConstraintRule.SEMI_ADDITIVE_OVER,
        ConstraintRule.SAME_UNIT,
        ConstraintRule.FAN_OUT,
        ConstraintRule.ONE_LEVEL,
    }
)
"""Rules that say how a measure must not be added up."""


@dataclass(frozen=True, slots=True)
class Node:
    """An entity in the drawing."""

    name: str
    kind: str
    x: float
    y: float
    measures: int
    kinds: int
    """Entities that are special cases of this one."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation in the drawing."""

    start: Node
    end: Node
    label: str


@dataclass(frozen=True, slots=True)
class Graph:
    """The drawing."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    height: int


@dataclass(frozen=True, slots=True)
class MeasureView:
    """A measure and the rules that protect it."""

    entity: str
    field: str
    unit: str
    unit_fields: tuple[str, ...]
    """The columns that say the unit of each row, where it has none of its own."""
    rules: tuple[str, ...]


def graph_of(ontology: OntologyDescriptor) -> Graph:
    """Entities in rows, those that most relations meet first; special cases are counted only."""
    met = Counter(
        name for each in ontology.relations for name in (each.from_entity, each.to_entity)
    )
    kinds = Counter(each.parent_entity for each in ontology.entities if each.parent_entity)
    drawn = sorted(
        (each for each in ontology.entities if each.parent_entity is None or met[each.name]),
        key=lambda each: (-met[each.name], each.name),
    )
    nodes = {
        each.name: Node(
            name=each.name,
            kind=each.semantic_type.value,
            x=(place % COLUMNS + 0.5) * CELL_WIDTH,
            y=(place // COLUMNS + 0.5) * CELL_HEIGHT,
            measures=sum(field.role is Role.MEASURE for field in each.fields),
            kinds=kinds[each.name],
        )
        for place, each in enumerate(drawn)
    }
    edges = tuple(
        Edge(nodes[each.from_entity], nodes[each.to_entity], each.cardinality.value)
        for each in ontology.relations
        if each.from_entity in nodes and each.to_entity in nodes
    )
    return Graph(tuple(nodes.values()), edges, -(-len(nodes) // COLUMNS) * CELL_HEIGHT)


def measures_of(ontology: OntologyDescriptor) -> tuple[MeasureView, ...]:
    """Every measure, those that nothing protects first."""
    found = [
        MeasureView(
            entity.name,
            field.name,
            field.unit or "",
            () if field.unit else _unit_fields(entity.name, field.name, ontology.constraints),
            _rules(entity.name, field.name, ontology.constraints),
        )
        for entity in ontology.entities
        for field in entity.fields
        if field.role is Role.MEASURE
    ]
    return tuple(sorted(found, key=lambda each: (bool(each.rules), each.entity, each.field)))


def _rules(entity: str, field: str, constraints: Iterable[Constraint]) -> tuple[str, ...]:
    found = _about(entity, field, constraints)
    return tuple(dict.fromkeys(each.rule.value for each in found if each.rule in _PROTECTING))


def _unit_fields(entity: str, field: str, constraints: Iterable[Constraint]) -> tuple[str, ...]:
    found = _about(entity, field, constraints)
    units = (each.fields for each in found if each.rule is ConstraintRule.SAME_UNIT)
    return tuple(dict.fromkeys(name for fields in units for name in fields))


def _about(entity: str, field: str, constraints: Iterable[Constraint]) -> list[Constraint]:
    names = (entity, f"{entity}.{field}")
    return [
        each for each in constraints if any(fnmatchcase(name, each.applies_to) for name in names)
    ]
