import asyncio
from collections.abc import Awaitable, Callable

import pytest

from veridical import gate
from veridical.contracts.language import Language

ROWS = [
    {"depot": "West", "stock": 540, "price": 2.5},
    {"depot": "East", "stock": 310, "price": 3.5},
    {"depot": "North", "stock": 150, "price": 1.5},
]
TEXT = "West holds the most, 540. Together they have 1,200 units. Demand will rise in spring."
RECORDED = """```json
{"facts": {"a": {"say": "top", "measure": "stock"},
           "b": {"say": "total", "measures": ["stock"]},
           "c": {"say": "value", "row": "South", "measure": "stock"}},
 "sentences": {"1": ["a"], "2": ["b", "nothing"], "3": ["c"]}}
```"""
REVIEW = """{"flagged": [{"sentence": 2, "why": "the total is 1,000"},
{"sentence": 3, "why": "no statement is about demand"}]}"""


def _replying(reply: str, seen: list[str] | None = None) -> Callable[[str], Awaitable[str]]:
    async def ask(prompt: str) -> str:
        if seen is not None:
            seen.append(prompt)
        return reply

    return ask


def test_exact_sentences_stand_beside_the_text() -> None:
    seen: list[str] = []
    found = asyncio.run(gate.explain(TEXT, ROWS, _replying(RECORDED, seen), question="Stock?"))
    first, second, third = found.sentences
    assert first.text == "West holds the most, 540."
    assert "West" in first.exact[0]
    assert "540" in first.exact[0]
    assert "1,000" in second.exact[0]
    assert found.uncovered == (third,)
    assert ["south" in each for each in found.refused] == [True]
    assert not found.reviewed
    (prompt,) = seen
    assert "2. Together they have 1,200 units." in prompt
    assert "depot | stock | price" in prompt


def test_a_reviewer_compares_without_the_data() -> None:
    seen: list[str] = []
    made = gate.explain(TEXT, ROWS, _replying(RECORDED), reviewer=_replying(REVIEW, seen))
    found = asyncio.run(made)
    assert found.reviewed
    assert [each.why for each in found.flagged] == [
        "the total is 1,000",
        "no statement is about demand",
    ]
    assert "1,200" in seen[0]
    assert "310" not in seen[0]


@pytest.mark.parametrize("reply", ["", "no", "[]", "{}", '{"facts": [], "sentences": {}}', "{" * 9])
def test_a_reply_that_cannot_be_read_covers_nothing(reply: str) -> None:
    found = asyncio.run(gate.explain(TEXT, ROWS, _replying(reply), reviewer=_replying(reply)))
    assert len(found.uncovered) == 3
    assert found.refused
    assert not found.reviewed


@pytest.mark.parametrize(
    "reply",
    [
        '{"facts": {"a.b": {"say": "top", "measure": "stock"}}, "sentences": {"1": ["a.b"]}}',
        '{"facts": {"": {"say": "top", "measure": "stock"}}, "sentences": {"1": [""]}}',
    ],
)
def test_facts_may_be_called_anything(reply: str) -> None:
    found = asyncio.run(gate.explain(TEXT, ROWS, _replying(reply)))
    assert [each.is_covered for each in found.sentences] == [True, False, False]


@pytest.mark.parametrize(
    "reply",
    [
        '{"facts": {"a": null}, "sentences": {"1": ["a"], "9": ["a"], "x": "a", "2": [[]]}}',
        '{"facts": {"a": {"say": "top", "measure": "stock", "n": 1e999}},'
        '"sentences": {"1": ["a"]}}',
        '{"facts": {"a": {"say": "top", "measure": "price as stock"}}, "sentences": {"1": ["a"]}}',
        '{"facts": {"a": {"say": "top", "measure": "__import__"}}, "sentences": {"1": ["a"]}}',
    ],
    ids=["null", "no number", "another column's name", "no column"],
)
def test_a_fact_that_cannot_be_computed_covers_nothing(reply: str) -> None:
    found = asyncio.run(gate.explain(TEXT, ROWS, _replying(reply)))
    assert len(found.uncovered) == 3
    assert found.refused


def test_the_language_is_that_of_the_text() -> None:
    text = "Am meisten liegt im Westen, nämlich 540 Stück."
    reply = '{"facts": {"a": {"say": "top", "measure": "stock"}}, "sentences": {"1": ["a"]}}'
    german = asyncio.run(gate.explain(text, ROWS, _replying(reply)))
    english = asyncio.run(gate.explain(text, ROWS, _replying(reply), language=Language.EN))
    assert german.sentences[0].exact != english.sentences[0].exact


def test_what_the_model_raises_is_raised() -> None:
    async def broken(prompt: str) -> str:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        asyncio.run(gate.explain(TEXT, ROWS, broken))
