"""The rows of a canonical question's result in words: names, then figures."""

from collections.abc import Iterator, Sequence
from typing import Any

from veridical.contracts.language import Language, in_language
from veridical.contracts.lineage import OriginKind
from veridical.contracts.schema import ValueType
from veridical.contracts.written import Part
from veridical.evidence.column import CellKind
from veridical.evidence.column_types import typed_column
from veridical.messages import message
from veridical.ontology.model import Asks, Role
from veridical.reading import shown
from veridical.route.patterns import PatternMatch

Row = Sequence[Any]
_WHOLE = ValueType.INTEGER
_FLOAT_DIGITS = 15
"""A number with more digits comes as text."""
_DOT, _COLON, _COMMA = Part(" · "), Part(": "), Part(", ")


class RowWriter:
    """Writes the rows of one result; each piece tells its cell."""

    def __init__(
        self,
        match: PatternMatch,
        columns: tuple[str, ...],
        rows: Sequence[Row],
        origins: Sequence[OriginKind],
        language: Language,
    ) -> None:
        self._match = match
        self._shapes = match.index.shapes
        self._columns = columns
        self._rows = rows
        self._language = language
        self._counts = frozenset(
            at
            for at, origin in enumerate(origins)
            if origin is OriginKind.COUNT and columns[at] not in self._shapes
        )
        self._sums = frozenset(
            at for at, origin in enumerate(origins) if origin is OriginKind.AGGREGATE
        )
        roles = [self._role(at) for at in range(len(columns))]
        self._units = tuple(at for at, role in enumerate(roles) if role is Role.UNIT)
        self._measures = tuple(at for at, role in enumerate(roles) if role is Role.MEASURE)
        taken = (*self._units, *self._measures)
        self._others = tuple(at for at in range(len(columns)) if at not in taken)
        self._amounts = frozenset(at for at in self._measures if not self._is_counted(at))

    def is_figure(self, row: Row) -> bool:
        """True if the title names everything in a row except its figures."""
        named = {str(value) for value in self._match.slots.values()}
        return len(self._columns) == 1 or all(str(row[at]) in named for at in self._others)

    def line(self, row: int) -> Iterator[Part]:
        """One row."""
        named = [self._cell(row, at) for at in self._others]
        figures = self.figures(row) if self._measures else ()
        yield from _joined(named, _DOT)
        if figures:
            if any(part.text for part in named):
                yield _COLON
            yield from figures

    def figures(self, row: int) -> tuple[Part, ...]:
        """The figures of a row, with their labels if there are several."""
        if not self._measures:
            return tuple(_joined([self._cell(row, at) for at in self._others], _DOT))
        cells = [self._figure(row, at) for at in self._measures]
        if len(cells) == 1:
            return tuple(cells)
        labelled = list[Part]()
        for at, cell in zip(self._measures, cells, strict=True):
            labelled += (_COMMA,) if labelled else ()
            labelled += (Part(f"{self._label(at)} ", owned=True), cell)
        return tuple(labelled)

    def _figure(self, row: int, at: int) -> Part:
        """A figure with its unit."""
        cell = self._cell(row, at)
        if at in self._counts:
            return cell
        units = tuple(unit for unit in self._units if self._rows[row][unit] is not None)
        unit_text = "/".join([str(self._rows[row][unit]) for unit in units])
        return (
            cell._replace(text=f"{cell.text} {unit_text}".strip(), units=units)
            if unit_text
            else cell
        )

    def _role(self, at: int) -> Role:
        """A column that no field has was computed: a figure, or a year, a month, a key, a name."""
        shape = self._shapes.get(self._columns[at])
        cells = [row[at] for row in self._rows]
        if shape is not None and shape.role is not Role.MEASURE:
            return shape.role
        if at in self._counts or not any(cell is not None for cell in cells):
            return Role.MEASURE
        if not all(cell is None or self._is_number(cell, at) for cell in cells):
            return Role.DIMENSION
        if shape is not None:
            return Role.MEASURE
        kind = typed_column(self._columns[at], cells)[0].kind
        is_sum = (
            kind is CellKind.CODE and at in self._sums and any(isinstance(c, float) for c in cells)
        )
        is_figure = kind is CellKind.FIGURE or is_sum or not all(map(_is_whole, cells))
        return Role.MEASURE if is_figure else Role.DIMENSION

    def _is_number(self, cell: Any, at: int) -> bool:
        """A text is a number where it was added up, or keeps all its digits; ``01`` is a month."""
        if isinstance(cell, str):
            kept = at in self._sums or sum(map(str.isdigit, cell)) > _FLOAT_DIGITS
            return kept and shown.is_number(cell)
        return shown.is_number(cell)

    def _is_counted(self, at: int) -> bool:
        """True for pieces and the like: whole numbers by their type, which are no money."""
        shape = self._shapes.get(self._columns[at])
        if at in self._counts or self._match.pattern.asks is Asks.HOW_MANY:
            return True
        if shape and shape.type is _WHOLE:
            return True
        units = {str(row[unit]) for row in self._rows for unit in self._units}
        units |= {shape.unit} if shape else set()
        is_money = any(map(shown.is_currency, units))
        return not is_money and all(isinstance(row[at], int | None) for row in self._rows)

    def _label(self, at: int) -> str:
        name = self._columns[at]
        return in_language(self._match.pattern.labels.get(name, name), self._language)

    def _cell(self, row: int, at: int) -> Part:
        return Part(self._text(at, self._rows[row][at]), row, at)

    def _text(self, at: int, value: Any) -> str:
        shape = self._shapes.get(self._columns[at])
        if value is None:
            return message("pattern.nothing", self._language)
        if shape is not None and shape.encoding is not None:
            return shown.stored_day(value, shape.encoding, self._language)
        if at in self._amounts:
            return shown.money(value, self._language)
        if at in self._measures:
            return shown.count(value, self._language)
        return shown.plain(value)


def _is_whole(cell: Any) -> bool:
    return cell is None or (isinstance(cell, int | float) and cell == int(cell))


def _joined(parts: Sequence[Part], between: Part) -> Iterator[Part]:
    for number, part in enumerate(parts):
        if number:
            yield between
        yield part
