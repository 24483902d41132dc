import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.evals.modes.mode import ModeName
from veridical.evals.simulated.draw import Draw

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
