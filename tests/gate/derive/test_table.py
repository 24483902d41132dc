"""What follows from a whole result, and what must not."""

import pytest

from veridical import gate
from veridical.contracts.proof import Ground, Standing
from veridical.gate.evidence.exhibit import Additivity, Exhibit, Measure

EXPENSE = Exhibit(
    columns=("label", "amount", "currency"),
    rows=(("Miete", 120000.0, "CHF"), ("Energie", 30000.5, "CHF"), ("Reisen", 9999.5, "CHF")),
    measures={"amount": Measure(additivity=Additivity.ADDITIVE, unit_column="currency")},
    row_count=3,
)
BALANCES = Exhibit(
    columns=("periodMonth", "closingBalance", "currency"),
    rows=((1, 5210.4, "CHF"), (2, 6105.7, "CHF"), (3, 7003.2, "CHF")),
    measures={
        "periodMonth": Measure(additivity=Additivity.NEVER, is_key=True),
        "closingBalance": Measure(
            additivity=Additivity.SEMI,
            not_over=("periodYear", "periodMonth"),
            unit_column="currency",
        ),
    },
    held={"periodYear": 2025},
    row_count=3,
)
TAX = (
    Exhibit(columns=("sum_creditTotal",), rows=((42610.23,),), row_count=1),
    Exhibit(
        columns=("accountNumber", "sum_debitTotal"),
        rows=(("1170", 7284.71), ("1171", 857.22)),
        row_count=2,
    ),
)


def standing(answer: str, figure: str, *exhibits: Exhibit) -> tuple[Standing, Ground | None]:
    proof = gate.check(answer, exhibits, policy="wordings")
    claim = next(each for each in proof.claims if figure in each.text)
    return claim.standing, claim.binding.ground if claim.binding else None


@pytest.mark.parametrize(
    ("answer", "figure"),
    [
        ("Wir haben CHF 160'000.00 ausgegeben.", "160'000.00"),
        ("Miete kostete CHF 120'000.00 (75.0 %).", "75.0"),
        ("We spent CHF 30,000.50 on Energie, 18.8% of all.", "18.8"),
        ("Energie：30,000.50瑞郎（18.8%）", "18.8"),
    ],
)
def test_totals_and_shares_of_a_result_are_derived(answer: str, figure: str) -> None:
    assert standing(answer, figure, EXPENSE) == (Standing.GROUNDED, Ground.DERIVATION)


@pytest.mark.parametrize(
    ("answer", "figure"),
    [
        ("Wir haben CHF 161'000.00 ausgegeben.", "161'000.00"),
        ("Miete kostete CHF 120'000.00 (78.0 %).", "78.0"),
        ("Energie：30,000.50瑞郎（75.0%）", "75.0"),
    ],
)
def test_other_totals_and_shares_are_not(answer: str, figure: str) -> None:
    assert standing(answer, figure, EXPENSE)[0] is not Standing.GROUNDED


def test_a_change_goes_from_the_figure_told_first_to_the_one_told_last() -> None:
    rise = "Der Saldo stieg von CHF 5'210.40 auf CHF 7'003.20, also um {}."
    assert standing(rise.format("34.4 %"), "34.4", BALANCES)[0] is Standing.GROUNDED
    assert standing(rise.format("25.6 %"), "25.6", BALANCES)[0] is not Standing.GROUNDED


def test_a_sum_of_balances_over_months_is_illegal() -> None:
    told = standing("Über alle Monate sind das CHF 18'319.30.", "18'319.30", BALANCES)
    assert told == (Standing.ILLEGAL, Ground.DERIVATION)


def test_what_is_left_after_several_figures_is_derived() -> None:
    answer = (
        "Output VAT was CHF 42,610.23. After input VAT of CHF 7,284.71 and CHF 857.22, {} is owed."
    )
    assert standing(answer.format("CHF 34,468.30"), "34,468.30", *TAX)[0] is Standing.GROUNDED
    assert standing(answer.format("CHF 35,325.60"), "35,325.60", *TAX)[0] is not Standing.GROUNDED


BOOKS = (
    Exhibit(columns=("sum_creditTotal",), rows=((984_210.35,),), row_count=1),
    Exhibit(columns=("sum_debitTotal",), rows=((611_842.15,),), row_count=1),
)


@pytest.mark.parametrize(
    ("answer", "right", "wrong"),
    [
        ("Revenue 984,210.35, costs 611,842.15, so 372,368.20 profit (margin {}%).", 37.8, 62.2),
        ("984,210.35 − 611,842.15 = 372,368.20, which is {}% of revenue.", 37.8, 62.2),
        ("| A | 984'210.35 |\n| B | 611'842.15 |\n| C | 372'368.20 |\n| in % | {} % |",
         37.8, 62.2),
        ("Of 984,210.35 in revenue, 611,842.15 went on goods, which leaves {}%.", 37.8, 62.2),
        ("Von 984'210.35 gingen 611'842.15 weg, es blieben also {} %.", 37.8, 62.2),
        ("收入984,210.35中，611,842.15用于商品，剩余{}%。", 37.8, 62.2),
        ("984,210.35 less 611,842.15 is 372,368.20. Costs make up {}% of revenue.", 62.2, 71.3),
    ],
)  # fmt: skip
def test_a_percentage_of_a_remainder_is_its_share(answer: str, right: float, wrong: float) -> None:
    assert standing(answer.format(right), f"{right}", *BOOKS)[0] is Standing.GROUNDED
    assert standing(answer.format(wrong), f"{wrong}", *BOOKS)[0] is not Standing.GROUNDED


def test_a_total_may_be_named_within_a_longer_word() -> None:
    told = standing("Das Quartalstotal liegt bei rund CHF 0,16 Mio.", "0,16", EXPENSE)
    assert told == (Standing.GROUNDED, Ground.DERIVATION)


def test_a_cell_is_added_once() -> None:
    counts = Exhibit(columns=("month", "count"), rows=((7, 15), (8, 13), (9, 16)), row_count=3)
    told = "| July | 15 |\n| August | 13 |\n| September | 16 |\n| Total | {} |\n\nMost: 16."
    assert standing(told.format(44), "44", counts)[0] is Standing.GROUNDED
    assert standing(told.format(60), "60", counts)[0] is not Standing.GROUNDED
