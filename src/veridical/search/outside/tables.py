"""What an index beside PostgreSQL keeps of a collection: two implementations ship, LanceDB and
Qdrant."""

from collections.abc import Collection, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from veridical.contracts.language import Language
from veridical.messages import message
from veridical.search.embeddings.embedder import Vector
from veridical.store.connection import UnreachableError
from veridical.trace.redact import redact_text


@dataclass(frozen=True, slots=True)
class WordRow:
    """The terms of a chunk."""

    id: int
    document: int
    terms: Mapping[str, int]
    """With their frequencies; a term has its language in front."""
    length: int
    pivot: float
    """The length that it is compared with."""


@dataclass(frozen=True, slots=True)
class VectorRow:
    """The vector of a chunk."""

    id: int
    document: int
    vector: Vector


Scored = Sequence[tuple[int, float]]
"""Chunks with their scores, in any order."""
Documents = Collection[int] | None
"""The documents that a search is limited to; none for all."""


class UnreachableIndexError(UnreachableError):
    """The index can't be used; the text says why."""

    def __init__(self, index: str, reason: str) -> None:
        self._index, self._reason = index, redact_text(reason.partition("\n")[0])
        Exception.__init__(self, index, reason)  # from one process to another as well

    def __str__(self) -> str:
        """In English."""
        return self.message(Language.EN)

    def message(self, language: Language) -> str:
        """Advice to the operator."""
        return message("search.index_away", language, index=self._index, reason=self._reason)


class CollectionTables(Protocol):
    """The words of one collection, and its vectors by model. What is not there is empty."""

    @property
    def index(self) -> str:
        """The name of the index."""
        ...

    @property
    def errors(self) -> tuple[type[Exception], ...]:
        """What is raised where the index can't be used."""
        ...

    def add_words(self, rows: Sequence[WordRow]) -> None:
        """Add chunks that are not there."""
        ...

    def add_vectors(self, model: str, rows: Sequence[VectorRow]) -> None:
        """Add vectors, all of one length, of chunks that have none of the model."""
        ...

    def held(self, documents: Collection[int], model: str | None = None) -> set[int]:
        """The chunks of these documents that have words here, or a vector of the model."""
        ...

    def remove(self, ids: Collection[int]) -> None:
        """Drop words and vectors of these chunks."""
        ...

    def clear_words(self) -> None:
        """Drop the words of all chunks."""
        ...

    def clear_vectors(self) -> None:
        """Drop the vectors of all models."""
        ...

    def settle(self) -> None:
        """Make what was written quick to find, where enough was written."""
        ...

    def matching(self, terms: Mapping[str, int], k: int, documents: Documents) -> Scored:
        """The chunks with the highest BM25."""
        ...

    def near(self, model: str, vector: Vector, k: int, documents: Documents) -> Scored:
        """The chunks with the nearest vectors, with their cosines."""
        ...

    def sizes(self) -> Mapping[str, tuple[int, int]]:
        """By model: how many vectors there are, and their length."""
        ...


@contextmanager
def reached(tables: CollectionTables) -> Generator[None]:
    """Raises ``UnreachableIndexError`` where the index can't be used."""
    try:
        yield
    except UnreachableError:
        raise
    except tables.errors as error:
        raise UnreachableIndexError(tables.index, str(error)) from error


def slices(numbers: Iterable[int], size: int) -> Iterable[list[int]]:
    """The numbers in their order, so many at a time."""
    listed = sorted(numbers)
    return (listed[start : start + size] for start in range(0, len(listed), size))
