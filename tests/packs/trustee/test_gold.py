"""The gold questions of the pack: sound, supported by the books, with traps that are recognised."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

import pytest

from tests.packs.trustee.added_up import balances, known_amounts, posted
from tests.packs.trustee.gold_answers import judged, right_answer, trapped_answer
from tests.sample import PACK
from veridical.contracts.language import Language
from veridical.evals.gold.case import Case, Expected
from veridical.evals.gold.load import load_gold
from veridical.evals.gold.oracle import CaseTruth, postgres_oracle, truths_of
from veridical.evals.scoring.figures import as_number, figures_in, is_stated
from veridical.evals.scoring.record import Outcome
from veridical.packs.trustee.books import Books, build_books
from veridical.sample.books import load_sample
from veridical.sample.postgres import LocalPostgres

GOLD = load_gold("pack:trustee")
CASES = {case.id: case for gold in GOLD for case in gold.cases}
WIDER = [case for gold in GOLD if gold.name != "trustee-core" for case in gold.cases]
ANSWERED = [case for case in CASES.values() if case.expected is Expected.ANSWER]
MOST_VALUES = 12

CREDIT, DEBIT = -1, 1
ADDED_UP: dict[str, tuple[int, str, str, int, tuple[int, int]]] = {
    "a001": (DEBIT, "1020", "1020", 2023, (1, 12)),
    "a002": (DEBIT, "1021", "1021", 2022, (1, 12)),
    "a003": (DEBIT, "1100", "1100", 2025, (1, 3)),
    "a004": (DEBIT, "1020", "1020", 2024, (1, 6)),
    "a005": (CREDIT, "2400", "2400", 2024, (1, 12)),
    "a007": (CREDIT, "2800", "2999", 2024, (1, 12)),
    "a009": (CREDIT, "2271", "2271", 2024, (1, 5)),
    "a012": (CREDIT, "2201", "2201", 2024, (1, 9)),
    "a015": (DEBIT, "1023", "1023", 2024, (1, 11)),
    "a016": (CREDIT, "1022", "1022", 2025, (1, 10)),
    "a023": (DEBIT, "1500", "1599", 2025, (1, 12)),
    "a039": (CREDIT, "3000", "3999", 2024, (1, 12)),
    "a040": (CREDIT, "3000", "8999", 2023, (1, 12)),
    "a041": (DEBIT, "5000", "5999", 2024, (1, 12)),
    "a042": (DEBIT, "6000", "6000", 2024, (3, 3)),
    "a043": (CREDIT, "3000", "3999", 2025, (4, 6)),
    "a048": (CREDIT, "3000", "8999", 2022, (1, 12)),
    "a049": (DEBIT, "5000", "5000", 2025, (10, 10)),
    "a052": (CREDIT, "3000", "8899", 2024, (1, 12)),
    "a053": (CREDIT, "3000", "3999", 2024, (1, 6)),
    "a059": (CREDIT, "3000", "3999", 2024, (11, 11)),
    "a061": (DEBIT, "1020", "1029", 2024, (1, 12)),
    "a063": (DEBIT, "1100", "1109", 2023, (1, 12)),
    "a065": (CREDIT, "2000", "2099", 2025, (1, 9)),
    "a069": (DEBIT, "1000", "1029", 2024, (1, 3)),
    "a072": (DEBIT, "1020", "1029", 2024, (1, 11)),
    "a075": (CREDIT, "2000", "2099", 2025, (1, 12)),
    "a090": (DEBIT, "1100", "1109", 2025, (1, 12)),
}
"""By case: the side that counts, the first and the last account, the year, its months."""


@pytest.fixture(scope="module")
def sample_books() -> Books:
    return build_books("small")


@pytest.fixture(scope="module")
def truths(postgres_server: LocalPostgres) -> dict[str, CaseTruth]:
    with postgres_oracle(load_sample(PACK, postgres_server).url) as run:
        return {id_: truth for gold in GOLD for id_, truth in truths_of(gold, run).items()}


def _by(cases: list[Case]) -> str:
    languages = Counter(case.language.value for case in cases)
    traps = Counter(trap for case in cases for trap in case.traps)
    return f"{len(cases)} cases; by language {dict(languages)}; by trap {dict(traps)}"


def test_there_are_enough_questions_in_every_language_and_about_every_trap() -> None:
    languages = Counter(case.language.value for case in WIDER)
    traps = Counter(trap for case in CASES.values() for trap in case.traps)
    assert len(WIDER) >= 160, _by(WIDER)
    assert min(languages["de"], languages["en"], languages["zh"]) > len(WIDER) / 5, _by(WIDER)
    assert [trap for trap, count in traps.items() if count < 5] == [], _by(WIDER)


def test_no_question_is_asked_twice_of_the_same_books() -> None:
    asked = Counter(
        (words, case.tenant, case.thread)
        for case in CASES.values()
        for words in (case.question, *case.paraphrases)
    )
    assert [words for words, count in asked.items() if count > 1] == []


def test_every_question_asks_about_the_same_day() -> None:
    assert {(gold.today, gold.feature, gold.tenant) for gold in GOLD} == {
        ("2026-03-15", "trustee", ("m-001", "m-001-a"))
    }


@pytest.mark.postgres
def test_the_books_have_what_an_answer_must_tell(truths: dict[str, CaseTruth]) -> None:
    for case in ANSWERED:
        columns = (*case.expected_answer_numeric, *case.expected_answer_names)
        values = truths[case.id].truth.values(*columns)
        assert not columns or 0 < len(set(values)) <= MOST_VALUES, case.id
        assert None not in values, case.id


@pytest.mark.postgres
def test_the_books_have_nothing_where_nothing_is_expected(truths: dict[str, CaseTruth]) -> None:
    there = {
        case.id: truths[case.id].truth.rows
        for case in CASES.values()
        if case.expected is Expected.EMPTY
        and any(value for row in truths[case.id].truth.rows for value in row)
    }
    assert there == {}


def _sizes(values: Iterable[Any]) -> list[float]:
    numbers = map(as_number, values)
    return [abs(number) for number in numbers if number is not None]


def _rounded_into(right: float, wrong: float) -> Iterator[str]:
    """The roundings of the right figure that pass for it, and for the wrong one as well."""
    for places in range(-4, 5):
        text = f"{round(right, places):.{max(places, 0)}f}"
        claims = figures_in(text, "", Language.EN)
        if is_stated(right, claims) and is_stated(wrong, claims):
            yield text


@pytest.mark.postgres
def test_no_rounding_of_the_truth_is_a_trap(truths: dict[str, CaseTruth]) -> None:
    for case in ANSWERED:
        right = _sizes(truths[case.id].truth.values(*case.expected_answer_numeric))
        wrong = _sizes(value for row in truths[case.id].wrong.rows for value in row)
        assert wrong or case.wrong_if is None, case.id
        assert [text for r in right for w in wrong for text in _rounded_into(r, w)] == [], case.id


@pytest.mark.postgres
def test_an_answer_from_the_books_is_correct(truths: dict[str, CaseTruth]) -> None:
    judgements = {
        asked: judged(case, truths[case.id], right_answer(case, truths[case.id]), asked)
        for case in ANSWERED
        for asked in (case.question, *case.paraphrases)
    }
    failed = {asked: each.reasons for asked, each in judgements.items() if each.reasons}
    assert failed == {}
    assert {each.outcome for each in judgements.values()} == {Outcome.CORRECT}


@pytest.mark.postgres
def test_an_answer_from_a_trap_is_wrong(truths: dict[str, CaseTruth]) -> None:
    unnoticed = {
        case.id: text
        for case in ANSWERED
        if case.wrong_if
        and (text := trapped_answer(case, truths[case.id]))
        and (verdict := judged(case, truths[case.id], text, case.question))
        and not any(reason.startswith("trap") for reason in verdict.reasons)
    }
    assert unnoticed == {}


@pytest.mark.postgres
def test_truths_agree_with_the_books_added_up_in_python(
    sample_books: Books, truths: dict[str, CaseTruth]
) -> None:
    lines = posted(sample_books, "m-001-a")
    for id_, (side, first, last, year, months) in ADDED_UP.items():
        told = truths[id_].truth.values(*CASES[id_].expected_answer_numeric)
        added_up = balances(lines, first, last, year, months).values()
        assert sorted(told) == sorted(side * amount for amount in added_up), id_


def test_earlier_answers_tell_what_the_books_have(sample_books: Books) -> None:
    known = set(known_amounts(posted(sample_books, "m-001-a")))
    told = {
        Decimal(re.sub("[',]", "", amount))
        for case in CASES.values()
        if not case.tenant
        for turn in case.thread
        for amount in re.findall(r"\d[\d',]*\.\d{2}(?!\d)", turn.answer)
    }
    assert told
    assert told - known == set()
