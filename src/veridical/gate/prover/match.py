"""An expression whose value is a figure, with the facts that it is made of."""

from dataclasses import dataclass

from veridical.gate.prover.basis import Basis
from veridical.gate.prover.facts import Fact
from veridical.gate.prover.how import How
from veridical.gate.prover.measures import ColumnRef


@dataclass(frozen=True, slots=True)
class Match:
    """An expression whose value is the figure."""

    basis: Basis
    columns: frozenset[ColumnRef]
    direction: int = 0
    """1 or -1 for a difference or a change that goes up or down."""
    fact: Fact | None = None
    """The fact itself, where it is a single one."""
    sides: tuple[Fact, ...] = ()
    """The two facts that it combines."""
    fits_words: bool = True
    """True if its columns are those that the words beside the figure mention."""


def single(fact: Fact, *, fits_words: bool) -> Match:
    """A fact as it is."""
    basis = Basis(How.ITSELF, (fact,))
    return Match(basis, frozenset({fact.ref}), fact=fact, fits_words=fits_words)


def paired(
    how: How, one: Fact, other: Fact, *, direction: int = 0, fits_words: bool = True
) -> Match:
    """Two facts combined."""
    sides = (one, other)
    columns = frozenset({one.ref, other.ref})
    return Match(Basis(how, sides), columns, direction, sides=sides, fits_words=fits_words)
