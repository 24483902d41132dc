"""The port to embedding models."""

from collections.abc import Sequence
from typing import Protocol

Vector = Sequence[float]


class Embedder(Protocol):
    """Turns texts into vectors whose cosine says how near they are in meaning."""

    @property
    def model(self) -> str:
        """The name under which its vectors are stored: vectors of two models never meet."""
        ...

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """The vectors of passages, in their order. Raises ``EmbeddingError``."""
        ...

    def embed_query(self, text: str) -> Vector:
        """The vector of a question. Raises ``EmbeddingError``."""
        ...


class EmbeddingError(Exception):
    """The embedding model is unavailable, or returned something else than vectors."""


class RefusedTextError(EmbeddingError):
    """The model is there and does not take one of these texts: it may take the others."""
