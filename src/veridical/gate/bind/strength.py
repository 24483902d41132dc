"""How easily a figure finds a ground: the share of figures of its kind that these rules accept.

A figure of the same kind has the same power of ten, as many digits behind the point and the same
unit. Of all such figures, those are counted that some cell within reach rounds to; cells within
reach are those that the text's own names leave open. A figure that half of all figures could
replace is weakly borne out, however well it matches.
"""

from collections.abc import Collection, Iterable, Sequence
from math import floor, log10

from veridical.gate.bind.cells import Hit
from veridical.gate.bind.counts import row_counts
from veridical.gate.claim import Claim, Reading
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.evidence.index_label import Spot
from veridical.gate.evidence.sheet import Place
from veridical.gate.naming.labels import Reader
from veridical.gate.naming.passages import Constraint

_PERCENT = "%"
_MOST_ROWS = 200


def coincidence(claim: Claim, hit: Hit, reader: Reader) -> float:
    """The share of figures like this one that would have found a cell in the same sentence."""
    evidence = reader.evidence
    reading = hit.reading
    if len(evidence.sheets) == 1:
        constraints = reader.constraints(claim, hit.place.sheet)
        if constraints:
            values = _within_reach(hit.place, constraints, reader)
            if values is not None:
                return share_of(values, reading)
    return share_of_all(reading, evidence)


def count_coincidence(claim: Claim, evidence: Evidence) -> float:
    """The same for a figure that counts rows."""
    return share_of(set(map(float, row_counts(evidence))), claim.readings[0])


def share_of_all(reading: Reading, evidence: Evidence) -> float:
    """The share that any cell of the evidence would ground."""
    low, high, many = figures_alike(reading)
    step = (high - low) / many
    reached = 0.0
    for factor in _factors(reading, evidence.scales):
        reached += evidence.steps_reached(low / factor, high / factor, step / factor)
    return min(1.0, reached / many)


def share_of(values: Collection[float], reading: Reading) -> float:
    """The share that cells with these values would ground."""
    low, high, many = figures_alike(reading)
    step = (high - low) / many
    reached = {
        round(value * factor / step)
        for factor in _factors(reading)
        for value in values
        if low <= value * factor < high
    }
    return min(1.0, len(reached) / many)


def figures_alike(reading: Reading) -> tuple[float, float, float]:
    """From where to where figures of this kind reach, and how many there are."""
    low, high = _decade(abs(reading.value))
    step = 2 * reading.half_step or high / 100
    return low, high, max(1.0, round((high - low) / step))


def _decade(value: float) -> tuple[float, float]:
    """The powers of ten below and above a figure; below one they start at zero."""
    if value < 1:
        return 0.0, 1.0
    low = 10.0 ** floor(log10(value))
    return low, low * 10


def _factors(reading: Reading, scales: Iterable[float] = ()) -> tuple[float, ...]:
    return (1.0, *scales, 100.0) if reading.unit == _PERCENT else (1.0, *scales)


def _within_reach(
    place: Place, constraints: Sequence[Constraint], reader: Reader
) -> list[float] | None:
    """The figures of the rows and columns that are named; none where these are too many."""
    keys = [each for each in constraints if not each.is_column]
    rows = _named_rows(place, keys, reader)
    if rows is None:
        return None
    table = reader.evidence.sheets[place.sheet].rows
    if len(keys) < len(constraints):
        columns = _named_columns(place.sheet, constraints, reader.evidence)
        cells = [table[row][column] for row in rows for column in columns]
    else:
        cells = [cell for row in rows for cell in table[row]]
    return [cell for cell in cells if isinstance(cell, int | float) and cell is not True]


def _named_columns(sheet: int, constraints: Sequence[Constraint], evidence: Evidence) -> list[int]:
    named = [
        evidence.columns_like(each.mentions[0].key)
        if len(each.mentions) == 1
        else frozenset[Spot]().union(*(evidence.columns_like(one.key) for one in each.mentions))
        for each in constraints
        if each.is_column
    ]
    allowed = named[0].intersection(*named[1:]) if len(named) > 1 else named[0]
    return [column for at, column in allowed if at == sheet]


def _named_rows(place: Place, keys: Sequence[Constraint], reader: Reader) -> Sequence[int] | None:
    if not keys:
        many = len(reader.evidence.sheets[place.sheet].rows)
        return range(many) if many <= _MOST_ROWS else None
    for each in keys:
        if len(each.mentions) == 1 and len(each.mentions[0].codes) == 1:
            return (place.row,)
    fewest = min(keys, key=lambda each: sum(len(one.codes) for one in each.mentions))
    found: list[int] = []
    for mention in fewest.mentions:
        for code in mention.codes[:_MOST_ROWS]:
            other = reader.evidence.place(code)
            if other.sheet == place.sheet and (
                other.row == place.row or all(reader.allows(each, other) for each in keys)
            ):
                found.append(other.row)
    return found
