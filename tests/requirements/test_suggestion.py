"""Suggestions: one for each finding, of a kind that callers know, the most urgent first."""

import pytest

from veridical.contracts.language import Language
from veridical.requirements.contract import ADD_CRITERIA, Suggestion, suggestions
from veridical.requirements.evaluation import evaluate_requirement
from veridical.requirements.finding import Weight
from veridical.requirements.inspection import Inspection
from veridical.requirements.rules import RULES


def _suggested(text: str, language: Language = Language.EN) -> list[Suggestion]:
    return list(suggestions(evaluate_requirement(text), language))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The app must be fast.", "add_metric"),
        ("Die Verfügbarkeit muss hoch sein.", "add_metric"),
        ("The orders shall be stored.", "add_actor"),
        ("I want a search.", "add_actor"),
        ("The app shall save the file and shall send a mail.", "split"),
        ("The app shall, if possible, print the list.", "add_condition"),
        ("The app shall export PDF, CSV etc.", "complete_list"),
        ("The limit shall be TBD.", "resolve_open_point"),
        ("The app should log each call.", "state_obligation"),
        ("The app shall store the orders in MySQL.", "remove_solution"),
        ("The app shall print A and/or B.", "reword"),
    ],
)
def test_each_finding_becomes_a_suggestion_of_its_kind(text: str, kind: str) -> None:
    assert kind in {each.type for each in _suggested(text)}


def test_every_rule_has_a_kind() -> None:
    evaluation = evaluate_requirement("The app must be fast.")
    (finding,) = evaluation.findings
    for rule in RULES:
        variant = next(iter(rule.variants), "")
        found = type(finding)(rule.id, 0, 3, "The", rule.weight, rule.criteria[0], variant)
        inspection = Inspection(evaluation.inspection.tokens, (found,))
        told = list(suggestions(type(evaluation)(inspection, ()), Language.EN))
        assert [each.type for each in told if each.type != ADD_CRITERIA], rule.id


def test_most_urgent_first() -> None:
    text = "The orders shall be stored in MySQL as soon as possible, etc."
    ranks = [list(Weight).index(each.priority) for each in _suggested(text)]
    assert len(ranks) > 2
    assert ranks == sorted(ranks)


def test_acceptance_criteria_where_there_are_none() -> None:
    assert _suggested("The app shall print the list.")[-1].type == ADD_CRITERIA
    scenario = "Given an order, when it is paid, then the shop shall send a mail within 60 s."
    assert ADD_CRITERIA not in {each.type for each in _suggested(scenario)}


@pytest.mark.parametrize("language", list(Language))
def test_suggestions_say_why_and_what_to_do(language: Language) -> None:
    evaluation = evaluate_requirement("The app must be fast.")
    (first, *_) = suggestions(evaluation, language)
    (finding,) = evaluation.findings
    assert first.suggestion == f"{finding.reason(language)} {finding.fix(language)}"
    assert first.as_json() == {
        "type": "add_metric",
        "suggestion": first.suggestion,
        "priority": "high",
    }
