"""Expressions to cells: what decides the value of one output."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal

from sqlglot import exp

from veridical.contracts.lineage import OriginKind
from veridical.lineage import functions
from veridical.lineage.aggregates import aggregate, is_aggregate, window
from veridical.lineage.arithmetic import Operand, product, remainder, total
from veridical.lineage.cell import (
    COMPUTED,
    FLAG,
    SOME_LITERAL,
    UNKNOWN,
    UNREDEEMED,
    Cell,
    cast_literal,
    is_day,
    is_format,
    joins_only,
    literal,
    read_literal,
    worst,
)
from veridical.lineage.choices import chosen, fallen_back
from veridical.lineage.scope import LineageScope, ReadQuery, Rows

_TRANSPARENT = (exp.Paren, exp.Alias, exp.Ordered, exp.Kwarg, exp.PropertyEQ)
_LOGIC = (exp.And, exp.Or, exp.Xor)


class Reader:
    """Reads the expressions of one SELECT."""

    def __init__(self, scope: LineageScope, read_query: ReadQuery) -> None:
        self.scope = scope
        self._read_query = read_query

    def read(self, node: exp.Expr) -> Cell:
        """The origin of this value."""
        if isinstance(node, _TRANSPARENT):
            return self.read(node.this)
        if isinstance(node, exp.Column):
            return self.scope.column(node) if not isinstance(node.this, exp.Star) else UNKNOWN
        written = read_literal(node)
        if written is not None:
            return written
        if isinstance(node, exp.Query):
            return self._scalar(node)
        if isinstance(node, exp.Distinct):
            return self._all(node.expressions)
        if isinstance(node, functions.CLOCKS):
            return COMPUTED
        if isinstance(node, exp.Window):
            return window(node, self.scope.rows, self.read)
        if is_aggregate(node):
            return aggregate(node, self.scope.rows, self.read)
        return self._computed(node)

    def _computed(self, node: exp.Expr) -> Cell:
        match node:
            case exp.Cast() | exp.TryCast():
                return _converted(cast_literal(self.read(node.this), node.args.get("to")))
            case exp.Neg():
                return self._negated(node)
            case exp.Mul() | exp.Div() | exp.IntDiv():
                return self._product(node)
            case exp.Add() | exp.Sub():
                return self._sum(node)
            case exp.Mod():
                return remainder(self.read(node.this), self.read(node.expression))
            case exp.Case():
                return self._case(node)
            case exp.If():
                return self._if(node)
            case exp.Coalesce():
                return fallen_back([self.read(each) for each in (node.this, *node.expressions)])
            case exp.Greatest() | exp.Least():
                cells = [self.read(each) for each in (node.this, *node.expressions)]
                return chosen(cells, [each for each in cells if each.is_data][:1])
            case exp.Exists() | exp.In() | exp.Predicate() | exp.Not() | exp.Connector():
                return self._condition(node)
            case _:
                return self._function(node)

    def _all(self, nodes: Sequence[exp.Expr]) -> Cell:
        cells = [self.read(each) for each in nodes]
        return cells[0] if len(cells) == 1 else _of_arguments(cells)

    def _scalar(self, node: exp.Expr) -> Cell:
        found = self._read_query(node, self.scope.relations, self.scope)
        if len(found.outputs) != 1:
            return UNKNOWN
        return found.outputs[0].cell

    def _negated(self, node: exp.Expr) -> Cell:
        cell = self.read(node.this)
        number = cell.number
        if number is not None:
            return literal(-number)
        if cell.is_literal and cell.written:
            return SOME_LITERAL
        numbers = [each for each in cell.written if isinstance(each, Decimal)]
        if len(numbers) < len(cell.written):
            return UNREDEEMED
        return replace(cell, flag=False, written=frozenset(-each for each in numbers))

    def _product(self, node: exp.Expr) -> Cell:
        over: list[Operand] = []
        under: list[Operand] = []
        self._factors(node, over, under)
        return product(over, under)

    def _factors(self, node: exp.Expr, over: list[Operand], under: list[Operand]) -> None:
        """The factors of a chain, those of its denominators apart."""
        node = _bare(node)
        if isinstance(node, exp.Mul):
            self._factors(node.this, over, under)
            self._factors(node.expression, over, under)
        elif isinstance(node, exp.Div | exp.IntDiv):
            self._factors(node.this, over, under)
            self._factors(node.expression, under, over)
        elif isinstance(node, exp.Nullif):
            self._factors(node.this, over, under)
        else:
            over.append((node, self.read(node)))

    def _sum(self, node: exp.Expr) -> Cell:
        sides = (_bare(node.this), _bare(node.expression))
        operands = [(side, _as_day(self.read(side))) for side in sides]
        return total(operands, subtracts=isinstance(node, exp.Sub))

    def _case(self, node: exp.Case) -> Cell:
        base = node.args.get("this")
        ifs = node.args.get("ifs") or []
        conditions = [self.read(each.this) for each in ifs] if base is None else [self.read(base)]
        branches = [self.read(each.args["true"]) for each in ifs]
        default = node.args.get("default")
        if default is not None:
            branches.append(self.read(default))
        return chosen(branches, conditions, [each.this for each in ifs])

    def _if(self, node: exp.If) -> Cell:
        otherwise = node.args.get("false")
        branches = [self.read(node.args["true"])]
        if otherwise is not None:
            branches.append(self.read(otherwise))
        return chosen(branches, [self.read(node.this)], [node.this])

    def _condition(self, node: exp.Expr) -> Cell:
        """A yes or a no: by data where every part of it reads some."""
        if isinstance(node, exp.Exists):
            return self._exists(node.this)
        if isinstance(node, _LOGIC):
            parts = [self.read(node.this), self.read(node.expression)]
            spoilt = worst(parts)
            if spoilt is not None:
                return spoilt
            data = [part for part in parts if part.is_data]
            return FLAG if len(data) == len(parts) else UNREDEEMED if data else SOME_LITERAL
        if isinstance(node, exp.Not):
            cell = self.read(node.this)
            return (
                FLAG
                if cell.is_data
                else UNREDEEMED
                if cell.kind is not OriginKind.LITERAL
                else cell
            )
        if isinstance(node, exp.EQ | exp.NEQ | exp.GTE | exp.LTE) and node.this == node.expression:
            return UNREDEEMED  # x = x always holds
        cells = [self._compared(each) for each in node.iter_expressions()]
        if any(cell.kind is OriginKind.UNKNOWN for cell in cells):
            return UNKNOWN
        return FLAG if any(map(_reads, cells)) else SOME_LITERAL

    def _compared(self, node: exp.Expr) -> Cell:
        if isinstance(node, exp.Subquery | exp.Query):
            return self._exists(node)
        if isinstance(node, exp.Tuple | exp.Array | exp.Any | exp.All):
            cells = [self._compared(each) for each in node.iter_expressions()]
            return next((each for each in cells if _reads(each)), SOME_LITERAL)
        return self.read(node)

    def _exists(self, node: exp.Expr) -> Cell:
        found = self._read_query(node, self.scope.relations, self.scope)
        reads = found.rows in (Rows.READ, Rows.LIMITED) or any(
            _reads(each.cell) for each in found.outputs
        )
        return FLAG if reads else SOME_LITERAL

    def _function(self, node: exp.Expr) -> Cell:
        if not isinstance(node, exp.Func | exp.Bracket | exp.AtTimeZone | exp.Collate | exp.DPipe):
            return UNKNOWN
        cells = [self.read(each) for each in _arguments(node)]
        name = node.name.casefold() if isinstance(node, exp.Anonymous) else ""
        if isinstance(node, functions.SHAPING) or name in functions.SHAPING_NAMES:
            return _shaped(cells)
        if isinstance(node, functions.FORMATTING) or name in functions.FORMATTING_NAMES:
            return _formatted(cells)
        if isinstance(node, functions.JOINING):
            return _joined(cells)
        return _of_arguments(cells)


def _arguments(node: exp.Expr) -> Iterable[exp.Expr]:
    """The values that a function computes from; units and paths are none."""
    for each in node.iter_expressions():
        if not isinstance(each, exp.Var | exp.JSONPath | exp.DataType | exp.Identifier):
            yield each


def _of_arguments(cells: Sequence[Cell]) -> Cell:
    """The result of an unknown function: of data alone, it is data."""
    spoilt = worst(cells)
    if spoilt is not None:
        return spoilt if spoilt.kind is OriginKind.UNKNOWN else UNREDEEMED
    data = [cell for cell in cells if cell.is_data]
    if not data:
        return SOME_LITERAL
    if len(data) < len(cells) or any(cell.written for cell in data):
        return UNREDEEMED
    return COMPUTED


def _shaped(cells: Sequence[Cell]) -> Cell:
    """A part of the data, or the data less finely."""
    spoilt = worst(cells)
    if spoilt is not None:
        return spoilt
    data = [cell for cell in cells if cell.is_data]
    if not data:
        return replace(SOME_LITERAL, temporal=any(map(is_day, cells)))
    if len(data) == 1 and all(_is_whole(value) for value in data[0].written):
        return (
            replace(data[0], kind=OriginKind.COMPUTED)
            if data[0].kind is OriginKind.COLUMN
            else data[0]
        )
    return UNREDEEMED if any(cell.written for cell in data) else COMPUTED


def _formatted(cells: Sequence[Cell]) -> Cell:
    texts = [value for cell in cells if cell.is_literal for value in cell.written]
    if any(not cell.known for cell in cells if cell.is_literal):
        return worst(cells) or UNREDEEMED
    sound = all(not isinstance(text, str) or is_format(text) for text in texts)
    return _shaped(cells) if sound else worst(cells) or UNREDEEMED


def _joined(cells: Sequence[Cell]) -> Cell:
    """Texts put together: with signs and units between parts, and nothing else."""
    data = [cell for cell in cells if cell.is_data]
    spoilt = worst(cells)
    if spoilt is not None or not data:
        return spoilt or SOME_LITERAL
    fixed = [cell for cell in cells if cell.is_literal]
    texts = [str(value) for cell in fixed for value in cell.written]
    sound = all(cell.known for cell in fixed) and joins_only(texts)
    return COMPUTED if sound and not any(cell.written for cell in data) else UNREDEEMED


def _converted(cell: Cell) -> Cell:
    """A cast may round: only whole literals are still the same behind it."""
    if cell.is_data and not all(_is_whole(value) for value in cell.written):
        return UNREDEEMED
    return cell


def _is_whole(value: Decimal | str) -> bool:
    return isinstance(value, str) or value == value.to_integral_value()


def _as_day(cell: Cell) -> Cell:
    return replace(cell, temporal=True) if is_day(cell) else cell


def _reads(cell: Cell) -> bool:
    return cell.is_data or cell.kind is OriginKind.MIXED


def _bare(node: exp.Expr) -> exp.Expr:
    while isinstance(node, exp.Paren):
        node = node.this
    return node
