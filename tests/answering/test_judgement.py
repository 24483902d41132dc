"""What a known question answers is stated in facts; the same text of a model is read."""

import asyncio
from dataclasses import replace

import pytest

from tests.sample import ACCOUNTANT, trustee
from veridical.agent.answer_form import AnswerForm
from veridical.agent.request import LoopOutcome
from veridical.answering.assurance import assured
from veridical.answering.context import RunContext, open_run
from veridical.answering.feature import Feature
from veridical.answering.judgement import Assured
from veridical.answering.paths import pattern
from veridical.answering.session import Session
from veridical.contracts.answer import AnswerKind
from veridical.contracts.facts_answer import State
from veridical.contracts.language import Language
from veridical.contracts.proof import Ground, Verdict
from veridical.contracts.question import Question
from veridical.contracts.step import directly
from veridical.gate.proof_marks import SIGN
from veridical.route.patterns import PatternMatch, match_pattern

__all__ = ["trustee"]

ASKED = "Wie hoch war der Saldo von Konto 1020 am 31.12.2024?"


def known(feature: Feature, asked: str = ASKED) -> tuple[LoopOutcome, RunContext]:
    caller = replace(ACCOUNTANT, language=Language.DE)
    opening = asyncio.run(open_run("run"))
    run = RunContext(Question(text=asked), Session(feature, caller), directly, opening)
    assert feature.patterns is not None
    match = match_pattern(asked, feature.patterns, Language.DE, run.today)
    assert isinstance(match, PatternMatch)
    outcome = asyncio.run(pattern(match, run))
    assert outcome is not None
    return outcome, run


def shown(outcome: LoopOutcome, run: RunContext) -> Assured:
    return asyncio.run(assured(outcome, run))


def test_a_known_question_is_a_fact_bound_to_its_cell(trustee: Feature) -> None:
    outcome, run = known(trustee)
    found = shown(outcome, run)
    assert found.facts is not None
    assert found.outcome.text == found.facts.text
    assert {each.state for each in found.facts.sentences} == {State.EXACT}
    assert found.proof is not None
    (claim,) = found.proof.claims
    assert claim.binding is not None
    assert (claim.binding.ground, claim.binding.source) == (Ground.CELL, 0)
    assert claim.binding.column == "closingBalance"
    assert found.outcome.text.endswith(claim.text)


def test_an_agent_that_writes_the_same_is_read(trustee: Feature) -> None:
    outcome, run = known(trustee)
    text = shown(outcome, run).outcome.text
    other = replace(outcome, kind=AnswerKind.AGENT, text=text, form=AnswerForm.TEXT, composed=False)
    found = shown(other, run)
    assert found.facts is None
    assert found.proof is not None
    assert found.proof.verdict is Verdict.PASS
    invented = shown(replace(other, text="Saldo von Konto 1020: 987'654.32 CHF"), run)
    assert SIGN in invented.outcome.text


def test_without_results_nothing_is_shown(trustee: Feature) -> None:
    outcome, run = known(trustee)
    found = shown(replace(outcome, sources=()), run)
    assert found.outcome.kind is AnswerKind.UNKNOWN


@pytest.mark.parametrize("asked", ["Banksaldo per 31.12.2024", "Zeige alle Kunden"])
def test_rows_are_claims_too(trustee: Feature, asked: str) -> None:
    found = shown(*known(trustee, asked))
    assert found.facts is not None
    assert any(fact.form == "table" for fact in found.facts.facts.values())
    assert found.outcome.sources[0].known is not None
    assert found.outcome.text.startswith(found.outcome.sources[0].known.title)
