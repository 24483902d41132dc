"""Arithmetic on data and numbers of the statement: which numbers scale, and which decide.

``SUM(x) / 1000`` and ``100.0 * a / b`` give the data in another unit. ``x + 5000000`` and
``COUNT(*) * 5000000`` give figures of the statement. If a literal replaces data in some rows, as
in ``amount * COALESCE(rate, 1)``, each case is judged as if it were written out.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal, DivisionByZero, InvalidOperation, Overflow
from functools import reduce
from itertools import product as combinations
from math import prod
from operator import mul

from sqlglot import exp

from veridical.contracts.lineage import OriginKind
from veridical.lineage.cell import (
    COMPUTED,
    MOST_WRITTEN,
    SOME_DAY,
    SOME_LITERAL,
    UNREDEEMED,
    Cell,
    either,
    literal,
    mixed,
    worst,
)

Operand = tuple[exp.Expr, Cell]
Combine = Callable[[Sequence[Operand]], Cell]

_UNITS = frozenset(
    map(Decimal, (4, 7, 12, 24, 30, 52, 60, 90, 360, 365, 366, 1440, 3600, 86400))
) | {Decimal(1024) ** power for power in range(1, 5)}
"""Factors between units: months, days, minutes, bytes."""
_PARTS = frozenset(map(Decimal, range(1, 13)))
"""Usual divisors of a total."""
_PER = frozenset(map(Decimal, (1, 100, 1000, 1_000_000)))
"""Factors for shares of one, a hundred, a thousand, a million."""
_WHOLES = frozenset(map(Decimal, (1, 100)))
"""Wholes that a share is subtracted from."""
_FAILS = (InvalidOperation, DivisionByZero, Overflow)
_CLOSE = Decimal("1e-9")


def by_case(operands: Sequence[Operand], combine: Combine) -> Cell:
    """The result of the operands, for every choice among their literals."""
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


def product(over: Sequence[Operand], under: Sequence[Operand]) -> Cell:
    """The result of factors above and below a line."""
    over = _without_signs(over)
    line = len(over)
    return by_case((*over, *under), lambda case: _product(case[:line], case[line:]))


def _product(over: Sequence[Operand], under: Sequence[Operand]) -> Cell:
    spoilt = worst(cell for _, cell in (*over, *under))
    if spoilt is not None and not spoilt.known:
        return spoilt
    constants = [cell for _, cell in (*over, *under) if cell.is_literal]
    above, below = _cancelled(_data(over), _data(under))
    if not _data(over) and not _data(under) and spoilt is None:
        return _folded(over, under, constants)
    if not above and not below:
        return UNREDEEMED  # x / x is always 1
    factor = _factor(over, under)
    if factor is None or factor == 0:
        return UNREDEEMED
    ratio = bool(above and below) or any(cell.ratio for _, cell in above)
    named = () if _scales(factor, above, below, ratio) else _deciding(over, under)
    if spoilt is not None or named:
        return mixed((*(spoilt.constants if spoilt else ()), *named))
    return Cell(OriginKind.COMPUTED, ratio=ratio)


def _without_signs(over: Sequence[Operand]) -> Sequence[Operand]:
    """The operands without factors that only add, subtract or leave out data: 2024 less 2023 is
    ``SUM(CASE year WHEN 2024 THEN 1 ELSE -1 END * amount)``."""
    others = [each for each in over if not _is_sign(each[0])]
    return others if any(cell.is_data for _, cell in others) else over


def _is_sign(factor: exp.Expr) -> bool:
    chosen = factor.unnest()
    if not isinstance(chosen, exp.Case):
        return False
    outcomes = [each.args.get("true") for each in chosen.args.get("ifs") or ()]
    outcomes.append(chosen.args.get("default") or exp.Literal.number(0))
    return all(_is_one_or_none(each) for each in outcomes)


def _is_one_or_none(outcome: exp.Expr | None) -> bool:
    plain = outcome.unnest() if outcome is not None else None
    if isinstance(plain, exp.Neg):
        plain = plain.this
    return isinstance(plain, exp.Literal) and not plain.is_string and plain.this in ("0", "1")


def total(operands: Sequence[Operand], *, subtracts: bool) -> Cell:
    """The result of two summands, or of a difference."""
    return by_case(operands, lambda case: _total(case, subtracts=subtracts))


def _total(operands: Sequence[Operand], *, subtracts: bool) -> Cell:
    cells = [cell for _, cell in operands]
    spoilt = worst(cells)
    if spoilt is not None and not spoilt.known:
        return spoilt
    data = [cell for cell in cells if cell.is_data]
    fixed = [cell for cell in cells if cell.is_literal]
    if not data and spoilt is None:
        return _folded_total(cells, subtracts=subtracts)
    if subtracts and operands[0][0] == operands[1][0]:
        return UNREDEEMED  # x - x is always 0
    named: list[Decimal] = list(spoilt.constants) if spoilt else []
    for cell in fixed:
        if cell.temporal or not (cell.written or not cell.known):
            continue  # a day that is counted from, or NULL
        number = cell.number
        if number is None:
            return UNREDEEMED
        if number != 0 and not _takes(number, data):
            named.append(number)
    if named:
        return mixed(named)
    return Cell(OriginKind.COMPUTED, ratio=bool(data) and all(cell.ratio for cell in data))


def _takes(number: Decimal, data: Sequence[Cell]) -> bool:
    """Growth is a ratio less one; the year before is a year less one."""
    if all(cell.ratio for cell in data):
        return abs(number) in _WHOLES
    plain = all(cell.kind in (OriginKind.COLUMN, OriginKind.COMPUTED) for cell in data)
    return plain and abs(number) == 1 and not any(cell.flag for cell in data)


def _data(operands: Sequence[Operand]) -> list[Operand]:
    return [each for each in operands if each[1].is_data or each[1].kind is OriginKind.MIXED]


def _cancelled(above: list[Operand], below: list[Operand]) -> tuple[list[Operand], list[Operand]]:
    """Both sides without their common factors."""
    left = list(below)
    kept: list[Operand] = []
    for each in above:
        same = next((other for other in left if other[0] == each[0]), None)
        if same is None:
            kept.append(each)
        else:
            left.remove(same)
    return kept, left


def _scales(
    factor: Decimal, above: Sequence[Operand], below: Sequence[Operand], ratio: bool
) -> bool:
    size = abs(factor)
    if not above:
        return size in _PER
    counts = all(cell.kind is OriginKind.COUNT or cell.flag or cell.counts for _, cell in above)
    if counts and not below and size > 1:
        return False  # five for each row is no figure that was read
    if ratio and size > 1:
        return size in _PER or size in _UNITS or any(size == per * 12 for per in _PER)
    if _is_power_of_ten(size) or size in _UNITS:
        return True
    inverse = _inverse(size)
    return any(
        _is_near(inverse, part * per)
        for part in _PARTS | _UNITS
        for per in (Decimal(1), Decimal("0.01"), Decimal(1000))
    )


def _is_power_of_ten(size: Decimal) -> bool:
    return size.normalize().as_tuple().digits == (1,)


def _is_near(one: Decimal, other: Decimal) -> bool:
    return abs(one - other) <= _CLOSE * other


def _inverse(size: Decimal) -> Decimal:
    try:
        return 1 / size
    except _FAILS:
        return Decimal(0)


def _factor(over: Sequence[Operand], under: Sequence[Operand]) -> Decimal | None:
    above, below = _numbers(over), _numbers(under)
    if above is None or below is None:
        return None
    try:
        return reduce(mul, above, Decimal(1)) / reduce(mul, below, Decimal(1))
    except _FAILS:
        return None


def _numbers(operands: Sequence[Operand]) -> list[Decimal] | None:
    """The numbers among factors; none where one of them is not known."""
    numbers = [cell.number for _, cell in operands if cell.is_literal]
    known = [number for number in numbers if number is not None]
    return known if len(known) == len(numbers) else None


def _deciding(over: Sequence[Operand], under: Sequence[Operand]) -> list[Decimal]:
    return [
        number
        for _, cell in (*over, *under)
        if (number := cell.number) is not None and not _is_power_of_ten(abs(number) or Decimal(1))
    ] or [number for number in _numbers((*over, *under)) or () if abs(number) != 1]


def _folded(over: Sequence[Operand], under: Sequence[Operand], constants: Sequence[Cell]) -> Cell:
    if constants and all(cell.temporal for cell in constants):
        return SOME_DAY
    factor = _factor(over, under)
    return SOME_LITERAL if factor is None else literal(factor)


def _folded_total(cells: Sequence[Cell], *, subtracts: bool) -> Cell:
    if any(cell.temporal for cell in cells):
        return SOME_DAY
    numbers = [cell.number for cell in cells]
    if len(numbers) != 2 or numbers[0] is None or numbers[1] is None:
        return SOME_LITERAL
    try:
        return literal(numbers[0] - numbers[1] if subtracts else numbers[0] + numbers[1])
    except _FAILS:
        return SOME_LITERAL


def remainder(left: Cell, right: Cell) -> Cell:
    """``x % 12``: of data by any number; what is left is smaller than the number."""
    spoilt = worst((left, right))
    if spoilt is not None:
        return spoilt
    if left.is_data and not left.written:
        return COMPUTED
    return UNREDEEMED if right.is_data else SOME_LITERAL
