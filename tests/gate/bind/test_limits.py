"""Limits that the speaker chose, and counts of the rows beyond them."""

import pytest

from veridical import gate
from veridical.contracts.proof import Verdict

INVOICES = [
    {"customer": "Rüegg AG", "invoice": "R-101", "amount": 5120.40, "currency": "CHF"},
    {"customer": "Sonnenhof GmbH", "invoice": "R-102", "amount": 3310.00, "currency": "CHF"},
    {"customer": "Petrov & Co", "invoice": "R-103", "amount": 890.75, "currency": "CHF"},
]


@pytest.mark.parametrize(
    "answer",
    [
        "Two invoices exceed CHF 1,000: R-101 and R-102.",
        "Zwei Rechnungen liegen über CHF 3'000.",
        "Sonnenhof GmbH schuldet mehr als CHF 2'500.",
        "Two customers matter most: Rüegg AG (5,120.40) and Sonnenhof GmbH (3,310.00).",
        "有2张发票超过3000瑞郎。",
    ],
)
def test_what_lies_beyond_a_limit_is_counted(answer: str) -> None:
    assert gate.check(answer, INVOICES, policy="wordings").verdict is not Verdict.BLOCK


@pytest.mark.parametrize(
    "answer",
    [
        "Two invoices exceed CHF 4,000.",
        "Sonnenhof GmbH schuldet mehr als CHF 3'500.",
        "Petrov & Co owes over CHF 1,000.",
        "Four customers matter most: Rüegg AG (5,120.40) and Sonnenhof GmbH (3,310.00).",
    ],
)
def test_a_limit_that_is_not_kept_does_not_stand(answer: str) -> None:
    assert gate.check(answer, INVOICES, policy="wordings").verdict is Verdict.BLOCK
