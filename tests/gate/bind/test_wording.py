"""Which kinds of words an answer has: whatever the language, the phrases behind them may follow."""

import pytest

from veridical.gate.bind.wording import Wording
from veridical.gate.naming.mentions import words_of


@pytest.mark.parametrize(
    ("text", "wording"),
    [
        ("A: 5, B: 7", Wording(False, False, False)),
        ("A has more than B.", Wording(True, True, False)),
        ("Gegenüber B ist das ein Rückgang um 5.", Wording(True, True, False)),
        ("Gesamthaft sind es 12.", Wording(False, False, True)),
        ("合计12。", Wording(False, False, True)),
        ("比B增加了5。", Wording(True, True, False)),
    ],
)
def test_kinds_of_words(text: str, wording: Wording) -> None:
    assert Wording.of(words_of(text).folded) == wording
