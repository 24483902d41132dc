"""The page on quality: bars with an axis, and the wrong answers first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Page, expect

from tests.console.chromium import sign_in
from tests.console.stored import feedback_on
from tests.server.standing import BALANCE, Standing
from veridical.console.quality import HEIGHT, chart_of, stacks_of


@given(st.lists(st.tuples(*[st.integers(0, 10_000)] * 3), min_size=1, max_size=40))
def test_bars_stay_within_the_drawing(counts: list[tuple[int, int, int]]) -> None:
    for stack in stacks_of(counts):
        assert all(part.y >= -0.1 and part.y + part.height <= HEIGHT + 0.2 for part in stack.parts)
        assert [part.number for part in stack.parts] == [
            number for number, count in enumerate(stack.counts, 1) if count
        ]


@pytest.mark.parametrize(
    ("most", "values"), [(0, [0, 1, 2]), (1, [0, 1, 2]), (37, [0, 20, 40]), (0.03, [0, 0.02, 0.04])]
)
def test_an_axis_has_round_values(most: float, values: list[float]) -> None:
    assert [each.value for each in chart_of([(most,)]).ticks] == pytest.approx(values)


@pytest.mark.postgres
def test_wrong_answers_come_first(page: Page, console: Standing) -> None:
    with console.client() as client:
        asked = {"feature": "trustee", "question": BALANCE}
        trace = client.post("/v1/ask", json=asked).json()["traceId"]
    feedback_on(console, trace, "Ada", is_right=False)
    sign_in(page, console, where="quality")
    expect(page.locator("#wrong li").first).to_contain_text(BALANCE)
    expect(page.locator("#wrong li").first).to_contain_text("Because.")
    expect(page.locator(".days .tick").first).to_have_text("0")
    page.locator("#wrong li a").first.click()
    expect(page.locator("h1")).to_have_text(BALANCE)
