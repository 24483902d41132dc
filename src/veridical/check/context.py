"""The context of the rules beside the facts: the caller, the engine, and the columns that filters,
the host's scope or a join settle to one value."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from veridical.check.connected import connected_uses
from veridical.check.dialects import Dialect
from veridical.check.facts import Aggregate, Facts, Filter, Literal, LiteralKind, Term
from veridical.contracts.caller import Caller, Scope
from veridical.ontology.catalog import Catalog

ColumnPlace = tuple[int, str]
"""A column of a use: (use, column name)."""


@dataclass(frozen=True, slots=True)
class FixedColumns:
    """The settled columns of one query, and the columns that joins make equal."""

    values: dict[ColumnPlace, Literal]
    equals: dict[ColumnPlace, frozenset[ColumnPlace]]
    narrowed: dict[ColumnPlace, list[Filter]]
    respelled: frozenset[ColumnPlace] = frozenset()
    """Those that only another spelling of the column settles: ``LOWER(status) = 'paid'``."""

    @staticmethod
    def of(facts: Facts, scope: Scope) -> "FixedColumns":
        """The columns that the whole query settles."""
        equals = _classes(facts) if facts.equalities else {}
        if facts.has_same_tables:
            _join_rows(facts, equals)
        values: dict[ColumnPlace, Literal] = {}
        narrowed: dict[ColumnPlace, list[Filter]] = {}
        exact: set[ColumnPlace] = set()
        for each in facts.filters:
            place = each.origin.place
            pins = each.pins
            empty = each.op == "is null"  # nothing joins by it
            for same in equals.get(place, (place,)) if equals and not empty else (place,):
                known = narrowed.get(same)
                if known is None:
                    narrowed[same] = [each]
                else:
                    known.append(each)
                if pins:
                    values[same] = each.values[0]
                    if not each.through:
                        exact.add(same)
        for column, allowed in scope.allowed.items():
            if len(allowed) == 1:
                for use in facts.uses:
                    if column in use.table.columns:
                        values[use.id, column] = Literal(LiteralKind.TEXT, allowed[0])
                        exact.add((use.id, column))
        return FixedColumns(values, equals, narrowed, frozenset(values.keys() - exact))

    def value(self, place: ColumnPlace, conditions: Iterable[Filter] = ()) -> Literal | None:
        """The one value a column can have, under these extra conditions."""
        for each in conditions:
            if each.pins and place in self.same(each.origin.place):
                return each.values[0]
        return self.values.get(place)

    def fixed(self, place: ColumnPlace, aggregate: Aggregate, term: Term) -> bool:
        """True when an aggregate does not run over this column: settled, or kept apart by a key."""
        if place in self.values:
            return True
        if term.conditions and self.value(place, term.conditions) is not None:
            return True
        if not aggregate.keys:
            return False
        same = self.same(place)
        return any(key.place in same for key in aggregate.keys)

    def filters(self, place: ColumnPlace, conditions: Iterable[Filter] = ()) -> list[Filter]:
        """All filters on this column or on one that equals it."""
        extra = [each for each in conditions if place in self.same(each.origin.place)]
        return [*self.narrowed.get(place, ()), *extra]

    def same(self, place: ColumnPlace) -> frozenset[ColumnPlace]:
        """This column and all that a join makes equal to it."""
        return self.equals.get(place) or frozenset((place,))


def _classes(facts: Facts) -> dict[ColumnPlace, frozenset[ColumnPlace]]:
    classes: dict[ColumnPlace, frozenset[ColumnPlace]] = {}
    for equality in facts.equalities:
        if not equality.joins:
            continue
        left, right = equality.left.place, equality.right.place
        joined = classes.get(left, frozenset((left,))) | classes.get(right, frozenset((right,)))
        for place in joined:
            classes[place] = joined
    return classes


def _join_rows(facts: Facts, classes: dict[ColumnPlace, frozenset[ColumnPlace]]) -> None:
    """Makes all columns equal of two uses that are the same rows, joined or looked up by a key:
    what is demanded of the one holds for the other."""
    for one, other in _same_rows(facts, classes):
        for name in {each.origin.column.name for each in facts.filters} | {
            key.column.name for block in facts.blocks for key in block.keys
        }:
            left, right = (one, name), (other, name)
            joined = classes.get(left, frozenset((left,))) | classes.get(right, frozenset((right,)))
            for place in joined:
                classes[place] = joined


def _same_rows(
    facts: Facts, classes: dict[ColumnPlace, frozenset[ColumnPlace]]
) -> list[tuple[int, int]]:
    apart = facts.negated.union(*(block.optional for block in facts.blocks))
    looked_up = {(each.left.place, each.right.place) for each in facts.equalities if not each.joins}

    def is_met(one: int, other: int, name: str) -> bool:
        near, far = (one, name), (other, name)
        return far in classes.get(near, ()) or (near, far) in looked_up

    return [
        (one.id, other.id)
        for one in facts.uses
        for other in facts.uses
        if one.id != other.id
        and one.table is other.table
        and apart.isdisjoint((one.id, other.id))
        and any(
            key and all(is_met(one.id, other.id, name) for name in key) for key in one.table.keys
        )
    ]


@dataclass(slots=True)
class Context:
    """One check under way."""

    facts: Facts
    catalog: Catalog
    caller: Caller
    dialect: Dialect
    purposes: frozenset[str] = frozenset()
    question: str = ""
    strict_names: bool = False
    """True if findings from column names block instead of warn."""
    _settled: FixedColumns | None = field(default=None, init=False)
    parents: dict[int, tuple[int, ...]] = field(
        default_factory=dict[int, tuple[int, ...]], init=False
    )
    """What was found out for a use: those that each of its rows meets once."""
    figures: dict[int, tuple[Aggregate, ...]] = field(
        default_factory=dict[int, tuple[Aggregate, ...]], init=False
    )
    """And the figures that are made of it."""
    _connected: tuple[frozenset[int], ...] | None = field(default=None, init=False)

    @property
    def settled(self) -> FixedColumns:
        """The columns of uses that can have one value only; computed on first use."""
        if self._settled is None:
            self._settled = FixedColumns.of(self.facts, self.caller.scope)
        return self._settled

    @property
    def connected(self) -> tuple[frozenset[int], ...]:
        """For each use, all that conditions tie it to; computed on first use."""
        if self._connected is None:
            self._connected = connected_uses(self.facts)
        return self._connected
