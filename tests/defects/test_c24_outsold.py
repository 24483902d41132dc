"""A difference is a difference, whichever verb tells it."""

import pytest

from tests.gate.strictly import strictly
from veridical.contracts.proof import Verdict

ROWS = [{"category": "Jackets", "units_sold": 921}, {"category": "Shoes", "units_sold": 523}]


@pytest.mark.parametrize(
    "wording",
    [
        "Jackets outsold Shoes by {}.",
        "Jackets outperformed Shoes by {} units.",
        "Jackets surpassed Shoes by {}.",
        "Jackets beat Shoes by {} units.",
        "Jackets exceeded Shoes by {} units.",
        "The difference between Jackets and Shoes is {}.",
        "Jackets übertrafen Shoes um {}.",
        "Jackets 比 Shoes 多出 {}。",
    ],
)
def test_c24_a_difference_told_by_a_verb(wording: str) -> None:
    assert strictly(wording.format(398), ROWS).verdict is Verdict.PASS
    assert strictly(wording.format(399), ROWS).verdict is Verdict.BLOCK
