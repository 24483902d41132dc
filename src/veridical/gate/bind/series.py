"""Figures told of stretches of time: a value on its day, the lowest and highest of a week.

A figure is held against the rows that its sentence speaks of, in the columns that its words and
its unit name. The same figure on another day, or a high that is not the highest, is contradicted
by the cell that says otherwise.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from veridical.contracts.proof import ClaimKind, Ground, Standing
from veridical.gate.bind.dated import bind_dates
from veridical.gate.bind.extent import Extent
from veridical.gate.bind.measured import is_figure
from veridical.gate.bind.quantity import converted
from veridical.gate.bind.told import Told, told_figures
from veridical.gate.bind.when import find_whens
from veridical.gate.bound import Bound
from veridical.gate.claim import Claim
from veridical.gate.evidence.sheet import Place, Sheet
from veridical.gate.evidence.timeline import Timeline, timelines_of
from veridical.reading.listed import listed

_ABOUT = 0.1
_OVER = 1.5
_EXACT = 0.01
_QUANTITIES = frozenset({ClaimKind.AMOUNT, ClaimKind.PERCENT})
_TIMES = listed("clock s sec secs second seconds min mins minute minutes h hour hours")
_OF_ALL = re.compile(
    r"\b(?:highest|lowest|maximum|minimum|record|peaked|its\speak|the\speak|höchst\w+|tiefst\w+)\b",
    re.IGNORECASE,
)

Cell = tuple[float, int, int]
"""A figure with its row and column."""


def bind_series(
    claims: Sequence[Claim],
    text: str,
    sheets: Sequence[Sheet],
    timelines: Sequence[Timeline] | None = None,
) -> dict[int, Bound]:
    """How claims stand that speak of a timeline, by their place in ``claims``."""
    bounds: dict[int, Bound] = {}
    for timeline in timelines_of(sheets) if timelines is None else timelines:
        sheet = sheets[timeline.sheet]
        whens = find_whens(text, timeline, claims)
        series = _Series(sheet, timeline)
        told = told_figures(claims, text, sheet, timeline, whens)
        for each in told:
            bound = series.judge(each)
            if bound is not None:
                bounds[each.index] = bound
        bounds.update(bind_dates(claims, text, sheet, timeline, whens, told, bounds))
    return bounds


@dataclass(frozen=True, slots=True)
class _Series:
    """A sheet in time, as figures are held against it."""

    sheet: Sheet
    timeline: Timeline

    def judge(self, told: Told) -> Bound | None:
        """How a figure stands; none where it does not speak of this sheet."""
        if told.extent is Extent.CHANGE:
            return None
        if not told.columns:
            return self._unnamed(told)
        everything = self._cells(told, range(len(self.sheet.rows)))
        if not everything:
            return None
        if told.when is None:
            return self._held_against(told, everything, everything)
        cells = self._cells(told, self.timeline.rows_on(told.when.stretches))
        if not cells:
            return self._refused(told, everything, Standing.UNGROUNDED)
        return self._held_against(told, cells, everything)

    def _unnamed(self, told: Told) -> Bound | None:
        """A quantity that no column of the record speaks of: humidity where there is none."""
        if told.claim.kind not in _QUANTITIES or told.unit in _TIMES:
            return None
        anywhere = [
            (float(cell), row, column)
            for row, cells in enumerate(self.sheet.rows)
            for column, cell in enumerate(cells)
            if is_figure(cell)
        ]
        return self._refused(told, anywhere, Standing.UNGROUNDED) if anywhere else None

    def _cells(self, told: Told, rows: Iterable[int]) -> list[Cell]:
        columns = [column.column for column in told.columns]
        return [
            (float(value), row, column)
            for row in rows
            for column in columns
            if is_figure(value := self.sheet.rows[row][column])
        ]

    def _held_against(self, told: Told, cells: list[Cell], everything: list[Cell]) -> Bound:
        if told.extent in (Extent.LOW, Extent.HIGH):
            return self._extreme(told, cells, everything)
        found = self._matching(told, cells)
        if found is None and told.extent is Extent.MEAN:
            mean = sum(value for value, _, _ in cells) / len(cells)
            found = self._matching(told, [(mean, *cells[0][1:])])
        if found:
            return self._borne_out(told, found)
        elsewhere = self._matching(told, everything)
        standing = Standing.CONTRADICTED if elsewhere or told.when else Standing.UNGROUNDED
        return self._refused(told, cells, standing)

    def _extreme(self, told: Told, cells: list[Cell], everything: list[Cell]) -> Bound:
        scopes = [cells]
        if told.carried:
            scopes.append(everything)
        if _OF_ALL.search(told.before) and len({row for _, row, _ in cells}) == 1:
            scopes = [everything]
        for scope in scopes:
            by_column: dict[int, list[Cell]] = {}
            for cell in scope:
                by_column.setdefault(cell[2], []).append(cell)
            extremes = [self._extreme_of(told, column) for column in by_column.values()]
            found = self._matching(told, extremes)
            if found:
                return self._borne_out(told, found)
        opposing = self._extreme_of(told, scopes[0])
        return self._refused(told, [opposing], Standing.CONTRADICTED)

    def _extreme_of(self, told: Told, cells: list[Cell]) -> Cell:
        pick = min if told.extent is Extent.LOW else max
        return pick(cells, key=lambda cell: cell[0])

    def _matching(self, told: Told, cells: Iterable[Cell]) -> Cell | None:
        for cell in cells:
            if self._says(told, cell):
                return cell
        return None

    def _says(self, told: Told, cell: Cell) -> bool:
        unit = next(column.unit for column in told.columns if column.column == cell[2])
        for reading in told.claim.readings:
            value = converted(reading.value, told.unit, unit)
            value, same = (
                (reading.value, True) if value is None else (value, value == reading.value)
            )
            if _close(told, value, reading.half_step if same else abs(value) * 0.02, cell[0]):
                return True
        return False

    def _borne_out(self, told: Told, cell: Cell) -> Bound:
        return Bound(
            told.claim,
            Standing.GROUNDED,
            Ground.CELL,
            Place(self.timeline.sheet, cell[1], cell[2]),
            cell[0],
        )

    def _refused(self, told: Told, cells: list[Cell], standing: Standing) -> Bound:
        value = told.claim.readings[0].value
        _, row, column = min(cells, key=lambda cell: abs(cell[0] - value))
        return Bound(told.claim, standing, place=Place(self.timeline.sheet, row, column))


def _close(told: Told, value: float, half_step: float, cell: float) -> bool:
    """Within half a unit of the last digit shown, or cut off there; wider where it says about."""
    if told.claim.bound == "over":
        return value <= cell and (told.extent is Extent.POINT or cell <= value * _OVER)
    if told.claim.bound == "under" and told.extent is not Extent.HIGH:
        return cell <= value
    slack = half_step * (1 + 1e-9) + 1e-12
    if told.claim.approximate and half_step > _EXACT:
        slack = max(slack, abs(value) * _ABOUT, half_step * 2)
    return abs(cell - value) <= slack or 0 <= (cell - value) * (1 if value >= 0 else -1) < 2 * slack
