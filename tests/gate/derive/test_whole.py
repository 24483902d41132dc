"""Round totals, means, rests and margins that few digits tell."""

import pytest

from veridical import gate
from veridical.contracts.proof import Standing
from veridical.gate.evidence.exhibit import Additivity, Exhibit, Measure

BANKS = Exhibit(
    columns=("account", "label", "balance", "currency"),
    rows=(
        ("1020", "Konto A", 807_015.25, "CHF"),
        ("1021", "Konto B", 173_234.42, "CHF"),
        ("1022", "Konto C", 709.85, "EUR"),
    ),
    measures={"balance": Measure(additivity=Additivity.ADDITIVE, unit_column="currency")},
    row_count=3,
)
COUNTS = Exhibit(
    columns=("periodMonth", "count"),
    rows=((1, 19), (2, 12), (3, 17)),
    held={"periodYear": 2025},
    row_count=3,
)
COSTS = Exhibit(
    columns=("label", "amount"),
    rows=(("Miete", 106_990.0), ("Reisen", 25_617.57), ("Energie", 24_217.24)),
    row_count=3,
)
BOOKS = (
    Exhibit(columns=("sum_creditTotal",), rows=((2_753_390.93,),), row_count=1),
    Exhibit(columns=("sum_debitTotal",), rows=((864_651.69,),), row_count=1),
)


def stands(answer: str, figure: str, *exhibits: Exhibit, question: str = "") -> bool:
    proof = gate.check(answer.format(figure), exhibits, question=question, policy="wordings")
    return next(each.standing for each in proof.claims if figure in each.text) is Standing.GROUNDED


@pytest.mark.parametrize(
    ("answer", "right", "wrong"),
    [
        ("In CHF alone you held roughly {}.", "CHF 980k", "CHF 880k"),
        ("Counting CHF accounts only, you had roughly {}.", "CHF 0.98 million", "CHF 1.3 million"),
        ("Die Frankenkonten kommen auf rund {}.", "CHF 980'000", "CHF 880'000"),
        ("仅瑞郎账户就约{}。", "98万瑞郎", "88万瑞郎"),
    ],
)
def test_a_round_total_of_one_currency(answer: str, right: str, wrong: str) -> None:
    assert stands(answer, right, BANKS)
    assert not stands(answer, wrong, BANKS)


@pytest.mark.parametrize(
    ("answer", "right", "wrong"),
    [
        ("That is about {} a month.", "16", "14"),
        ("Das sind {} pro Monat.", "16", "14"),
        ("Q1 2025: {}.", "48", "46"),
        ("Im 1. Quartal 2025: {}. Davon Januar 19, Februar 12, März 17.", "48", "46"),
        ("Q1 2025 comes to {} (January 19, February 12, March 17).", "48", "46"),
    ],
)
def test_counts_of_a_quarter(answer: str, right: str, wrong: str) -> None:
    asked = "How many bookings were there in each month of Q1 2025?"
    assert stands(answer, right, COUNTS, question=asked)
    assert not stands(answer, wrong, COUNTS, question=asked)


@pytest.mark.parametrize(
    "answer",
    [
        "Miete cost 106,990.00; the other two came to {}.",
        "Miete kostete 106'990.00, die übrigen zwei {}.",
        "Miete为106,990.00，其余两项共{}。",
    ],
)
def test_the_rest_without_a_stated_row(answer: str) -> None:
    assert stands(answer, "49,834.81", COSTS)
    assert not stands(answer, "48,834.81", COSTS)


@pytest.mark.parametrize(
    ("answer", "right", "wrong"),
    [
        ("Gross profit was about {}: revenue 2,753,390.93, cost 864,651.69.", "1.9 million",
         "2.3 million"),
        ("Rund {} Bruttogewinn: Ertrag 2'753'390.93, Aufwand 864'651.69.", "1,9 Mio.", "2,3 Mio."),
        ("毛利大约是{}。收入为2,753,390.93，成本为864,651.69。", "189万", "289万"),
        ("Revenue was 2,753,390.93 and cost 864,651.69, a gross margin of {}.", "68.6%", "71.3%"),
        ("Revenue was 2,753,390.93, cost 864,651.69, so {} of each franc was left.", "68.6%",
         "71.3%"),
        ("Ertrag 2'753'390.93, Aufwand 864'651.69: die Bruttomarge ist {}.", "68.6%", "71.3%"),
        ("收入为2,753,390.93，成本为864,651.69，也就是说收入的{}留作毛利。", "68.6%", "71.3%"),
    ],
)  # fmt: skip
def test_profit_and_margin_of_two_figures(answer: str, right: str, wrong: str) -> None:
    assert stands(answer, right, *BOOKS)
    assert not stands(answer, wrong, *BOOKS)


def test_a_month_with_its_figure_is_no_day() -> None:
    asked = "How many bookings were there in each month of Q1 2025?"
    told = "January {}, February 12, March 17."
    assert stands(told, "19", COUNTS, question=asked)
    assert not stands(told, "21", COUNTS, question=asked)
