"""Whether a sentence asserts its figure: marked figures are asserted, the others spoken of."""

import pytest

from veridical.gate.claims.stance import asserts

ASSERTED = [
    "Der Saldo war ⟦5⟧.",
    "Nein, der Saldo war ⟦5⟧.",
    "Der nicht geprüfte Saldo war ⟦5⟧.",
    "Nicht 3, sondern ⟦5⟧.",
    "Er war nicht nur 3 sondern ⟦5⟧.",
    "Es waren nicht weniger als ⟦5⟧.",
    "Ohne Zweifel war er ⟦5⟧.",
    "Wie Sie sagen, war er ⟦5⟧.",
    "Die von Ihnen genannten ⟦5⟧ stimmen.",
    "It was ⟦5⟧, not 3.",
    "No doubt it was ⟦5⟧.",
    "As you said, it was ⟦5⟧.",
    "The ⟦5⟧ you mentioned is correct.",
    "It is no more than ⟦5⟧.",
    "余额为⟦5⟧。",
    "不，余额是⟦5⟧。",
    "余额不是3，而是⟦5⟧。",
    "毫无疑问，余额是⟦5⟧。",
]
SPOKEN_OF = [
    "Es waren nicht ⟦5⟧, sondern 3.",
    "Es waren 3 statt ⟦5⟧.",
    "⟦5⟧ ist falsch.",
    "Der Saldo betrug ⟦5⟧ nicht.",
    "Dass er ⟦5⟧ war, kann ich nicht bestätigen.",
    "Ich kann nicht bestätigen, dass er ⟦5⟧ war.",
    "Keine Rechnung liegt über ⟦5⟧.",
    "Wenn er ⟦5⟧ wäre, ginge es.",
    "Meinten Sie ⟦5⟧?",
    "Ihr Budget von ⟦5⟧ reicht.",
    "It wasn't ⟦5⟧.",
    "It was 3 rather than ⟦5⟧.",
    "You asked if it was ⟦5⟧.",
    "I could not find ⟦5⟧ anywhere.",
    "None of them exceeds ⟦5⟧.",
    "余额不是⟦5⟧。",
    "余额为3，而非⟦5⟧。",
    "无法确认余额为⟦5⟧。",
    "如果余额是⟦5⟧，就够了。",
    "您提到的⟦5⟧有误。",
]


@pytest.mark.parametrize("marked", ASSERTED)
def test_an_assertion(marked: str) -> None:
    assert told(marked)


@pytest.mark.parametrize("marked", SPOKEN_OF)
def test_no_assertion(marked: str) -> None:
    assert not told(marked)


def told(marked: str) -> bool:
    start = marked.index("⟦")
    end = marked.index("⟧") - 1
    return asserts(marked.replace("⟦", "").replace("⟧", ""), start, end)
