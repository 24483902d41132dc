from hypothesis import given, settings

from tests.evals.records import HEADER, record, runs
from tests.evals.report.pages import Page
from tests.evals.report.reports import plain_report, told_trace
from tests.trace.runs import NOON, traces
from veridical.contracts.trace import AgentTrace, BudgetSpent
from veridical.evals.modes.mode import ModeName
from veridical.evals.report.report_data import build_report
from veridical.evals.report.runs_html import drill_down, matrix, run_html
from veridical.evals.scoring.record import Outcome


def test_each_repeat_is_a_mark_that_names_its_outcome() -> None:
    page = Page(matrix(plain_report()))
    marks = "".join(page.texts["a"])
    assert marks == "✓✗✗" + "✓✓✓" + "✗✗–" + "––✓"
    assert "baseline, repeat 2: wrong" in page.values("aria-label")


def test_a_mark_shows_the_reasons_and_the_answer() -> None:
    run = record("q1", Outcome.WRONG, score={"reasons": ("missing 12.60",)}, text="It was 12.50.")
    (tip,) = Page(matrix(build_report(HEADER, [run]))).values("title")
    assert tip == "full, repeat 1: wrong\nmissing 12.60\nIt was 12.50."


def test_questions_are_told_apart_by_how_they_went() -> None:
    records = runs(ModeName.BASELINE, q1="cc", q2="cr", q3="rr", q4="cw") + runs(
        ModeName.FULL, q1="cc", q2="cr", q3="cc", q4="cw"
    )
    kinds = Page(matrix(build_report(HEADER, records))).values("data-is")
    assert kinds == ["", "imperfect", "imperfect uneven", "imperfect wrong"]


def test_a_mode_that_did_not_ask_a_question_has_an_empty_cell() -> None:
    records = runs(ModeName.BASELINE, q1="c") + runs(ModeName.FULL, q2="c")
    page = Page(matrix(build_report(HEADER, records)))
    assert page.texts["td"] == ["✓", "", "", "✓"]


def test_behind_each_mark_is_the_run() -> None:
    report = plain_report()
    assert set(Page(matrix(report)).values("href")) == {
        f"#{place}" for place in Page(drill_down(report)).values("id") if place.startswith("run")
    }


def test_a_run_tells_what_was_asked_answered_and_why_it_is_not_correct() -> None:
    run = record(
        "q1",
        Outcome.WRONG,
        score={"reasons": ("missing 12.60",), "forbidden_tools": ("executeSqlSafe",)},
        failure_codes=("FAN_OUT",),
        detail="timeout after 45 s (easy)",
        traps=("foreignTenant",),
        trace_id="t1",
    )
    (told,) = Page(drill_down(build_report(HEADER, [run], {"t1": told_trace("t1")}))).texts[
        "details"
    ][:1]
    for words in (
        "✗ wrong",
        "What about q1?",
        "It was CHF 12.50.",
        "missing 12.60",
        "executeSqlSafe",
        "FAN_OUT",
        "timeout after 45 s (easy)",
        "foreignTenant",
        "INVALID_AGGREGATE_TARGET",
    ):
        assert words in told


def test_a_story_is_told_in_order() -> None:
    told = Page(run_html(told_trace("t1"))).texts["li"]
    for text, words in zip(
        told,
        (
            ("question", "Wie viel lag auf der Bank?"),
            ("route", "agent", "no pattern fits"),
            ("model", "round 1", "1,000 + 50 tokens", "Twelve."),
            ("✗", "aggregateTable", "Balance", "INVALID_AGGREGATE_TARGET", "No."),
            ("model", "round 2"),
            ("✓", "aggregateTable", "rows: 1", "takes up a refused call", "SELECT 1"),
            ("route", "pattern"),
            ("gate", "attempt 1", "block", "CONTRADICTED_CLAIM", "The data has: balance = 11"),
            ("answer", "12'345.60"),
        ),
        strict=True,
    ):
        assert all(word in text for word in words), text


def test_a_spent_limit_is_told() -> None:
    spent = BudgetSpent(at=NOON, limit="rounds", value=8)
    assert (
        "limit rounds: 8"
        in Page(run_html(AgentTrace(trace_id="t", events=(spent,)))).texts["li"][0]
    )


@settings(max_examples=25, deadline=None)
@given(traces)
def test_any_run_can_be_told(trace: AgentTrace) -> None:
    page = Page(run_html(trace))
    assert page.unclosed == []
    assert [name for name, _ in page.elements].count("li") >= len(trace.events)
    assert {name for name, _ in page.elements} <= {
        *("ol", "li", "b", "pre", "span", "code", "br", "div", "details", "summary")
    }
