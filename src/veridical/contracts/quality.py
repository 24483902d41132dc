"""The quality gate's report after a skill has run: each check with its outcome, and a verdict."""

from enum import StrEnum

from veridical.contracts.proof import Verdict
from veridical.contracts.wire import Wire


class QualityCheck(StrEnum):
    """A check of the quality gate."""

    REQUIRED_TOOLS = "requiredTools"
    GATE = "gate"
    """the answer gate's proof"""
    SKILL_MATCH = "skillMatch"
    """whether the answer fits the skill's topic"""
    VALIDATOR = "validator"
    """a function of the host"""


class Outcome(StrEnum):
    """The outcome of a check."""

    PASSED = "passed"
    WARNED = "warned"
    FAILED = "failed"
    NOT_EVALUATED = "notEvaluated"
    """neither good nor bad: there was nothing to check, or no check ran"""


class CheckResult(Wire):
    """One check of one answer."""

    check: QualityCheck
    outcome: Outcome
    subject: str = ""
    """The validator."""
    reasons: tuple[str, ...] = ()
    score: float | None = None
    """For ``skillMatch``: how much of what was found is this skill's, 0 to 1. None where it was
    not evaluated, and for the other checks."""


class QualityReport(Wire):
    """The quality gate's account of one answer."""

    skill: str
    verdict: Verdict
    checks: tuple[CheckResult, ...]

    @property
    def ok(self) -> bool:
        """True if the answer may be shown: everything but a block."""
        return self.verdict is not Verdict.BLOCK

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why the answer is not simply let through."""
        return tuple(reason for each in self.checks for reason in each.reasons)
