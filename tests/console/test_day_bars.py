from hypothesis import given
from hypothesis import strategies as st

from veridical.console.day_bars import HEIGHT, stacks_of


@given(st.lists(st.tuples(*[st.integers(0, 10_000)] * 3), min_size=1, max_size=40))
def test_bars_stay_within_the_drawing(counts: list[tuple[int, int, int]]) -> None:
    for stack in stacks_of(counts):
        assert all(part.y >= -0.1 and part.y + part.height <= HEIGHT + 0.2 for part in stack.parts)
        assert [part.number for part in stack.parts] == [
            number for number, count in enumerate(stack.counts, 1) if count
        ]
