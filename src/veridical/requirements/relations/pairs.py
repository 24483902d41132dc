"""The pairs of requirements to compare: those that share two of their rarest concepts.

All pairs of 100,000 requirements would be five billion. Each requirement is filed under the pairs
of its rarest concepts, and compared with those filed beside it; a drawer that is too full is
sorted, and each requirement in it compared with its neighbours.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from veridical.contracts.language import Language
from veridical.requirements.relations.meaning import Near
from veridical.requirements.relations.relation import Relation, RelationKind, relate
from veridical.requirements.relations.signature import Signature, signature
from veridical.requirements.tokens import Tokens, read

_RAREST = 5
_DRAWER = 12
"""The most requirements under one pair of concepts that are all compared with each other."""
_NEIGHBOURS = 6
_ORDER = {
    RelationKind.CONFLICT: 0,
    RelationKind.DUPLICATE: 1,
    RelationKind.VARIANT: 2,
    RelationKind.RELATED: 3,
}


@dataclass(frozen=True, slots=True)
class RelatedPair:
    """Two requirements, by their places in what was given, and how they relate."""

    first: int
    second: int
    relation: Relation

    def as_json(self, language: Language) -> dict[str, Any]:
        """As it is printed for programs, with the names that callers know."""
        return {
            "req1_idx": self.first,
            "req2_idx": self.second,
            "similarity": self.relation.similarity,
            "kind": self.relation.kind.value,
            "reason": self.relation.reason(language),
        }


def detect_duplicates(requirements: Sequence[str], near: Near | None = None) -> list[RelatedPair]:
    """The pairs of requirements that relate: conflicts first, then duplicates and the others.
    ``near`` are those that a model takes for the same demand."""
    return related_pairs((read(text) for text in requirements), near)


def related_pairs(requirements: Iterable[Tokens], near: Near | None = None) -> list[RelatedPair]:
    """The same for requirements that are read; of each, only what it says is kept."""
    signatures = [signature(tokens) for tokens in requirements]
    near = near or {}
    found = [
        RelatedPair(first, second, relation)
        for first, second in sorted({*_candidates(signatures), *near})
        if (relation := relate(signatures[first], signatures[second], near.get((first, second))))
        is not None
    ]
    return sorted(found, key=lambda pair: (_ORDER[pair.relation.kind], -pair.relation.similarity))


def _candidates(signatures: Sequence[Signature]) -> Iterator[tuple[int, int]]:
    """Places of requirements worth comparing, the smaller first; a pair may come twice."""
    counts = Counter(concept for each in signatures for concept in each.concepts)
    drawers: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for place, each in enumerate(signatures):
        rarest = sorted(each.concepts, key=lambda concept: (counts[concept], concept))
        shared = [concept for concept in rarest if counts[concept] > 1]
        for pair in combinations(sorted(shared[:_RAREST]), 2):
            drawers[pair].append(place)
        if shared:
            drawers[shared[0],].append(place)
        if each.concepts:
            drawers["=", *sorted(each.concepts)].append(place)
    ordered = [sorted(each.concepts) for each in signatures]
    for places in drawers.values():
        yield from _within(places, ordered)


def _within(places: list[int], ordered: Sequence[list[str]]) -> Iterator[tuple[int, int]]:
    if len(places) <= _DRAWER:
        yield from combinations(places, 2)
        return
    alike = sorted(places, key=lambda place: ordered[place])
    for at, place in enumerate(alike):
        for other in alike[at + 1 : at + 1 + _NEIGHBOURS]:
            yield min(place, other), max(place, other)
