"""How many: the rows of a result, those of a group, the different values of a column."""

from collections.abc import Iterator

from veridical.contracts.proof import ClaimKind
from veridical.gate.bind.limits import counts_beyond
from veridical.gate.claim import Claim
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.evidence.index_label import label_stems
from veridical.gate.evidence.index_text import stems_of
from veridical.gate.naming.labels import Reader
from veridical.late_pattern import late_pattern

_MOST_ROWS = 20_000
_LEADS_ON = late_pattern(r"[:：]|\b(?:nämlich|und zwar|namely)\b|即|分别")


def counted_value(claim: Claim, reader: Reader) -> float | None:
    """The reading that some count of rows bears out."""
    whole = {each.value for each in claim.readings if not each.unit and each.value.is_integer()}
    if not whole or claim.kind not in (ClaimKind.COUNT, ClaimKind.NUMBER):
        return None
    for many in row_counts(reader.evidence):
        if many in whole:
            return float(many)
    for many in _in_groups(claim, reader):
        if many in whole:
            return float(many)
    return None


def row_counts(evidence: Evidence) -> Iterator[int]:
    """How many rows each result has, and how many there are in all."""
    for exhibit in evidence.exhibits:
        if exhibit.row_count is not None:
            yield exhibit.row_count
    for sheet in evidence.sheets:
        if len(sheet.columns) > 1 or not sheet.row_labels:
            yield len(sheet.rows)


def _in_groups(claim: Claim, reader: Reader) -> Iterator[int]:
    segment = reader.layout.segment_at(claim.start)
    if segment is None:
        return
    for mention in reader.mentions:
        if segment.start <= mention.start < segment.end and mention.codes and mention.key:
            yield len(reader.evidence.texts.codes(mention.key) or mention.codes)
    if claim.counted:
        yield from _different(claim.counted, reader.evidence)
        yield from counts_beyond(claim, reader)
        yield _named_after(claim, segment.end, reader)


def _named_after(claim: Claim, end: int, reader: Reader) -> int:
    """How many different rows a list names that the count leads on to: two are low: A and B."""
    lead = _LEADS_ON.search(reader.text, claim.end, end)
    if lead is None:
        return 0
    keys = {
        each.key
        for each in reader.mentions
        if lead.end() <= each.start < end and each.codes and each.key
    }
    return len(keys) if len(keys) > 1 else 0


def _different(counted: str, evidence: Evidence) -> Iterator[int]:
    """How many different values the column has whose name is counted: 12 customers."""
    stems = stems_of(label_stems(counted))
    for at, column in evidence.labels.columns.get(stems, ()):
        rows = evidence.sheets[at].rows
        if len(rows) <= _MOST_ROWS:
            yield len({row[column] for row in rows if row[column] is not None})
