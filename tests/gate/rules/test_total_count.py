"""A total over all rows is not told as one over those that the answer lists."""

import pytest

from veridical import gate
from veridical.contracts.proof import GateCode
from veridical.gate.evidence.exhibit import Exhibit

OPEN = Exhibit(
    columns=("name", "number", "amount", "currency"),
    rows=(
        ("Muster AG", "R-2031-000101", 8_143.06, "CHF"),
        ("Beispiel GmbH", "R-2031-000102", 11_642.61, "CHF"),
        ("Beispiel GmbH", "R-2031-000103", 15_800.53, "CHF"),
    ),
    row_count=3,
)
QUESTION = "Which invoices are open?"


def _is_short(answer: str) -> bool:
    proof = gate.check(answer, (OPEN,), question=QUESTION, policy="wordings")
    return GateCode.LIST_MISMATCH in {each.code for each in proof.findings}


@pytest.mark.parametrize(
    "answer",
    [
        "- R-2031-000101: CHF 8,143.06\n- R-2031-000103: CHF 15,800.53\n\n"
        "Total of CHF 35,586.20 over 2 invoices.",
        "Offen sind CHF 35'586.20. Es handelt sich um 2 Rechnungen: R-2031-000102 über "
        "CHF 11'642.61 und R-2031-000103 über CHF 15'800.53.",
        "共2张发票：R-2031-000101 8,143.06瑞郎，R-2031-000103 15,800.53瑞郎，合计35,586.20瑞郎。",
        "| No. | Open |\n|---|---|\n| R-2031-000101 | CHF 8,143.06 |\n"
        "| R-2031-000103 | CHF 15,800.53 |\n| **Total (3 invoices)** | **CHF 35,586.20** |",
    ],
)
def test_a_total_of_more_than_is_listed(answer: str) -> None:
    assert _is_short(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "3 invoices are open, CHF 35,586.20 in total. The largest are R-2031-000103 with "
        "CHF 15,800.53 and R-2031-000102 with CHF 11,642.61.",
        "Die 3 Rechnungen: R-2031-000101 CHF 8'143.06, R-2031-000102 CHF 11'642.61 und "
        "R-2031-000103 CHF 15'800.53; zusammen CHF 35'586.20.",
        "3 invoices are open, CHF 35,586.20 in total.",
    ],
)
def test_a_total_of_what_is_told(answer: str) -> None:
    assert not _is_short(answer)
