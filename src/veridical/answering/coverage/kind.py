"""A kind of thing: the rows of which one column has certain values."""

from dataclasses import dataclass

from veridical.answering.coverage.span import Span


@dataclass(frozen=True, slots=True)
class Kind:
    """What makes a row one of a kind: a column, and the values that it may have."""

    column: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class AskedKind:
    """A word for a kind of thing; several kinds where it may mean any of them."""

    said: str
    kinds: tuple[Kind, ...]
    is_known_question: bool = False
    """True when a canonical question has this condition."""
