"""All places of a text that claim something, in order and without overlaps."""

from collections.abc import Iterable, Sequence

from veridical.gate.claims.draft import Draft
from veridical.gate.claims.han import HAN, han_places
from veridical.gate.claims.marked import marked_codes
from veridical.gate.claims.scan import scan
from veridical.gate.claims.sharing import share_units
from veridical.gate.claims.words import said_in_words
from veridical.late_pattern import late_pattern

_WIDE = late_pattern("[０-９％．]")
_NARROW = str.maketrans("０１２３４５６７８９％．", "0123456789%.")


def plain_digits(text: str) -> str:
    """The text with digits of double width as plain ones; every place stays where it is."""
    if text.isascii() or _WIDE.search(text) is None:
        return text
    return text.translate(_NARROW)


def places(text: str, named: Sequence[Draft] = ()) -> list[Draft]:
    """Figures, dates, periods and codes; cheap looks decide which forms are searched for."""
    drafts = scan(text, named)
    more = [*marked_codes(text), *said_in_words(text), *named]
    if not text.isascii() and HAN.search(text):
        more.extend(han_places(text))
    if more:
        drafts = _apart(drafts, more)
    share_units(text, drafts)
    return drafts


def _apart(drafts: Iterable[Draft], more: Iterable[Draft]) -> list[Draft]:
    """In order, without overlaps: the longer one stays."""
    kept: list[Draft] = []
    for draft in sorted((*drafts, *more), key=lambda each: (each.start, -each.end)):
        if kept and draft.start < kept[-1].end:
            if draft.end - draft.start <= kept[-1].end - kept[-1].start:
                continue
            kept.pop()
        kept.append(draft)
    return kept
