"""A percentage is made of the right two of a whole, a part and the rest."""

import pytest

from veridical.contracts.proof import Standing
from veridical.gate import check
from veridical.gate.evidence.exhibit import Exhibit

BOOKS = (
    Exhibit(columns=("sum_creditTotal",), rows=((800_410.50,),), row_count=1),
    Exhibit(columns=("sum_debitTotal",), rows=((240_120.25,),), row_count=1),
)
YEARS = (
    Exhibit(columns=("year", "income"), rows=((2021, 500_300.00), (2022, 430_258.00)), row_count=2),
)
GROWN = (
    Exhibit(columns=("year", "income"), rows=((2021, 400_100.00), (2022, 560_140.00)), row_count=2),
)


def _stands(answer: str, percent: str, exhibits: tuple[Exhibit, ...], question: str = "") -> bool:
    proof = check(answer.format(percent), exhibits, question=question, policy="wordings")
    return all(
        claim.standing is Standing.GROUNDED for claim in proof.claims if percent in claim.text
    )


@pytest.mark.parametrize(
    "answer",
    [
        "Gross profit was 560,290.25: revenue of 800,410.50 minus costs of 240,120.25. "
        "The gross margin is {}%.",
        "Revenue 800,410.50, cost 240,120.25, profit 560,290.25, a margin of {}%.",
        "Profit came to 560,290.25 on revenue of 800,410.50 after costs of 240,120.25. "
        "Gross margin: {}%",
        "Die Erlöse von 800'410.50 minus Aufwand von 240'120.25 ergeben 560'290.25. "
        "Die Bruttomarge liegt bei {} %.",
        "Gewinn 560'290.25 = 800'410.50 − 240'120.25, das ist eine Marge von {} %.",
        "毛利560,290.25：收入800,410.50减去成本240,120.25，毛利率{}%。",
        "毛利560,290.25：收入800,410.50减去成本240,120.25，毛利率为{}%。",
    ],
)
def test_a_margin_is_the_rest_of_the_whole(answer: str) -> None:
    assert _stands(answer, "70.0", BOOKS)
    assert not _stands(answer, "30.0", BOOKS)
    assert not _stands(answer, "233.3", BOOKS)
    assert not _stands(answer, "-70.0", BOOKS)


@pytest.mark.parametrize(
    "answer",
    [
        "Income fell from 500,300.00 in 2021 to 430,258.00 in 2022, a decrease of 70,042.00 "
        "or {}%.",
        "Income on account 3000 fell from 500,300.00 in 2021 to 430,258.00 in 2022, down by "
        "70,042.00 ({}%).",
        "Im Vergleich zu 2021 (500'300.00) verminderte sich der Ertrag 2022 um {} % auf "
        "430'258.00, also um 70'042.00.",
        "Der Ertrag sank von 500'300.00 (2021) auf 430'258.00 (2022), ein Rückgang um 70'042.00 "
        "bzw. {} %.",
        "收入从2021年的500,300.00减少到2022年的430,258.00，减少了70,042.00，即{}%。",
        "2022年收入430,258.00，2021年为500,300.00，下滑70,042.00，即{}%。",
    ],
)
def test_a_change_is_no_share_of_what_it_changed(answer: str) -> None:
    question = "How did income on account 3000 change from 2021 to 2022?"
    assert _stands(answer, "14.0", YEARS, question)
    assert not _stands(answer, "86.0", YEARS, question)


@pytest.mark.parametrize(
    "answer",
    [
        "In 2022 income was 560,140.00, after 400,100.00 in 2021. That is up {}%.",
        "Income grew by {}% from 400,100.00 in 2021 to 560,140.00 in 2022.",
        "Der Ertrag stieg 2022 um {} % von 400'100.00 auf 560'140.00.",
        "2022年收入560,140.00，2021年为400,100.00，增长{}%。",
    ],
)
def test_a_step_up_is_not_told_as_a_multiple(answer: str) -> None:
    question = "How did income on account 3000 change from 2021 to 2022?"
    assert _stands(answer, "40.0", GROWN, question)
    assert not _stands(answer, "140.0", GROWN, question)


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("Costs of 240,120.25 make up {}% of the revenue of 800,410.50.", "30.0"),
        ("Der Aufwand von 240'120.25 macht {} % des Ertrags von 800'410.50 aus.", "30.0"),
    ],
)  # fmt: skip
def test_a_share_of_cost_stands(answer: str, right: str) -> None:
    assert _stands(answer, right, BOOKS)
