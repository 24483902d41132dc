import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.evals.comparison.proportion import proportion, share


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [  # Newcombe (1998), Statistics in Medicine 17, 857: table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_the_published_intervals_come_out(count: int, of: int, low: float, high: float) -> None:
    found = proportion(count, of)
    assert found.low == pytest.approx(low, abs=5e-5)
    assert found.high == pytest.approx(high, abs=5e-5)


def test_of_nothing_there_is_no_share() -> None:
    found = proportion(0, 0)
    assert (found.share, found.low, found.high) == (None, None, None)
    assert share(0, 0) is None


@given(st.integers(0, 200), st.integers(0, 200), st.floats(1, 5))
def test_an_interval_holds_its_share_and_widens_with_the_design_effect(
    hits: int, misses: int, design_effect: float
) -> None:
    of = hits + misses
    if not of:
        return
    plain, clustered = proportion(hits, of), proportion(hits, of, design_effect)
    assert plain.share is not None
    assert plain.low is not None
    assert plain.high is not None
    assert clustered.low is not None
    assert clustered.high is not None
    assert 0 <= clustered.low <= plain.low + 1e-12
    assert plain.low <= plain.share <= plain.high
    assert plain.high - 1e-12 <= clustered.high <= 1
