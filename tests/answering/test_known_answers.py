"""Answers to known questions: a title and facts about the rows, in each language."""

from datetime import date
from typing import Any

import pytest

from veridical import compile_catalog
from veridical.contracts.answer import Source
from veridical.contracts.facts_answer import State
from veridical.contracts.language import Language
from veridical.contracts.result import Emptiness, Receipt
from veridical.evidence.read import typed_tables
from veridical.facts.answer import Stated
from veridical.facts.compose import composed
from veridical.gate.evidence.source import exhibit_of, meaning_of
from veridical.packs.trustee import pack
from veridical.route.patterns import PatternMatch, index_patterns, match_pattern
from veridical.route.render import known_question

TODAY = date(2026, 1, 20)
INDEX = index_patterns(pack.ontology)
MEANING = meaning_of(pack.ontology, compile_catalog(pack.schema, pack.ontology))
DE, EN, ZH = Language.DE, Language.EN, Language.ZH
AMOUNT = ["currency", "revenue"]


def stated(
    question: str,
    language: Language,
    columns: list[str],
    rows: list[list[Any]],
    emptiness: Emptiness | None = None,
) -> Stated:
    match = match_pattern(question, INDEX, language, TODAY)
    assert isinstance(match, PatternMatch)
    receipt = Receipt(
        call_id="c", query_hash="q", ontology_hash="o", sql="", row_count=len(rows),
        truncated=emptiness is Emptiness.TRUNCATED, emptiness=emptiness, elapsed_ms=0.1,
    )  # fmt: skip
    source = Source(
        tool=match.tool,
        arguments=match.arguments,
        columns=tuple(columns),
        rows=tuple(map(tuple, rows)),
        receipt=receipt,
        known=known_question(match, language),
    )
    found = composed(typed_tables(exhibit_of(source, MEANING)), question, language)
    assert found.accepted, found.refused
    assert {each.state for each in found.sentences} == {State.EXACT}
    return found


def answer(*asked: Any) -> str:
    return stated(*asked).text


def test_one_figure_is_one_line_in_each_language() -> None:
    rows = [["CHF", 1234567.5]]
    assert answer("Umsatz 2025", DE, AMOUNT, rows) == "Umsatz 2025: 1'234'567.50 CHF"
    assert answer("Revenue 2025", EN, AMOUNT, rows) == "Revenue in 2025: CHF 1,234,567.50"
    assert answer("2025年营业收入", ZH, AMOUNT, rows) == "2025年营业收入：1,234,567.50瑞士法郎"


def test_a_figure_is_a_fact_with_its_cell() -> None:
    found = stated("Umsatz 2025", DE, AMOUNT, [["CHF", 1234567.5]])
    (sentence,) = found.sentences
    (slot,) = sentence.slots
    assert sentence.text[slot.start : slot.end] == "1'234'567.50 CHF"
    (touched,) = found.facts[slot.fact].cells
    assert (touched.rows, touched.columns) == ((0,), {"revenue"})


def test_rows_are_a_table_under_the_title() -> None:
    columns = ["accountNumber", "closingBalance", "currency"]
    rows = [["1022", -20.25, "EUR"], ["1020", 10.0, "CHF"]]
    assert answer("Bank balance at the end of 2024", EN, columns, rows).splitlines() == [
        "Bank balance as of 31 December 2024:",
        "",
        "| Account | Balance |",
        "| --- | --- |",
        "| 1022 | −€20.25 |",
        "| 1020 | CHF 10.00 |",
    ]


def test_amounts_of_several_currencies_are_lines() -> None:
    columns, rows = ["currency", "sum_openAmount"], [["CHF", 5.5], ["EUR", 7.25]]
    text = answer("How much is outstanding on customer invoices?", EN, columns, rows)
    assert text == "Outstanding on customer invoices:\n\n- CHF 5.50\n- €7.25"


def test_the_title_is_not_repeated() -> None:
    columns = ["accountNumber", "closingBalance", "currency"]
    text = answer("Saldo Konto 1020 Ende März 2025", DE, columns, [["1020", 5.0, "CHF"]])
    assert text == "Saldo von Konto 1020 per 31.03.2025 (Soll positiv): 5 CHF"


def test_a_row_that_the_question_names_is_not_the_only_one() -> None:
    columns = ["periodYear", "closingBalance", "currency"]
    rows = [[2022, 1.5, "CHF"], [2023, 2.5, "CHF"], [2024, 4.5, "CHF"]]
    text = answer("Saldo von Konto 1020 je Jahr seit 2022", DE, columns, rows)
    assert "| 2023 | 2.50 CHF |" in text
    assert "gestiegen" in text


def test_several_figures_are_labelled() -> None:
    columns = ["accountNumber", "debitTotal", "creditTotal", "currency"]
    asked = "Wie hoch waren Soll-Umsatz und Haben-Umsatz auf Konto 1020 im Jahr 2025?"
    text = answer(asked, DE, columns, [["1020", 1.5, 2.5, "CHF"]])
    assert text.endswith("im Jahr 2025:\n\n- Soll: 1.50 CHF\n- Haben: 2.50 CHF")


def test_a_count_of_none_is_zero() -> None:
    asked = ("Anzahl Kunden", DE, ["contacts"])
    assert answer(*asked, [[1300]]) == "Anzahl Kontakte (Kunde): 1.300"
    assert answer(*asked, [[0]], Emptiness.NO_MATCH) == "Anzahl Kontakte (Kunde): 0"


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("rows", [[], [["CHF", 0.0]], [[None, None]]])
def test_forbidden_is_never_shown_as_none(language: Language, rows: list[list[Any]]) -> None:
    question = {DE: "Umsatz 2025", EN: "Revenue 2025", ZH: "2025年营业收入"}[language]
    kinds = (Emptiness.NOT_PERMITTED, Emptiness.VALUE_UNKNOWN)
    texts = {answer(question, language, AMOUNT, rows, each) for each in kinds}
    texts.add(answer(question, language, AMOUNT, [], Emptiness.NO_MATCH))
    assert len(texts) == 3
    assert all("2025" in text and "0" not in text.replace("2025", "") for text in texts)


def test_a_sum_over_nothing_is_nothing() -> None:
    text = answer("Umsatz 2025", DE, AMOUNT, [[None, None]], Emptiness.NO_MATCH)
    assert text == "Umsatz 2025: Dazu ist nichts erfasst."


def test_truncation_is_stated_unless_it_was_asked_for() -> None:
    rows = [[f"Kunde {number}", "Bern"] for number in range(40)]
    text = answer("Zeige alle Kunden", DE, ["name", "city"], rows, Emptiness.TRUNCATED)
    assert "**40** Einträge" in text
    assert text.count("| Kunde ") == 30
    assert "die ersten 40 Einträge" in text
    columns = ["entryNumber", "bookingDate", "text", "totalAmount", "currency"]
    booked = [[7, 1740787200, "Miete", 9.0, "CHF"], [8, 1740787200, "Lohn", 8.0, "CHF"]]
    top = answer("Top 2 Buchungen 2025", DE, columns, booked, Emptiness.TRUNCATED)
    assert top.startswith("Die 2 grössten Buchungen 2025:\n\n| Nr. |")
    assert top.endswith("|")


def test_old_and_unfinished_figures_are_noted() -> None:
    rows = [["CHF", 1.0]]
    assert "to date" in answer("Revenue 2026", EN, AMOUNT, rows)
    assert "not up to date" in answer("Revenue 2025", EN, AMOUNT, rows, Emptiness.STALE)
