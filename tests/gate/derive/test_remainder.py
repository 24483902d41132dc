import pytest

from veridical import gate
from veridical.contracts.proof import Verdict

EVIDENCE = (
    {"reservation": "M05", "payments": [{"id": "card_7", "amount": 2787}]},
    {"flights": [{"id": "H1", "price": 112}, {"id": "H2", "price": 104}]},
)


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("H1 $112 + H2 $104 = $216. The difference of $2571 to your payment is refunded.", "pass"),
        ("H1 $112 + H2 $104 = $216. The difference of $2572 to your payment is refunded.", "block"),
        ("H1 costs $112. Your payment leaves a refund of $2675.", "pass"),
        ("Your payment leaves a refund of $2675.", "block"),
        ("H1 costs $112. You bought $2675 of payment cards.", "block"),
    ],
)
def test_what_is_left_of_a_named_amount(answer: str, verdict: str) -> None:
    assert gate.check(answer, EVIDENCE, policy="wordings").verdict is Verdict(verdict)
