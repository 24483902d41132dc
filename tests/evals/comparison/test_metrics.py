import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.evals.records import numbered, record, record_lists, runs
from veridical.contracts.language import Language
from veridical.evals.comparison.metrics import (
    GROUPINGS,
    breakdown,
    consistency,
    measure,
    measure_modes,
    percentile,
)
from veridical.evals.modes.mode import ModeName
from veridical.evals.scoring.record import Outcome, RunRecord
from veridical.trace.counters import Counters

FULL = ModeName.FULL


def test_all_any_and_alike_are_three_things() -> None:
    found = consistency(runs(FULL, a="ccc", b="cwr", c="www", d="rrr"))
    assert (found.repeats, found.cases) == (3, 4)
    assert (found.pass_all, found.pass_any, found.same_outcome) == (0.25, 0.5, 0.75)


def test_asking_once_says_nothing_about_consistency() -> None:
    found = consistency(runs(FULL, a="c", b="w"))
    assert (found.pass_all, found.pass_any, found.same_outcome) == (None, None, None)


def test_cases_that_were_not_asked_every_time_are_left_out() -> None:
    found = consistency(runs(FULL, a="cc", b="c"))
    assert (found.repeats, found.cases, found.pass_all) == (2, 1, 1.0)


@given(st.lists(st.text("crw", min_size=3, max_size=3), min_size=1, max_size=8))
def test_all_is_never_more_than_alike_nor_than_any(letters: list[str]) -> None:
    found = consistency(numbered(FULL, letters))
    assert found.pass_all is not None
    assert found.pass_any is not None
    assert found.same_outcome is not None
    assert found.pass_all <= min(found.pass_any, found.same_outcome)


def test_the_three_outcomes_are_told_apart() -> None:
    found = measure(FULL, numbered(FULL, "cccrww")).outcomes
    assert (found.correct.count, found.refused.count, found.wrong.count) == (3, 1, 2)
    assert found.correct.share == 0.5
    assert found.wrong.low is not None
    assert 0 < found.wrong.low < 2 / 6


def test_without_runs_nothing_is_said() -> None:
    found = measure(FULL, [])
    shares = (found.pattern_compliance, found.numeric_correctness)
    for each in (*shares, found.repair_conversion, found.repair_ever):
        assert (each.count, each.of, each.share, each.low) == (0, 0, None, None)
    told = found.model_dump(exclude={"mode", "consistency", "outcomes"})
    assert {name for name, value in told.items() if value is not None} == {
        "n",
        "cases",
        "forbidden_tool_uses",
        "pattern_compliance",
        "numeric_correctness",
        "repair_conversion",
        "repair_ever",
        "deflections",
        "answers_blocked",
        "timeouts",
    }


def test_accuracy_over_repeats_has_a_mean_and_a_spread() -> None:
    found = measure(FULL, runs(FULL, a="ccw", b="cww"))
    assert found.accuracy_mean == pytest.approx((1 + 0.5 + 0) / 3)
    assert found.accuracy_sd == pytest.approx(0.5)
    assert measure(FULL, runs(FULL, a="c", b="w")).accuracy_sd is None


def test_repeats_that_agree_do_not_narrow_the_interval() -> None:
    once = measure(FULL, numbered(FULL, ["c", "w"] * 6)).outcomes.correct
    thrice = measure(FULL, numbered(FULL, ["ccc", "www"] * 6)).outcomes.correct
    assert (thrice.low, thrice.high) == pytest.approx((once.low, once.high))


def test_shares_leave_out_runs_to_which_they_do_not_apply() -> None:
    scored = [
        record("a", score={"pattern_compliant": True, "numeric_correct": False}),
        record("b", score={"pattern_compliant": False}),
        record("c", score={"forbidden_tools": ("executeSqlSafe", "executeSqlSafe")}),
    ]
    found = measure(FULL, scored)
    assert (found.pattern_compliance.count, found.pattern_compliance.of) == (1, 2)
    assert (found.numeric_correctness.count, found.numeric_correctness.of) == (0, 1)
    assert found.forbidden_tool_uses == 2
    assert measure(FULL, [record()]).pattern_compliance.of == 0


def test_a_repair_is_a_run_in_which_a_call_worked_after_a_refused_one() -> None:
    refused_twice = Counters(validation_failures=2)
    repaired = Counters(validation_failures=1, success_after_repair=1)
    found = measure(
        FULL,
        [
            record("a", counters=refused_twice, overcome=False, repaired_at_once=False),
            record("b", counters=refused_twice, overcome=True, repaired_at_once=False),
            record("c", counters=repaired, overcome=True, repaired_at_once=True),
            record("d"),
        ],
    )
    assert (found.repair_triggered_count, found.repair_conversion.count) == (3, 1)
    assert (found.repair_ever.count, found.repair_ever.of) == (2, 3)
    assert found.repair_conversion.rate is None
    assert found.avg_validation_failures_per_run == pytest.approx(5 / 4)
    assert measure(FULL, [record()]).repair_conversion.rate is None


def test_what_runs_took_is_added_up_or_averaged() -> None:
    some = Counters(input_tokens=100, output_tokens=20, cost=0.5, elapsed_ms=10, deflections=1)
    more = Counters(input_tokens=300, output_tokens=40, cost=1.5, elapsed_ms=90, answers_blocked=2)
    found = measure(
        FULL,
        [
            record("a", counters=some, rounds=1),
            record("b", counters=more, rounds=4, timed_out=True),
        ],
    )
    assert (found.avg_input_tokens, found.avg_output_tokens, found.avg_tokens) == (200, 30, 230)
    assert (found.cost, found.avg_rounds, found.timeouts) == (2.0, 2.5, 1)
    assert (found.latency_p50_ms, found.latency_p95_ms) == (10, 90)
    assert (found.deflections, found.answers_blocked) == (1, 2)


def test_one_unknown_price_makes_the_cost_unknown() -> None:
    priced, unpriced = Counters(cost=1.0), Counters(cost=None)
    assert measure(FULL, [record(counters=priced)]).cost == 1.0
    assert measure(FULL, [record("a", counters=priced), record(counters=unpriced)]).cost is None


def test_percentiles_are_measured_values() -> None:
    values = [float(value) for value in range(1, 101)]
    assert (percentile(values, 50), percentile(values, 95)) == (50, 95)
    assert percentile([7.0], 95) == 7.0
    assert percentile([], 50) is None


def test_groups_show_where_a_mode_fails() -> None:
    records = [
        record("a", Outcome.CORRECT, language=Language.DE, traps=("foreignTenant", "empty")),
        record("b", Outcome.WRONG, language=Language.ZH, traps=("empty",)),
        record("b", Outcome.CORRECT, ModeName.BASELINE, language=Language.ZH),
    ]
    by_trap = breakdown(records, GROUPINGS["trap"])
    assert list(by_trap) == ["empty", "foreignTenant"]
    assert by_trap["empty"][FULL].correct.share == 0.5
    assert by_trap["empty"][ModeName.BASELINE].correct.share is None
    assert list(breakdown(records, GROUPINGS["language"])) == ["de", "zh"]


@settings(deadline=None)
@given(record_lists)
def test_outcomes_add_up_in_every_mode(records: list[RunRecord]) -> None:
    measured = measure_modes(records)
    assert sum(each.n for each in measured) == len(records)
    for each in measured:
        shares = each.outcomes
        assert shares.correct.count + shares.refused.count + shares.wrong.count == each.n
