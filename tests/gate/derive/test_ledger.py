"""What the lines of a list or a table come to."""

import pytest

from veridical import gate
from veridical.contracts.proof import Ground, Standing
from veridical.gate.evidence.exhibit import Additivity, Exhibit, Measure

COUNTS = Exhibit(columns=("month", "count"), rows=((1, 19), (2, 12), (3, 17)), row_count=3)
BALANCES = Exhibit(
    columns=("periodMonth", "balance"),
    rows=((1, 19), (2, 12), (3, 17)),
    measures={"balance": Measure(additivity=Additivity.SEMI, not_over=("periodMonth",))},
    row_count=3,
)
TAX = (
    Exhibit(columns=("sum_creditTotal",), rows=((31_977.4,),), row_count=1),
    Exhibit(
        columns=("accountNumber", "sum_debitTotal"),
        rows=(("1170", 6_112.35), ("1171", 2_408.9)),
        row_count=2,
    ),
)
TABLE = "| Month | Bookings |\n|---|--:|\n| January | 19 |\n| February | 12 |\n| March | 17 |"
LIST = "- January: 19\n- February: 12\n- March: 17"


def standing(answer: str, figure: str, *exhibits: Exhibit) -> tuple[Standing, Ground | None]:
    proof = gate.check(
        answer, exhibits, question="How did the first quarter of 2025 go?", policy="wordings"
    )
    claim = next(each for each in proof.claims if each.text == figure)
    return claim.standing, claim.binding.ground if claim.binding else None


@pytest.mark.parametrize(
    "answer",
    [
        TABLE + "\n| **Q1 2025** | **{}** |",
        TABLE + "\n| | {} |",
        TABLE.replace("| January", "| Q1 2025 | {} |\n| January"),
        LIST + "\n- Q1 2025: {}",
        "Q1 2025: {}\n" + LIST,
        LIST + "\n\nThat makes {} for the quarter.",
        "| Monat | Buchungen |\n|---|--:|\n| Januar | 19 |\n| Februar | 12 |\n| März | 17 |\n"
        "| 1. Quartal | {} |",
        "| 月份 | 凭证数 |\n|---|--:|\n| 1月 | 19 |\n| 2月 | 12 |\n| 3月 | 17 |\n"
        "| **第1季度** | **{}** |",
    ],
)
def test_a_total_needs_no_name(answer: str) -> None:
    assert standing(answer.format(48), "48", COUNTS)[0] is Standing.GROUNDED
    assert standing(answer.format(47), "47", COUNTS)[0] is not Standing.GROUNDED


def test_what_never_adds_up_has_no_total() -> None:
    assert standing(f"{TABLE}\n| Q1 2025 | 48 |", "48", BALANCES)[0] is Standing.ILLEGAL


@pytest.mark.parametrize(
    "answer",
    [
        "You owe **CHF {}**.\n\nHow I got there:\n1. Output tax: CHF 31,977.40\n"
        "2. Less input tax (1170): CHF 6,112.35\n3. Less input tax (1171): CHF 2,408.90",
        "We owe CHF {}.\n\n- Output tax: CHF 31,977.40\n- minus input tax on goods: CHF 6,112.35\n"
        "- minus other input tax: CHF 2,408.90",
        "Die Schuld beträgt CHF {}. Sie setzt sich so zusammen:\n- Umsatzsteuer: CHF 31,977.40\n"
        "- abzüglich Vorsteuer Material: CHF 6,112.35\n- abzgl. übrige Vorsteuer: CHF 2,408.90",
        "应缴**{}瑞郎**。\n\n计算过程：\n1. 销项税：31,977.40瑞郎\n"
        "2. 减：材料进项税：6,112.35瑞郎\n"
        "3. 减：其他进项税：2,408.90瑞郎",
        "应缴{}瑞郎：\n1）销项税：31,977.40瑞郎\n2）扣除材料进项税：6,112.35瑞郎\n"
        "3）扣除其他进项税：2,408.90瑞郎",
        "| Item | CHF |\n|---|--:|\n| Output tax | 31,977.40 |\n"
        "| less input tax, goods | 6,112.35 |\n"
        "| less input tax, other | 2,408.90 |\n| Payable | {} |",
    ],
)
def test_lines_that_take_away_explain_the_figure_above_them(answer: str) -> None:
    def of(figure: str) -> Standing:
        proof = gate.check(answer.format(figure), TAX, policy="wordings")
        return next(each.standing for each in proof.claims if figure in each.text)

    assert of("23,456.15") is Standing.GROUNDED
    assert of("23,465.15") is not Standing.GROUNDED
    assert of("24,456.15") is not Standing.GROUNDED


def test_shares_of_all_rows_make_a_hundred() -> None:
    costs = Exhibit(
        columns=("label", "amount"), rows=(("Miete", 700.5), ("Reisen", 299.5)), row_count=2
    )
    table = (
        "| Cost | CHF | % |\n|---|--:|--:|\n| Miete | 700.50 | {}% |\n| Reisen | 299.50 | 30.0% |"
    )
    told = table.format("70.1") + "\n| Total | 1,000.00 | 100% |"
    assert standing(told, "100%", costs)[0] is Standing.GROUNDED
