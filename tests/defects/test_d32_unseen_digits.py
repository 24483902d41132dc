"""Figures in whatever digits, style or markup: the gate sees them, and true ones pass."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.gate.strictly import strictly
from veridical import gate
from veridical.contracts.proof import ClaimKind, Verdict
from veridical.reading.plain_text import plain_text

ROWS = [
    {"category": "Jackets", "units_sold": 921, "revenue": 1840, "year": 2024},
    {"category": "Shoes", "units_sold": 523, "revenue": 2975, "year": 2024},
]
SCRIPTS = ["٠١٢٣٤٥٦٧٨٩", "۰۱۲۳۴۵۶۷۸۹", "०१२३४५६७८९", "০১২৩৪৫৬৭৮৯", "๐๑๒๓๔๕๖๗๘๙", "𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗",
           "𝟘𝟙𝟚𝟛𝟜𝟝𝟞𝟟𝟠𝟡", "𝟶𝟷𝟸𝟹𝟺𝟻𝟼𝟽𝟾𝟿", "０１２３４５６７８９", "⁰¹²³⁴⁵⁶⁷⁸⁹", "₀₁₂₃₄₅₆₇₈₉",
           "⓪①②③④⑤⑥⑦⑧⑨"]  # fmt: skip


def _verdict(answer: str, evidence: Any = ROWS) -> Verdict:
    return strictly(answer, evidence).verdict


@pytest.mark.parametrize("digits", SCRIPTS)
def test_d32_digits_of_every_script_are_seen(digits: str) -> None:
    for said, wanted in (("1840", Verdict.PASS), ("1841", Verdict.BLOCK)):
        written = "".join(digits[int(sign)] for sign in said)
        assert _verdict(f"Jackets made {written}.") is wanted


@pytest.mark.parametrize(
    "wording",
    [
        "`{0},{1}` for Jackets", "Revenue of Jackets: ${0}{{,}}{1}$", "Jackets made ${0}\\,{1}$",
        "Jackets made $\\text{{{0}{{,}}{1}}}$", "Jackets made \\textbf{{{0},{1}}}",
        "Jackets made \\({0}{{,}}{1}\\)", "<b>{0}</b>,<b>{1}</b> for Jackets",
        "Jackets made <span class='x'>{0}</span>{1}", "Jackets made {0}\u200b{1}",
        "Jackets made {0}\u00ad{1}", "Jackets made {0}\u2060{1}", "Jackets made {0}&#44;{1}",
        "Jackets made {0}&nbsp;{1}", "In 2024 年 Jackets made {0},{1}", "Jackets made {0}，{1}",
        "Jackets made **{0},{1}**", "Jackets made {0}٬{1}",
    ],
)  # fmt: skip
def test_d32_figures_in_markup_are_read_as_they_are_shown(wording: str) -> None:
    assert _verdict(wording.format("1", "840")) is Verdict.PASS
    assert _verdict(wording.format("1", "841")) is Verdict.BLOCK


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("1.84e3", "1.85e3"),
        ("1.84E+3", "1.84E+4"),
        ("1.84 × 10³", "1.85 × 10³"),
        ("1.84×10^3", "1.84×10^4"),
        ("1.84 \\times 10^{3}", "1.85 \\times 10^{3}"),
        ("&#49;840", "&#50;840"),
        ("&#x31;840", "&#x32;840"),
        ("MDCCCXL", "MDCCCXLI"),
    ],
)
def test_d32_other_ways_to_write_a_number(true: str, false: str) -> None:
    assert _verdict(f"Jackets made {true}.") is Verdict.PASS
    assert _verdict(f"Jackets made {false}.") is Verdict.BLOCK


def test_d32_a_fraction_of_one_sign_is_a_figure() -> None:
    rows = [{"item": "Rope", "metres": 2.5}]
    assert _verdict("The rope has 2½ metres.", rows) is Verdict.PASS
    assert _verdict("The rope has 3½ metres.", rows) is Verdict.BLOCK


@pytest.mark.parametrize(
    "answer",
    [
        "Karl V. and Ludwig XVIII. bought 523 Shoes.",
        "Chapter III: Shoes sold 523 units.",
        "CO₂ and H₂O: Shoes sold 523 units.",
        "① Shoes sold 523 units.",
        "The area is not in m²; Shoes sold 523 units.",
    ],
)
def test_d32_what_is_no_figure_stays_none(answer: str) -> None:
    claims = gate.check(answer, ROWS).claims
    assert [each.text for each in claims if each.kind is ClaimKind.NUMBER] in (
        ["523"],
        ["523 units"],
    )


def test_d32_an_address_of_the_evidence_passes() -> None:
    address = "https://example.com/orders/2024/77?x=5"
    rows = [{"category": "Shoes", "units": 523, "url": address}]
    assert _verdict(f"Shoes sold 523 units, see {address}.", rows) is Verdict.PASS


def test_d32_a_claim_points_at_the_shown_text() -> None:
    answer = "Jackets made <b>1</b>,<b>840</b> and Shoes ٢٩٧٥."
    first, second = [each for each in strictly(answer, ROWS).claims if each.kind == "number"]
    assert answer[first.start : first.end] == first.text == "1</b>,<b>840"
    assert answer[second.start : second.end] == second.text == "٢٩٧٥"


@pytest.mark.parametrize("many", [1_000, 1_500, 5_000])
def test_d32_the_total_over_many_rows(many: int) -> None:
    rows = [{"id": f"x{at}", "amount": at * 3 + 1} for at in range(many)]
    total = sum(row["amount"] for row in rows if isinstance(row["amount"], int))
    assert _verdict(f"The total amount is {total:,}.", rows) is Verdict.PASS
    assert _verdict(f"The total amount is {total + 1_007:,}.", rows) is Verdict.BLOCK


def test_d32_numbers_as_text_are_numbers() -> None:
    rows = [{name: str(value) for name, value in row.items()} for row in ROWS]
    assert _verdict("Jackets made 1840 and Shoes 2975.", rows) is Verdict.PASS
    assert _verdict("Jackets made 2975 and Shoes 1840.", rows) is Verdict.BLOCK
    table = {"columns": list(ROWS[0]), "rows": [list(row.values()) for row in rows]}
    assert _verdict("Jackets made 2975 and Shoes 1840.", table) is Verdict.BLOCK


@given(st.text(alphabet="12,.<b>/&#50;\\{}$`e×^³½①٣\u200bMDCX aé", max_size=60))
def test_d32_every_place_of_the_plain_text_is_one_of_the_shown(shown: str) -> None:
    plain = plain_text(shown)
    for at in range(len(plain.text)):
        start, end = plain.span(at, at + 1)
        assert 0 <= start < end <= len(shown)
