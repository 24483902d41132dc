"""The constants of conditions as parts."""

import pytest

from tests.facts.shops import EVIDENCE, stated
from veridical.contracts.language import Language
from veridical.evidence.read import read_tables
from veridical.facts.answer import state_answer


@pytest.mark.parametrize("where", ["orders = '25'", "orders in ('25')", "contains(orders, 'x')"])
def test_an_answer_may_rest_on_a_text_beside_a_figure(where: str) -> None:
    raw = {"facts": {"a": {"say": "count", "from": "r1", "where": where}}, "answer": "{a}"}
    assert state_answer(raw, read_tables(EVIDENCE), "How many?", Language.EN).accepted


def test_a_figure_in_quotes_is_a_limit_in_the_unit_of_its_column() -> None:
    plain = stated(say="count", result="r1", where="revenue_eur > 900").part("limit")
    assert stated(say="count", result="r1", where="revenue_eur > '900'").part("limit") == plain
