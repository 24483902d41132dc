"""The drawing of relations: everything in its frame, nothing on top of another."""

import math
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from veridical.console.relation_graph import MOST_DRAWN, WIDTH, Link, graph_of, links_of

NUMBERS = st.integers(1, 30)
LINKS = st.lists(
    st.tuples(NUMBERS, NUMBERS).filter(lambda pair: pair[0] != pair[1]), min_size=1, max_size=40
)


@given(LINKS)
def test_every_requirement_is_drawn_once_in_the_frame_and_apart_from_others(
    pairs: list[tuple[int, int]],
) -> None:
    links = [Link(first, second, "conflict", "") for first, second in pairs]
    graph = graph_of(links)
    assert graph is not None
    assert {node.number for node in graph.nodes} == {number for pair in pairs for number in pair}
    assert len(graph.edges) == len(links)
    for node in graph.nodes:
        assert graph.radius <= node.x <= WIDTH - graph.radius
        assert graph.radius <= node.y <= graph.height - graph.radius
    for one, other in combinations(graph.nodes, 2):
        assert math.dist((one.x, one.y), (other.x, other.y)) >= 2 * graph.radius


def test_nothing_and_too_much_is_not_drawn() -> None:
    assert graph_of([]) is None
    many = [Link(number, number + 1, "related", "") for number in range(1, MOST_DRAWN + 2)]
    assert graph_of(many) is None


def test_places_become_numbers_from_one() -> None:
    pair = {"req1_idx": 0, "req2_idx": 4, "kind": "duplicate", "reason": "same"}
    assert links_of([pair]) == (Link(1, 5, "duplicate", "same"),)
