"""Generated chunks, questions and vectors, the same in every run.

Words are drawn as languages have them: the n-th is n times rarer than the first. Vectors lie around
centres, as those of texts do.
"""

import random
from collections.abc import Sequence
from typing import Any

import numpy

from veridical.search.embeddings.embedder import Vector

Table = numpy.ndarray[Any, Any]
VOCABULARY, WORDS, SIZE = 50_000, 90, 64
_CENTRES = 500


def spelled(word: int) -> str:
    """A word by its number: no language has it, and no stemmer changes it."""
    return f"w{word:x}q"


class Drawn:
    """Draws one after the other."""

    def __init__(self) -> None:
        self._random = numpy.random.default_rng(20261116)
        weights = 1 / numpy.arange(1, VOCABULARY + 1)
        self._weights = weights / weights.sum()
        self._centres = self._random.normal(size=(_CENTRES, SIZE))

    def words(self, count: int) -> Table:
        """The words of this many chunks, by their numbers."""
        return self._random.choice(VOCABULARY, size=(count, WORDS), p=self._weights)

    def texts(self, count: int) -> list[str]:
        """This many chunks."""
        return [" ".join(map(spelled, row)) for row in self.words(count).tolist()]

    def vectors(self, count: int) -> list[Vector]:
        """This many vectors."""
        chosen = self._centres[self._random.integers(0, _CENTRES, count)]
        return (chosen + self._random.normal(scale=0.7, size=(count, SIZE))).tolist()

    def questions(self, count: int) -> list[str]:
        """Six words each: two that are frequent, four of the middle."""
        draw = random.Random(7)
        return [
            " ".join(
                spelled(word)
                for word in (
                    *(draw.randrange(5, 100) for _ in range(2)),
                    *(draw.randrange(100, 20_000) for _ in range(4)),
                )
            )
            for _ in range(count)
        ]


class DrawnEmbedder:
    """The embedder of a run: every question has its vector."""

    def __init__(self, model: str, known: dict[str, Vector]) -> None:
        self.model = model
        self._known = known

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Their vectors."""
        return [self._known[text] for text in texts]

    def embed_query(self, text: str) -> Vector:
        """Its vector."""
        return self._known[text]
