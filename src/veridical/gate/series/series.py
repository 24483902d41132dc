"""Figures told of stretches of time: a value on its day, the lowest and highest of a week.

A figure is held against the rows that its sentence speaks of, in the columns that its words and
its unit name. The same figure on another day, or a high that is not the highest, is contradicted
by the cell that says otherwise.
"""

import re
from collections.abc import Collection, Iterator, Sequence

from veridical.contracts.proof import ClaimKind, Ground, Standing
from veridical.gate.bound import Bound
from veridical.gate.claim import Claim
from veridical.gate.evidence.quantity import converted
from veridical.gate.evidence.sheet import Place
from veridical.gate.evidence.timeline import Cell, Timeline, Track
from veridical.gate.records.lexicon import RecordLexicon
from veridical.gate.series.dated import bind_dates
from veridical.gate.series.extent import Extent, extent_words
from veridical.gate.series.told import Told, told_figures
from veridical.gate.series.when import When, find_whens
from veridical.late_pattern import late_pattern
from veridical.reading.before import OVER, UNDER
from veridical.reading.listed import listed

_ABOUT = 0.1
_OVER = 1.5
_EXACT = 0.01
_CONVERTED = 0.02
"""How far a figure may be off that was turned into another unit."""
_QUANTITIES = frozenset({ClaimKind.AMOUNT, ClaimKind.PERCENT})
_TIMES = listed("clock s sec secs second seconds min mins minute minutes h hour hours")
_OF_ALL = late_pattern(
    r"\b(?:highest|lowest|maximum|minimum|record|peaked|its\speak|the\speak|höchst\w+|tiefst\w+)\b",
    re.IGNORECASE,
)

Scope = dict[int, Track]
"""The rows that a figure is told of: each of its columns over them."""


def bind_series(
    claims: Sequence[Claim],
    text: str,
    timelines: Sequence[Timeline],
    lexicon: RecordLexicon,
    settled: Collection[int] = (),
) -> dict[int, Bound]:
    """How claims stand that speak of a timeline, by their place in ``claims``.

    What is settled already, such as a change from one row to the next, is no value of a row.
    """
    bounds: dict[int, Bound] = {}
    for timeline in timelines:
        whens = find_whens(text, timeline, claims)
        told = told_figures(claims, text, timeline, whens, lexicon)
        found: dict[int, Bound] = {}
        for each in told:
            bound = None if each.index in settled else _judged(each, timeline)
            if bound is not None:
                found[each.index] = bound
        found |= bind_dates(claims, text, timeline, whens, told, found, extent_words(lexicon))
        bounds |= {at: bound for at, bound in found.items() if _counts(bound, timeline)}
    return bounds


def _counts(bound: Bound, timeline: Timeline) -> bool:
    """A list of documents with dates bears claims out, but is silent about other dates."""
    return timeline.is_series or bound.standing is Standing.GROUNDED


def _judged(told: Told, timeline: Timeline) -> Bound | None:
    """How a figure stands; none where it does not speak of this timeline."""
    if told.extent is Extent.CHANGE:
        return None
    if not told.columns:
        return _unnamed(told, timeline)
    everything: Scope = {each.column: timeline.track(each.column) for each in told.columns}
    if told.when is None or _is_all(told.when, timeline):
        return _held_against(told, everything, everything, timeline)
    scope = _narrowed(everything, timeline.rows_on(told.when.stretches), timeline)
    if not scope:
        return _refused(told, everything, Standing.UNGROUNDED, timeline)
    return _held_against(told, scope, everything, timeline)


def _is_all(when: When, timeline: Timeline) -> bool:
    first, last = timeline.first.date(), timeline.last.date()
    return any(begin <= first and last <= end for begin, end in when.stretches)


def _narrowed(everything: Scope, rows: Sequence[int], timeline: Timeline) -> Scope:
    scope = {column: timeline.part(column, rows) for column in everything}
    return {column: track for column, track in scope.items() if track.cells}


def _unnamed(told: Told, timeline: Timeline) -> Bound | None:
    """A quantity that no column of the record speaks of: returns where only sales are kept."""
    if told.claim.kind not in _QUANTITIES or told.unit in _TIMES or not timeline.measures:
        return None
    anything = {each.column: timeline.track(each.column) for each in timeline.measures}
    return _refused(told, anything, Standing.UNGROUNDED, timeline)


def _held_against(told: Told, scope: Scope, everything: Scope, timeline: Timeline) -> Bound:
    if told.extent in (Extent.LOW, Extent.HIGH):
        return _extreme(told, scope, everything, timeline)
    found = _matching(told, scope)
    if found is None and told.extent is Extent.MEAN:
        found = _matching(told, {column: _mean(track) for column, track in scope.items()})
    if found is not None:
        return _borne_out(told, found, timeline)
    known = told.when is not None or _matching(told, everything) is not None
    standing = Standing.CONTRADICTED if known else Standing.UNGROUNDED
    return _refused(told, scope, standing, timeline)


def _mean(track: Track) -> Track:
    mean = sum(value for value, _, _ in track.cells) / len(track.cells)
    return Track([(mean, *track.cells[0][1:])])


def _extreme(told: Told, scope: Scope, everything: Scope, timeline: Timeline) -> Bound:
    scopes = [scope, everything] if told.carried else [scope]
    if _OF_ALL.search(told.before) and all(len(track.cells) == 1 for track in scope.values()):
        scopes = [everything]
    for each in (*scopes, *_kinds_named(told, scope, timeline)):
        found = _matching(told, _ends(told, each))
        if found is not None:
            return _borne_out(told, found, timeline)
    return _refused(told, _ends(told, scopes[0]), Standing.CONTRADICTED, timeline)


def _kinds_named(told: Told, scope: Scope, timeline: Timeline) -> Iterator[Scope]:
    """The rows of each kind that the sentence names: the highest of one region, not of all."""
    sentence = told.sentence.casefold()
    rows = {row for track in scope.values() for _, row, _ in track.cells}
    for column in range(len(timeline.source.columns)):
        kinds: dict[str, list[int]] = {}
        for row in rows:
            cell = timeline.source.rows[row][column]
            if isinstance(cell, str) and column != timeline.column:
                kinds.setdefault(cell.casefold(), []).append(row)
        for kind, named in kinds.items():
            if kind and kind in sentence:
                narrowed = _narrowed(scope, named, timeline)
                if narrowed:
                    yield narrowed


def _ends(told: Told, scope: Scope) -> Scope:
    """The lowest or the highest of each column."""
    end = 0 if told.extent is Extent.LOW else -1
    return {column: Track([track.by_value[end]]) for column, track in scope.items()}


def _matching(told: Told, scope: Scope) -> Cell | None:
    """The cell that says what the figure says."""
    units = {column.column: column.unit for column in told.columns}
    for column, track in scope.items():
        for value, half_step in _values(told, units[column]):
            if told.claim.bound:
                close = [track.by_value[0], track.by_value[-1]]
            else:
                close = track.around(value, 2 * _slack(told, value, half_step))
            for cell in close:
                if _is_close(told, value, half_step, cell[0]):
                    return cell
    return None


def _values(told: Told, unit: str) -> Iterator[tuple[float, float]]:
    """What the figure may say in the unit of the column, and how exactly."""
    for reading in told.claim.readings:
        value = converted(reading.value, told.unit, unit)
        if value is None or value == reading.value:
            yield reading.value, reading.half_step
        else:
            yield value, abs(value) * _CONVERTED


def _borne_out(told: Told, cell: Cell, timeline: Timeline) -> Bound:
    place = Place(timeline.sheet, cell[1], cell[2])
    return Bound(told.claim, Standing.GROUNDED, Ground.CELL, place, cell[0])


def _refused(told: Told, scope: Scope, standing: Standing, timeline: Timeline) -> Bound:
    value = told.claim.readings[0].value
    nearest = [track.nearest(value) for track in scope.values() if track.cells]
    _, row, column = min(nearest, key=lambda cell: abs(cell[0] - value))
    return Bound(told.claim, standing, place=Place(timeline.sheet, row, column))


def _is_close(told: Told, value: float, half_step: float, cell: float) -> bool:
    """Within half a unit of the last digit shown, or cut off there; wider where it says about."""
    if told.claim.bound == OVER:
        return value <= cell and (told.extent is Extent.POINT or cell <= value * _OVER)
    if told.claim.bound == UNDER and told.extent is not Extent.HIGH:
        return cell <= value
    slack = _slack(told, value, half_step)
    return abs(cell - value) <= slack or 0 <= (cell - value) * (1 if value >= 0 else -1) < 2 * slack


def _slack(told: Told, value: float, half_step: float) -> float:
    slack = half_step * (1 + 1e-9) + 1e-12
    if told.claim.approximate and half_step > _EXACT:
        return max(slack, abs(value) * _ABOUT, half_step * 2)
    return slack
