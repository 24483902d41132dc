"""The view of an ontology: a drawing of entities and relations, and each measure with the rules
that protect it, the unprotected ones first."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from veridical.ontology.model import (
    Cardinality,
    Constraint,
    ConstraintRule,
    OntologyDescriptor,
    Relation,
    Role,
)

COLUMNS = 3
CELL_WIDTH, CELL_HEIGHT = 300, 110
WIDTH = COLUMNS * CELL_WIDTH
BOX_WIDTH, BOX_HEIGHT = 196, 40
_LONGEST_LABEL = 20
_SIDES = {
    Cardinality.ONE_TO_ONE: "1 : 1",
    Cardinality.ONE_TO_MANY: "1 : n",
    Cardinality.MANY_TO_ONE: "n : 1",
    Cardinality.MANY_TO_MANY: "n : m",
}
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


Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation in the drawing."""

    start: Node
    end: Node
    label: str
    """How it joins, and how many rows meet how many."""
    bend: Point
    """The point that draws the line towards itself, so that it passes boxes between its ends."""
    at: Point
    """The place of its label."""


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
    edges: list[Edge] = []
    for each in ontology.relations:
        if each.from_entity in nodes and each.to_entity in nodes:
            start, end = nodes[each.from_entity], nodes[each.to_entity]
            beside = sum({edge.start, edge.end} == {start, end} for edge in edges)
            bend = _bend(start, end, beside)
            at = _label_place(start, end, bend, nodes.values(), [edge.at for edge in edges])
            edges.append(Edge(start, end, _label(each), bend, at))
    return Graph(tuple(nodes.values()), tuple(edges), -(-len(nodes) // COLUMNS) * CELL_HEIGHT)


def _label(relation: Relation) -> str:
    joined = [near for near, _ in relation.pairs]
    name = relation.name or (joined[-1] if joined else "")  # those of the tenant come first
    if len(name) > _LONGEST_LABEL:
        name = f"{name[: _LONGEST_LABEL - 1]}…"
    return f"{name} {_SIDES[relation.cardinality]}".strip()


def _bend(start: Node, end: Node, beside: int) -> Point:
    """The middle, moved aside where a box or another line between the same two is in the way."""
    x, y = (start.x + end.x) / 2, (start.y + end.y) / 2
    aside = 60.0 * beside
    if start == end:
        return x + BOX_WIDTH, y - CELL_HEIGHT
    if start.y == end.y:
        return x, y + CELL_HEIGHT * 0.85 + aside / 3  # below the boxes, where there is room
    passes = start.x == end.x and abs(start.y - end.y) > CELL_HEIGHT
    return x + (CELL_WIDTH if passes else 0) + aside, y


def _label_place(
    start: Node, end: Node, bend: Point, nodes: Iterable[Node], taken: Iterable[Point]
) -> Point:
    """The first place along the line that is outside of all boxes and away from other labels."""
    boxes, labels = tuple(nodes), tuple(taken)
    places = [_along(start, end, bend, share) for share in (0.5, 0.38, 0.62, 0.28, 0.72)]
    free = (
        (x, y)
        for x, y in places
        if not any(abs(x - each.x) < CELL_WIDTH / 3 and abs(y - each.y) < 26 for each in boxes)
        and not any(abs(x - other) < CELL_WIDTH / 3 and abs(y - at) < 12 for other, at in labels)
    )
    return next(free, places[0])


def _along(start: Node, end: Node, bend: Point, share: float) -> Point:
    """The point of the curve at this share of its way."""
    near, middle, far = (1 - share) ** 2, 2 * share * (1 - share), share**2
    return (
        round(near * start.x + middle * bend[0] + far * end.x, 1),
        round(near * start.y + middle * bend[1] + far * end.y, 1),
    )


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
