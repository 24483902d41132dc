"""A claim of an answer after it was checked against the evidence."""

from typing import NamedTuple

from veridical.contracts.proof import Binding, ClaimKind, Ground, ProvenClaim, Standing
from veridical.reading.figure import Reading

_STANDS = (Standing.GROUNDED, Standing.EXEMPT)


class Bound(NamedTuple):
    """A claim as the rules about a run see it: its place, standing, ground and binding."""

    kind: ClaimKind
    text: str
    start: int
    end: int
    standing: Standing
    ground: Ground | None = None
    binding: Binding | None = None
    readings: tuple[Reading, ...] = ()
    """Of a figure."""
    mark: str = ""
    """``about``, ``over`` or ``under``, from the words beside a figure."""

    @property
    def on_wire(self) -> ProvenClaim:
        """The claim with its binding, or with the evidence against it."""
        stands = self.standing in _STANDS
        return ProvenClaim(
            kind=self.kind,
            text=self.text,
            start=self.start,
            end=self.end,
            standing=Standing.EXEMPT if self.ground is Ground.QUESTION else self.standing,
            binding=self.binding if stands else None,
            nearest=None if stands else self.binding,
        )
