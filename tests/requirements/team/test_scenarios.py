"""The two stories that the team must tell: a vague requirement, and criteria that nobody named."""

import asyncio

from tests.requirements.team.people import Answering
from veridical.contracts.language import Language
from veridical.contracts.requirements_review import (
    Issue,
    ReviewOutcome,
    ReviewTask,
    SignalKind,
    Speaker,
)
from veridical.requirements.team.operator import Operator
from veridical.requirements.team.team import TeamReview

APP = "Die App muss schnell sein"
SCALES = "System soll skalierbar sein"
KNOWN = {
    "VAG:13": "2 Sekunden, 95 %",
    "role": "Nutzer",
    "benefit": "ich nicht warte",
    "state": "die App ist installiert",
    "event": "ich eine Seite öffne",
}


def reviewed(
    task: ReviewTask, people: Answering, language: Language = Language.DE
) -> ReviewOutcome:
    return asyncio.run(TeamReview(task, Operator(language), people).outcome())


def test_scenario_1_asks_for_the_figure_and_writes_what_was_said() -> None:
    people = Answering(KNOWN)
    found = reviewed(ReviewTask(requirements=(APP,)), people).requirements[0]
    assert people.questions[0] == "Welcher Wert mit Einheit ist mit «schnell» gemeint?"
    assert found.original_score is not None
    assert found.original_score < 0.7
    assert "(2 Sekunden, 95 %)" in found.corrected_text
    assert found.corrected_text.startswith("Als Nutzer möchte ich, dass die App schnell")
    assert "\nAngenommen, " in found.corrected_text
    assert found.score is not None
    assert found.score >= 0.7
    suggested = {each["type"] for each in found.suggestions}
    assert suggested == {"add_metric", "add_actor", "add_criteria"}
    assert found.approved
    assert found.turns[0].speaker is Speaker.OPERATOR
    assert found.turns[-1].signal is SignalKind.APPROVE
    assert found.turns[-1].speaker is Speaker.VALIDATOR
    assert len(found.turns) <= 20


def test_scenario_1_without_an_answer_has_no_figure_and_is_not_approved() -> None:
    people = Answering()
    found = reviewed(ReviewTask(requirements=(APP,)), people).requirements[0]
    assert not any(letter.isdigit() for letter in found.corrected_text)
    assert "schnell [Wert?]" in found.corrected_text
    assert not found.approved
    assert Issue.OPEN_QUESTIONS in found.issues
    assert len(people.asked) == len({each.name for each in people.asked}) == 5


def test_scenario_2_asks_which_criteria_and_goes_on() -> None:
    people = Answering({"criteria.1": "all", **KNOWN})
    found = reviewed(ReviewTask(requirements=(SCALES,), ask_criteria=True), people)
    assert people.questions[0].startswith("Nach welchen Kriterien")
    assert people.asked[0].subject["suggestedAnswers"] == ["clarity", "testability", "all"]
    assert "measurability" in found.criteria
    assert {each["criterion"] for each in found.requirements[0].evaluation} == set(found.criteria)


def test_scenario_2_takes_the_criteria_that_are_named() -> None:
    people = Answering({"criteria.1": "Klarheit und testability"})
    task = ReviewTask(requirements=(SCALES,), ask_criteria=True, most_questions=1)
    assert reviewed(task, people).criteria == ("clarity", "testability")
    assert len(people.asked) == 1


def test_scenario_2_never_assumes_criteria() -> None:
    people = Answering({"criteria.1": "die üblichen", "criteria.2": "egal"})
    found = reviewed(ReviewTask(requirements=(SCALES,), ask_criteria=True), people)
    assert [each.name for each in people.asked] == ["criteria.1", "criteria.2"]
    assert not found.requirements[0].approved
    assert found.requirements[0].score is None
    assert Issue.NOT_EVALUATED in found.requirements[0].issues


def test_questions_are_in_the_language_of_the_user() -> None:
    people = Answering()
    reviewed(ReviewTask(requirements=(APP,), most_questions=1), people, Language.EN)
    assert people.questions == ["Which value and unit does “schnell” stand for?"]
