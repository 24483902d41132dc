import pytest

from veridical import gate
from veridical.contracts.proof import Verdict

EVIDENCE = ("Each certificate is worth $50 for every passenger.", [{"passengers": 3, "bags": 4}])


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("It is $50 per passenger. Number of passengers: 3. Total: $150.", Verdict.PASS),
        ("$50 each for 3 passengers makes $150.", Verdict.PASS),
        ("Je Passagier 50 USD, bei 3 Passagieren also 150 USD.", Verdict.PASS),
        ("每位乘客 50 美元，3 位乘客共 150 美元。", Verdict.PASS),
        ("It is $50 per passenger. Number of passengers: 3. Total: $170.", Verdict.BLOCK),
        ("There are 3 passengers. In total $150.", Verdict.PASS),
        ("There are 4 bags. In total $170.", Verdict.BLOCK),
        ("In total $150.", Verdict.BLOCK),
    ],
)
def test_a_rate_times_a_number(answer: str, verdict: Verdict) -> None:
    assert gate.check(answer, EVIDENCE, policy="wordings").verdict is verdict
