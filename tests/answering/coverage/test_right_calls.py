"""Calls that are right by construction: the truths of gold questions, and canonical patterns."""

from dataclasses import replace
from datetime import date

import pytest

from benchmarks.patterns import PARAPHRASES, TODAY, read_cases
from tests.answering.coverage.test_cases import listing
from tests.sample import ACCOUNTANT, PACK, trustee
from veridical.agent.results import as_source
from veridical.answering.coverage import uncovered
from veridical.answering.feature import Feature
from veridical.contracts.answer import Source
from veridical.contracts.question import Question
from veridical.contracts.result import Receipt
from veridical.evals.gold.load import load_gold
from veridical.evals.gold.oracle import Truth, postgres_oracle, truths_of
from veridical.route.patterns import PatternMatch, match_pattern
from veridical.sample.books import load_sample
from veridical.sample.postgres import LocalPostgres

__all__ = ["trustee"]

pytestmark = pytest.mark.postgres


def _source(sql: str, truth: Truth) -> Source:
    receipt = Receipt(
        call_id="",
        query_hash="",
        ontology_hash="",
        sql="",
        row_count=len(truth.rows),
        truncated=False,
        elapsed_ms=0,
    )
    for name in ("{mandate}", "{instance}"):
        sql = sql.replace(name, "'tenant'")
    return Source(
        tool="executeSqlSafe",
        arguments={"sql": sql},
        columns=truth.columns,
        rows=truth.rows,
        receipt=receipt,
    )


def test_no_truth_of_a_gold_question_is_beside_it(
    trustee: Feature, postgres_server: LocalPostgres
) -> None:
    golds = load_gold("pack:trustee")
    with postgres_oracle(load_sample(PACK, postgres_server).url) as run:
        truths = {id_: truth for gold in golds for id_, truth in truths_of(gold, run).items()}
    asked, held_back = 0, list[str]()
    for gold in golds:
        for case in gold.cases:
            if case.truth is None:
                continue
            source = _source(case.truth.sql, truths[case.id].truth)
            for text in (case.question, *case.paraphrases):
                question = Question(text=text, thread=case.thread)
                today = date.fromisoformat(gold.today)
                answer = listing((source,))
                found = uncovered(question, (source,), trustee, case.language, today, (), answer)
                asked += 1
                held_back += [f"{case.id} {text}: {each.claim} ≠ {each.instead}" for each in found]
    assert held_back == []
    assert asked > 300


def test_no_pattern_is_beside_its_question_and_most_others_are(trustee: Feature) -> None:
    assert trustee.patterns is not None
    made: list[tuple[Question, PatternMatch, Source]] = []
    for case in (each for name in PARAPHRASES for each in read_cases(name)):
        match = match_pattern(case.question, trustee.patterns, case.language, TODAY)
        if not isinstance(match, PatternMatch):
            continue
        toolbox = trustee.toolbox(replace(ACCOUNTANT, language=case.language))
        result = toolbox.call(match.tool, match.arguments, case.question)
        source = as_source(match.tool, match.arguments, result)
        if source is not None:
            made.append((Question(text=case.question, language=case.language), match, source))
    assert len(made) > 300
    assert [q.text for q, _, source in made if _is_beside(q, source, trustee)] == []
    others = [
        _is_beside(question, source, trustee)
        for question, match, _ in made[::5]
        for other, wrong, source in made
        if question.language is other.language
        and match.intent == wrong.intent
        and match.slots != wrong.slots
    ]
    assert len(others) > 200
    assert sum(others) / len(others) > 0.9


def _is_beside(question: Question, source: Source, feature: Feature) -> bool:
    assert question.language is not None
    answer = listing((source,))
    return bool(uncovered(question, (source,), feature, question.language, TODAY, (), answer))
