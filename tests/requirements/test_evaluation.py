"""Scores and verdicts: explained by findings, and abstaining where they mean little."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.contracts.language import Language
from veridical.requirements.evaluation import (
    BAND,
    PASS_MARK,
    UnknownCriterionError,
    Verdict,
    chosen_criteria,
    evaluate_requirement,
    evaluated,
)
from veridical.requirements.finding import Criterion
from veridical.requirements.inspection import inspect
from veridical.requirements.rules import RULES, Rule
from veridical.requirements.rules.mark import Mark
from veridical.requirements.tokens import Tokens


def _broken(_: Tokens) -> Iterator[Mark]:
    raise RuntimeError
    yield


def test_vague_requirement_fails_by_what_it_can_not_be_measured() -> None:
    found = evaluate_requirement(
        "Die App muss schnell sein", ["clarity", "testability", "measurability"]
    )
    told = found.as_json(Language.DE)
    assert told["verdict"] == "fail"
    assert [each["criterion"] for each in told["evaluation"]] == [
        "clarity",
        "testability",
        "measurability",
    ]
    assert not any(each["passed"] for each in told["evaluation"])
    assert "schnell" in told["evaluation"][0]["feedback"]
    (finding,) = told["findings"]
    assert (finding["rule"], finding["start"], finding["end"]) == ("VAG", 13, 20)


def test_good_requirement_passes() -> None:
    found = evaluate_requirement("The server shall log every login within 2 s.")
    assert (found.score, found.verdict, found.findings) == (1.0, Verdict.PASS, ())


def test_near_the_mark_the_verdict_abstains_and_says_so() -> None:
    found = evaluate_requirement(
        "Several parcels shall be packed; the scanner shall read various labels."
    )
    score = evaluate_requirement("Many clerks shall read numerous labels.").score
    assert score is not None
    assert abs(score - PASS_MARK) <= BAND
    near = evaluate_requirement("Many clerks shall read numerous labels.")
    assert near.verdict is Verdict.UNCERTAIN
    assert near.remark(Language.EN)
    assert found.verdict is not Verdict.PASS


def test_rule_that_fails_is_not_evaluated_and_nothing_passes() -> None:
    rules = [Rule(rule.id, _broken, rule.weight, rule.criteria) for rule in RULES[:1]]
    inspection = inspect("The server shall log every login within 2 s.", rules=(*rules, *RULES[1:]))
    found = evaluated(inspection, tuple(Criterion))
    assert inspection.not_evaluated == ("IMP0",)
    assert found.verdict is Verdict.UNCERTAIN
    assert "IMP0" in found.remark(Language.EN)
    assert found.score == 1.0


def test_criterion_whose_rules_all_fail_has_no_score() -> None:
    rules = [Rule(rule.id, _broken, rule.weight, rule.criteria) for rule in RULES]
    found = evaluated(inspect("The server shall log.", rules=rules), tuple(Criterion))
    assert found.score is None
    assert found.verdict is Verdict.UNCERTAIN
    assert all(each.score is None and not each.passed for each in found.criteria)


def test_unknown_criterion_is_named_with_those_there_are() -> None:
    with pytest.raises(UnknownCriterionError, match=r"beauty.*clarity"):
        chosen_criteria(["beauty"])
    assert chosen_criteria(["all"]) == tuple(Criterion)


@given(st.text(max_size=200))
def test_any_text_is_evaluated(text: str) -> None:
    found = evaluate_requirement(text)
    assert found.inspection.not_evaluated == () or not found.inspection.is_readable
    assert (found.score is None) is not found.inspection.is_readable
    assert 0.0 <= (found.score or 0.0) <= 1.0
    for finding in found.findings:
        assert text[finding.start : finding.end] == finding.words
        for language in Language:
            assert finding.reason(language)
            assert finding.fix(language)


@pytest.mark.parametrize(
    "text",
    [
        "The export shall offer PDF, CSV etc. to each clerk who opens it.",
        "When the scanner reads the label of the parcel, it shall turn green.",
        "When the lid opens, the lamp should light for 5 s.",
        "When the lid opens, the lamp shall light red and/or green for 5 s.",
    ],
)
def test_what_readers_take_differently_is_less_testable(text: str) -> None:
    (testability,) = evaluate_requirement(text, [Criterion.TESTABILITY]).criteria
    assert testability.findings
