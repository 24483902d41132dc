"""Figures within the running text of a record: a review, a remark, a description."""

from veridical.contracts.proof import Ground, Standing
from veridical.gate.bound import Bound
from veridical.gate.claim import Claim
from veridical.gate.evidence.evidence import Evidence

_PROSE = 6
"""Words from which on a cell of a record is running text."""


def bind_in_prose(claim: Claim, evidence: Evidence) -> Bound | None:
    """The claim on a text that writes the figure: the words around it are its label and unit."""
    if not any(isinstance(exhibit.record, dict) for exhibit in evidence.exhibits):
        return None
    for reading in claim.readings:
        size = abs(reading.value)  # a dash before a figure is often no sign
        low, high = size - reading.half_step, size + reading.half_step
        for code in evidence.written.between(low, high):
            place = evidence.place(code)
            text = evidence.cell(place)
            if isinstance(text, str) and text.count(" ") >= _PROSE:
                return Bound(claim, Standing.GROUNDED, Ground.PASSAGE, place, reading.value)
    return None
