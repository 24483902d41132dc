"""Rows without the cells that a statement wrote into them itself instead of reading them."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any

from veridical.contracts.lineage import ColumnOrigin, Lineage, OriginKind
from veridical.contracts.proof import ClaimKind
from veridical.evidence.exhibit import Exhibit
from veridical.gate.mention import mentions
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import has_han

Named = Callable[[float], bool]
"""True if a number was named outside of the statement."""

Row = tuple[Any, ...]
_DATA = frozenset({OriginKind.COLUMN, OriginKind.AGGREGATE, OriginKind.COUNT, OriginKind.COMPUTED})
_BY_TOOL = frozenset({OriginKind.TOOL, OriginKind.PASSAGE})
_NEAR = 1e-6
_FEWEST_LABELS = 2
_NAME_WORDS = 2
_CAPITALISED = late_pattern(r"(?<!\w)[^\W\d_a-zß-öø-ÿ]\w+")


def none_named(number: float) -> bool:
    """False for every number: only the statement is known."""
    del number
    return False


def keep_read_cells(
    exhibit: Exhibit, lineage: Lineage | None, named: Named = none_named
) -> Exhibit:
    """The exhibit with only the cells that were read; empty if none were."""
    if lineage is None or not (exhibit.columns or exhibit.rows):
        return exhibit
    width = len(exhibit.columns) or max(map(len, exhibit.rows), default=0)
    origins = lineage.over(width)
    keeping = [_keeps(origin, named) for origin in origins]
    if not lineage.rows_read and not any(keeping):
        return Exhibit(name=exhibit.name)
    rows = (
        exhibit.rows
        if all(_is_plain(each) for each in origins)
        else tuple(_read(row, origins, keeping, named) for row in exhibit.rows)
    )
    count = exhibit.row_count if lineage.rows_read else None
    return replace(exhibit, rows=rows, row_count=count)


def _is_plain(origin: ColumnOrigin) -> bool:
    return origin.kind in _DATA and not origin.written


def _keeps(origin: ColumnOrigin, named: Named) -> bool:
    """True if cells of the column can prove anything."""
    if origin.kind in _DATA:
        return True
    if origin.kind is OriginKind.MIXED:
        return origin.redeemable and all(map(named, origin.constants))
    return origin.kind in _BY_TOOL and all(map(named, origin.constants))


def _read(row: Row, origins: Sequence[ColumnOrigin], keeping: Sequence[bool], named: Named) -> Row:
    return tuple(
        value if _is_read(value, origin, keeps, named) else None
        for value, origin, keeps in zip(row, origins, keeping, strict=False)
    )


def _is_read(value: Any, origin: ColumnOrigin, keeps: bool, named: Named) -> bool:
    if not keeps:
        return _is_label(value, origin)
    if not any(_is_same(value, each) for each in origin.written):
        return True
    if origin.kind in _BY_TOOL and (figure := _figure(value)) is not None:
        return named(figure)  # an argument that comes back counts only if named elsewhere too
    return isinstance(value, str) and not _claims(value)


def _is_label(value: Any, origin: ColumnOrigin) -> bool:
    """True for a text that only distinguishes rows which the statement combines."""
    texts = [each for each in origin.written if isinstance(each, str)]
    several = len(texts) == len(origin.written) >= _FEWEST_LABELS
    return (
        origin.kind is OriginKind.LITERAL
        and several
        and isinstance(value, str)
        and not _claims(value)
    )


@lru_cache(maxsize=1024)
def _claims(text: str) -> bool:
    """True if a text holds something that needs evidence: a name, a figure, a day."""
    if has_han(text) or len(_CAPITALISED.findall(text)) >= _NAME_WORDS:
        return True
    return any(each.kind is not ClaimKind.PERIOD for each in mentions(text))


def _is_same(value: Any, written: float | str) -> bool:
    if value is None:
        return False
    if isinstance(value, date | datetime):
        return isinstance(written, str) and _day(value) == written.strip()[:10]
    figure, literal = _figure(value), _figure(written)
    if figure is not None and literal is not None:
        return math.isclose(figure, literal, rel_tol=_NEAR, abs_tol=_NEAR * _NEAR)
    return str(value).strip().casefold() == str(written).strip().casefold()


def _day(value: date) -> str:
    return value.isoformat()[:10]


def _figure(value: Any) -> float | None:
    if isinstance(value, str):
        value = value.replace(",", "").replace("'", "").replace("_", "").strip()
    elif not isinstance(value, int | float | Decimal):
        return None
    try:
        return float(value)
    except (ValueError, OverflowError):
        return None
