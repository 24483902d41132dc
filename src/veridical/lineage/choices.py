"""Values that are chosen: CASE, IF, COALESCE, GREATEST, and the defaults of LAG and LEAD."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal

from sqlglot import exp

from veridical.contracts.lineage import OriginKind
from veridical.lineage.cell import FLAG, NUMBER, UNREDEEMED, Cell, Value, either, worst

_FLAGS = frozenset({Decimal(0), Decimal(1)})


def chosen(
    branches: Sequence[Cell], conditions: Sequence[Cell], tests: Iterable[exp.Expr] = ()
) -> Cell:
    """One of the branches, by the conditions.

    Zero stands for "nothing there" where data decides, and is taken for data. The name of a
    bucket may contain the limits of the conditions.
    """
    spoilt = worst((*branches, *conditions))
    if spoilt is not None and (not spoilt.known or not all(map(_is_sound, conditions))):
        return UNREDEEMED if spoilt.kind is not OriginKind.UNKNOWN else spoilt
    by_data = bool(conditions) and all(each.is_data for each in conditions)
    given = [each for each in branches if not _is_null(each)]
    data = [each for each in given if not each.is_literal]
    fixed = [_vouched(each, tests) if by_data else each for each in given if each.is_literal]
    if not data:
        return _of_literals(fixed, by_data)
    if by_data:
        fixed = [replace(each, written=each.written - {Decimal(0), ""}) for each in fixed]
    result = data[0]
    for other in (*data[1:], *(each for each in fixed if each.written or not each.known)):
        result = either(result, other)
    return replace(result, kind=OriginKind.COMPUTED) if result.is_data else result


def fallen_back(first: Sequence[Cell]) -> Cell:
    """COALESCE: the first that is there. A literal stands in where data is missing."""
    there = [each for each in first if not _is_null(each)]
    return chosen(first, there[:1] if there and there[0].is_data else ())


def _of_literals(fixed: Sequence[Cell], by_data: bool) -> Cell:
    if not fixed:
        return Cell(OriginKind.LITERAL)
    result = fixed[0]
    for other in fixed[1:]:
        result = either(result, other)
    if not by_data:
        return result
    numbers = {value for each in fixed for value in each.written if isinstance(value, Decimal)}
    texts = [value for each in fixed for value in each.written if isinstance(value, str)]
    if result.known and not texts and numbers <= _FLAGS:
        return FLAG
    if result.known and not numbers:
        return Cell(OriginKind.COMPUTED, frozenset(texts))  # the name of a class of rows
    return replace(result, chosen=True)


def _is_sound(cell: Cell) -> bool:
    return cell.is_data or cell.is_literal


def _is_null(cell: Cell) -> bool:
    return cell.is_literal and cell.known and not cell.written


def _vouched(cell: Cell, tests: Iterable[exp.Expr]) -> Cell:
    """The cell without names of buckets whose limits the conditions have: ``0-30 days``."""
    limits = {number for test in tests for number in _limits(test)}
    return (
        replace(
            cell, written=frozenset(each for each in cell.written if not _is_bucket(each, limits))
        )
        if limits and cell.known
        else cell
    )


def _is_bucket(value: Value, limits: set[Decimal]) -> bool:
    if not isinstance(value, str):
        return False
    numbers = {
        Decimal(number) for number in NUMBER.findall(value.replace(",", "").replace("'", ""))
    }
    near = {number + step for number in limits for step in (-1, 0, 1)} | {Decimal(0)}
    return bool(numbers) and numbers <= near


def _limits(test: exp.Expr) -> Iterable[Decimal]:
    for found in test.find_all(exp.Literal):
        text = found.name.strip()
        if NUMBER.fullmatch(text):
            yield Decimal(text)
