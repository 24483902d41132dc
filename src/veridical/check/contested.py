"""A call that is refused or doubted for what its figures mean, with its correction, or with
statements that look for what is feared: if both return the same rows, or none of these finds
anything, there was nothing to protect from."""

from dataclasses import dataclass, replace

from veridical.check.checker import Checker
from veridical.check.witness import witness
from veridical.contracts.call import Call, SqlCall
from veridical.contracts.caller import Caller
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.violation import Code, Mode, Refusal, Violation

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
    """A refusal or doubts with all queries, each of which may run."""

    refusal: Refusal
    """Doubts are its violations, although the call passed."""
    written: CheckedQuery
    """The call as it was written; what it is refused for is among the warnings."""
    corrected: CheckedQuery | None = None
    witnesses: tuple[CheckedQuery, ...] = ()
    """Without a correction: each gives 0 where its rows have nothing of what is feared."""

    @property
    def rules(self) -> tuple[str, ...]:
        """The titles of the violated constraints; for a rule of the schema its code."""
        found = (each.rule or each.code.value for each in self.refusal.violations)
        return tuple(dict.fromkeys(found))

    @property
    def reads(self) -> tuple[str, ...]:
        """The tables that one of the queries reads."""
        others = self.witnesses if self.corrected is None else (self.corrected,)
        every = (self.written, *others)
        return tuple(dict.fromkeys(name for query in every for name in query.columns))


def contested(
    checker: Checker, refusal: Refusal, call: Call, caller: Caller, question: str = ""
) -> Contested | None:
    """The refused call with its correction or its witnesses; None where there are none, or where
    the refusal is about anything but figures."""
    codes = {each.code for each in refusal.violations}
    if not codes <= ABOUT_FIGURES:
        return None
    if refusal.corrected_call is None and Code.MIXED_UNITS in codes:
        return None  # the rows would show one unit, and the figure none
    written = _warning(checker).check(call, caller, question)
    if isinstance(written, Refusal):
        return None
    if refusal.corrected_call is None:
        found = _witnesses(checker, refusal.violations, call, caller)
        return Contested(refusal, written, witnesses=found) if found else None
    corrected = checker.check(refusal.corrected_call, caller, question)
    return None if isinstance(corrected, Refusal) else Contested(refusal, written, corrected)


def doubted(checker: Checker, written: CheckedQuery, question: str = "") -> Contested | None:
    """The passed call with the correction of all doubts about its figures, or with the witnesses of
    some; None where there are none, or where no correction passes without a warning."""
    doubts = tuple(each for each in written.warnings if each.code in ABOUT_FIGURES)
    if not doubts:
        return None
    refusal = Refusal(violations=doubts)
    call = checker.corrected(written.call, refusal, written.caller, question)
    corrected = None if call is None else checker.check(call, written.caller, question)
    if isinstance(corrected, CheckedQuery):
        return Contested(refusal, written, corrected)
    found = {each: _witnesses(checker, (each,), written.call, written.caller) for each in doubts}
    seen = tuple(each for each in doubts if found[each])
    every = tuple(query for each in seen for query in found[each])
    return Contested(Refusal(violations=seen), written, witnesses=every) if seen else None


def _warning(checker: Checker) -> Checker:
    """A checker that lets figures pass."""
    return replace(checker, modes={**checker.modes, **dict.fromkeys(ABOUT_FIGURES, Mode.WARN)})


def _witnesses(
    checker: Checker, violations: tuple[Violation, ...], call: Call, caller: Caller
) -> tuple[CheckedQuery, ...]:
    """Witnesses of all these violations; none where one of them has none that may run."""
    if not isinstance(call, SqlCall):
        return ()
    catalog, may_run = checker.visible_to(caller), _warning(checker)
    found: list[CheckedQuery] = []
    for each in violations:
        text = witness(call.sql, each, catalog, checker.dialect)
        query = None if text is None else may_run.check(SqlCall(sql=text), caller)
        if not isinstance(query, CheckedQuery):
            return ()
        found.append(query)
    return tuple(found)
