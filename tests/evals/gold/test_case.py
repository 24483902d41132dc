import pytest

from veridical.evals.gold.case import Difficulty, Timeouts


@pytest.mark.parametrize(
    ("difficulty", "seconds"),
    [(Difficulty.EASY, 45), (Difficulty.MEDIUM, 60), (Difficulty.HARD, 90)],
)
def test_harder_questions_get_more_time(difficulty: Difficulty, seconds: float) -> None:
    assert Timeouts().limit(difficulty).seconds == seconds
    assert Timeouts(factor=2).limit(difficulty).seconds == 2 * seconds


def test_the_detail_names_the_limit() -> None:
    assert Timeouts().limit(Difficulty.EASY).detail == "timeout after 45 s (easy)"
    assert Timeouts(factor=0.5).limit(Difficulty.EASY).detail == "timeout after 22.5 s (easy)"
