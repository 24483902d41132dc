"""The most similar name, or none: the answer to "did you mean"."""

from collections.abc import Iterable

from rapidfuzz import fuzz, process

_CLOSE_ENOUGH = 72.0
_PART_COUNTS = 0.9
"""The weight of a shared part beside the similarity of the whole."""
_SHORT = 4


def nearest(
    name: str, candidates: Iterable[str], cutoff: float = _CLOSE_ENOUGH, *, parts: bool = True
) -> str | None:
    """The candidate most similar to this name; None if none is similar.

    Edit distance finds typing errors, shared parts find longer and shorter names; without
    ``parts``, only typing errors are found.
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
