import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical import Caller, Checker, Scope, compile_catalog, parse_call
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.language import Language
from veridical.contracts.schema import ValueType
from veridical.ontology.model import (
    CanonicalQueryPattern,
    OntologyDescriptor,
    PeriodKind,
    Slot,
    SlotKind,
)
from veridical.packs.trustee import pack
from veridical.route.pattern_call import UnfillablePatternError
from veridical.route.patterns import (
    FutureMatch,
    Matched,
    MissingSlot,
    NoMatch,
    PatternMatch,
    index_patterns,
    match_pattern,
)
from veridical.testing.cases import by_language

pytestmark = pytest.mark.slow

TODAY = date(2026, 1, 20)
INDEX = index_patterns(pack.ontology)
CHECKER = Checker(compile_catalog(pack.schema, pack.ontology))
CALLER = Caller(
    scope=Scope(
        {"mandateId": ("m-001",), "featureInstanceId": ("m-001-a",)}, shared=pack.shared_tables
    )
)
QUESTIONS = Path(__file__).parents[2] / "benchmarks" / "pattern_questions"
DE, EN, ZH = Language.DE, Language.EN, Language.ZH


def cases(name: str) -> list[tuple[Language, str, str]]:
    found: list[tuple[Language, str, str]] = []
    for language, line in by_language(QUESTIONS / f"{name}.txt"):
        question, _, expected = line.partition(" => ")
        found.append((language, question, expected))
    return found


def match(text: str, language: Language = DE) -> Matched:
    return match_pattern(text, INDEX, language, TODAY)


def matched(text: str, language: Language = DE) -> PatternMatch:
    found = match(text, language)
    assert isinstance(found, PatternMatch), found
    return found


@pytest.mark.parametrize(("language", "question", "why"), cases("near_misses"))
def test_a_near_miss_is_left_to_the_agent(language: Language, question: str, why: str) -> None:
    assert not isinstance(match(question, language), PatternMatch), why


@pytest.mark.parametrize(("language", "question", "expected"), cases("seen") + cases("held_out"))
def test_a_match_is_the_intent_that_was_meant(
    language: Language, question: str, expected: str
) -> None:
    found = match(question, language)
    if isinstance(found, PatternMatch):
        slots = "".join(f" {name}={value}" for name, value in sorted(found.slots.items()))
        intent, *wanted = expected.split()
        assert found.intent + slots == " ".join([intent, *sorted(wanted)])


SPOKEN: dict[str, Any] = {
    "year": 2024, "month": 3, "account": 1020, "accountClass": 6, "limit": 10,
    "day": "31.10.2025", "name": '"Brunner Getränke AG"', "currency": "EUR",
}  # fmt: skip
_BY_CONDITION = {"GROUP_", "EXPENSE_OF_YEAR", "NUMBER_OF_CONTACTS", "CONTACTS_OF_TYPE"}


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize(
    "pattern",
    [each for each in pack.ontology.canonical_patterns
     if not any(each.intent.startswith(name) for name in _BY_CONDITION)],
    ids=lambda each: each.intent,
)  # fmt: skip
def test_every_pattern_knows_its_own_questions(
    pattern: CanonicalQueryPattern, language: Language
) -> None:
    day = "2025年10月31日" if language is ZH else SPOKEN["day"]
    for question in pattern.questions[language]:
        text = re.sub(r"\{(\w+)\}", lambda slot: str({**SPOKEN, "day": day}[slot[1]]), question)
        assert matched(text, language).intent == pattern.intent


@pytest.mark.parametrize(("language", "question", "_"), cases("seen"))
def test_every_matched_call_passes_the_check(language: Language, question: str, _: str) -> None:
    found = match(question, language)
    if isinstance(found, PatternMatch):
        verdict = CHECKER.check(parse_call(found.call), CALLER, question)
        assert isinstance(verdict, CheckedQuery), verdict


WORD = st.text(st.sampled_from("abcdefghijklmnopqrstuvwxyzäöü"), min_size=4, max_size=12)
KNOWN = ["Wie", "hoch", "war", "der", "Saldo", "von", "Konto", "1020", "Ende", "2024", "?"]


@given(WORD, st.integers(0, len(KNOWN) - 1))
def test_one_word_too_many_is_one_too_many(word: str, place: int) -> None:
    before, after = (
        matched(" ".join(KNOWN)),
        match(" ".join([*KNOWN[:place], word, *KNOWN[place:]])),
    )
    if isinstance(after, PatternMatch):  # a word that means nothing here, or the same
        assert after.call == before.call


@given(st.text(max_size=40))
def test_no_text_gets_into_a_statement(text: str) -> None:
    found = match(f"Zeige die Buchungen auf Konto {text} im Monat 3/2025.")
    if isinstance(found, PatternMatch):
        assert re.search(r"\"accountNumber\" = '[1-9]\d{3}'", found.call["sql"])
        assert found.call["sql"].count("'") == 2


def test_a_form_that_was_seen_before_is_read_with_its_own_values() -> None:
    index = index_patterns(pack.ontology)

    def read(account: int, day: str) -> tuple[dict[str, Any], int]:
        question = f"Wie hoch war der Saldo von Konto {account} am {day}?"
        found = match_pattern(question, index, DE, TODAY)
        assert isinstance(found, PatternMatch)
        return found.slots, len(index.forms)

    assert read(1020, "31.3.2024") == ({"account": "1020", "year": 2024, "month": 3}, 1)
    assert read(1100, "30.11.2025") == ({"account": "1100", "year": 2025, "month": 11}, 1)
    # the same words; but a year's end is another pattern's, and a day within a month is nobody's
    assert read(1100, "31.12.2025") == ({"account": "1100", "year": 2025}, 1)
    within = "Wie hoch war der Saldo von Konto 1020 am 15.3.2024?"
    assert isinstance(match_pattern(within, index, DE, TODAY), NoMatch)
    assert len(index.forms) == 1


@pytest.mark.parametrize(("language", "question", "_"), cases("near_misses")[::5])
def test_what_was_asked_before_changes_nothing(language: Language, question: str, _: str) -> None:
    fresh = match_pattern(question, index_patterns(pack.ontology), language, TODAY)
    assert _told(match(question, language)) == _told(fresh)


def _told(found: Matched) -> Any:
    return (found.intent, found.call) if isinstance(found, PatternMatch) else type(found)


def test_slots_have_the_type_of_their_place() -> None:
    found = matched("Saldo Konto 1020 per 31.03.2025")
    assert found.slots == {"account": "1020", "year": 2025, "month": 3}
    assert found.tool == "queryTable"
    assert [each["value"] for each in found.arguments["filters"]] == ["1020", 2025, 3]


def test_a_subclass_is_filled_with_its_condition() -> None:
    found = matched("Wie hoch war der Kassensaldo Ende 2024?")
    assert found.slots["group"] == "Cash"
    assert "\"accountNumber\" LIKE '100%'" in found.call["sql"]


def test_one_missing_thing_is_asked_for() -> None:
    year = match("Wie hoch war der Umsatz?")
    assert isinstance(year, MissingSlot)
    assert (year.intents, year.name) == (("REVENUE_OF_YEAR",), "period")
    either = match("Wie hoch ist der Banksaldo?")
    assert isinstance(either, MissingSlot)
    assert either.periods == {PeriodKind.YEAR_END, PeriodKind.MONTH_END}
    assert matched("Wie hoch ist der Banksaldo? Ende 2024").intent == "BANK_BALANCE_AT_YEAR_END"
    group = match("How many bookings of the largest in 2025?", EN)
    assert isinstance(group, NoMatch)


def test_a_running_year_is_marked_as_such() -> None:
    assert matched("Umsatz 2026").unfinished
    assert not matched("Umsatz 2025").unfinished
    assert isinstance(match("Banksaldo Ende 2026"), FutureMatch)


def test_today_is_a_value() -> None:
    then = match_pattern("Umsatz letztes Jahr", INDEX, DE, date(2024, 5, 1))
    assert isinstance(then, PatternMatch)
    assert then.slots == {"year": 2023}


def _ontology(*patterns: CanonicalQueryPattern) -> OntologyDescriptor:
    return OntologyDescriptor(feature_code="shop", canonical_patterns=patterns)


STOCK = CanonicalQueryPattern(
    intent="STOCK_OF_MONTH",
    pattern={"tool": "queryTable", "tableName": "Stock", "filters": [
        {"field": "month", "value": "{month}"}, {"field": "year", "value": "{year}"}]},
    slots=(
        Slot(name="year", type=ValueType.INTEGER, kind=SlotKind.YEAR),
        Slot(name="month", type=ValueType.INTEGER, kind=SlotKind.MONTH),
    ),
    period=PeriodKind.MONTH,
    questions={"en": ("How much stock is there in the warehouse in {month}?",)},
)  # fmt: skip


def test_a_pattern_without_words_is_known_by_its_example_questions() -> None:
    index = index_patterns(_ontology(STOCK))
    found = match_pattern(
        "How much stock was there in the warehouse in May 2025?", index, EN, TODAY
    )
    assert isinstance(found, PatternMatch)
    assert found.slots == {"year": 2025, "month": 5}
    for other in ("How much stock was there in May 2025?", "How much old stock in the warehouse?"):
        assert isinstance(match_pattern(other, index, EN, TODAY), NoMatch)


def test_two_patterns_for_one_question_are_none() -> None:
    twin = STOCK.model_copy(update={"intent": "TWIN"})
    index = index_patterns(_ontology(STOCK, twin))
    found = match_pattern("stock in the warehouse in May 2025", index, EN, TODAY)
    assert found == NoMatch(("STOCK_OF_MONTH", "TWIN"))


def test_a_slot_that_says_not_how_it_is_filled_keeps_its_pattern_out() -> None:
    plain = STOCK.model_copy(update={"slots": (Slot(name="year"), Slot(name="month"))})
    assert index_patterns(_ontology(plain)).readers[EN] == ()


def test_free_text_in_a_statement_is_the_developers_mistake() -> None:
    unsafe = CanonicalQueryPattern(
        intent="UNSAFE",
        pattern={"tool": "executeSqlSafe", "sql": "SELECT 1 WHERE 'x' = '{name}'"},
        slots=(Slot(name="name", kind=SlotKind.QUOTED),),
        questions={"en": ("Show {name}",)},
    )
    with pytest.raises(UnfillablePatternError, match="UNSAFE") as raised:
        index_patterns(_ontology(unsafe))
    told = {language: raised.value.message(language) for language in Language}
    assert str(raised.value) == told[Language.EN]
    assert all("UNSAFE" in each and "{name}" in each for each in told.values())
    assert len(set(told.values())) == len(Language)
