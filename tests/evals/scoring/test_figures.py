"""Which figures of an answer a truth must have."""

import pytest

from veridical.contracts.language import Language
from veridical.evals.scoring.figures import figures_in, not_among


@pytest.mark.parametrize(
    ("question", "text", "unknown"),
    [
        ("Was the balance CHF 5,000,000?", "Yes, it was CHF 5,000,000.", ["CHF 5,000,000"]),
        ("Which invoices?", "R-2025-000304 and c-001a-0023: CHF 70.50.", []),
        ("Which accounts are over CHF 9,000?", "One is over CHF 9,000: CHF 70.50.", []),
        ("What of 1020?", "Of 1020 it was CHF 70.50.", []),
        ("What was it?", "It was CHF 99.50.", ["CHF 99.50"]),
    ],
)
def test_a_figure_of_the_question_counts_where_it_is_asserted(
    question: str, text: str, unknown: list[str]
) -> None:
    claims = figures_in(text, question, Language.EN)
    assert [each.text for each in not_among(claims, [70.5])] == unknown
