"""The columns of results that may be added up: totals, means and shares, each looked at once.

Cells stay plain numbers until one of these is what a claim says.
"""

from collections.abc import Iterator

from veridical.gate.derive.combine import Combined
from veridical.gate.derive.known import Known
from veridical.gate.derive.operation import Operation
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.evidence.exhibit import Additivity
from veridical.gate.evidence.measured import is_figure
from veridical.gate.evidence.sheet import Place

Column = tuple[int, int]
Cell = tuple[int, float]
"""A row and its figure."""
_MOST_ROWS = 400
"""Of a sheet whose every row is looked at; a total costs one pass, however many there are."""
_SHORTEST_NAME = 3
_REACH = 20
_HUNDRED = 100.0
_ALL = None
_NUMBERS, _NO_NUMBERS = {int, float}, {str, type(None), bool}


def totals_of(evidence: Evidence) -> "Totals":
    """The totals of this evidence, worked out once however many answers are held against it."""
    if Totals not in evidence.derived:
        evidence.derived[Totals] = Totals(evidence)
    return evidence.derived[Totals]


class Totals:
    """What the columns of all results come to."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        self._cells: dict[Column, dict[str, list[Cell]]] = {}
        self._sums: dict[tuple[Column, str | None], float] = {}
        self._made: dict[tuple[float, Operation], tuple[Column, str | None]] = {}
        self.columns = list(self._measured())

    def added(self, column: Column) -> Iterator[Combined]:
        """Total and mean of a column, unit by unit, and over all its units."""
        by_unit = self._by_unit(column)
        groups: list[tuple[str | None, list[Cell]]] = list(by_unit.items())
        if len(groups) > 1:
            groups.append((_ALL, [each for _, group in groups for each in group]))
        for unit, group in groups:
            if len(group) > 1:
                total = self._sum(column, unit, group)
                for value, operation in (
                    (total, Operation.SUM),
                    (total / len(group), Operation.MEAN),
                ):
                    self._made[value, operation] = column, unit
                    yield Combined(value, operation, ())

    def _sum(self, column: Column, unit: str | None, group: list[Cell]) -> float:
        if (column, unit) not in self._sums:
            self._sums[column, unit] = sum(value for _, value in group)
        return self._sums[column, unit]

    def filled(self, made: Combined) -> Combined:
        """The same with the cells it was made from."""
        origin = self._made.get((made.value, made.operation))
        if made.operands or origin is None:
            return made
        column, unit = origin
        return made._replace(operands=tuple(self._known(column, unit)))

    def shares(self, known: Known) -> Iterator[Combined]:
        """What part of its column's total a stated cell is."""
        if known.place is None or (known.place.sheet, known.place.column) not in self.columns:
            return
        column = (known.place.sheet, known.place.column)
        group = self._by_unit(column).get(known.unit, [])
        total = sum(value for _, value in group)
        if len(group) > 1 and total:
            whole = Known(total, total, f"{total:,.10g}", unit=known.unit)
            yield Combined(known.exact / total * _HUNDRED, Operation.SHARE, (known, whole))

    def all_shares(self, known: Known) -> Iterator[Combined]:
        """The shares of all rows in the column of a stated cell."""
        if known.place is not None:
            for other in self._known((known.place.sheet, known.place.column), known.unit):
                yield from self.shares(other)

    def named_last(self, lead: str) -> list[Known]:
        """The cells of the row that the words right before a figure name, where none is stated."""
        if any(sign.isdigit() for sign in lead[-_REACH:].rpartition("%")[2]):
            return []
        folded = lead.casefold()
        found = [
            (at, known)
            for column in self.columns
            if len(self._evidence.sheets[column[0]].rows) <= _MOST_ROWS
            for known in self._known(column, _ALL)
            if known.place is not None and (at := self._named_at(known.place, folded)) >= 0
        ]
        last = max((at for at, _ in found), default=-1)
        return [known for at, known in found if at == last]

    def _named_at(self, place: Place, folded: str) -> int:
        """Where the words of this row's own texts end last; -1 where they are not said."""
        return max(
            (
                at + len(cell)
                for cell in self._evidence.sheets[place.sheet].rows[place.row]
                if isinstance(cell, str) and len(cell) > _SHORTEST_NAME
                for at in [folded.rfind(cell.casefold())]
                if at >= 0
            ),
            default=-1,
        )

    def _measured(self) -> Iterator[Column]:
        for at, sheet in enumerate(self._evidence.sheets):
            if self._evidence.is_loose(at) or len(sheet.rows) < 2:
                continue
            for column, name in enumerate(sheet.columns):
                measure = sheet.source.measures.get(name)
                never = measure is not None and measure.additivity is Additivity.NEVER
                if not never and not self._evidence.is_code_column(Place(at, 0, column)):
                    yield at, column

    def _known(self, column: Column, unit: str | None) -> Iterator[Known]:
        for own, group in self._by_unit(column).items():
            if unit is _ALL or own == unit:
                for row, value in group:
                    place = Place(column[0], row, column[1])
                    yield Known(value, value, f"{value:,.10g}", unit=own, place=place)

    def _by_unit(self, column: Column) -> dict[str, list[Cell]]:
        if column not in self._cells:
            self._cells[column] = self._sorted(*column)
        return self._cells[column]

    def _sorted(self, at: int, column: int) -> dict[str, list[Cell]]:
        sheet = self._evidence.sheets[at]
        values = [row[column] for row in sheet.rows]
        kinds = set(map(type, values))
        if kinds <= _NUMBERS:
            cells = list(enumerate(map(float, values)))
        elif kinds <= _NO_NUMBERS:
            return {}
        else:
            cells = [(row, float(value)) for row, value in enumerate(values) if is_figure(value)]
        if not cells:
            return {}
        if not sheet.units and self._evidence.unit_column(at, column) is None:
            return {self._evidence.unit(Place(at, 0, column)): cells}
        found: dict[str, list[Cell]] = {}
        for row, value in cells:
            found.setdefault(self._evidence.unit(Place(at, row, column)), []).append((row, value))
        return found
