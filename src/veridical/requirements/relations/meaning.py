"""Requirements that an embedding model takes for the same demand in other words.

A model is tried first, on demands in two wordings and two languages. What it is used for, and from
which similarity on, follows from that: a model that reads English only judges English pairs only,
and one that tells nothing apart judges none.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement

from veridical.requirements.language import LANGUAGES, language_of
from veridical.requirements.lexicon import word_file
from veridical.requirements.token import tokenise

Vector = Sequence[float]
Embed = Callable[[Sequence[str]], Sequence[Vector]]
"""Vectors of texts, in their order."""
_LIKELY = 0.15
"""Below the limit by no more than this, two demands with the same figures are still the same."""
_ENOUGH = 0.15
"""The share of wordings that a model must bring nearer to each other than any two demands: the
others are found by their words, or not at all."""
_LEAST = 0.5
"""Below this similarity a model has seen shared names and no meaning."""
_MARGIN = 0.01


@dataclass(frozen=True, slots=True)
class Nearness:
    """The similarity of two requirements to a model that may take them for the same."""

    similarity: float
    is_sure: bool
    """False if something else has to say so too."""


Near = Mapping[tuple[int, int], Nearness]
"""Pairs that a model takes for the same, the smaller place first."""


@dataclass(frozen=True)
class Meaning:
    """A model with the similarity from which on it takes two requirements for the same, by the
    languages that it was found fit for."""

    embed: Embed
    limits: Mapping[tuple[str, str], float]

    def near(self, texts: Sequence[str], languages: Sequence[str]) -> Near:
        """The pairs of these texts that say the same to the model."""
        known = {language for pair in self.limits for language in pair}
        places = [place for place, language in enumerate(languages) if language in known]
        if len(places) < 2:
            return {}
        vectors = [_unit(each) for each in self.embed([texts[place] for place in places])]
        return dict(self._near(places, vectors, languages))

    def _near(
        self, places: Sequence[int], vectors: Sequence[Vector], languages: Sequence[str]
    ) -> Iterator[tuple[tuple[int, int], Nearness]]:
        found = {
            (one, other): similarity
            for one, other in combinations(range(len(places)), 2)
            if (limit := self._limit_of(languages[places[one]], languages[places[other]]))
            and (similarity := _cosine(vectors[one], vectors[other])) >= limit - _LIKELY
        }
        nearest: dict[int, float] = {}
        for pair, similarity in found.items():
            for place in pair:
                nearest[place] = max(nearest.get(place, 0.0), similarity)
        for (one, other), similarity in found.items():
            first, second = places[one], places[other]
            # Demands of one topic are all near; the same demand is the nearest of both.
            alone = similarity >= max(nearest[one], nearest[other])
            sure = alone and similarity >= self._limit_of(languages[first], languages[second])
            yield (first, second), Nearness(round(similarity, 4), sure)

    def _limit_of(self, one: str, other: str) -> float:
        return self.limits.get((min(one, other), max(one, other)), 0.0)


def near_texts(texts: Sequence[str], embed: Embed) -> Near:
    """The pairs of these texts that a model takes for the same."""
    languages = [language_of(tokenise(text)) for text in texts]
    return tried(embed).near(texts, languages)


def tried(embed: Embed) -> Meaning:
    """A model with what it can be used for."""
    demands = word_file("meanings")["demand"]
    texts = [text for each in demands for language in LANGUAGES for text in each[language]]
    vectors = iter([_unit(each) for each in embed(texts)])
    wordings = [
        {language: [next(vectors) for _ in each[language]] for language in LANGUAGES}
        for each in demands
    ]
    found = {
        (first, second): _limit(wordings, first, second)
        for first, second in combinations_with_replacement(sorted(LANGUAGES), 2)
    }
    return Meaning(embed, {pair: limit for pair, limit in found.items() if limit is not None})


def _limit(
    wordings: Sequence[Mapping[str, Sequence[Vector]]], first: str, second: str
) -> float | None:
    """Above the similarity of any two demands, if most wordings of one demand are; else none."""
    same: list[float] = []
    other: list[float] = []
    for place, here in enumerate(wordings):
        for at, there in enumerate(wordings):
            for one, left in enumerate(here[first]):
                for two, right in enumerate(there[second]):
                    if place != at:
                        other.append(_cosine(left, right))
                    elif first != second or one < two:
                        same.append(_cosine(left, right))
    limit = max(_LEAST, max(other) + _MARGIN)
    return limit if sum(each >= limit for each in same) >= _ENOUGH * len(same) else None


def _unit(vector: Vector) -> Vector:
    length = sum(each * each for each in vector) ** 0.5
    return [each / length for each in vector] if length else vector


def _cosine(one: Vector, other: Vector) -> float:
    return sum(left * right for left, right in zip(one, other, strict=True))
