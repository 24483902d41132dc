"""Names, codes and lists: cells that hold them, what columns and exhibits are called."""

from bisect import bisect_left
from collections.abc import Sequence
from operator import attrgetter
from typing import TypeVar

from veridical.contracts.input_budget import keep_time
from veridical.contracts.proof import ClaimKind, Ground, Standing
from veridical.gate.bind.composed import composed_name
from veridical.gate.bind.days import bind_days
from veridical.gate.bound import Bound
from veridical.gate.claim import Claim
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.evidence.index_label import label_stems
from veridical.gate.evidence.index_text import key_of, known_key, stems_of
from veridical.gate.evidence.sheet import Place
from veridical.gate.naming.labels import Reader
from veridical.gate.naming.mentions import Mention
from veridical.late_pattern import late_pattern

_NAMES = frozenset({ClaimKind.NAME, ClaimKind.IDENTIFIER, ClaimKind.LIST})


_START = attrgetter("start")
_Placed = TypeVar("_Placed", Claim, Mention)


def bind_name(claim: Claim, reader: Reader, question: str) -> Bound:
    """The claim with the cell, the question or the label that has the name."""
    if claim.kind is ClaimKind.LIST:
        return _bind_list(claim, reader, question)
    evidence = reader.evidence
    place = find_name(claim.text, evidence, inflected=claim.kind is ClaimKind.NAME)
    if place is None and claim.kind is ClaimKind.NAME:
        place = _after_joint(claim.text, evidence)
    if place is not None:
        return Bound(claim, Standing.GROUNDED, Ground.CELL, place)
    ground = _said(claim.text, evidence, question)
    if ground is not None:
        return Bound(claim, Standing.GROUNDED, ground)
    return Bound(claim, Standing.UNGROUNDED)


def _after_joint(text: str, evidence: Evidence) -> Place | None:
    """The last of several names that only "and" joins: Bern und Muster AG."""
    parts = _JOINTS.split(text)
    return find_name(parts[-1], evidence, inflected=True) if len(parts) > 1 else None


_JOINTS = late_pattern(r"\s(?:und|and|sowie|&)\s")


def find_name(text: str, evidence: Evidence, *, inflected: bool) -> Place | None:
    """The cell that is or holds a name; a code must be the same, a name may be declined."""
    key = known_key(text)
    if not key:
        return None
    texts = evidence.texts
    code = texts.holding(key)
    if code is None and inflected:
        code = texts.declined(key)
    if code is None and key.isdigit():
        code = next(iter(evidence.figures.between(float(key), float(key))), None)
    if code is not None:
        return evidence.place(code)
    return _in_labels(key, evidence) or composed_name(key, evidence)


def _in_labels(key: str, evidence: Evidence) -> Place | None:
    """A line of a text that has the name."""
    sought = f" {key} "
    for at, sheet in enumerate(evidence.sheets):
        for row, label in enumerate(sheet.row_labels):
            if sought in f" {known_key(label)} ":
                return Place(at, row, 0)
    return None


def _said(text: str, evidence: Evidence, question: str) -> Ground | None:
    key = known_key(text)
    if question and f" {key} " in f" {known_key(question)} ":
        return Ground.QUESTION
    for exhibit in evidence.exhibits:
        if any(key == known_key(str(value)) for value in exhibit.held.values()):
            return Ground.QUESTION
        if exhibit.text and f" {key} " in f" {key_of(exhibit.text)} ":
            return Ground.PASSAGE
    stems = stems_of(key)
    if stems in evidence.labels.columns or label_stems(text) in evidence.labels.columns:
        return Ground.ONTOLOGY
    if any(label_stems(sheet.title) == stems for sheet in evidence.sheets):
        return Ground.ONTOLOGY
    if question and f" {stems} " in f" {stems_of(known_key(question))} ":
        return Ground.QUESTION
    return None


def _bind_list(claim: Claim, reader: Reader, question: str) -> Bound:
    """A list stands where each item does; one of which no item is known lists something else."""
    missing: list[str] = []
    at = claim.start
    for item in claim.items:
        start = max(at, reader.text.find(item, at, claim.end))
        at = start + len(item)
        keep_time()
        if not _is_known(item, start, reader, question):
            missing.append(item)
    if len(missing) == len(claim.items):
        return Bound(claim, Standing.EXEMPT)
    if missing:
        return Bound(claim, Standing.UNGROUNDED, reason=", ".join(missing))
    place = _one_column(claim, reader.evidence)
    return Bound(claim, Standing.GROUNDED, Ground.CELL, place)


def _one_column(claim: Claim, evidence: Evidence) -> Place | None:
    """The first item's cell, where all items stand in one column."""
    places = [find_name(item, evidence, inflected=True) for item in claim.items]
    columns = {(place.sheet, place.column) for place in places if place is not None}
    return places[0] if len(columns) == 1 and None not in places else None


def _within(placed: Sequence[_Placed], start: int, end: int) -> list[_Placed]:
    """Of what is ordered by its start, what stands wholly in this stretch."""
    first = bisect_left(placed, start, key=_START)
    last = bisect_left(placed, end, first, key=_START)
    return [each for each in placed[first:last] if each.end <= end]


def _is_known(item: str, start: int, reader: Reader, question: str) -> bool:
    """True for a name, a date, or several of these that together are the item."""
    evidence = reader.evidence
    if find_name(item, evidence, inflected=True) or _said(item, evidence, question):
        return True
    end = start + len(item)
    claims = [claim for claim in _within(reader.claims, start, end) if claim.kind not in _NAMES]
    for claim in claims:
        if claim.days and bind_days(claim, evidence).standing is not Standing.GROUNDED:
            return False
    mentions = _within(reader.mentions, start, end)
    covered = [(each.start, each.end) for each in (*mentions, *claims)]
    spans = reader.words.spans
    first, last = bisect_left(spans, (start, 0)), bisect_left(spans, (end, 0))
    words = [begin for begin, stop in spans[first:last] if stop <= end]
    return bool(covered) and all(
        any(first <= begin < last for first, last in covered) for begin in words
    )
