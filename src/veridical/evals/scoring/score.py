"""Scores one run as correct, refused or wrong, from its answer and the truth."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from veridical.check.checker import Checker
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.trace import AgentTrace, ToolCalled
from veridical.evals.gold.case import Case, Expected
from veridical.evals.gold.oracle import CaseTruth
from veridical.evals.scoring.compliance import forbidden_used, is_compliant
from veridical.evals.scoring.figures import Figure, figures_in, is_stated, not_among
from veridical.evals.scoring.record import Outcome, Score
from veridical.late_pattern import late_pattern
from veridical.reading.punctuation import marks
from veridical.tools.calculate import CALCULATE
from veridical.word_file import word_file

_CANT_SAY, _NOTHING, _EXISTS_NOT = (
    late_pattern(word_file("veridical.evals")["found"][name], re.VERBOSE | re.IGNORECASE)
    for name in ("cant_say", "nothing", "exists_not")
)


def cant_say(text: str) -> bool:
    """True if the text says that it has no answer."""
    return _CANT_SAY.search(text) is not None


def says_nothing_there(text: str) -> bool:
    """True when the text says that the requested thing does not exist."""
    return _NOTHING.search(text) is not None or _EXISTS_NOT.search(text) is not None


def repaired_at_once(trace: AgentTrace) -> bool | None:
    """True if a call on the data worked in the round after the first refusal.

    It may be the same call mended or another way to the data; arithmetic does not lead to the data.
    None when no call was refused.
    """
    refused = _first_refusal(trace)
    return None if refused is None else refused + 1 in _rounds_with_data(trace)


def overcame_refusal(trace: AgentTrace) -> bool | None:
    """The same in any later round: the run got there, however many rounds it took."""
    refused = _first_refusal(trace)
    return None if refused is None else any(each > refused for each in _rounds_with_data(trace))


def _first_refusal(trace: AgentTrace) -> int | None:
    """The first round in which the check refused a call."""
    refused = (call.round for call in _calls(trace) if call.validation_failure_code is not None)
    return min(refused, default=None)


def _rounds_with_data(trace: AgentTrace) -> set[int]:
    return {call.round for call in _calls(trace) if call.success and call.tool != CALCULATE}


def _calls(trace: AgentTrace) -> list[ToolCalled]:
    return [event for event in trace.events if isinstance(event, ToolCalled)]


_NO_ANSWER = frozenset({AnswerKind.UNKNOWN, AnswerKind.FAILED})
_MOST_OTHERS = 6
"""An answer may have so many figures beside the right ones, and as many again as were requested;
with more, the reader can't find it."""


def score(
    case: Case,
    question: str,
    truth: CaseTruth,
    answer: Answer,
    trace: AgentTrace,
    checker: Checker | None = None,
) -> Score:
    """The verdict on this answer to the case in these words; the checker reads the calls."""
    questions = "\n".join((*(turn.question for turn in case.thread), question))
    claims = figures_in(answer.text, questions, answer.language)
    outcome, reasons = _outcome(case, truth, answer, claims)
    return Score(
        outcome=outcome,
        reasons=reasons,
        pattern_compliant=is_compliant(case.expected_tool_pattern, trace, checker),
        forbidden_tools=forbidden_used(case.forbidden_tools, trace),
        numeric_correct=_numeric(case, truth, answer, claims),
    )


def _outcome(
    case: Case, truth: CaseTruth, answer: Answer, claims: tuple[Figure, ...]
) -> tuple[Outcome, tuple[str, ...]]:
    if answer.kind is AnswerKind.FAILED:
        return Outcome.REFUSED, ("failed",)
    match case.expected:
        case Expected.ANSWER:
            return _judge_answer(case, truth, answer, claims)
        case Expected.ASK_BACK:
            return _judge_question(answer, claims)
        case _:
            return _judge_nothing(case, truth, answer, claims)


def _judge_answer(
    case: Case, truth: CaseTruth, answer: Answer, claims: tuple[Figure, ...]
) -> tuple[Outcome, tuple[str, ...]]:
    if answer.kind in (AnswerKind.UNKNOWN, AnswerKind.ASK_BACK):
        return Outcome.REFUSED, (str(answer.kind),)
    reasons = (*_missing(case, truth, answer, claims), *_trapped(case, truth, claims))
    others = not_among(claims, _true_values(case, truth))
    expected = len(case.expected_answer_numeric) + len(case.expected_figures)
    if not reasons and len(others) <= _MOST_OTHERS + 2 * expected:
        return Outcome.CORRECT, ()
    if not reasons:
        return Outcome.WRONG, (f"lost among {len(others)} other figures",)
    if not others and cant_say(answer.text):
        return Outcome.REFUSED, ("said that it can't say",)
    return Outcome.WRONG, reasons


def _judge_question(answer: Answer, claims: tuple[Figure, ...]) -> tuple[Outcome, tuple[str, ...]]:
    if answer.kind is AnswerKind.ASK_BACK:
        return Outcome.CORRECT, ()
    if answer.kind is AnswerKind.UNKNOWN:
        return Outcome.REFUSED, (str(answer.kind),)
    if not not_among(claims, ()):
        if answer.text.rstrip().endswith(tuple(marks("?"))):
            return Outcome.CORRECT, ()
        if cant_say(answer.text):
            return Outcome.REFUSED, ("said that it can't say",)
    return Outcome.WRONG, ("answered what was not said",)


def _judge_nothing(
    case: Case, truth: CaseTruth, answer: Answer, claims: tuple[Figure, ...]
) -> tuple[Outcome, tuple[str, ...]]:
    """Nothing is there, or there is no answer: a figure of its own makes an answer wrong."""
    allowed = [0, *_true_values(case, truth)]
    made_up = not_among(claims, allowed)
    trapped = tuple(_trapped(case, truth, claims))
    if made_up or trapped:
        return Outcome.WRONG, (*trapped, *(f"made up {claim.text}" for claim in made_up[:3]))
    if case.expected is Expected.REFUSE:
        if answer.kind in (AnswerKind.UNKNOWN, AnswerKind.ASK_BACK):
            return Outcome.CORRECT, ()
        corrected = bool(truth.truth.rows) and not any(_missing(case, truth, answer, claims))
        if corrected or cant_say(answer.text) or says_nothing_there(answer.text):
            return Outcome.CORRECT, ()
        return Outcome.WRONG, ("did not refuse",)
    if answer.kind in _NO_ANSWER or answer.kind is AnswerKind.ASK_BACK:
        return Outcome.REFUSED, (str(answer.kind),)
    if says_nothing_there(answer.text) or is_stated(0, claims):
        return Outcome.CORRECT, ()
    if cant_say(answer.text):
        return Outcome.REFUSED, ("said that it can't say",)
    return Outcome.WRONG, ("did not say that there is nothing",)


def _missing(
    case: Case, truth: CaseTruth, answer: Answer, claims: tuple[Figure, ...]
) -> Iterator[str]:
    yield from (f"missing {value}" for value in _unstated(case, truth, claims))
    text = answer.text.casefold()
    for name in truth.truth.values(*case.expected_answer_names):
        if name is not None and not _stands_in(str(name).casefold(), text):
            yield f"missing {name}"
    for wanted in case.expected_answer_contains:
        if not any(spelling.casefold() in text for spelling in wanted.split("|")):
            yield f"missing {wanted}"


def _true_values(case: Case, truth: CaseTruth) -> Iterator[Any]:
    yield from (value for row in truth.truth.rows for value in row)
    yield from case.expected_figures.values()


def _unstated(case: Case, truth: CaseTruth, claims: tuple[Figure, ...]) -> Iterator[Any]:
    columns = truth.truth.values(*case.expected_answer_numeric)
    for value in (*columns, *case.expected_figures.values()):
        stated = is_stated(value, claims, any_sign=case.any_sign, decimals=case.decimals)
        if value is not None and not stated:
            yield value


def _stands_in(name: str, text: str) -> bool:
    """True if the text has the name as words of its own: 12 is not in 4123."""
    before = r"(?<!\w)" if name[:1].isascii() else ""
    after = r"(?!\w)" if name[-1:].isascii() else ""
    return re.search(f"{before}{re.escape(name)}{after}", text, re.ASCII) is not None


def _trapped(case: Case, truth: CaseTruth, claims: tuple[Figure, ...]) -> Iterator[str]:
    right = _values(truth.truth.rows)
    for value in _values(truth.wrong.rows):
        if value not in right and is_stated(value, claims, any_sign=case.any_sign):
            yield f"trap {value}"


def _values(rows: Iterable[tuple[Any, ...]]) -> list[Any]:
    return [value for row in rows for value in row if value is not None]


def _numeric(
    case: Case, truth: CaseTruth, answer: Answer, claims: tuple[Figure, ...]
) -> bool | None:
    if not (case.expected_answer_numeric or case.expected_figures) or answer.kind in _NO_ANSWER:
        return None
    return next(_unstated(case, truth, claims), None) is None
