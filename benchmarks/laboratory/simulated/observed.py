"""Detects the mistakes of real runs from their calls and answers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from benchmarks.laboratory.simulated.deviation import deviation
from benchmarks.laboratory.simulated.profile import CALL_MISTAKES, Mistake
from benchmarks.laboratory.simulated.solution import Solution
from veridical.agent.refusals import REPEATED_CALL
from veridical.check.checker import Checker
from veridical.contracts.answer import AnswerKind
from veridical.contracts.call import parse_call
from veridical.contracts.proof import GateCode, Verdict
from veridical.contracts.trace import AgentTrace, Gated, ToolCalled
from veridical.contracts.violation import Code, Mode, Refusal
from veridical.evals.gold.case import Case
from veridical.evals.gold.query import tree_of
from veridical.evals.scoring.record import Outcome, RunRecord
from veridical.evals.scoring.score import says_nothing_there
from veridical.tools.calculate import CALCULATE

_BY_CODE: dict[str, Mistake] = {
    Code.FIELD_NOT_FOUND: Mistake.INVENTED_COLUMN,
    Code.AMBIGUOUS_FIELD: Mistake.INVENTED_COLUMN,
    Code.TABLE_NOT_FOUND: Mistake.INVENTED_TABLE,
    Code.TYPE_MISMATCH: Mistake.ISO_DATE,
    Code.MISSING_REQUIRED_FILTER: Mistake.MISSING_FILTER,
    Code.MIXED_LEVELS: Mistake.MISSING_FILTER,
    Code.INVALID_AGGREGATE_TARGET: Mistake.SUMMED_BALANCE,
    Code.MIXED_UNITS: Mistake.MIXED_CURRENCIES,
    Code.WRONG_TABLE_FOR_PURPOSE: Mistake.TURNOVER_FOR_BALANCE,
    Code.VALUE_UNKNOWN: Mistake.WRONG_KIND,
    Code.CONTRADICTION: Mistake.WRONG_KIND,
}
_BY_FINDING: dict[GateCode, Mistake] = {
    GateCode.CONTRADICTED_CLAIM: Mistake.WRONG_FIGURE,
    GateCode.UNGROUNDED_CLAIM: Mistake.WRONG_FIGURE,
    GateCode.ILLEGAL_DERIVATION: Mistake.WRONG_FIGURE,
    GateCode.UNKNOWN_NAME: Mistake.PLACEHOLDER_LIST,
    GateCode.PLACEHOLDER_SERIES: Mistake.PLACEHOLDER_LIST,
    GateCode.LIST_MISMATCH: Mistake.INCOMPLETE_LIST,
    GateCode.TRUNCATION_NOT_SAID: Mistake.INCOMPLETE_LIST,
    GateCode.EMPTINESS_MISREPORTED: Mistake.MISREPORTED_EMPTINESS,
    GateCode.NO_EVIDENCE: Mistake.ANSWERS_WITHOUT_CALL,
    GateCode.AFTER_TOOL_ERROR: Mistake.ANSWERS_AFTER_ERROR,
}


@dataclass(frozen=True, slots=True)
class Observed:
    """One real run, beside the right solution."""

    record: RunRecord
    trace: AgentTrace
    case: Case
    solution: Solution | None

    @property
    def calls(self) -> tuple[ToolCalled, ...]:
        """The calls for data."""
        return tuple(
            event
            for event in self.trace.events
            if isinstance(event, ToolCalled) and event.tool != CALCULATE
        )

    @property
    def verdicts(self) -> tuple[Gated, ...]:
        """The gate's verdict on each attempt."""
        return tuple(event for event in self.trace.events if isinstance(event, Gated))

    @property
    def is_wrong(self) -> bool:
        """True if something false was shown."""
        return self.record.score.outcome is Outcome.WRONG

    @property
    def repaired(self) -> bool | None:
        """True if a call worked after one that failed; none where none failed."""
        made = [call.success for call in self.calls]
        return True in made[made.index(False) :] if False in made else None

    @property
    def rewritten(self) -> bool | None:
        """True if the second attempt stood where the first did not; none where it did."""
        first, *later = self.verdicts or (None,)
        if first is None or first.verdict is not Verdict.BLOCK:
            return None
        return any(each.attempt == 2 and each.verdict is not Verdict.BLOCK for each in later)


def mistakes_in(run: Observed, checker: Checker) -> frozenset[Mistake]:
    """The kinds of mistakes that this run shows; the checker knows all there is to know."""
    found = {*_in_calls(run, checker), *_in_habits(run)}
    if not found.intersection(CALL_MISTAKES):
        found.update(_in_sentences(run))
    return frozenset(found)


def _in_calls(run: Observed, checker: Checker) -> Iterator[Mistake]:
    """The mistakes of refused calls; and in a wrong run, those of its last call."""
    for call in run.calls:
        if not call.success:
            yield from _of_error(call, checker)
    worked = [call for call in run.calls if call.success]
    if run.is_wrong and worked and run.solution and run.solution.tree:
        made = tree_of(worked[-1].tool, worked[-1].arguments)
        found = deviation(made, run.solution.tree) if made else None
        if found is not None:
            yield found
    elif run.is_wrong and worked and run.solution is None:
        yield Mistake.TRAPPED


def _of_error(call: ToolCalled, checker: Checker) -> Iterator[Mistake]:
    """By the code of the refusal; where the database refused, by what the check says of it."""
    code = str((call.error_details or {}).get("code", ""))
    codes = [code] if code in _BY_CODE else _codes(call, checker)
    yield from (_BY_CODE[each] for each in codes[:1] if each in _BY_CODE)


def _codes(call: ToolCalled, checker: Checker) -> list[str]:
    try:
        verdict = checker.check(parse_call({"tool": call.tool, **call.arguments}))
    except ValidationError:
        return []
    return [each.code for each in verdict.violations] if isinstance(verdict, Refusal) else []


def _in_habits(run: Observed) -> Iterator[Mistake]:
    if REPEATED_CALL in run.record.failure_codes:
        yield Mistake.REPEATS_CALL
    if run.is_wrong and not run.calls:
        yield Mistake.ANSWERS_WITHOUT_CALL
    elif run.is_wrong and not any(call.success for call in run.calls):
        yield Mistake.ANSWERS_AFTER_ERROR
    if _gave_up(run):
        yield Mistake.GIVES_UP


def _gave_up(run: Observed) -> bool:
    """No answer, although nothing stood in its way: no error, no gate, no lack of time."""
    if run.record.score.outcome is not Outcome.REFUSED or run.record.kind is AnswerKind.FAILED:
        return False
    return all(call.success for call in run.calls) and not _blocking(run.verdicts)


def _in_sentences(run: Observed) -> Iterator[Mistake]:
    """The gate's findings in the first attempt; without a gate, those in the words themselves."""
    blocked = _blocking(run.verdicts[:1])
    if blocked:
        yield from (_BY_FINDING[code] for code in blocked if code in _BY_FINDING)
    elif run.is_wrong and any(call.success for call in run.calls):
        if says_nothing_there(run.record.text):
            yield Mistake.MISREPORTED_EMPTINESS
        elif run.record.score.numeric_correct is False:
            yield Mistake.WRONG_FIGURE
        else:
            yield Mistake.INCOMPLETE_LIST


def _blocking(verdicts: Sequence[Gated]) -> list[GateCode]:
    findings = [finding for verdict in verdicts for finding in verdict.findings]
    return [finding.code for finding in findings if finding.mode is Mode.BLOCK]
