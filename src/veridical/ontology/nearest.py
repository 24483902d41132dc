"""The name most like another, or honestly none: what "did you mean" is answered with."""

from collections.abc import Iterable

from rapidfuzz import fuzz, process

_CLOSE_ENOUGH = 72.0
_PART_COUNTS = 0.9
"""What a shared part is worth beside a likeness of the whole."""
_SHORT = 4


def nearest(
    name: str, candidates: Iterable[str], cutoff: float = _CLOSE_ENOUGH, *, parts: bool = True
) -> str | None:
    """The candidate most like this name; none when nothing is like it.

    Edit distance finds slips of the pen, shared parts find names that say more or less; without
    ``parts``, only slips of the pen are found.
    """
    choices = {candidate: _plain(candidate) for candidate in candidates}
    wanted = _plain(name)
    whole = process.extractOne(wanted, choices, scorer=fuzz.ratio, score_cutoff=cutoff)
    if not parts or len(wanted) < _SHORT or (whole is not None and whole[1] >= 100 * _PART_COUNTS):
        return whole[2] if whole else None
    longer = {each: plain for each, plain in choices.items() if len(plain) >= _SHORT}
    floor = max(whole[1] if whole else 0.0, cutoff) / _PART_COUNTS
    part = process.extractOne(wanted, longer, scorer=fuzz.partial_ratio, score_cutoff=floor)
    best = part or whole
    return best[2] if best else None


def _plain(name: str) -> str:
    return "".join(sign for sign in name.casefold() if sign.isalnum())
