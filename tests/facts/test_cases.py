"""Facts by example: the exact sentence of each, or why there is none."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.facts.shops import frames
from veridical.contracts.language import Language
from veridical.facts.arguments import read_arguments
from veridical.facts.forms.registry import FORMS, evaluate
from veridical.facts.kernel.value import FactError
from veridical.facts.sentence import Sentences
from veridical.facts.wording import Wording

_CASES = Path(__file__).with_name("cases")


def _read(name: str) -> list[tuple[dict[str, Any], str]]:
    """Pairs of lines: arguments, and what comes of them."""
    text = (_CASES / name).read_text("utf-8")
    blocks = [each.splitlines() for each in text.split("\n\n")[1:]]
    return [(json.loads(lines[0]), lines[1]) for lines in blocks]


@pytest.mark.parametrize(("arguments", "sentence"), _read("accepted.txt"))
def test_a_fact_says_exactly_this(arguments: dict[str, Any], sentence: str) -> None:
    known = frames()
    fact = evaluate(read_arguments(arguments), known)
    assert Sentences(Language.EN, Wording(Language.EN, known)).of(fact) == sentence


@pytest.mark.parametrize(("arguments", "reason"), _read("refused.txt"))
def test_a_fact_is_refused_for_this(arguments: dict[str, Any], reason: str) -> None:
    with pytest.raises(FactError) as caught:
        evaluate(read_arguments(arguments), frames())
    assert caught.value.reason == reason


@pytest.mark.parametrize("language", list(Language))
def test_every_language_says_every_fact(language: Language) -> None:
    known = frames()
    sentences = Sentences(language, Wording(language, known))
    for arguments, _ in _read("accepted.txt"):
        fact = evaluate(read_arguments(arguments), known)
        text = sentences.of(fact, fact.parts)
        assert text, arguments
        assert "{" not in text, text
        assert "None" not in text, text


def test_every_form_has_an_example() -> None:
    accepted = {arguments["say"] for arguments, _ in _read("accepted.txt")}
    assert accepted | {"earliest"} == set(FORMS)
