"""Points in time, also those stored as seconds, milliseconds, 20250131 or text."""

from collections.abc import Iterable

from veridical.onboarding.findings import Findings
from veridical.onboarding.hints import ends_with, hints_at
from veridical.onboarding.names import words_of
from veridical.onboarding.profile import ColumnProfile, TableProfile, Value
from veridical.onboarding.proposal import Proposal, ProposalKind
from veridical.onboarding.shapes import shapes_of
from veridical.ontology.model import Encoding

_ENCODINGS: tuple[tuple[str, Encoding], ...] = (
    ("iso_date", Encoding.ISO_TEXT),
    ("compact_date", Encoding.YYYYMMDD),
    ("unix_seconds", Encoding.UNIX_SECONDS),
    ("unix_milliseconds", Encoding.UNIX_MILLISECONDS),
)
_BY_SHAPE_ALONE = frozenset({Encoding.ISO_TEXT, Encoding.YYYYMMDD})
"""Encodings that nothing else matches in every row; large numbers may be anything."""
_EPOCHS = {
    Encoding.UNIX_SECONDS: (946_684_800, 2_145_916_800),
    Encoding.UNIX_MILLISECONDS: (946_684_800_000, 2_145_916_800_000),
}
"""2000 to 2037: numbers that all lie there, and are called nothing else, are points in time."""
_OTHERS = ("key", "code", "quantity", "money", "stock", "flow", "rate", "price", "parameter")
_ENOUGH = 10
_ENOUGH_TEXTS = 3
"""A text like 2025-01-31 is hardly ever anything else."""


def find(findings: Findings) -> Iterable[Proposal]:
    """The time columns of every table, with their encoding if the type does not define it."""
    for table in findings.tables.values():
        for column in table.columns:
            found = _time(table, column)
            if found is not None:
                yield found


def _time(table: TableProfile, column: ColumnProfile) -> Proposal | None:
    found = Proposal(kind=ProposalKind.TIME_COLUMN, table=table.name, columns=(column.name,))
    if column.type.is_temporal:
        return found.model_copy(update={"reason": "declared", "confidence": 1.0, "proven": True})
    if not column.filled:
        return None
    for shape, encoding in _ENCODINGS:
        if not _has_throughout(column, shape):
            continue
        named = hints_at(column.name, "time")
        counter = ends_with(words_of(column.name), "key") and not named
        alone = encoding in _BY_SHAPE_ALONE or _is_epoch(column, encoding)
        if counter or not (named or (alone and _is_clear(column, encoding))):
            continue
        return Proposal(
            kind=ProposalKind.TIME_COLUMN,
            table=table.name,
            columns=(column.name,),
            encoding=encoding,
            reason="looked" if _is_withheld(column) else "counted",
            evidence=_evidence(column, encoding),
            confidence=0.98 if named else 0.9,
            proven=named or encoding is Encoding.ISO_TEXT,
        )
    return None


def _evidence(column: ColumnProfile, encoding: Encoding) -> dict[str, Value]:
    found: dict[str, Value] = {"rows": column.filled, "encoding": encoding.value}
    if _is_withheld(column):
        return found | {"looked": column.looked_at}
    return found | {"low": column.low, "high": column.high}


def _is_withheld(column: ColumnProfile) -> bool:
    """True if its values are personal and were not kept: a day of birth."""
    return column.low is None and column.high is None


def _has_throughout(column: ColumnProfile, shape: str) -> bool:
    """True if the lowest, the highest and the handful between match it."""
    if _is_withheld(column):
        return column.has_shape(shape, 1.0)
    ends = all(shape in shapes_of(each) for each in (column.low, column.high))
    return ends and (column.looked_at == 0 or column.has_shape(shape, 1.0))


def _is_epoch(column: ColumnProfile, encoding: Encoding) -> bool:
    """True if all its numbers are moments of our days, and its name means nothing else."""
    first, last = _EPOCHS[encoding]
    low, high = column.low, column.high
    if not isinstance(low, int | float) or not isinstance(high, int | float):
        return False
    return first <= low < high <= last and not any(hints_at(column.name, each) for each in _OTHERS)


def _is_clear(column: ColumnProfile, encoding: Encoding) -> bool:
    least = _ENOUGH_TEXTS if encoding is Encoding.ISO_TEXT else _ENOUGH
    return column.looked_at >= least and column.distinct > 1
