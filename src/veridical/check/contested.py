"""A call that is refused or doubted for what its figures mean, and its correction: if both return
the same rows, there was nothing to protect from."""

from dataclasses import dataclass, replace

from veridical.check.checker import Checker
from veridical.contracts.call import Call
from veridical.contracts.caller import Caller
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.violation import Code, Mode, Refusal

ABOUT_FIGURES = frozenset(
    {
        Code.FAN_OUT,
        Code.INVALID_AGGREGATE_TARGET,
        Code.MISSING_REQUIRED_FILTER,
        Code.MIXED_LEVELS,
        Code.MIXED_UNITS,
    }
)
"""Rules about which figures mean what they seem to: wrong figures are all that they prevent. Every
other refusal stands, whatever the rows are."""


@dataclass(frozen=True, slots=True)
class Contested:
    """A refusal or doubts with both queries, each of which may run."""

    refusal: Refusal
    """Doubts are its violations, although the call passed."""
    written: CheckedQuery
    """The call as it was written; what it is refused for is among the warnings."""
    corrected: CheckedQuery

    @property
    def rules(self) -> tuple[str, ...]:
        """The titles of the violated constraints; for a rule of the schema its code."""
        found = (each.rule or each.code.value for each in self.refusal.violations)
        return tuple(dict.fromkeys(found))

    @property
    def reads(self) -> tuple[str, ...]:
        """The tables that either query reads."""
        both = (self.written, self.corrected)
        return tuple(dict.fromkeys(name for query in both for name in query.columns))


def contested(
    checker: Checker, refusal: Refusal, call: Call, caller: Caller, question: str = ""
) -> Contested | None:
    """The refused call with its correction; None where there is none, or where the refusal is about
    anything but figures."""
    codes = {each.code for each in refusal.violations}
    if refusal.corrected_call is None or not codes <= ABOUT_FIGURES:
        return None
    warning = replace(checker, modes={**checker.modes, **dict.fromkeys(codes, Mode.WARN)})
    written = warning.check(call, caller, question)
    corrected = checker.check(refusal.corrected_call, caller, question)
    if isinstance(written, Refusal) or isinstance(corrected, Refusal):
        return None
    return Contested(refusal, written, corrected)


def doubted(checker: Checker, written: CheckedQuery, question: str = "") -> Contested | None:
    """The passed call with the correction of all doubts about its figures; None where there are
    none, or where no correction passes without a warning."""
    doubts = tuple(each for each in written.warnings if each.code in ABOUT_FIGURES)
    if not doubts:
        return None
    refusal = Refusal(violations=doubts)
    call = checker.corrected(written.call, refusal, written.caller, question)
    corrected = None if call is None else checker.check(call, written.caller, question)
    return Contested(refusal, written, corrected) if isinstance(corrected, CheckedQuery) else None
