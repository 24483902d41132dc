"""The sentence around a place in a text."""

from veridical.late_pattern import late_pattern

_END = late_pattern(r"[.!?](?=\s|$)|[。！？；\n]")


def sentence_at(text: str, place: int) -> str:
    """From the end of the sentence before to the end of this one."""
    before = [found.end() for found in _END.finditer(text, 0, place)]
    after = _END.search(text, place)
    return text[before[-1] if before else 0 : after.end() if after else len(text)]
