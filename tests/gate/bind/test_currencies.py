"""A price in several currencies within one text is no slip of the pen."""

from veridical.contracts.proof import Standing
from veridical.gate import check
from veridical.gate.evidence.exhibit import Exhibit


def test_a_text_that_tells_several_currencies() -> None:
    record = {"model": "Roamer", "specs": [{"name": "Price", "value": "€ 274.55 / $ 349.99"}] * 2}
    proof = check("The Roamer costs €274.55 or $349.99.", (Exhibit(record=record),))
    amounts = [claim for claim in proof.claims if "." in claim.text]
    assert [claim.standing for claim in amounts] == [Standing.GROUNDED] * 2
