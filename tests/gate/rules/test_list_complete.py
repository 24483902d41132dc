"""Numbers that name what is listed do not count it."""

import pytest

from veridical import gate
from veridical.contracts.proof import GateCode
from veridical.gate.evidence.exhibit import Exhibit

COSTS = Exhibit(
    columns=("label", "amount"),
    rows=(("Miete", 5120.4), ("Energie", 3310.0), ("Reisen", 2890.75)),
    row_count=3,
)
ITEMS = "\n- Miete\n- Energie\n- Reisen"


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("Wie verteilen sich die Konten 60 bis 63?", "Die Konten 60 bis 63 verteilen sich so:"),
        ("Wie verteilen sich die Konten 60-63?", "Konten 60–63 im Überblick:"),
        ("How do accounts 60 to 63 split?", "Accounts 60 to 63 are split as follows:"),
        ("How do accounts 60, 61 and 63 split?", "Accounts 60, 61 and 63 split like this:"),
        ("60至63类科目的构成如何？", "60至63类科目的构成如下："),
        ("科目60到63的构成如何？", "科目60到63的费用如下："),
    ],
)
def test_a_range_of_numbers_announces_no_length(question: str, lead: str) -> None:
    proof = gate.check(f"{lead}\n{ITEMS}", (COSTS,), question=question, policy="wordings")
    assert GateCode.LIST_MISMATCH not in {each.code for each in proof.findings}


def test_a_count_does() -> None:
    proof = gate.check(
        f"There are 4 costs:\n{ITEMS}",
        (COSTS,),
        question="Which costs are there?",
        policy="wordings",
    )
    assert GateCode.LIST_MISMATCH in {each.code for each in proof.findings}
