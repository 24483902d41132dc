"""Confirmed questions come to the known questions that a person would have written."""

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from veridical.contracts.language import Language
from veridical.onboarding.confirmed.proposal import proposals_of
from veridical.onboarding.confirmed.question import ConfirmedQuestion
from veridical.ontology.model import OntologyDescriptor, PeriodKind, SlotKind
from veridical.route.patterns import PatternMatch, index_patterns, match_pattern

DAY = date(2026, 3, 1)
REVENUE = "SELECT SUM(amount) AS revenue FROM sale WHERE year = {}"


def _sql(sql: str) -> dict[str, Any]:
    return {"tool": "executeSqlSafe", "sql": sql}


def _asked(
    text: str,
    call: dict[str, Any],
    person: str = "Ada",
    language: Language = Language.EN,
    minute: int = 0,
) -> ConfirmedQuestion:
    return ConfirmedQuestion(
        text=text,
        language=language,
        day=DAY,
        feature="shop",
        call=call,
        dialect="postgres",
        columns=("revenue",),
        facts=("value",),
        person=person,
        at=datetime(2026, 3, 1, 10, minute, tzinfo=UTC),
    )


def test_what_differs_between_the_questions_becomes_a_slot() -> None:
    asked = [
        _asked("What was the revenue in 2024?", _sql(REVENUE.format(2024)), "Ada", minute=1),
        _asked("What was the revenue in 2023?", _sql(REVENUE.format(2023)), "Bob", minute=2),
        _asked("What was the revenue in 2023?", _sql(REVENUE.format(2023)), "Bob", minute=3),
    ]
    (found,) = proposals_of(asked)
    assert found.name == "What was the revenue in {year}?"
    assert found.pattern.period is PeriodKind.YEAR
    assert [(each.name, each.kind) for each in found.pattern.slots] == [("year", SlotKind.YEAR)]
    assert "{year}" in found.pattern.pattern["sql"]
    assert (found.times, found.people, found.facts) == (3, 2, ("value",))
    assert [each.text for each in found.examples] == [asked[2].text, asked[0].text]
    assert (found.first.minute, found.last.minute) == (1, 3)


def test_a_year_nobody_asked_for_yet_is_answered_as_well() -> None:
    (found,) = proposals_of([_asked("Revenue in 2024?", _sql(REVENUE.format(2024)))])
    alone = OntologyDescriptor(feature_code="shop", canonical_patterns=(found.pattern,))
    match = match_pattern("revenue in 2021", index_patterns(alone), Language.EN, DAY)
    assert isinstance(match, PatternMatch)
    assert "year = 2021" in match.arguments["sql"]


def test_the_first_and_the_last_day_of_a_year_are_the_year() -> None:
    sql = "SELECT COUNT(*) FROM sale WHERE day BETWEEN '{0}-01-01' AND '{0}-12-31'"
    (found,) = proposals_of([_asked("How many sales in 2024?", _sql(sql.format(2024)))])
    assert "'{year}-01-01' AND '{year}-12-31'" in found.pattern.pattern["sql"]


def test_structured_calls_keep_the_type_of_their_values() -> None:
    call = {
        "tool": "aggregateTable", "tableName": "sale", "aggregate": "SUM", "field": "amount",
        "filters": [{"field": "year", "op": "=", "value": 2024}],
    }  # fmt: skip
    (found,) = proposals_of([_asked("Revenue in 2024?", call)])
    assert found.pattern.pattern["filters"][0]["value"] == "{year}"
    alone = OntologyDescriptor(feature_code="shop", canonical_patterns=(found.pattern,))
    match = match_pattern("Revenue in 2020?", index_patterns(alone), Language.EN, DAY)
    assert isinstance(match, PatternMatch)
    assert match.call["filters"][0]["value"] == 2020


def test_names_that_questions_choose_become_a_closed_list() -> None:
    sql = "SELECT SUM(amount) FROM sale WHERE region = '{}'"
    asked = [
        _asked(f"Revenue of the region {name}?", _sql(sql.format(name)))
        for name in ("Bern", "Basel")
    ]
    (found,) = proposals_of(asked)
    (slot,) = found.pattern.slots
    assert (slot.kind, slot.values) == (SlotKind.VALUE, ("Bern", "Basel"))
    assert found.name == "Revenue of the region {value}?"


def test_one_name_alone_stays_part_of_the_question() -> None:
    sql = "SELECT SUM(amount) FROM sale WHERE region = 'Bern'"
    (found,) = proposals_of([_asked("Revenue of the region Bern?", _sql(sql))])
    assert found.pattern.slots == ()
    alone = OntologyDescriptor(feature_code="shop", canonical_patterns=(found.pattern,))
    index = index_patterns(alone)
    matched = match_pattern("Revenue of the region Bern?", index, Language.EN, DAY)
    assert isinstance(matched, PatternMatch)
    for other in ("Revenue of the region?", "Revenue of the region Basel?"):
        assert not isinstance(match_pattern(other, index, Language.EN, DAY), PatternMatch)


def test_german_and_chinese_questions() -> None:
    asked = [
        _asked("Wie hoch war der Umsatz 2024?", _sql(REVENUE.format(2024)), language=Language.DE),
        _asked("2024年的营业额是多少？", _sql(REVENUE.format(2024)), language=Language.ZH),
    ]
    found = {each.language: each for each in proposals_of(asked)}
    assert found[Language.DE].name == "Wie hoch war der Umsatz {year}?"
    assert found[Language.ZH].name == "{year}年的营业额是多少？"


def test_a_month_is_a_year_and_a_month() -> None:
    sql = "SELECT SUM(amount) FROM sale WHERE year = 2024 AND month = 3"
    for language, text, wording in (
        (Language.EN, "Revenue in March 2024?", "Revenue in {month}/{year}?"),
        (Language.DE, "Umsatz im März 2024?", "Umsatz im {month}/{year}?"),
        (Language.ZH, "2024年3月的营业额是多少？", "{year}年{month}月的营业额是多少？"),
    ):
        (found,) = proposals_of([_asked(text, _sql(sql), language=language)])
        assert found.name == wording
        assert found.pattern.pattern["sql"].endswith("year = {year} AND month = {month}")


def test_a_number_of_rows_is_counted() -> None:
    sql = "SELECT name FROM customer ORDER BY revenue DESC LIMIT {}"
    (found,) = proposals_of(
        [_asked("Which are the top 5 customers by revenue?", _sql(sql.format(5)))]
    )
    assert found.pattern.pattern["sql"].endswith("LIMIT {count}")


def test_what_the_question_says_and_its_call_lacks_is_not_proposed() -> None:
    assert proposals_of([_asked("Revenue in 2024?", _sql("SELECT SUM(a) FROM sale"))]) == ()
    assert proposals_of([_asked("Revenue in 2024?", _sql("nonsense ("))]) == ()
    assert proposals_of([_asked("Revenue last year?", _sql(REVENUE.format(2025)))]) == ()


def test_other_words_and_other_statements_are_other_questions() -> None:
    asked = [
        _asked("Revenue in 2024?", _sql(REVENUE.format(2024))),
        _asked("Turnover in 2024?", _sql(REVENUE.format(2024))),
        _asked("Revenue in 2024?", _sql("SELECT SUM(net) AS n FROM sale WHERE year = 2024")),
    ]
    found = proposals_of(asked)
    assert len({each.key for each in found}) == len(found) == 3


def test_the_key_stays_when_a_cluster_grows() -> None:
    one = _asked("Revenue in 2024?", _sql(REVENUE.format(2024)))
    more = replace(one, text="Revenue in 2022?", call=_sql(REVENUE.format(2022)))
    assert proposals_of([one])[0].key == proposals_of([one, more])[0].key


@given(st.text(max_size=60), st.text(max_size=60))
def test_whatever_was_asked_and_run_breaks_nothing(text: str, sql: str) -> None:
    for found in proposals_of([_asked(text, _sql(sql)), _asked(text, _sql(f"SELECT '{sql}'"))]):
        assert found.pattern.questions
