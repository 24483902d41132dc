"""A repair is one of the next round; later ones are a second figure, and few are no rate."""

import pytest

from tests.evals.records import record
from tests.trace.runs import called
from veridical.contracts.trace import AgentTrace, ToolCalled
from veridical.evals.comparison.metrics import measure
from veridical.evals.comparison.statistics import FEWEST_FOR_A_RATE, proportion
from veridical.evals.modes.mode import ModeName
from veridical.evals.report.number_format import counted
from veridical.evals.scoring.score import overcame_refusal, repaired_at_once

REFUSED = called(1, code="FAN_OUT")


@pytest.mark.parametrize(
    ("calls", "at_once", "ever"),
    [
        ([called(1)], None, None),
        ([REFUSED], False, False),
        ([REFUSED, called(2)], True, True),
        ([REFUSED, called(2, tool="browseTable", table="Other")], True, True),
        ([REFUSED, called(3)], False, True),
        ([REFUSED, called(2, code="FAN_OUT"), called(3)], False, True),
        ([REFUSED, called(2, success=False), called(3)], False, True),
        ([REFUSED, called(2, tool="calculate", table=None), called(3)], False, True),
        ([REFUSED, called(1, table="Other")], False, False),
        ([REFUSED, called(2, code="FAN_OUT"), called(2, table="Other")], True, True),
        ([called(1), called(2, code="FAN_OUT"), called(3)], True, True),
        ([called(2, code="FAN_OUT"), called(1)], False, False),
    ],
    ids=[
        "nothing refused",
        "gave up",
        "mended",
        "another way",
        "a round later",
        "refused again, then mended",
        "the database failed, then mended",
        "arithmetic, then mended",
        "a sibling worked",
        "one of two siblings",
        "not the first call",
        "worked before only",
    ],
)
def test_b11_a_repair_is_one_of_the_next_round(
    calls: list[ToolCalled], at_once: bool | None, ever: bool | None
) -> None:
    trace = AgentTrace(trace_id="t", events=tuple(calls))
    assert (repaired_at_once(trace), overcame_refusal(trace)) == (at_once, ever)


def test_b11_the_rate_counts_the_next_round_and_the_second_figure_any() -> None:
    runs = [record(f"late{n}", overcome=True, repaired_at_once=False) for n in range(15)]
    runs += [record(f"next{n}", overcome=True, repaired_at_once=True) for n in range(5)]
    runs += [record("clean")]
    found = measure(ModeName.FULL, runs)
    assert (found.repair_triggered_count, found.repair_conversion.count) == (20, 5)
    assert found.repair_conversion.rate == 0.25
    assert (found.repair_ever.count, found.repair_ever.of) == (20, 20)


def test_b11_few_are_no_rate_but_their_number_and_interval_are_told() -> None:
    few, many = proportion(4, 5), proportion(16, FEWEST_FOR_A_RATE)
    assert few.rate is None
    assert counted(few) == "4 of 5, too few [37.6, 96.4]"
    assert many.rate == 0.8
    assert counted(many).startswith("80.0 % of 20 [")
    assert counted(proportion(0, 0)) == "–"
