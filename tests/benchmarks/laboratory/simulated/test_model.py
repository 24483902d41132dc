import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.laboratory.simulated.model import Draw, simulated_models
from benchmarks.laboratory.simulated.profile import HABITS, Mistake, Profile, load_profile
from tests.benchmarks.laboratory.simulated.asking import asked, case_of
from veridical.contracts.answer import AnswerKind
from veridical.contracts.trace import ToolCalled
from veridical.evals.execution.plan import Planned
from veridical.evals.gold.case import GoldSet
from veridical.evals.gold.oracle import CaseTruth
from veridical.evals.modes.environment import EvalEnvironment
from veridical.evals.modes.mode import ModeName
from veridical.evals.scoring.record import Outcome, RunKey

_RUNS = 2000


@given(st.integers(), st.text(), st.sampled_from(ModeName), st.integers(0, 9), st.text())
def test_the_same_occasion_draws_the_same(
    seed: int, case: str, mode: ModeName, repeat: int, occasion: str
) -> None:
    one, other = Draw(seed, case, mode, repeat), Draw(seed, case, mode, repeat)
    assert one.number(occasion) == other.number(occasion)
    assert 0 <= one.number(occasion) < 1
    assert not one.happens(0, occasion)
    assert one.happens(1, occasion)


@pytest.mark.parametrize("rate", [0.05, 0.3, 0.8])
def test_what_is_drawn_happens_at_its_rate(rate: float) -> None:
    draws = (Draw(0, str(number), ModeName.FULL, 0) for number in range(_RUNS))
    seen = sum(draw.happens(rate, "wrongYear") for draw in draws) / _RUNS
    assert abs(seen - rate) < 0.04


Truths = dict[str, CaseTruth]

_BASELINE, _ONTOLOGY, _FULL = ModeName.BASELINE, ModeName.ONTOLOGY, ModeName.FULL
_NO_WAY = {"q16"}
"""Two balances in one comparison: no single call that the case suggests passes the check."""


def _always(mistake: Mistake, *others: Mistake) -> Profile:
    rates = dict.fromkeys(ModeName, 1.0)
    return Profile(name="one mistake", mistakes=dict.fromkeys((mistake, *others), rates))


def test_without_mistakes_the_answers_are_right(
    stage: EvalEnvironment, gold: GoldSet, truths: Truths
) -> None:
    flawless = load_profile("flawless")
    for mode in (_BASELINE, _FULL):
        outcomes = {
            case.id: asyncio.run(asked(flawless, case, mode, gold, truths, stage)).record
            for case in gold.cases
        }
        wrong = {name for name, run in outcomes.items() if run.score.outcome is not Outcome.CORRECT}
        assert wrong == _NO_WAY


@pytest.mark.parametrize(
    ("mistake", "name"),
    [
        (Mistake.WRONG_YEAR, "q02"),
        (Mistake.WRONG_PERIOD_ROW, "q02"),
        (Mistake.WRONG_KIND, "q02"),
        (Mistake.TURNOVER_FOR_BALANCE, "q02"),
        (Mistake.SUMMED_BALANCE, "q02"),
        (Mistake.MIXED_CURRENCIES, "q01"),
        (Mistake.TRAPPED, "q02"),
        (Mistake.WRONG_FIGURE, "q02"),
        (Mistake.SCALED_FIGURE, "q02"),
        (Mistake.MISREPORTED_EMPTINESS, "q02"),
        (Mistake.ANSWERS_WITHOUT_CALL, "q02"),
    ],
)
def test_a_mistake_that_nothing_stops_makes_the_answer_wrong(
    mistake: Mistake, name: str, stage: EvalEnvironment, gold: GoldSet, truths: Truths
) -> None:
    case = case_of(gold, name)
    run = asyncio.run(asked(_always(mistake), case, _BASELINE, gold, truths, stage))
    assert run.record.score.outcome is Outcome.WRONG, run.record.text


@pytest.mark.parametrize(
    "mistake",
    [
        Mistake.TURNOVER_FOR_BALANCE,
        Mistake.SUMMED_BALANCE,
        Mistake.INVENTED_COLUMN,
        Mistake.INVENTED_TABLE,
        Mistake.MISSING_FILTER,
    ],
)
def test_a_refused_call_is_mended(
    mistake: Mistake, stage: EvalEnvironment, gold: GoldSet, truths: Truths
) -> None:
    case = case_of(gold, "q02")
    run = asyncio.run(asked(_always(mistake), case, _ONTOLOGY, gold, truths, stage))
    assert run.record.score.outcome is Outcome.CORRECT
    assert run.record.overcome is True


def test_who_never_mends_gives_up_or_makes_something_up(
    stage: EvalEnvironment, gold: GoldSet, truths: Truths
) -> None:
    case, never = case_of(gold, "q02"), {_ONTOLOGY: 0.0}
    lost = _always(Mistake.INVENTED_TABLE).model_copy(update={"repairs": never})
    bold = _always(Mistake.INVENTED_TABLE, Mistake.ANSWERS_AFTER_ERROR).model_copy(
        update={"repairs": never}
    )
    ended = [
        asyncio.run(asked(each, case, _ONTOLOGY, gold, truths, stage)).record.score.outcome
        for each in (lost, bold)
    ]
    assert ended == [Outcome.REFUSED, Outcome.WRONG]


@pytest.mark.parametrize(
    "mistake",
    [
        Mistake.WRONG_FIGURE,
        Mistake.SCALED_FIGURE,
        Mistake.SWAPPED_LABEL,
        Mistake.PLACEHOLDER_LIST,
        Mistake.ANSWERS_WITHOUT_CALL,
    ],
)
def test_behind_the_gate_a_mistake_in_words_is_not_shown(
    mistake: Mistake, stage: EvalEnvironment, gold: GoldSet, truths: Truths
) -> None:
    for name in ("q02", "q01"):
        case = case_of(gold, name)
        run = asyncio.run(asked(_always(mistake), case, _FULL, gold, truths, stage))
        assert run.record.score.outcome is not Outcome.WRONG, run.record.text


@pytest.mark.parametrize("habit", HABITS)
def test_every_habit_ends(
    habit: Mistake, stage: EvalEnvironment, gold: GoldSet, truths: Truths
) -> None:
    case = case_of(gold, "q02")
    run = asyncio.run(asked(_always(habit), case, _FULL, gold, truths, stage))
    assert run.record.kind is not AnswerKind.FAILED


def test_who_repeats_a_call_is_told_so(
    stage: EvalEnvironment, gold: GoldSet, truths: Truths
) -> None:
    case = case_of(gold, "q02")
    repeating = _always(Mistake.REPEATS_CALL)
    run = asyncio.run(asked(repeating, case, _ONTOLOGY, gold, truths, stage))
    assert "REPEATED_CALL" in run.record.failure_codes
    assert run.record.score.outcome is Outcome.CORRECT


def test_the_same_run_makes_the_same_calls(
    stage: EvalEnvironment, gold: GoldSet, truths: Truths
) -> None:
    careless, case = load_profile("careless"), case_of(gold, "q01")

    def made(repeat: int) -> list[object]:
        run = asyncio.run(asked(careless, case, _BASELINE, gold, truths, stage, repeat))
        calls = [event for event in run.trace.events if isinstance(event, ToolCalled)]
        return [run.record.text, *((call.tool, call.arguments) for call in calls)]

    assert made(1) == made(1)
    assert len({str(made(repeat)) for repeat in range(8)}) > 1


def test_its_name_says_what_it_is(stage: EvalEnvironment, gold: GoldSet, truths: Truths) -> None:
    case = case_of(gold, "q02")
    asked_now = Planned(RunKey(case=case.id, mode=_FULL), case, gold, case.question)
    model = simulated_models("careless#3", stage)(asked_now, truths[case.id])
    assert model is not None
    assert model.model_name == "simulated:careless"
