"""Gold questions without a plain answer: honesty is judged right, a figure in its stead wrong."""

from collections.abc import Iterator
from datetime import date
from typing import Any

import psycopg
import pytest
from psycopg.sql import SQL, Identifier, Literal

from tests.packs.trustee.counted import COUNTED, Own
from tests.packs.trustee.gold_answers import judged, right_answer, trapped_answer
from tests.sample import PACK
from veridical.contracts.call import QueryCall
from veridical.evals.gold.case import Case, Expected, GoldSet
from veridical.evals.gold.load import load_gold
from veridical.evals.gold.oracle import CaseTruth, Truth, postgres_oracle, truth_of, truths_of
from veridical.evals.scoring.record import Outcome
from veridical.packs.trustee.books import build_books
from veridical.packs.trustee.models import MODELS, TENANT, TenantRow
from veridical.sample.books import load_sample
from veridical.sample.postgres import LocalPostgres

GOLD = load_gold("pack:trustee")
CASES = {case.id: case for gold in GOLD for case in gold.cases}
UNANSWERED = [case for case in CASES.values() if case.expected is not Expected.ANSWER]
HONEST = {
    (Expected.REFUSE, "de"): "Das kann ich nicht sagen.",
    (Expected.REFUSE, "en"): "I can't say that from the books.",
    (Expected.REFUSE, "zh"): "账簿里无法得知。",
    (Expected.EMPTY, "de"): "Dazu gibt es keine Einträge.",
    (Expected.EMPTY, "en"): "There are no such entries.",
    (Expected.EMPTY, "zh"): "没有这样的记录。",
    (Expected.ASK_BACK, "de"): "Welches Jahr meinen Sie?",
    (Expected.ASK_BACK, "en"): "Which year do you mean?",
    (Expected.ASK_BACK, "zh"): "您指的是哪一年？",
}
MADE_UP = "77'123.45 CHF"


@pytest.fixture(scope="module")
def url(postgres_server: LocalPostgres) -> str:
    return load_sample(PACK, postgres_server).url


@pytest.fixture(scope="module")
def truths(url: str) -> dict[str, CaseTruth]:
    with postgres_oracle(url) as run:
        return {id_: truth for gold in GOLD for id_, truth in truths_of(gold, run).items()}


def _trapping(trap: str) -> Iterator[tuple[GoldSet, Case]]:
    for gold in GOLD:
        yield from ((gold, case) for case in gold.cases if trap in case.traps)


def _values(truth: Truth) -> set[Any]:
    return {value for row in truth.rows for value in row}


@pytest.mark.postgres
def test_an_honest_reply_is_correct(truths: dict[str, CaseTruth]) -> None:
    judgements = {
        (case.id, asked): judged(
            case, truths[case.id], HONEST[case.expected, case.language.value], asked
        ).outcome
        for case in UNANSWERED
        for asked in (case.question, *case.paraphrases)
    }
    assert [each for each, outcome in judgements.items() if outcome is not Outcome.CORRECT] == []


@pytest.mark.postgres
def test_a_figure_in_its_stead_is_wrong(truths: dict[str, CaseTruth]) -> None:
    outcomes = {
        case.id: judged(case, truths[case.id], MADE_UP, case.question).outcome
        for case in UNANSWERED
    }
    assert [id_ for id_, outcome in outcomes.items() if outcome is not Outcome.WRONG] == []


@pytest.mark.postgres
def test_an_honest_reply_with_a_figure_from_the_trap_is_wrong(
    truths: dict[str, CaseTruth],
) -> None:
    for case in UNANSWERED:
        if case.wrong_if is None:
            continue
        honest = HONEST[case.expected, case.language.value]
        told = f"{honest} {trapped_answer(case, truths[case.id])}"
        verdict = judged(case, truths[case.id], told, case.question)
        assert verdict.outcome is Outcome.WRONG, case.id
        assert any(reason.startswith("trap") for reason in verdict.reasons), case.id


@pytest.mark.postgres
def test_a_premise_may_be_corrected_with_what_the_books_say(
    truths: dict[str, CaseTruth],
) -> None:
    corrigible = [
        case for case in UNANSWERED if case.expected is Expected.REFUSE and case.truth is not None
    ]
    assert len(corrigible) >= 5
    for case in corrigible:
        figures = "; ".join(map(str, truths[case.id].truth.rows[0]))
        corrected = f"{right_answer(case, truths[case.id])}: {figures}"
        outcomes = [
            judged(case, truths[case.id], told, case.question).outcome
            for told in (corrected, figures)
        ]
        assert outcomes == [Outcome.CORRECT, Outcome.WRONG], case.id


@pytest.mark.postgres
def test_days_and_months_are_spelled_as_the_books_have_them(truths: dict[str, CaseTruth]) -> None:
    dated = 0
    for case in CASES.values():
        truth = truths[case.id].truth
        if case.expected is not Expected.ANSWER or not {"day", "month"} & set(truth.columns):
            continue
        spelled = {text for texts in case.expected_answer_contains for text in texts.split("|")}
        (row,) = truth.rows
        told = dict(zip(truth.columns, row, strict=True))
        day: date | None = told.get("day")
        endings = day.isoformat() if day else f"-{told['month']:02d}"
        assert any(text.endswith(endings) for text in spelled), case.id
        dated += 1
    assert dated >= 5


@pytest.mark.postgres
def test_truncated_questions_are_about_more_rows_than_a_call_returns(
    truths: dict[str, CaseTruth],
) -> None:
    at_once = QueryCall(table_name="").limit
    for _, case in _trapping("truncatedResult"):
        truth, wrong = truths[case.id].truth, truths[case.id].wrong
        counted = [value for value in _values(truth) if isinstance(value, int)]
        assert max([len(truth.rows), *counted]) > at_once or "first_hundred" in wrong.columns


def _as_only_tenant(url: str, tenant: tuple[str, ...], sql: str) -> Truth:
    """What the statement gives where no other tenant's rows exist."""
    with psycopg.connect(url) as connection:
        for model in MODELS:
            if issubclass(model, TenantRow):
                name = Identifier(model.__name__)
                only = SQL(" AND ").join(
                    SQL("{} = {}").format(Identifier(column), Literal(value))
                    for column, value in zip(TENANT, tenant, strict=True)
                )
                view = SQL("CREATE TEMP VIEW {0} AS SELECT * FROM public.{0} WHERE {1}")
                connection.execute(view.format(name, only))
        cursor = connection.execute(sql.encode())
        columns = tuple(column.name for column in cursor.description or ())
        rows = tuple(cursor.fetchall())
        connection.rollback()
    return Truth(columns, rows)


@pytest.mark.postgres
def test_truths_need_no_row_of_another_client_and_refused_figures_do(
    url: str, truths: dict[str, CaseTruth]
) -> None:
    for gold, case in _trapping("foreignTenant"):
        tenant = case.tenant or gold.tenant
        alone = truth_of(case, gold, lambda sql, who=tenant: _as_only_tenant(url, who, sql))
        assert alone.truth == truths[case.id].truth, case.id
        if case.wrong_if is not None and case.expected is not Expected.ANSWER:
            assert _values(truths[case.id].wrong) - _values(alone.wrong), case.id


@pytest.mark.postgres
def test_truths_agree_with_the_books_counted_in_python(truths: dict[str, CaseTruth]) -> None:
    own = Own(build_books("small"))
    for id_, counted in COUNTED.items():
        case = CASES[id_]
        columns = (*case.expected_answer_names, *case.expected_answer_numeric)
        told = truths[id_].truth.values(*columns)
        assert sorted(map(str, _plain(told))) == sorted(map(str, _plain(counted(own)))), id_


def _plain(values: Any) -> Iterator[Any]:
    for value in values:
        yield value if isinstance(value, str) else round(float(value), 6)
