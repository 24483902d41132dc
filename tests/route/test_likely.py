from datetime import date

import pytest

from veridical.contracts.language import Language
from veridical.ontology.pack import load_pack
from veridical.route.likely import MOST, likely_patterns
from veridical.route.pattern_index import index_patterns

INDEX = index_patterns(load_pack("trustee").ontology)
TODAY = date(2026, 3, 15)


def near(text: str, language: Language) -> list[str]:
    return [str(each) for each in likely_patterns(text, INDEX, language, TODAY)]


@pytest.mark.parametrize(
    ("text", "language", "first"),
    [
        ("Was kostete 2025 die Miete?", Language.DE, "EXPENSE_OF_YEAR(group=Premises)"),
        ("Wie viel Lohnaufwand hatten wir 2024?", Language.DE, "EXPENSE_OF_YEAR(group=Wages)"),
        ("Wie hoch sind die offenen Debitoren insgesamt?", Language.DE, "OPEN_RECEIVABLES"),
        ("What did the bank accounts show at the end of 2024?", Language.EN,
         "BANK_BALANCE_AT_YEAR_END"),
        ("How many suppliers do we deal with these days?", Language.EN,
         "NUMBER_OF_CONTACTS(contactType=Supplier)"),
        ("请问公司2025年的净利润大概是多少呢", Language.ZH, "PROFIT_OF_YEAR"),
    ],
)  # fmt: skip
def test_the_question_that_is_meant_comes_first(text: str, language: Language, first: str) -> None:
    assert near(text, language)[0] == first


def test_a_value_without_a_place_speaks_against_a_question() -> None:
    assert near("Soll und Haben auf Konto 1020 für 2025?", Language.DE)[0] == (
        "ACCOUNT_TURNOVER_OF_YEAR(account=1020)"
    )


@pytest.mark.parametrize(
    ("text", "language"),
    [("Wie wird das Wetter morgen?", Language.DE), ("", Language.EN), ("12345", Language.EN)],
)
def test_what_is_far_from_everything_is_near_to_nothing(text: str, language: Language) -> None:
    assert near(text, language) == []


def test_there_are_never_more_than_a_model_can_look_at() -> None:
    asked = "Saldo Konto Bank Kasse Umsatz Gewinn Aufwand Kunden Rechnungen Buchungen 2025"
    assert 1 <= len(near(asked, Language.DE)) <= MOST


def test_what_was_tried_gives_way_to_what_comes_next() -> None:
    asked = "Wie hoch waren die Löhne im Jahr 2024 (Konto 5000)?"
    wages, *rest = near(asked, Language.DE)
    assert wages == "EXPENSE_OF_YEAR(group=Wages)"
    tried = frozenset({"EXPENSE_OF_YEAR"})
    others = likely_patterns(asked, INDEX, Language.DE, TODAY, without=tried)
    assert rest
    assert [str(each) for each in others] == rest
