"""A model points at parts of a requirement; what the requirement does not support is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.requirements.rewrite.binding import bind
from veridical.requirements.rewrite.proposal import Proposal
from veridical.requirements.rewrite.rewrite import Author, Status, rewrite_requirement
from veridical.requirements.tokens import read

BELT = "The belt shall not stop within 2 s when the clerk scans a label."
ONLY = "The door shall open only when the alarm is off."
NUR = "Die Tür darf nur öffnen, wenn der Alarm aus ist."
BAND = "Falls die Tür offen ist, muss das Band stehen, damit niemand verletzt wird."


def test_condition_at_the_end_is_bound() -> None:
    found = rewrite_requirement(BELT, None, Proposal(event="the clerk scans a label"))
    assert found.author is Author.MODEL
    assert found.text.endswith(
        "When the clerk scans a label, then the belt shall not stop within 2 s."
    )
    assert found.invented == ()


def test_state_and_benefit_are_bound_with_the_words_of_the_source() -> None:
    said = Proposal(state="falls die tür offen ist,", benefit="niemand verletzt wird")
    found = rewrite_requirement(BAND, {"role": "Bediener"}, said)
    assert found.status is Status.ACCEPTED
    assert found.text == (
        "Als Bediener möchte ich, dass das Band stehen muss, damit niemand verletzt wird.\n"
        "Angenommen, dass die Tür offen ist, dann muss das Band stehen."
    )


def test_the_opener_decides_between_state_and_event() -> None:
    found = bind(Proposal(event="die Tür offen ist"), read(BAND))
    assert set(found.places) == {"state"}


@pytest.mark.parametrize(
    ("text", "said", "refused"),
    [
        (BELT, {"event": "the clerk scans two labels"}, "event"),
        (BELT, {"event": "the clerk scans"}, "event"),
        (BELT, {"state": "The belt shall not stop within 2 s"}, "state"),
        (BELT, {"clause": "The belt shall stop within 2 s"}, "clause"),
        (BELT, {"clause": "The belt shall not stop within 3 s"}, "clause"),
        (BELT, {"role": "the pilot"}, "role"),
        (BELT, {"benefit": "so that nobody is hurt"}, "benefit"),
        (ONLY, {"event": "the alarm is off"}, "event"),
        (NUR, {"event": "der Alarm aus ist"}, "event"),
        ("The pump shall stop, the valve shall close.", {"event": "The pump shall stop"}, "event"),
        ("Das Ventil muss den Druck um 10 % senken.", {"benefit": "um 10 % senken"}, "benefit"),
        (BAND, {"state": "die Tür offen ist, muss das Band stehen"}, "state"),
    ],
)  # fmt: skip
def test_what_the_source_does_not_bear_out_is_refused(
    text: str, said: dict[str, str], refused: str
) -> None:
    found = rewrite_requirement(text, None, Proposal(**said))
    assert refused in found.refused
    assert found.author is Author.TEMPLATE
    assert found.text == rewrite_requirement(text).text


def test_role_that_the_source_names_is_offered_and_asked_for() -> None:
    found = rewrite_requirement(BELT, None, Proposal(role="the clerk"))
    assert found.roles == ("clerk",)
    assert "role" in {each.key for each in found.questions}
    assert "As a [role?]" in found.text


def test_rewrite_worse_than_the_template_is_not_taken() -> None:
    """By itself the clause is a fragment: nothing obliges where the condition is taken away."""
    text = "When the lid is open, the lamp."
    found = rewrite_requirement(text, None, Proposal(event="the lid is open"))
    assert (found.evaluation.score or 0) >= (rewrite_requirement(text).evaluation.score or 0)


_WORDS = st.sampled_from(
    [
        "The",
        "the",
        "belt",
        "clerk",
        "lid",
        "shall",
        "must",
        "not",
        "only",
        "stop",
        "open",
        "2",
        "s",
        "if",
        "when",
        "while",
        "so",
        "that",
        ",",
        ".",
    ]
)
_TEXTS = st.lists(_WORDS, min_size=1, max_size=12).map(" ".join)
_SAID = st.builds(Proposal, role=_TEXTS, state=_TEXTS, event=_TEXTS, clause=_TEXTS, benefit=_TEXTS)


@given(_TEXTS, _SAID)
def test_no_proposal_invents_or_loses(text: str, said: Proposal) -> None:
    found = rewrite_requirement(text, None, said)
    assert found.invented == ()
    if found.author is Author.MODEL:
        words = [each.low for each in read(text).all if each.is_word or each.is_number]
        kept = {each.low for each in read(found.text).all}
        openers = {"if", "when", "while"}
        assert set(words) - openers <= kept
