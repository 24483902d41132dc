from typing import Any

import pytest

from tests.server.standing import Standing
from veridical.contracts.facts_answer import StatedAnswer

pytestmark = pytest.mark.postgres

ROWS = [{"region": "North", "revenue": 48210.5}, {"region": "South", "revenue": 31500.0}]
TOP = {"t": {"say": "top", "measure": "revenue"}}
WRITTEN = {"facts": TOP, "answer": "**{t.row}** made the most: {t.value}."}


def _stated(server: Standing, **asked: Any) -> StatedAnswer:
    with server.client() as client:
        response = client.post("/v1/facts", json=asked)
        assert response.status_code == 200, response.text
        return StatedAnswer.model_validate_json(response.content)


def test_the_text_comes_with_exact_sentences_and_cells(server: Standing) -> None:
    stated = _stated(server, answer=WRITTEN, evidence=ROWS, question="Which region is first?")
    assert stated.accepted
    assert stated.text == "**North** made the most: 48,210.5."
    assert "North" in stated.facts["t"].sentence
    assert stated.facts["t"].claim["values"]
    assert {(each.row, each.column) for each in stated.facts["t"].cells} >= {(0, "revenue")}


def test_the_answer_may_be_text_and_speaks_the_language_of_the_question(server: Standing) -> None:
    written = '{"facts": {"t": {"say": "top", "measure": "revenue"}}, "answer": "{t}"}'
    asked = "Welche Region hat am meisten Umsatz gemacht?"
    stated = _stated(server, answer=f"```json\n{written}\n```", evidence=ROWS, question=asked)
    assert stated.language == "de"
    assert [each.state for each in stated.sentences] == ["exact"]
    assert stated.text == stated.facts["t"].sentence


def test_what_is_refused_says_what_to_write(server: Standing) -> None:
    wrong = {"facts": {"t": {"say": "top", "measure": "profit"}}, "answer": "{t.row} made 5."}
    stated = _stated(server, answer=wrong, evidence=ROWS, language="zh")
    assert not stated.accepted
    assert stated.text == ""
    assert {(each.code, each.reason) for each in stated.refused} == {
        ("fact", "noColumn"),
        ("figure", ""),
    }
    assert "revenue" in next(each.hint for each in stated.refused if each.code == "fact")


@pytest.mark.parametrize("answer", [5, None, [], "", "{", {"facts": {}}, {"answer": ["x"]}])
def test_what_is_no_answer_in_facts_is_told_so(server: Standing, answer: Any) -> None:
    stated = _stated(server, answer=answer, evidence=ROWS)
    assert [each.code for each in stated.refused] == ["form"]


@pytest.mark.parametrize("n", ["1e999", "-1e999", "1e308"])
def test_a_number_without_end_in_a_text_is_no_number(server: Standing, n: str) -> None:
    fact = f'{{"say": "top", "measure": "revenue", "n": {n}}}'
    stated = _stated(server, answer=f'{{"facts": {{"t": {fact}}}, "answer": "no"}}', evidence=ROWS)
    assert stated.accepted == (n == "1e308")


@pytest.mark.parametrize(
    "body",
    [
        '{"answer": "a"}',
        '{"evidence": []}',
        '{"answer": "a", "evidence": "\\u0000"}',
        '{"answer": {"answer": "\\ud800"}, "evidence": []}',
        '{"answer": NaN, "evidence": []}',
        '{"answer": ' + "[" * 200 + "]" * 200 + ', "evidence": []}',
        '{"answer": "a", "evidence": [], "language": "fr"}',
        '{"answer": "a", "evidence": [], "policy": "none"}',
        "[]",
        "{",
    ],
    ids=lambda body: body[:40],
)
def test_what_cannot_be_read_is_refused(server: Standing, body: str) -> None:
    with server.client(headers={"content-type": "application/json"}) as client:
        assert client.post("/v1/facts", content=body.encode()).status_code == 422
