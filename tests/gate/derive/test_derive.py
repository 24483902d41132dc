"""Figures that follow from others stand; those that do not come out don't."""

from pathlib import Path

import pytest

from veridical.contracts.proof import Ground, Standing
from veridical.gate import check
from veridical.gate.evidence.exhibit import Additivity, Exhibit, Measure

SALES = Exhibit(
    name="sales",
    columns=("", "", "", ""),
    rows=(
        ("", "", "Years Ended September 30,", ""),
        ("", "2019", "2018", "2017"),
        ("Fixed Price", "$  1,452.4", "$  1,146.2", "$  1,036.9"),
        ("Other", "44.1", "56.7", "70.8"),
        ("Total sales", "$1,496.5", "$1,202.9", "$1,107.7"),
    ),
)
_CASES = [
    tuple(part.strip() for part in line.split("|", 1))
    for line in (Path(__file__).parent / "cases" / "derivations.txt")
    .read_text(encoding="utf-8")
    .splitlines()
    if line and not line.startswith("#")
]


def _worst(answer: str, *exhibits: Exhibit, question: str = "") -> Standing:
    order = (Standing.ILLEGAL, Standing.CONTRADICTED, Standing.UNGROUNDED)
    found = {
        claim.standing
        for claim in check(answer, exhibits, question=question, policy="wordings").claims
    }
    return next((standing for standing in order if standing in found), Standing.GROUNDED)


@pytest.mark.parametrize(("standing", "answer"), _CASES)
def test_a_claim_stands_by_what_it_follows_from(standing: str, answer: str) -> None:
    assert _worst(answer.replace("\\n", "\n"), SALES) == standing


@pytest.mark.parametrize(
    ("question", "answer", "standing"),
    [
        ("What is the change in Other from 2018 to 2019?", "It is -12.6 million.", "grounded"),
        ("What is the change in Other from 2018 to 2019?", "It is -13.9 million.", "ungrounded"),
        ("What is the average of total sales in 2018 and 2019?", "It is 1,349.7.", "grounded"),
        ("What is the average of total sales in 2018 and 2019?", "It is 1,449.7.", "ungrounded"),
        ("By how many percent did Other change from 2018 to 2019?", "By -22.22%.", "grounded"),
        ("What was Other in 2019?", "It was 50.4 million.", "ungrounded"),
    ],
)
def test_cells_that_the_question_names_are_computed_with(
    question: str, answer: str, standing: str
) -> None:
    assert _worst(answer, SALES, question=question) == standing


def test_a_derivation_says_its_arithmetic_and_its_strength() -> None:
    proof = check("Sales fell from 56.7 to 44.1, a decrease of 12.6.", (SALES,), policy="wordings")
    binding = proof.claims[-1].binding
    assert binding is not None
    assert binding.ground is Ground.DERIVATION
    assert "56.7 - 44.1 = 12.6" in binding.derivation
    assert binding.coincidence is not None
    assert binding.coincidence < 0.1


RATES = Exhibit(
    columns=("product", "margin", "sales"),
    rows=(("Tea", 31.5, 1200.0), ("Jam", 18.5, 800.0)),
    measures={
        "margin": Measure(unit="%", additivity=Additivity.NEVER),
        "sales": Measure(unit="CHF", additivity=Additivity.ADDITIVE),
    },
)
PURSES = Exhibit(
    columns=("purse", "amount", "currency"),
    rows=(("Bern", 1200.0, "CHF"), ("Wien", 800.0, "EUR")),
    measures={"amount": Measure(additivity=Additivity.ADDITIVE, unit_column="currency")},
)


@pytest.mark.parametrize(
    ("answer", "exhibit", "standing"),
    [
        ("Tea 31.5% + Jam 18.5% = 50.0%.", RATES, Standing.ILLEGAL),
        ("Tea CHF 1,200 + Jam CHF 800 = CHF 2,000.", RATES, Standing.GROUNDED),
        ("CHF 1,200 (Bern) + EUR 800 (Wien) = 2,000.", PURSES, Standing.ILLEGAL),
    ],
)
def test_what_a_measure_forbids_is_illegal(
    answer: str, exhibit: Exhibit, standing: Standing
) -> None:
    assert _worst(answer, exhibit) == standing
