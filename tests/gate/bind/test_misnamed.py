"""A name from nowhere beside another row's figures is contradicted."""

import pytest

from veridical import gate
from veridical.contracts.proof import Standing, Verdict
from veridical.gate.evidence.exhibit import Exhibit

ITEMS = Exhibit(
    columns=("name", "invoiceNumber", "amount"),
    rows=(
        ("Rüegg AG", "R-2020-17", 80343.06),
        ("Sonnenhof GmbH", "R-2020-18", 96201.13),
        ("Fratelli Galli SA", "R-2020-19", 73198.31),
    ),
    row_count=3,
)


@pytest.mark.parametrize(
    "answer",
    [
        "Rüegg AG schuldet 80'343.06, Muster Bau AG, Rechnung R-2020-18, schuldet 96'201.13.",
        "| Customer | Amount |\n|---|---:|\n| Rüegg AG | 80,343.06 |\n| Acme Ltd. | 96,201.13 |",
        "Rüegg AG 80,343.06。最大的是Muster Bau AG，为96,201.13。",
    ],
)
def test_a_row_contradicts_another_name(answer: str) -> None:
    proof = gate.check(answer, ITEMS, policy="wordings")
    names = [each for each in proof.claims if each.kind == "name"]
    assert any(each.standing is Standing.CONTRADICTED for each in names)
    assert proof.verdict is Verdict.BLOCK


@pytest.mark.parametrize(
    "answer",
    [
        "Rüegg AG schuldet 80'343.06 und Sonnenhof 96'201.13.",
        "Rüegg AG 80,343.06, Sonnenhof GmbH 96,201.13 and Fratelli Galli SA 73,198.31.",
    ],
)
def test_the_own_name_is_not(answer: str) -> None:
    assert gate.check(answer, ITEMS, policy="wordings").verdict is not Verdict.BLOCK
