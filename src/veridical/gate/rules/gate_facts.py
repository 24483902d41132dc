"""The input of the rules: one answer, its bound claims and the facts of the run."""

from dataclasses import dataclass

from veridical.contracts.proof import ClaimKind, Ground, Standing
from veridical.contracts.result import Emptiness, ToolRun
from veridical.gate.bound import Bound
from veridical.gate.claim import ClaimRole
from veridical.gate.evidence.exhibit import Exhibit
from veridical.gate.lazy import lazy
from veridical.gate.mention import is_currency
from veridical.gate.policy import Policy

FIGURES = frozenset({ClaimKind.NUMBER, ClaimKind.AMOUNT, ClaimKind.PERCENT, ClaimKind.COUNT})
# looking a member up in its enumeration costs more than the comparison
_STATED, _EXEMPT, _GROUNDED = ClaimRole.STATED, Standing.EXEMPT, Standing.GROUNDED
TIMES = frozenset({ClaimKind.DATE, ClaimKind.PERIOD})


def conversation(earlier: str, question: str) -> str:
    """All questions of the user."""
    return f"{earlier}\n{question}" if earlier else question


@dataclass(frozen=True)
class GateFacts:
    """The input of all rules; frozen, so that no rule changes it for the next."""

    text: str
    bounds: tuple[Bound, ...]
    exhibits: tuple[Exhibit, ...]
    """The results behind the answer."""
    policy: Policy
    question: str = ""
    """The current question: it alone decides whether all, some, or a yes is wanted."""
    earlier: str = ""
    """The user's earlier questions: they complete the current one."""
    runs: tuple[ToolRun, ...] = ()
    required_tools: tuple[str, ...] = ()

    @property
    def conversation(self) -> str:
        """All questions of the user."""
        return conversation(self.earlier, self.question)

    @lazy
    def stated(self) -> tuple[Bound, ...]:
        """The claims that the evidence must support."""
        return tuple(
            bound
            for bound in self.bounds
            if bound.claim.role is _STATED and bound.standing is not _EXEMPT
        )

    @lazy
    def unsettled(self) -> tuple[Bound, ...]:
        """The stated claims that are not supported. Mostly none, which saves the rules time."""
        return tuple(bound for bound in self.stated if bound.standing is not _GROUNDED)

    @lazy
    def data(self) -> tuple[Bound, ...]:
        """The claims that go beyond the question: figures, times, codes, facts."""
        return tuple(
            bound
            for bound in self.stated
            if bound.ground is not Ground.QUESTION and self._is_data(bound)
        )

    @lazy
    def result_claims(self) -> tuple[Bound, ...]:
        """The data, with names, lists and small numbers that a result supports."""
        return tuple(
            bound
            for bound in self.stated
            if bound.ground is not Ground.QUESTION
            and (bound.standing is _GROUNDED or self._is_data(bound))
        )

    def _is_data(self, bound: Bound) -> bool:
        naming = bound.claim.kind in (ClaimKind.NAME, ClaimKind.LIST)
        return not naming and not self._is_small_talk(bound)

    def _is_small_talk(self, bound: Bound) -> bool:
        """A small whole number of things or days, as in "two sides" or "12 months"."""
        claim = bound.claim
        if claim.kind not in FIGURES or not claim.readings:
            return False
        limit = self.policy.smallest_figure
        return all(
            0 <= reading.value < limit
            and reading.value == int(reading.value)
            and reading.unit != "%"
            and not is_currency(reading.unit)
            for reading in claim.readings
        )

    @lazy
    def filled(self) -> tuple[Exhibit, ...]:
        """The exhibits that hold anything."""
        return tuple(
            each
            for each in self.exhibits
            if each.rows or each.record is not None or each.text or each.calculation
        )

    def empty_for(self, reason: Emptiness) -> bool:
        """True when a result came back empty or incomplete for this reason."""
        return any(each.emptiness is reason for each in self.exhibits)
