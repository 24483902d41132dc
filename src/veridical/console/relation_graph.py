"""A drawing of related requirements: connected ones stand together in a circle."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

MOST_DRAWN = 60
"""The most requirements in a drawing; more are only in the list."""
WIDTH = 960
_RADIUS = 18
_SPACE = 3.2 * _RADIUS
"""Between two neighbours on a circle."""
_MARGIN = 2.2 * _RADIUS


@dataclass(frozen=True, slots=True)
class Link:
    """Two requirements by their numbers, from 1, and how they relate."""

    first: int
    second: int
    kind: str
    reason: str


@dataclass(frozen=True, slots=True)
class Node:
    """A requirement in the drawing."""

    number: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation in the drawing."""

    link: Link
    x1: float
    y1: float
    x2: float
    y2: float


@dataclass(frozen=True, slots=True)
class Graph:
    """The drawing."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    height: int
    radius: int = _RADIUS


def links_of(pairs: Iterable[Mapping[str, Any]]) -> tuple[Link, ...]:
    """Pairs as programs get them."""
    return tuple(
        Link(each["req1_idx"] + 1, each["req2_idx"] + 1, each["kind"], each["reason"])
        for each in pairs
    )


def graph_of(links: Sequence[Link]) -> Graph | None:
    """The drawing of these relations; none where there are none, or too many to be seen."""
    groups = _groups(links)
    if not groups or sum(map(len, groups)) > MOST_DRAWN:
        return None
    places, height = _placed(groups)
    edges = tuple(Edge(link, *places[link.first], *places[link.second]) for link in links)
    nodes = tuple(Node(number, *at) for number, at in sorted(places.items()))
    return Graph(nodes, edges, height)


def _groups(links: Sequence[Link]) -> list[list[int]]:
    """The requirements that are connected, the largest groups first."""
    group_of: dict[int, list[int]] = {}
    for link in links:
        one = group_of.setdefault(link.first, [link.first])
        other = group_of.setdefault(link.second, [link.second])
        if one is not other:
            one += other
            group_of.update(dict.fromkeys(other, one))
    found = {id(group): sorted(group) for group in group_of.values()}
    return sorted(found.values(), key=lambda group: (-len(group), group[0]))


def _placed(groups: Sequence[Sequence[int]]) -> tuple[dict[int, tuple[float, float]], int]:
    """Groups from left to right, in as many rows as they need."""
    places: dict[int, tuple[float, float]] = {}
    left = top = row = 0.0
    for group in groups:
        radius = _radius(len(group))
        size = 2 * (radius + _MARGIN)
        if left and left + size > WIDTH:
            left, top, row = 0.0, top + row, 0.0
        for place, number in enumerate(group):
            angle = 2 * math.pi * place / len(group) + math.pi
            x = left + size / 2 + radius * math.cos(angle)
            y = top + size / 2 + radius * math.sin(angle)
            places[number] = (round(x, 1), round(y, 1))
        left, row = left + size, max(row, size)
    return places, math.ceil(top + row)


def _radius(count: int) -> float:
    """The radius of a circle with room for so many."""
    return _SPACE / 2 / math.sin(math.pi / max(count, 2))
