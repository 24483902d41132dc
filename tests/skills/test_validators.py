import pytest

from veridical.contracts.answer import Source
from veridical.contracts.language import Language
from veridical.contracts.result import Receipt
from veridical.skills.validation import Submission
from veridical.skills.validators import has_sources

RECEIPT = Receipt(
    call_id="c", query_hash="q", ontology_hash="o", sql="", row_count=1, truncated=False,
    elapsed_ms=1.0,
)  # fmt: skip
SOURCE = Source(tool="queryTable", arguments={}, receipt=RECEIPT)


@pytest.mark.parametrize(
    ("question", "answer", "sources", "content"),
    [
        ("How much?", "CHF 1'200", (), False),
        ("How much?", "CHF 1'200", (SOURCE,), True),
        ("How much?", "I can't say.", (), True),
        ("And in 2025?", "For 2025 I can't say.", (), True),
        ("And in 2025?", "In 2025 it was 4800.", (), False),
        ("List them", "There are 3 kinds.", (), True),
    ],
)
def test_figures_need_a_call_behind_them(
    question: str, answer: str, sources: tuple[Source, ...], content: bool
) -> None:
    objection = has_sources(Submission(question, answer, sources))
    assert (objection is None) == content


def test_the_objection_comes_in_the_language_of_the_answer() -> None:
    told = has_sources(Submission("Wie viel?", "CHF 1'200", language=Language.DE))
    assert told is not None
    assert told.startswith("Die Antwort nennt Zahlen")
