"""What a question is about, by the words that a purpose is known by."""

import pytest

from veridical.check.purposes import index_purposes, purposes_of
from veridical.ontology.model import Purpose

INDEX = index_purposes(
    (
        Purpose(name="result", keywords={"de": ("Umsatz", "Umsätze"), "en": ("revenue",)}),
        Purpose(
            name="turnover",
            keywords={"de": ("Umsatz im Soll",), "en": ("debit total", "VAT"), "zh": ("发生额",)},
        ),
    )
)


@pytest.mark.parametrize(
    ("question", "purposes"),
    [
        ("Wie hoch war der Umsatz im Soll?", {"result", "turnover"}),
        ("Nenne die Umsätze im Soll und im Haben.", {"result", "turnover"}),
        ("Was sind die Umsätzen im  Soll?", {"result", "turnover"}),
        ("What were the debit totals?", {"turnover"}),
        ("What is the VAT?", {"turnover"}),
        ("本年的发生额是多少？", {"turnover"}),
        ("Wie hoch war der Umsatz im Solljahr?", {"result", "turnover"}),
        ("Wie hoch war der Umsatz, den wir im Soll-Ist-Vergleich sehen?", {"result"}),
        ("What is on the private account?", set()),
        ("How much is the total debit?", set()),
        ("", set()),
    ],
)
def test_a_phrase_may_be_inflected_and_a_short_word_stands_alone(
    question: str, purposes: set[str]
) -> None:
    assert purposes_of(INDEX, question) == purposes
