"""A problem that a rule found, before it is put into words."""

from dataclasses import dataclass

from veridical.contracts.proof import GateCode
from veridical.contracts.violation import Mode
from veridical.gate.bound import Bound


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of an answer, and its place."""

    code: GateCode
    message: str = ""
    """The wording of the code; its plain one if empty."""
    bound: Bound | None = None
    claim: str = ""
    """The words in question, where no claim holds them."""
    start: int | None = None
    values: tuple[tuple[str, object], ...] = ()
    """Values for the wording, beside the claim and the nearest evidence."""
    instead: str = ""
    """The right content, if no claim is bound to the problem."""
    at_most: Mode = Mode.BLOCK
    """The strictest mode; lower for a weaker sign."""
