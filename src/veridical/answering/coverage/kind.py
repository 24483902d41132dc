"""A kind of thing: the rows of which one column has certain values."""

from dataclasses import dataclass

from veridical.answering.coverage.span import Span


@dataclass(frozen=True, slots=True)
class RowKind:
    """A kind of rows: a column, and the values that it has in them."""

    column: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class KindMention:
    """A word for a kind of thing; several kinds where it may mean any of them."""

    words: str
    kinds: tuple[RowKind, ...]
    is_known_question: bool = False
    """True when a canonical question has this condition."""
