from typing import Any

import pytest

from veridical.contracts.facts_answer import State
from veridical.contracts.language import Language
from veridical.evidence.read import read_tables
from veridical.facts.compose import composed

WARDS = [
    {"ward": "Cardiology", "beds": 48, "avg_stay_days": 5.8},
    {"ward": "Oncology", "beds": 28, "avg_stay_days": 10.4},
    {"ward": "Maternity", "beds": 30, "avg_stay_days": 3.1},
]
MONTHS = [
    {"month": "2025-01", "orders": 120},
    {"month": "2025-02", "orders": 90},
    {"month": "2025-03", "orders": 150},
]


def _first(evidence: list[dict[str, Any]], question: str, language: Language = Language.EN) -> str:
    found = composed(read_tables([evidence]), question, language)
    assert found.accepted
    assert all(each.state is State.EXACT for each in found.sentences)
    return found.text.partition("\n\n|")[0]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (
            "How many beds are there?",
            "**Cardiology** has the most beds: 48. The fewest: 28 (Oncology). In total: **106**.",
        ),
        (
            "Which stay is longest?",
            "**Oncology** has the highest avg stay: 10.4 days. The lowest is 3.1 days (Maternity).",
        ),
        ("How many beds has Oncology?", "Oncology, beds: **28**"),
        ("Tell me about Oncology.", "Oncology:\n\n- Beds: 28\n- Avg stay: 10.4 days"),
    ],
)
def test_it_speaks_of_what_the_question_names(question: str, answer: str) -> None:
    assert _first(WARDS, question) == answer


def test_a_question_that_names_nothing_gets_the_table() -> None:
    found = composed(read_tables([WARDS]), "And?", Language.EN)
    assert found.text.startswith("| Ward | Beds | Avg stay |")


def test_the_table_has_the_order_of_the_sentence() -> None:
    text = composed(read_tables([WARDS]), "Which stay is longest?", Language.EN).text
    assert text.index("| Oncology") < text.index("| Cardiology") < text.index("| Maternity")


def test_a_series_is_told_as_a_change() -> None:
    assert _first(MONTHS, "How did orders develop?") == (
        "Orders rose from 120 (January 2025) to **150** (March 2025), up 30 (25%). "
        "It ranges from 90 (February 2025) to 150 (March 2025)."
    )


def test_other_languages() -> None:
    assert _first(WARDS, "Wie viele Betten (beds)?", Language.DE).endswith("Insgesamt: **106**.")
    assert _first(WARDS, "beds 有多少？", Language.ZH).endswith("合计**106**。")


def test_a_name_within_another_word_is_not_named() -> None:
    rows = [{"team": "Sale", "beds": 4}, {"team": "Field", "beds": 6}]
    assert "has the most beds" in _first(rows, "How many beds for salespeople?")


def test_two_results_of_one_figure_each_are_compared() -> None:
    years = [
        {"arguments": {"year": year}, "columns": ["currency", "revenue"], "rows": [["EUR", figure]]}
        for year, figure in ((2025, 250.5), (2024, 200.25))
    ]
    found = composed(read_tables(years), "How much more revenue?", Language.EN)
    assert found.accepted
    assert found.text == (
        "Revenue (year = 2025) is €250.50, revenue (year = 2024) is €200.25: €50.25 more (25.1%)."
    )
