"""A problem: what a rule found, before it is put into words."""

from dataclasses import dataclass

from veridical.contracts.proof import GateCode
from veridical.contracts.violation import Mode
from veridical.gate.bound import Bound


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with an answer, and where."""

    code: GateCode
    message: str = ""
    """Which wording of the code; its plain one where empty."""
    bound: Bound | None = None
    claim: str = ""
    """The words in question, where no claim holds them."""
    start: int | None = None
    values: tuple[tuple[str, object], ...] = ()
    """What the wording needs beside the claim and the nearest evidence."""
    instead: str = ""
    """What there is in place of what the problem is about, where no claim is bound to it."""
    at_most: Mode = Mode.BLOCK
    """For a weaker sign: what the rule does with it at the utmost."""
