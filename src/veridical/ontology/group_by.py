"""The group-by items of one entity, and their names."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from veridical.ontology.model import Entity, Field, LinkKind, Role

KEY_LINKS: Final = frozenset({LinkKind.PRIMARY, LinkKind.UNIQUE, LinkKind.NATURAL})
"""The links that name rows of their own entity, and so prefix its dimensions."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to group by: its own name, the links to write before it, the entities walked."""

    name: str
    path: tuple[str, ...]
    route: tuple[str, ...]
    is_time: bool = False
    grain: str | None = None

    @property
    def full_name(self) -> str:
        """The full name, which is always unambiguous."""
        return "__".join((*self.path, self.name))


@dataclass(frozen=True, slots=True)
class View:
    """All items of one entity, by each of their names.

    An item whose full name fits two different joins is left out: no query can tell them apart.
    """

    named: Mapping[str, tuple[Item, ...]]
    ambiguous: frozenset[str]

    @staticmethod
    def of(items: Iterable[Item]) -> "View":
        """The view of these items."""
        full: defaultdict[str, dict[tuple[str, ...], Item]] = defaultdict(dict)
        for item in items:
            full[item.full_name.casefold()].setdefault(item.route, item)
        named: defaultdict[str, list[Item]] = defaultdict(list)
        for routes in full.values():
            if len(routes) == 1:
                for item in routes.values():
                    for name in _answers_to(item):
                        named[name].append(item)
        return View(
            {name: tuple(found) for name, found in named.items()},
            frozenset(name for name, routes in full.items() if len(routes) > 1),
        )

    def nearest(self, name: str) -> tuple[Item, ...]:
        """The items of this folded name with the fewest joins: one if the name is unambiguous."""
        found = self.named.get(name, ())
        shortest = min((len(item.path) for item in found), default=0)
        return tuple(item for item in found if len(item.path) == shortest)

    @property
    def names(self) -> set[str]:
        """The full names of all items."""
        return {item.full_name for items in self.named.values() for item in items}


def local_items(entity: Entity) -> Iterator[Item]:
    """The items of an entity without any join."""
    route = (entity.name,)
    if not entity.links:
        yield from _fields(entity, (), route)
        yield from joined_items(entity, (entity.name,), route)
        return
    for link in entity.links:
        yield Item(link.name, (), route)
    for link in entity.links:
        if link.kind in KEY_LINKS:
            yield from joined_items(entity, (link.name,), route)


def joined_items(entity: Entity, path: tuple[str, ...], route: tuple[str, ...]) -> Iterator[Item]:
    """The items of an entity that was joined along this path."""
    yield from _fields(entity, path, route)
    for link in entity.links:
        if link.name not in path:
            yield Item(link.name, path, route)


def _fields(entity: Entity, path: tuple[str, ...], route: tuple[str, ...]) -> Iterator[Item]:
    for field in entity.fields:
        if not entity.links or field.role not in (Role.KEY, Role.MEASURE):
            yield _item(field, path, route)


def _item(field: Field, path: tuple[str, ...], route: tuple[str, ...]) -> Item:
    is_time = field.role is Role.TIME or field.type.is_temporal
    return Item(field.name, path, route, is_time, field.grain)


def _answers_to(item: Item) -> Iterator[str]:
    """The full name, and each shorter one that keeps the last link."""
    for start in range(max(1, len(item.path))):
        yield "__".join((*item.path[start:], item.name)).casefold()
