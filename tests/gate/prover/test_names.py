from veridical import gate
from veridical.contracts.proof import GateCode

FLOORS = [{"room": "East", "floor": 1}, {"room": "East Wing", "floor": 2}]


def test_a_text_may_end_with_the_first_word_of_a_longer_name() -> None:
    proof = gate.check("Floor 1 is East", FLOORS, question="Which floor is East")
    assert GateCode.TOO_COMPLEX not in {each.code for each in proof.findings}
