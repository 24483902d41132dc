"""What a claim does in the answer."""

import pytest

from veridical.contracts.proof import ClaimKind
from veridical.gate.claim import Role
from veridical.gate.claims import find_claims


def roles(text: str, question: str = "") -> list[tuple[str, Role]]:
    claims = find_claims(text, question)
    return [(each.text, each.role) for each in claims if each.kind is not ClaimKind.LIST]


def test_a_heading_heads_and_does_not_state() -> None:
    assert roles("## Umsatz 2025\nEr betrug CHF 5.00.") == [
        ("2025", Role.HEADING),
        ("CHF 5.00", Role.STATED),
    ]


def test_an_amount_in_a_heading_is_stated() -> None:
    assert roles("## Umsatz: CHF 5.00\nMehr gibt es nicht.") == [("CHF 5.00", Role.STATED)]


def test_numbers_of_list_items_are_markers() -> None:
    text = "1. Bank 70\n2. Kasse 80\n\n(3) Post 90"
    assert [role for _, role in roles(text)] == [Role.MARKER, Role.STATED] * 3


@pytest.mark.parametrize(
    ("question", "text", "quoted"),
    [
        ("Wie hoch war der Umsatz 2024?", "2024 betrug er CHF 5.", ["2024"]),
        ("Which 3 customers owe over $5,000?", "3 customers owe more than $5,000.", []),
        ("Is it 12,5 Mio.?", "It is not 12'500'000.", ["12'500'000"]),
        ("Is it 5%?", "It is 5.", []),
        ("What of RE-2025-0013?", "RE-2025-0013 is open.", ["RE-2025-0013"]),
        (
            "What did Contoso Ltd. pay in March?",
            "In March Contoso Ltd. paid 5.",
            ["March", "Contoso Ltd."],
        ),
        ("2025年3月的收入？", "2025年3月的收入为120万元。", ["2025年3月"]),
    ],
)
def test_what_the_question_says_is_quoted(question: str, text: str, quoted: list[str]) -> None:
    assert [said for said, role in roles(text, question) if role is Role.QUOTED] == quoted


@pytest.mark.parametrize(
    ("question", "text", "asked"),
    [
        ("Which 3 owe over $5,000?", "3 customers owe more than $5,000.", ["3", "$5,000"]),
        ("How much is 12,5 Mio. in %?", "12'500'000 are 7 %.", ["12'500'000"]),
        ("Is it 12,5 Mio.?", "It is not 12'500'000.", []),
        ("Is it 20 %?", "The share is 0.2.", ["0.2"]),
        ("Wie hoch war der Umsatz 2024?", "Er war CHF 2'024.", []),
    ],
)
def test_what_is_asserted_with_the_questions_words_is_a_claim(
    question: str, text: str, asked: list[str]
) -> None:
    claims = find_claims(text, question)
    assert [each.text for each in claims if each.asked] == asked
    assert all(each.role is Role.STATED for each in claims if each.asked)


def test_a_month_takes_its_year_from_the_question() -> None:
    (claim,) = find_claims("Ende März war das so.", "Wie war das 2025?")
    assert [(str(each.start), str(each.end)) for each in claim.days] == [
        ("2025-03-31", "2025-03-31"),
        ("2025-03-01", "2025-03-31"),
    ]


@pytest.mark.parametrize(
    "text", ["1）甲 70\n2）乙 80", "1、甲 70\n2、乙 80", "（1）甲 70\n（2）乙 80"]
)
def test_numbers_of_chinese_list_items_are_markers(text: str) -> None:
    assert [role for _, role in roles(text)] == [Role.MARKER, Role.STATED] * 2


def test_the_part_of_a_year_is_computed_with() -> None:
    told = roles("合计816,000.00瑞郎，十二分之一即68,000.00瑞郎。")
    assert ("十二", Role.OPERAND) in told


def test_a_rank_at_the_head_of_a_line_is_a_marker() -> None:
    told = roles("#1 Bank – 70\n#2 Kasse – 80")
    assert [role for text, role in told if text.lstrip("#") in ("1", "2")] == [Role.MARKER] * 2
