from hypothesis import given, settings

from tests.evals.report.pages import Page
from tests.evals.report.reports import told_trace
from tests.trace.runs import NOON, traces
from veridical.contracts.trace import AgentTrace, BudgetSpent
from veridical.evals.report.run_html import run_html


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
