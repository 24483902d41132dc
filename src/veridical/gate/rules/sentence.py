"""The sentences of a text, and the one around a place."""

from collections.abc import Iterator

from veridical.late_pattern import late_pattern
from veridical.reading.punctuation import wide_marks

_END = late_pattern(rf"[.!?](?=\s|$)|[{wide_marks('.!?;')}\n]")


def sentence_at(text: str, place: int) -> str:
    """From the end of the sentence before to the end of this one."""
    before = [found.end() for found in _END.finditer(text, 0, place)]
    after = _END.search(text, place)
    return text[before[-1] if before else 0 : after.end() if after else len(text)]


def sentences(text: str) -> Iterator[str]:
    """All of them, in their order."""
    start = 0
    for found in _END.finditer(text):
        yield text[start : found.end()]
        start = found.end()
    if text[start:].strip():
        yield text[start:]
