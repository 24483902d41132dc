"""An ontology as it is looked at: a drawing of entities and relations, and each measure with what
protects it, the unprotected ones first."""

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from math import cos, pi, sin

from veridical.ontology.model import Constraint, ConstraintRule, OntologyDescriptor, Role

WIDTH, HEIGHT = 760, 460
_MARGIN_X, _MARGIN_Y = 120, 40
_PROTECTING = frozenset(
    {
        ConstraintRule.NEVER_AGGREGATE,
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


@dataclass(frozen=True, slots=True)
class MeasureView:
    """A measure and the rules that protect it."""

    entity: str
    field: str
    unit: str
    rules: tuple[str, ...]


def graph_of(ontology: OntologyDescriptor) -> Graph:
    """Entities on an ellipse, in the order of the ontology; relations between them."""
    count = max(len(ontology.entities), 1)
    nodes: dict[str, Node] = {}
    for place, entity in enumerate(ontology.entities):
        angle = 2 * pi * place / count - pi / 2
        nodes[entity.name] = Node(
            name=entity.name,
            kind=entity.semantic_type.value,
            x=round(WIDTH / 2 + (WIDTH / 2 - _MARGIN_X) * cos(angle), 1),
            y=round(HEIGHT / 2 + (HEIGHT / 2 - _MARGIN_Y) * sin(angle), 1),
            measures=sum(field.role is Role.MEASURE for field in entity.fields),
        )
    edges = (
        Edge(nodes[each.from_entity], nodes[each.to_entity], each.cardinality.value)
        for each in ontology.relations
        if each.from_entity in nodes and each.to_entity in nodes
    )
    return Graph(tuple(nodes.values()), tuple(edges))


def measures_of(ontology: OntologyDescriptor) -> tuple[MeasureView, ...]:
    """Every measure, those that nothing protects first."""
    found = [
        MeasureView(
            entity.name,
            field.name,
            field.unit or "",
            _rules(entity.name, field.name, ontology.constraints),
        )
        for entity in ontology.entities
        for field in entity.fields
        if field.role is Role.MEASURE
    ]
    return tuple(sorted(found, key=lambda each: (bool(each.rules), each.entity, each.field)))


def _rules(entity: str, field: str, constraints: Iterable[Constraint]) -> tuple[str, ...]:
    names = (entity, f"{entity}.{field}")
    return tuple(
        dict.fromkeys(
            each.rule.value
            for each in constraints
            if each.rule in _PROTECTING
            and any(fnmatchcase(name, each.applies_to) for name in names)
        )
    )
