"""Literals that stand in for data in some rows, case by case: ``amount * COALESCE(rate, 1)``.

Where the rate is there, the product is of two columns; where it is missing, it is the amount. Each
case is judged as if it were written out, and the value is as sound as the worst of them.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product as combinations
from math import prod

from sqlglot import exp

from veridical.lineage.cell import MOST_WRITTEN, UNREDEEMED, Cell, either, literal

Operand = tuple[exp.Expr, Cell]
Combine = Callable[[Sequence[Operand]], Cell]


def by_case(operands: Sequence[Operand], combine: Combine) -> Cell:
    """What the operands come to, whichever of their literals stand in."""
    cases = [_cases(*each) for each in operands]
    if prod(map(len, cases)) > MOST_WRITTEN:
        return UNREDEEMED
    result: Cell | None = None
    for chosen in combinations(*cases):
        cell = combine(chosen)
        result = cell if result is None else either(result, cell)
    return result or UNREDEEMED


def _cases(node: exp.Expr, cell: Cell) -> list[Operand]:
    """The data itself, then each literal in its place."""
    if not cell.is_data or not cell.written:
        return [(node, cell)]
    data = node.this.unnest() if isinstance(node, exp.Coalesce) else node
    read = replace(cell, written=frozenset())
    return [(data, read), *((node, literal(value)) for value in cell.written)]
