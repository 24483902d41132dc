"""Rewrites hold what the author said, and nothing else."""

from hypothesis import given
from hypothesis import strategies as st

from veridical.contracts.language import Language
from veridical.requirements.rewrite.invented import invented
from veridical.requirements.rewrite.rewrite import Status, rewrite_requirement

_WORDS = st.sampled_from(
    [
        "The",
        "clerk",
        "door",
        "parcel",
        "shall",
        "must",
        "open",
        "close",
        "within",
        "5",
        "12",
        "s",
        "min",
        "%",
        "if",
        "when",
        "fast",
        "soon",
        "etc.",
        ",",
        ".",
        "Der",
        "Schalter",
        "Beleg",
        "muss",
        "soll",
        "öffnen",
        "innerhalb",
        "3,5",
        "Sekunden",
        "wenn",
        "falls",
        "schnell",
        "usw.",
        "As",
        "I",
        "want",
    ]
)
_TEXTS = st.lists(_WORDS, min_size=1, max_size=14).map(" ".join)


def test_figure_is_asked_for_and_not_invented() -> None:
    found = rewrite_requirement("Die App muss schnell sein")
    assert found.status is Status.NEEDS_ANSWERS
    assert not any(letter.isdigit() for letter in found.text)
    assert any("schnell" in each.text(Language.DE) for each in found.questions)


def test_answers_are_written_into_the_rewrite() -> None:
    answers = {
        "VAG:13": "2 Sekunden, 95 %",
        "role": "Leserin",
        "benefit": "ich nicht warte",
        "state": "die App ist beendet",
        "event": "ich sie öffne",
    }
    found = rewrite_requirement("Die App muss schnell sein", answers)
    assert "2 Sekunden, 95 %" in found.text
    assert found.text.startswith("Als Leserin möchte ich, dass die App")
    assert found.status is Status.ACCEPTED
    assert found.questions == ()
    assert (found.evaluation.score or 0) > (found.source.score or 0)


def test_condition_becomes_the_event_of_the_scenario() -> None:
    found = rewrite_requirement("When the clerk scans a label, the belt shall stop within 2 s.")
    assert "When the clerk scans a label, then the belt shall stop within 2 s." in found.text


def test_story_keeps_its_own_words() -> None:
    found = rewrite_requirement("Ich will Karten drucken.", {"role": "Kassierer"})
    assert found.text.startswith("Als Kassierer will ich Karten drucken, damit [")


def test_rewrite_that_is_worse_is_rejected() -> None:
    found = rewrite_requirement("The belt shall stop within 2 s.", {"role": "clerk and/or guard"})
    assert found.status is Status.REJECTED


def test_what_nobody_said_is_invented() -> None:
    source = "The belt shall stop."
    assert invented("The belt shall stop within 2 s.", source, (), "en") == ("within", "2", "s")
    assert invented("The clerk shall stop the belt.", source, (), "en") == ("clerk",)
    assert invented("The belt shall stop [value?].", source, (), "en") == ()
    assert invented("The belt shall stop within 2 s.", source, ("within 2 s",), "en") == ()


@given(_TEXTS, st.dictionaries(st.sampled_from(["role", "benefit", "state", "event"]), _TEXTS))
def test_rewrites_invent_nothing(source: str, answers: dict[str, str]) -> None:
    found = rewrite_requirement(source, answers)
    assert found.invented == ()


@given(_TEXTS, st.integers(100, 999))
def test_figure_that_was_slipped_in_is_caught(source: str, figure: int) -> None:
    found = rewrite_requirement(source)
    language = found.source.inspection.tokens.language
    assert str(figure) in invented(f"{found.text} {figure}", source, (), language)
