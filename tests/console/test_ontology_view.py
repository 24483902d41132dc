"""The map of entities: lines have labels, and no label is below a box."""

from veridical.console.ontology_view import BOX_HEIGHT, BOX_WIDTH, graph_of
from veridical.ontology.model import (
    Cardinality,
    Entity,
    OntologyDescriptor,
    Relation,
    SemanticType,
)
from veridical.ontology.pack import load_pack


def _shop(*links: tuple[str, str]) -> OntologyDescriptor:
    names = sorted({name for link in links for name in link})
    return OntologyDescriptor(
        feature_code="shop",
        entities=tuple(Entity(name=name, semantic_type=SemanticType.OBJECT) for name in names),
        relations=tuple(
            Relation(
                from_entity=near,
                to_entity=far,
                cardinality=Cardinality.MANY_TO_ONE,
                via=(f"{far}_id=id",),
            )
            for near, far in links
        ),
    )


def test_a_line_says_how_it_joins() -> None:
    (edge,) = graph_of(_shop(("sale", "shop"))).edges
    assert edge.label == "shop_id n : 1"


def test_labels_are_beside_boxes_and_each_other() -> None:
    for ontology in (
        _shop(("a", "b"), ("a", "c"), ("a", "d"), ("b", "d"), ("b", "c"), ("a", "b")),
        load_pack("trustee").ontology,
    ):
        graph = graph_of(ontology)
        for edge in graph.edges:
            x, y = edge.at
            assert not any(
                abs(x - node.x) < BOX_WIDTH / 2 and abs(y - node.y) < BOX_HEIGHT / 2
                for node in graph.nodes
            ), edge
        assert len({edge.at for edge in graph.edges}) == len(graph.edges)
