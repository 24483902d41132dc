"""What a canonical pattern wrote is evaluated; whoever else says the same is read."""

import asyncio
from dataclasses import replace

import pytest

from tests.sample import ACCOUNTANT, PACK, trustee
from veridical.agent.request import LoopOutcome
from veridical.answering.context import RunContext, open_run
from veridical.answering.feature import Feature, open_feature
from veridical.answering.flow import answer
from veridical.answering.judgement import judged_text
from veridical.answering.paths import pattern
from veridical.answering.pattern_outcome import PatternOutcome
from veridical.answering.session import Session
from veridical.contracts.answer import AnswerKind
from veridical.contracts.language import Language
from veridical.contracts.proof import Proof, Verdict
from veridical.contracts.question import Question
from veridical.contracts.step import directly
from veridical.gate.proof_marks import SIGN
from veridical.route.patterns import PatternMatch, match_pattern

__all__ = ["trustee"]

ASKED = "Wie hoch war der Saldo von Konto 1020 am 31.12.2024?"
INTENT = "ACCOUNT_BALANCE_AT_YEAR_END"
INVENTED = "987'654.32 CHF"


def context(feature: Feature) -> RunContext:
    caller = replace(ACCOUNTANT, language=Language.DE)
    opening = asyncio.run(open_run("run"))
    return RunContext(Question(text=ASKED), Session(feature, caller), directly, opening)


def written(feature: Feature) -> tuple[PatternOutcome, RunContext]:
    run = context(feature)
    assert feature.patterns is not None
    match = match_pattern(ASKED, feature.patterns, Language.DE, run.today)
    assert isinstance(match, PatternMatch)
    outcome = asyncio.run(pattern(match, run))
    assert isinstance(outcome, PatternOutcome)
    return outcome, run


def proof_of(outcome: LoopOutcome, run: RunContext) -> Proof:
    proof = asyncio.run(judged_text(outcome, run, 1)).proof
    assert proof is not None
    return proof


def was_read(proof: Proof) -> bool:
    """A figure that is evaluated could not have been another: its chance is zero."""
    found = [each.binding or each.nearest for each in proof.claims]
    return not any(each is not None and each.coincidence == 0 for each in found)


def with_title(feature: Feature, title: str) -> Feature:
    patterns = tuple(
        each.model_copy(update={"title": title}) if each.intent == INTENT else each
        for each in PACK.ontology.canonical_patterns
    )
    ontology = PACK.ontology.model_copy(update={"canonical_patterns": patterns})
    return open_feature(replace(PACK, ontology=ontology), feature.engine.database)


def test_both_ways_say_the_same_of_a_true_answer(trustee: Feature) -> None:
    outcome, run = written(trustee)
    evaluated = proof_of(outcome, run)
    read = proof_of(LoopOutcome(outcome.kind, outcome.text, outcome.sources), run)
    assert evaluated.verdict is read.verdict is Verdict.PASS
    assert not was_read(evaluated)
    assert was_read(read)


def test_an_agent_that_says_the_same_is_read(trustee: Feature) -> None:
    outcome, run = written(trustee)
    other = replace(outcome, kind=AnswerKind.AGENT)
    assert other.evaluable is None
    assert was_read(proof_of(other, run))


def test_the_pieces_count_only_for_the_text_that_they_make(trustee: Feature) -> None:
    outcome, run = written(trustee)
    other = replace(outcome, text=f"Saldo von Konto 1020: {INVENTED}")
    assert other.evaluable is None
    assert proof_of(other, run).verdict is Verdict.WARN


def test_results_that_were_taken_away_prove_nothing(trustee: Feature) -> None:
    outcome, run = written(trustee)
    assert proof_of(replace(outcome, sources=()), run).verdict is Verdict.BLOCK


@pytest.mark.parametrize(
    "title", [f"Saldo von Konto {{account}} {INVENTED}", f"{INVENTED} per {{period}}, genauer"]
)
def test_a_figure_in_a_template_is_marked(trustee: Feature, title: str) -> None:
    feature = with_title(trustee, title)
    outcome, run = written(feature)
    assert INVENTED in outcome.text
    assert proof_of(outcome, run).verdict is Verdict.WARN
    given = asyncio.run(answer(Question(text=ASKED), run.session))
    assert f"{INVENTED}{SIGN}" in given.text


def test_a_piece_with_another_figure_than_its_cell_is_refused(trustee: Feature) -> None:
    outcome, run = written(trustee)
    parts = tuple(
        part._replace(text=INVENTED) if part.column >= 0 else part for part in outcome.written.parts
    )
    told = replace(outcome.written, parts=parts)
    wrong = replace(outcome, text=told.text, written=told)
    assert wrong.evaluable is told
    proof = proof_of(wrong, run)
    assert proof.verdict is Verdict.BLOCK
    assert [finding.claim for finding in proof.findings] == [INVENTED]
