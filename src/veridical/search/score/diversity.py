"""Diversity of the selection: a minimum of kinds of source, as far as there are so many."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Selection:
    """The selected candidates, in the order of the ranking."""

    ids: tuple[str, ...]
    promoted: tuple[str, ...]
    """Those that are in for the sake of their kind alone."""
    buckets: tuple[str, ...]
    """The kinds, each once, in their order."""


def select_top(
    ranked: Sequence[str], buckets: Mapping[str, str], size: int, least: int
) -> Selection:
    """The first so many, where the last hits of kinds that have several make room for the best of
    kinds that would be missing."""
    chosen = list(ranked[:size])
    promoted: list[str] = []
    missing = _first_of_each(ranked[size:], buckets, {buckets[each] for each in chosen})
    for candidate in missing:
        kinds = [buckets[each] for each in chosen]
        spare = next((each for each in reversed(chosen) if kinds.count(buckets[each]) > 1), None)
        if len(set(kinds)) >= least or spare is None:
            break
        chosen.remove(spare)
        chosen.append(candidate)
        promoted.append(candidate)
    order = {name: place for place, name in enumerate(ranked)}
    ids = tuple(sorted(chosen, key=order.__getitem__))
    return Selection(ids, tuple(promoted), tuple(dict.fromkeys(buckets[each] for each in ids)))


def _first_of_each(
    ranked: Sequence[str], buckets: Mapping[str, str], without: set[str]
) -> tuple[str, ...]:
    first: dict[str, str] = {}
    for each in ranked:
        if buckets[each] not in without:
            first.setdefault(buckets[each], each)
    return tuple(first.values())
