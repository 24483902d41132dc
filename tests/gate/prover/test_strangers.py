"""Names that nobody knows are marked, each of them; those of the evidence are not."""

import pytest

from benchmarks.ticks.lies import Lie, passed, read_must_mark
from veridical import gate
from veridical.contracts.proof import ClaimKind, Tick

ROWS = [{"customer": "Alder Joinery AG", "open": 12450.5}, {"customer": "Birch Ltd", "open": 830}]


@pytest.mark.parametrize("lie", read_must_mark(), ids=lambda lie: lie.kind)
def test_a_text_with_invented_names_is_marked_at_each(lie: Lie) -> None:
    assert passed([lie]) == ([], [])


@pytest.mark.parametrize(
    ("answer", "question"),
    [
        ("Alder Joinery AG owes 12,450.50.", ""),
        ("Alder Joinery owes 12,450.50.", ""),
        ("There is nothing about Dunmore Metals here.", "What does Dunmore Metals owe?"),
        ("- Alder Joinery AG: 12,450.50\n- Birch Ltd: 830", ""),
        (
            "| Customer | Open |\n|---|---|\n| Alder Joinery AG | 12,450.50 |\n| Total | 1 |",
            "",
        ),
    ],
)
def test_a_name_that_is_known_is_not(answer: str, question: str) -> None:
    proof = gate.check(answer, ROWS, question=question)
    names = [each for each in proof.claims if each.kind is ClaimKind.NAME]
    assert all(each.tick is Tick.PROVEN for each in names), names
