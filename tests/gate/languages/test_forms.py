import tomllib
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import pytest

from veridical.contracts.language import Language
from veridical.evidence.dimension import Quantity
from veridical.gate.languages.forms import Forms, forms
from veridical.gate.languages.vocabulary import language_file, vocabulary
from veridical.gate.text.figures import Figure, find_figures
from veridical.gate.text.passage import passages
from veridical.reading.language import language_of

CASES: dict[str, dict[str, list[str]]] = tomllib.loads(
    (Path(__file__).parent / "forms.toml").read_text("utf-8")
)
SIGNS: dict[str, Callable[[list[Figure]], bool]] = {
    "points": lambda found: found[0].in_points,
    "times": lambda found: found[0].is_ratio,
    "numbering": lambda found: not found,
    "duration": lambda found: len(found) == 1 and _is_duration(found[0]),
    "shared": lambda found: found[0].dimension is not None,
}


def _is_duration(figure: Figure) -> bool:
    return figure.dimension is not None and figure.dimension.quantity is Quantity.DURATION


def _cases(kind: str) -> list[tuple[str, str]]:
    return [(sign, text) for sign in SIGNS for text in CASES[sign][kind]]


def _figures(text: str) -> list[Figure]:
    return find_figures(text, vocabulary(language_of(text, Language.EN)), ())


@pytest.mark.parametrize(("sign", "text"), _cases("accept"))
def test_a_form_is_read(sign: str, text: str) -> None:
    assert SIGNS[sign](_figures(text))


@pytest.mark.parametrize(("sign", "text"), _cases("reject"))
def test_what_only_looks_like_a_form_is_not(sign: str, text: str) -> None:
    found = _figures(text)
    assert found
    assert not SIGNS[sign](found)


@pytest.mark.parametrize("language", list(Language))
def test_every_form_of_a_language_is_read(language: Language) -> None:
    listed = language_file(language)["forms"]
    assert set(listed) <= {field.name for field in fields(Forms)}
    assert all(isinstance(form, str) and form for each in listed.values() for form in each)


@pytest.mark.parametrize("name", [field.name for field in fields(Forms)])
def test_some_language_has_each_form(name: str) -> None:
    assert getattr(forms(), name)


@pytest.mark.parametrize("word", forms().shortened)
def test_an_abbreviation_does_not_end_a_sentence(word: str) -> None:
    assert len(passages(f"Erst {word}. Zürich, und so weiter bis zum Ende des Satzes.")) == 1
    assert len(passages(f"Erst {word}xx. Zürich, und so weiter bis zum Ende des Satzes.")) == 2
