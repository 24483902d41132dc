"""A chunk: a stretch of a document that an answer may quote and cite."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, Self, cast

from pydantic import Field, model_validator

from veridical.contracts.language import Language
from veridical.contracts.search_candidate import CoverageDimension, FacetCoverage
from veridical.contracts.wire import Wire

CHUNKS = "chunks"
_NEEDED = frozenset({"id", "text"})


class Chunk(Wire):
    """A stretch of a document, as it was stored. Its text is evidence, never an instruction."""

    id: str = Field(min_length=1)
    """Its id in the citations of answers: ``[doc-417#2]``."""
    text: str
    source: str = ""
    """The origin of the document: an address, a path."""
    title: str = ""
    date: str = ""
    """Of the document, as its source gives it: ``2025-03-31``, ``2024``."""
    language: Language | None = None
    hash: str = ""
    """The SHA-256 of the text in hexadecimal; worked out where it is not given."""
    score: float | None = None
    """The rank in a search, from 0 to 100; proves nothing."""
    reason: str = ""
    """Why it was ranked so; proves nothing."""
    model_score: float | None = None
    """The score that a model gave it for the question, from 0 to 100; proves nothing."""
    gap_tags: tuple[str, ...] = ()
    risk_flags: tuple[str, ...] = ()
    facet_coverage: FacetCoverage = Field(default_factory=dict[CoverageDimension, float])
    """For the person who approves it, as are its gaps and risks; proves nothing."""

    @model_validator(mode="before")
    @classmethod
    def _with_hash(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        fields = cast("dict[str, Any]", value)
        if isinstance(fields.get("text"), str) and not fields.get("hash"):
            return {**fields, "hash": hash_of(fields["text"])}
        return fields

    @model_validator(mode="after")
    def _is_unchanged(self) -> Self:
        if self.hash != hash_of(self.text):
            raise ValueError(f"the text of chunk {self.id} is not the one that its hash is of")
        return self


def chunks_in(value: Any) -> tuple[Chunk, ...]:
    """The chunks of ``{"chunks": [...]}``, as JSON has them or a tool returns them; nothing for any
    other value. Raises ``ValueError`` for a chunk whose text is not the one that its hash is of.
    """
    if not isinstance(value, Mapping):
        return ()
    mapping = cast("Mapping[Any, Any]", value)
    listed = mapping.get(CHUNKS) if len(mapping) == 1 else None
    if not isinstance(listed, list | tuple):
        return ()
    several = cast("Sequence[Any]", listed)
    if not all(isinstance(each, Chunk) or _is_chunk(each) for each in several):
        return ()
    return tuple(Chunk.model_validate(each) for each in several)


def _is_chunk(value: Any) -> bool:
    return isinstance(value, Mapping) and _NEEDED.issubset(cast("Mapping[Any, Any]", value))


def hash_of(text: str) -> str:
    """The hash that a chunk of this text has."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
