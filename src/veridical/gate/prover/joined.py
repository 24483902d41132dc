"""Expressions over several columns of one thing, wherever its rows are: revenue less two costs,
by weight; stock times price over all rows.

The columns of a thing are those of its rows in all results. Only columns of one dimension are added
and subtracted, and only few at a time, so that the number of expressions stays small.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import combinations, product

from veridical.evidence.dimension import Dimension, comparable, multiplied
from veridical.gate.prover.facts import Fact, FactReader, Over
from veridical.gate.prover.figures import Figure
from veridical.gate.prover.how import How
from veridical.gate.prover.paired import FoundValue, part, rate
from veridical.gate.prover.scope import RowSet

_MOST_COLUMNS = 6
_MOST_TERMS = 4


def joined(facts: FactReader, sets: Sequence[RowSet]) -> list[Fact]:
    """The sized facts of all selections that are of one thing: one selection of each result."""
    found: dict[int, RowSet] = {}
    for each in sets:
        found.setdefault(each[0], each)
    return [fact for each in found.values() for fact in facts.sized(*each)]


def signed_sums(facts: Sequence[Fact]) -> Iterator[Fact]:
    """Three or four columns of a dimension added and subtracted, the first always added."""
    for terms in range(3, _MOST_TERMS + 1):
        for chosen in combinations(facts[:_MOST_COLUMNS], terms):
            if not all(comparable(chosen[0].dimension, each.dimension) for each in chosen):
                continue
            for signs in product((1, -1), repeat=terms - 1):
                rest = zip(signs, chosen[1:], strict=True)
                value = math.fsum((chosen[0].value, *(sign * each.value for sign, each in rest)))
                yield _made(abs(value), chosen[0].dimension, How.FORMULA, chosen)


def families(facts: Sequence[Fact], reader: FactReader) -> Iterator[Fact]:
    """Columns under one head added up: ``desks.hot`` and ``desks.dedicated``."""
    heads: dict[str, list[Fact]] = {}
    for each in facts:
        head, dot, _ = reader.column(each.ref).name.rpartition(".")
        if dot:
            heads.setdefault(head, []).append(each)
    for family in heads.values():
        if len(family) > 1 and all(
            comparable(family[0].dimension, each.dimension) for each in family
        ):
            total = math.fsum(each.value for each in family)
            yield _made(total, family[0].dimension, How.ADDED, family)


def products(reader: FactReader, rows: RowSet) -> Iterator[Fact]:
    """Two columns multiplied row by row and added up: stock at its price."""
    table, members = rows
    for one, other in combinations(reader.figures[table], 2):
        cells = [(reader.cell(table, row, one), reader.cell(table, row, other)) for row in members]
        known = [(a, b) for a, b in cells if a is not None and b is not None]
        if not known or not any(each.dimension.is_bare for each in known[0]):
            continue
        value = math.fsum(a.value * b.value for a, b in known)
        yield _made(
            value, multiplied(*(each.dimension for each in known[0])), How.PRODUCT, known[0]
        )


def shown(
    figure: Figure, made: Sequence[Fact], by: Sequence[Fact], per: float
) -> Iterator[FoundValue]:
    """The made facts as they are, as parts of others, and for each of others."""
    unit = figure.dimension
    for one in made:
        if unit is None or (unit.quantity is one.dimension.quantity and _same_unit(unit, one)):
            yield FoundValue(one.value / (unit.factor if unit else 1.0), How.FORMULA, (one,))
        for other in by:
            if comparable(one.dimension, other.dimension):
                yield from part(figure, one, other)
            else:
                yield from rate(figure, one, other, per)


def _same_unit(unit: Dimension, fact: Fact) -> bool:
    return not unit.unit or not fact.dimension.unit or unit.unit == fact.dimension.unit


def _made(value: float, dimension: Dimension, how: How, parts: Sequence[Fact]) -> Fact:
    whole = Dimension(dimension.quantity, dimension.unit)
    return Fact(value, whole, Over.DERIVED, -1, -1, parts[0].rows, how=how, parts=tuple(parts))
