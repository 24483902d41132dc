"""Times of day: the cell or the passage that has the same minute, however it is written."""

import re
from functools import lru_cache

from veridical.contracts.proof import Ground, Standing
from veridical.gate.bound import Bound
from veridical.gate.claim import Claim
from veridical.gate.claims.dates import CLOCK
from veridical.gate.evidence.evidence import Evidence
from veridical.late_pattern import late_pattern

_TIME = late_pattern(r"(?<![\d:])(\d{1,2}):(\d\d)(?::\d\d)?\s?([ap]\.?m\b)?", re.IGNORECASE)
_HALF_DAY = 12


def is_clock(claim: Claim) -> bool:
    """True for a time of day."""
    return bool(claim.readings) and claim.readings[0].unit == CLOCK


def bind_clock(claim: Claim, evidence: Evidence) -> Bound:
    """The time with the cell that has it; midnight is both 0 and 24 o'clock."""
    day = 24 * 60
    wanted = {round(reading.value) % day for reading in claim.readings}
    for text, code in zip(evidence.cells.texts, evidence.cells.text_codes, strict=True):
        if ":" in text and not wanted.isdisjoint(_minutes(text)):
            return Bound(claim, Standing.GROUNDED, Ground.CELL, evidence.place(code))
    for exhibit in evidence.exhibits:
        if exhibit.text and not wanted.isdisjoint(_minutes(exhibit.text)):
            return Bound(claim, Standing.GROUNDED, Ground.PASSAGE)
    return Bound(claim, Standing.UNGROUNDED)


@lru_cache(maxsize=4096)
def _minutes(text: str) -> frozenset[int]:
    return frozenset(
        _hour(int(hour), half) * 60 + int(minute)
        for hour, minute, half in _TIME.findall(text)
        if int(hour) <= 24 and int(minute) < 60
    )


def _hour(hour: int, half: str) -> int:
    if not half:
        return hour % 24
    return hour % _HALF_DAY + (_HALF_DAY if half[0] in "pP" else 0)
