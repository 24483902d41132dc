"""What rose from one value to another is larger afterwards."""

import pytest

from veridical.contracts.proof import Standing
from veridical.gate import check
from veridical.gate.evidence.exhibit import Exhibit

YEARS = Exhibit(
    columns=("year", "sales", "rate", "result"),
    rows=((2021, 56.7, 20.5, -3.5), (2022, 44.1, 23.5, -8.2), (2023, 61.3, 17.5, 2.4)),
)


def _contradicted(answer: str) -> list[str]:
    claims = check(answer, (YEARS,), policy="wordings").claims
    return [claim.text for claim in claims if claim.standing is Standing.CONTRADICTED]


@pytest.mark.parametrize(
    ("answer", "figure"),
    [
        ("Sales increased from 56.7 in 2021 to 44.1 in 2022.", "44.1"),
        ("Sales fell from 44.1 in 2022 to 61.3 in 2023.", "61.3"),
        ("Der Umsatz stieg von 56.7 im Jahr 2021 auf 44.1 im Jahr 2022.", "44.1"),
        ("销售额从56.7增至44.1。", "44.1"),
    ],
)
def test_a_course_against_its_words_is_contradicted(answer: str, figure: str) -> None:
    assert _contradicted(answer) == [figure]


@pytest.mark.parametrize(
    "answer",
    [
        "Sales decreased from 56.7 in 2021 to 44.1 in 2022.",
        "Sales did not increase: they went from 56.7 in 2021 to 44.1 in 2022.",
        "Sales did not rise from 56.7 in 2021 to 44.1 in 2022.",
        "The growth ended, with a decline from 56.7 in 2021 to 44.1 in 2022.",
        "The loss increased from -3.5 in 2021 to -8.2 in 2022.",
        "销售额从56.7降至44.1。",
    ],
)
def test_a_course_as_it_went_stands(answer: str) -> None:
    assert not _contradicted(answer)
