"""Figures that a record's own texts tell."""

from veridical.contracts.proof import Ground, Standing
from veridical.gate.bind.bind import bind_claims
from veridical.gate.claims import find_claims
from veridical.gate.evidence.evidence import prepare
from veridical.gate.evidence.exhibit import Exhibit

RECORD = {
    "name": "Hotel Seeblick",
    "reviews": [
        {"stars": 5, "text": "We paid 135 for the room and would happily come back again."},
        {
            "stars": 1,
            "text": "They charged our card twice, $411.08 in all, though the bill said $86.",
        },
        {"stars": 4, "text": "A quiet house near the lake with a friendly host and fine bread."},
    ],
}


def test_a_review_bears_out_its_figures() -> None:
    text = "One guest was charged $411.08 instead of $86, another paid $512 for the room."
    bounds = bind_claims(find_claims(text), text, prepare([Exhibit(record=RECORD)]))
    standings = {bound.claim.text: bound.standing for bound in bounds if bound.claim.readings}
    assert standings["$411.08"] is standings["$86"] is Standing.GROUNDED
    assert standings["$512"] is not Standing.GROUNDED
    assert all(
        bound.ground in (Ground.PASSAGE, Ground.CELL)
        for bound in bounds
        if bound.standing is Standing.GROUNDED and bound.claim.readings
    )
