from datetime import date
from typing import Any

import pytest

from veridical.contracts.language import Language
from veridical.contracts.result import Emptiness, Receipt
from veridical.packs.trustee import pack
from veridical.route.patterns import MissingSlot, PatternMatch, index_patterns, match_pattern
from veridical.route.render import MOST_LINES, render_answer, render_question, write_answer

TODAY = date(2026, 1, 20)
INDEX = index_patterns(pack.ontology)
DE, EN, ZH = Language.DE, Language.EN, Language.ZH


def receipt(rows: int, emptiness: Emptiness | None = None, truncated: bool = False) -> Receipt:
    return Receipt(
        call_id="c", query_hash="q", ontology_hash="o", sql="", row_count=rows,
        truncated=truncated, emptiness=emptiness, elapsed_ms=0.1,
    )  # fmt: skip


def answer(
    question: str,
    language: Language,
    columns: list[str],
    rows: list[list[Any]],
    emptiness: Emptiness | None = None,
    truncated: bool = False,
) -> str:
    match = match_pattern(question, INDEX, language, TODAY)
    assert isinstance(match, PatternMatch)
    return render_answer(match, columns, rows, receipt(len(rows), emptiness, truncated), language)


def test_one_figure_is_one_sentence_in_each_language() -> None:
    columns, rows = ["currency", "revenue"], [["CHF", 1234567.5]]
    assert answer("Umsatz 2025", DE, columns, rows) == "Umsatz 2025: 1'234'567.50 CHF"
    assert answer("Revenue 2025", EN, columns, rows) == "Revenue in 2025: 1,234,567.50 CHF"
    assert answer("2025年营业收入", ZH, columns, rows) == "2025年营业收入：1,234,567.50 CHF"


def test_rows_are_lines_and_units_stay_apart() -> None:
    columns = ["accountNumber", "closingBalance", "currency"]
    rows = [["1020", 10.0, "CHF"], ["1022", -20.25, "EUR"]]
    assert answer("Bank balance at the end of 2024", EN, columns, rows).splitlines() == [
        "Bank balance as of 31 December 2024:",
        "- 1020: 10.00 CHF",
        "- 1022: -20.25 EUR",
    ]


def test_what_the_title_says_is_not_said_twice() -> None:
    columns = ["accountNumber", "closingBalance", "currency"]
    text = answer("Saldo Konto 1020 Ende März 2025", DE, columns, [["1020", 5.0, "CHF"]])
    assert text == "Saldo von Konto 1020 per 31.03.2025 (Soll positiv): 5.00 CHF"


def test_days_and_several_figures_are_told_apart() -> None:
    columns = ["bookingDate", "text", "debitAmount", "creditAmount", "currency"]
    text = answer(
        "Zeige die Buchungen auf Konto 6000 im März 2025", DE, columns,
        [[1740787200, "Miete", 1000.0, 0.0, "CHF"]],
    )  # fmt: skip
    assert text.splitlines()[1] == "- 01.03.2025 · Miete: Soll 1'000.00 CHF, Haben 0.00 CHF"


def test_a_count_has_no_cents_and_none_is_said_as_zero() -> None:
    assert answer("Anzahl Kunden", DE, ["contacts"], [[1300]]) == "Anzahl Kontakte (Kunde): 1'300"
    none = answer("Anzahl Kunden", DE, ["contacts"], [[0]], Emptiness.NO_MATCH)
    assert none == "Anzahl Kontakte (Kunde): 0"


@pytest.mark.parametrize("language", list(Language))
def test_forbidden_is_never_shown_as_none(language: Language) -> None:
    question = {DE: "Umsatz 2025", EN: "Revenue 2025", ZH: "2025年营业收入"}[language]
    texts = {
        emptiness: answer(question, language, ["currency", "revenue"], [], emptiness)
        for emptiness in (
            Emptiness.NO_MATCH,
            Emptiness.NOT_PERMITTED,
            Emptiness.VALUE_UNKNOWN,
        )
    }
    assert len(set(texts.values())) == 3
    assert all("2025" in text for text in texts.values())


def test_truncation_is_said_unless_it_was_asked_for() -> None:
    rows = [[f"Kunde {number}", "Bern"] for number in range(30)]
    text = answer("Zeige alle Kunden", DE, ["name", "city"], rows, Emptiness.TRUNCATED, True)
    assert len(text.splitlines()) == 1 + MOST_LINES + 2
    assert "10 weitere" in text
    assert "mehr als die 30" in text
    columns = ["entryNumber", "bookingDate", "text", "totalAmount", "currency"]
    top = answer(
        "Top 1 Buchungen 2025", DE, columns, [[7, 1740787200, "Miete", 9.0, "CHF"]],
        Emptiness.TRUNCATED, True,
    )  # fmt: skip
    assert "mehr als" not in top


def test_a_running_year_is_said_to_run() -> None:
    text = answer("Revenue 2026", EN, ["currency", "revenue"], [["CHF", 1.0]])
    assert "to date" in text


def test_the_question_back_fits_what_is_missing() -> None:
    def back(text: str, language: Language) -> tuple[str, tuple[str, ...]]:
        missing = match_pattern(text, INDEX, language, TODAY)
        assert isinstance(missing, MissingSlot)
        return render_question(missing, language, TODAY)

    assert back("Umsatz", DE) == ("Für welches Jahr?", ("2025", "2024"))
    assert back("What is the bank balance?", EN) == (
        "As of which date?",
        ("31 December 2025", "31 December 2024"),
    )
    assert back("Exchange rate at the end of June 2025", EN) == (
        "Which one do you mean: currency?",
        ("EUR", "USD"),
    )
    assert back("Die grössten Buchungen 2025", DE)[1] == ("10", "5")


@pytest.mark.parametrize("text", ["Umsatz", "What is the bank balance?"])
def test_each_suggested_answer_settles_the_question(text: str) -> None:
    language = DE if text == "Umsatz" else EN
    missing = match_pattern(text, INDEX, language, TODAY)
    assert isinstance(missing, MissingSlot)
    _, suggested = render_question(missing, language, TODAY)
    for each in suggested:
        assert isinstance(match_pattern(f"{text} {each}", INDEX, language, TODAY), PatternMatch)


def test_each_piece_tells_its_cell_or_what_was_asked() -> None:
    match = match_pattern("Saldo Konto 1020 Ende März 2025", INDEX, DE, TODAY)
    assert isinstance(match, PatternMatch)
    columns, rows = ["accountNumber", "closingBalance", "currency"], [["1020", 5.0, "CHF"]]
    parts = write_answer(match, columns, rows, receipt(1), DE).parts
    assert [(part.text, part.row, part.column, part.units) for part in parts if part.row >= 0] == [
        ("5.00 CHF", 0, 1, (2,))
    ]
    assert [
        (part.text, part.from_question) for part in parts if part.from_question is not None
    ] == [
        ("1020", "1020"),
        ("31.03.2025", match.period),
    ]
