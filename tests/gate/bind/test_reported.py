"""Of a page's figures, only those count that the sentence can mean."""

import pytest

from veridical.contracts.proof import Standing
from veridical.gate import check
from veridical.gate.evidence.exhibit import Exhibit

PAGE = Exhibit(
    name="page",
    text="""Consolidated Statements of Income
(In millions, except per share amounts)
Years ended December 31,
2022
2021
Net sales
$ 4,812
$ 4,377
Cost of sales
3,105
2,961
Gross profit
1,707
1,416
Research expense
163
141
Interest income
15
27
Diluted earnings per share
2.4
1.9
Effective tax rate
23 %
20 %
The purchase of the mill cost $59 million. Freight rose by 17 % in the year.
""",
)


def _standing(answer: str, question: str = "") -> Standing:
    order = (Standing.CONTRADICTED, Standing.UNGROUNDED)
    found = {
        claim.standing
        for claim in check(answer, (PAGE,), question=question, policy="wordings").claims
    }
    return next((standing for standing in order if standing in found), Standing.GROUNDED)


@pytest.mark.parametrize(
    "answer",
    [
        "The effective tax rate was 23% in 2022.",
        "Net sales came to $4,812 million in 2022.",
        "Interest income was $15 million.",
        "Interest income was $15 million in 2022, and freight went up 17%.",
        "The buyer gave $59 million for it.",
    ],
)
def test_a_figure_stands_that_its_row_or_its_very_words_bear_out(answer: str) -> None:
    assert _standing(answer) is Standing.GROUNDED


@pytest.mark.parametrize(
    "answer",
    [
        "The effective tax rate was 15% in 2022.",
        "The effective tax rate was 2.4% in 2022.",
        "The dividend was $27 million of the earnings.",
        "The effective tax rate was 20% in 2022.",
    ],
)
def test_a_coarse_figure_does_not_stand_on_a_row_that_nothing_names(answer: str) -> None:
    assert _standing(answer) is not Standing.GROUNDED


def test_words_of_another_language_speak_against_nothing() -> None:
    assert _standing("Der Steuersatz lag 2022 bei 23 %, der Zinsertrag bei 15 Mio. USD.") is (
        Standing.GROUNDED
    )


def test_a_page_bears_out_few_combinations_by_its_rows_alone() -> None:
    question = "What is the growth of net sales, gross profit and cost of sales from 2021 to 2022?"
    assert _standing("Net sales grew by 9.9%.", question) is Standing.GROUNDED
    assert _standing("Net sales grew by 12.9%.", question) is not Standing.GROUNDED


def test_a_margin_is_made_of_the_rows_of_profit_and_sales() -> None:
    question = "Does the firm have an improving gross margin?"
    assert _standing("The gross margins were 32.4% and 35.5%.", question) is Standing.GROUNDED
    assert _standing("The gross margins were 32.4% and 39.5%.", question) is not Standing.GROUNDED
