"""The input of the rules: one answer, its bound claims and the facts of the run."""

from dataclasses import dataclass
from functools import cached_property

from veridical.contracts.proof import ClaimKind, Ground, Standing
from veridical.contracts.result import Emptiness, ToolRun
from veridical.contracts.source_kind import SourceKind
from veridical.evidence.exhibit import Exhibit
from veridical.gate.bound import Bound
from veridical.gate.mention import is_currency
from veridical.gate.policy import Policy

FIGURES = frozenset({ClaimKind.NUMBER, ClaimKind.AMOUNT, ClaimKind.PERCENT, ClaimKind.COUNT})
TIMES = frozenset({ClaimKind.DATE, ClaimKind.PERIOD})


def conversation(earlier: str, question: str) -> str:
    """All questions of the user."""
    return f"{earlier}\n{question}" if earlier else question


@dataclass(frozen=True)
class GateFacts:
    """The input of all rules; frozen, so that no rule changes it for the next."""

    text: str
    exhibits: tuple[Exhibit, ...]
    """The results behind the answer."""
    policy: Policy
    bounds: tuple[Bound, ...] = ()
    question: str = ""
    """The current question: it alone decides whether all, some, or a yes is wanted."""
    earlier: str = ""
    """The user's earlier questions: they complete the current one."""
    runs: tuple[ToolRun, ...] = ()
    required_tools: tuple[str, ...] = ()
    source: SourceKind | None = None
    """The declared kind of the source; none where the host declares none."""

    @property
    def conversation(self) -> str:
        """All questions of the user."""
        return conversation(self.earlier, self.question)

    @cached_property
    def stated(self) -> tuple[Bound, ...]:
        """The claims that the evidence must support."""
        return tuple(each for each in self.bounds if each.standing is not Standing.EXEMPT)

    @cached_property
    def data(self) -> tuple[Bound, ...]:
        """The claims that go beyond the question: figures, times, codes, facts."""
        return tuple(
            bound
            for bound in self.stated
            if bound.ground is not Ground.QUESTION and self._is_data(bound)
        )

    @cached_property
    def result_claims(self) -> tuple[Bound, ...]:
        """The data, with names, lists and small numbers that a result supports."""
        return tuple(
            bound
            for bound in self.stated
            if bound.ground is not Ground.QUESTION
            and (bound.standing is Standing.GROUNDED or self._is_data(bound))
        )

    def _is_data(self, bound: Bound) -> bool:
        naming = bound.kind in (ClaimKind.NAME, ClaimKind.LIST)
        return not naming and not self._is_small_talk(bound)

    def _is_small_talk(self, bound: Bound) -> bool:
        """A small whole number of things or days, as in "two sides" or "12 months"."""
        if bound.kind not in FIGURES or not bound.readings:
            return False
        limit = self.policy.smallest_figure
        return all(
            0 <= reading.value < limit
            and reading.value == int(reading.value)
            and reading.unit != "%"
            and not is_currency(reading.unit)
            for reading in bound.readings
        )

    @cached_property
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
