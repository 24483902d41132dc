"""Fast evaluation for every commit: canonical questions without a model, and scripted runs.

All of it must be right. Nothing here says how good a model is: there is none.
"""

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic_ai.models import Model

from veridical.agent.answer_form import AnswerForm
from veridical.agent.settings import AgentSettings
from veridical.answering.routing import choose_route
from veridical.contracts.question import Question
from veridical.evals.execution.attempt import attempt
from veridical.evals.execution.plan import Planned
from veridical.evals.execution.recording import Recording
from veridical.evals.gold.case import Case, GoldSet, Timeouts
from veridical.evals.gold.oracle import CaseTruth, truth_of
from veridical.evals.modes.environment import EvalEnvironment
from veridical.evals.modes.mode import MODES, ModeName
from veridical.evals.scoring.record import Outcome, RunKey, RunRecord, ScoredRun
from veridical.route.patterns import PatternMatch
from veridical.testing.script import Line, Script

FEWEST_CANONICAL = 30
"""Gold questions that a pattern answers; when there are fewer, routes were lost."""
_SETTINGS = AgentSettings.model_construct(answer_form=AnswerForm.TEXT)
"""The defaults, without the environment; scripted answers are text."""
_BALANCE_CASE = "q02"
_REFUSAL_CASE = "b099"
_READ: dict[str, Any] = {
    "tableName": "TrusteeDataAccountBalance",
    "fields": ["accountNumber", "closingBalance", "currency"],
    "filters": [
        {"field": "accountNumber", "op": "=", "value": "1020"},
        {"field": "periodYear", "op": "=", "value": 2024},
        {"field": "periodMonth", "op": "=", "value": 0},
    ],
}
_SUM = {
    "tableName": "TrusteeDataAccountBalance",
    "aggregate": "sum",
    "field": "closingBalance",
    "filters": [{"field": "accountNumber", "op": "=", "value": "1020"}],
}


@dataclass(frozen=True, slots=True)
class Scripted:
    """A run whose model follows a script, and what must have happened in it."""

    name: str
    case: str
    lines: Callable[[CaseTruth], Sequence[Line]]
    happened: Callable[[RunRecord], bool]


@dataclass(frozen=True, slots=True)
class FastRun:
    """One run, and whether it was right."""

    name: str
    judged: ScoredRun
    is_right: bool


def _sentence(truth: CaseTruth, more: int = 0) -> str:
    (balance,) = truth.truth.values("balance")
    return f"Der Saldo von Konto 1020 betrug Ende 2024 CHF {balance + more:.2f}."


SCRIPTED = (
    Scripted(
        "a call and its answer",
        _BALANCE_CASE,
        lambda truth: ([("queryTable", _READ)], _sentence(truth)),
        lambda record: record.counters.tool_calls == 1,
    ),
    Scripted(
        "a refused call and its repair",
        _BALANCE_CASE,
        lambda truth: ([("aggregateTable", _SUM)], [("queryTable", _READ)], _sentence(truth)),
        lambda record: record.counters.validation_failures == 1 and record.overcome is True,
    ),
    Scripted(
        "an answer without evidence and a better one",
        _BALANCE_CASE,
        lambda truth: (_sentence(truth, more=1000), [("queryTable", _READ)], _sentence(truth)),
        lambda record: record.counters.answers_blocked == 1,
    ),
    Scripted(
        "an honest refusal",
        _REFUSAL_CASE,
        lambda truth: ("Das kann ich aus diesen Büchern nicht sagen.",),
        lambda record: record.counters.tool_calls == 0,
    ),
)


async def run_fast(stage: EvalEnvironment, golds: Sequence[GoldSet]) -> tuple[FastRun, ...]:
    """Every canonical gold question without a model, then every script in mode ``full``."""
    cases = {case.id: (case, gold) for gold in golds for case in gold.cases}
    found: list[FastRun] = []
    for case, gold in canonical_cases(stage, cases.values()):
        judged = await _ask(stage, case, gold, ModeName.PRODUCT, None)
        found.append(FastRun(case.id, judged, judged.record.score.outcome is Outcome.CORRECT))
    for script in SCRIPTED:
        case, gold = cases[script.case]
        judged = await _ask(stage, case, gold, ModeName.FULL, script.lines)
        record = judged.record
        right = record.score.outcome is Outcome.CORRECT and script.happened(record)
        found.append(FastRun(script.name, judged, right))
    return tuple(found)


def canonical_cases(
    stage: EvalEnvironment, cases: Iterable[tuple[Case, GoldSet]]
) -> Iterator[tuple[Case, GoldSet]]:
    """The cases that a pattern of the ontology answers in the words of their first question."""
    mode = MODES[ModeName.PRODUCT]
    for case, gold in cases:
        session = stage.session(mode, case, gold, None, _SETTINGS, lambda event: None)
        question = Question(text=case.question, language=case.language, thread=case.thread)
        today = dt.date.fromisoformat(gold.today)
        if isinstance(choose_route(question, session, today), PatternMatch):
            yield case, gold


def mistakes(found: Sequence[FastRun]) -> Mapping[str, str]:
    """The runs that are not right, with the reason."""
    wrong = {
        run.name: "; ".join(run.judged.record.score.reasons) or run.judged.record.score.outcome
        for run in found
        if not run.is_right
    }
    canonical = sum(run.judged.record.key.mode is ModeName.PRODUCT for run in found)
    if canonical < FEWEST_CANONICAL:
        wrong["canonical questions"] = f"{canonical} of at least {FEWEST_CANONICAL}"
    return wrong


async def _ask(
    stage: EvalEnvironment,
    case: Case,
    gold: GoldSet,
    mode: ModeName,
    lines: Callable[[CaseTruth], Sequence[Line]] | None,
) -> ScoredRun:
    truth = truth_of(case, gold, stage.truth)
    model: Model | None = Script(lines(truth)).model if lines else None
    planned = Planned(RunKey(case=case.id, mode=mode), case, gold, case.question)
    limit = Timeouts().limit(case.difficulty)
    return await attempt(
        planned,
        truth,
        lambda emit: stage.session(MODES[mode], case, gold, model, _SETTINGS, emit),
        Recording(gold.today, limit),
        f"{case.id}-{mode}-fast",
        limit,
    )
