import pytest

from veridical.contracts.language import Language
from veridical.onboarding.entity_nouns import drafted_nouns
from veridical.onboarding.labels import drafted_label
from veridical.ontology.model import Gender


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("due_date", "due date"),
        ("DueDate", "due date"),
        ("DUE_DATE", "due date"),
        ("VATNumber", "VAT number"),
        ("amount", ""),
        ("到期日", ""),
        ("kunden_nummer", "Kundennummer"),
        ("RechnungsDatum", "Rechnungsdatum"),
        ("kunden_nr", "Kunden-Nr."),
        ("faelligkeitsdatum", "Fälligkeitsdatum"),
        ("letzte_aenderung", "Letzte Änderung"),
        ("aktuelle_steuer", "Aktuelle Steuer"),
        ("position_id", "position id"),
    ],
)
def test_a_name_is_made_readable(name: str, label: str) -> None:
    assert drafted_label(name) == label


@pytest.mark.parametrize("table", ["invoices", "dim_invoice", "Rechnungen", "发票"])
def test_a_common_thing_is_known_in_all_languages(table: str) -> None:
    found = drafted_nouns(table)
    assert (found[Language.EN].one, found[Language.EN].many) == ("invoice", "invoices")
    german = found[Language.DE]
    assert (german.one, german.many, german.gender) == ("Rechnung", "Rechnungen", Gender.FEMININE)
    assert (found[Language.ZH].one, found[Language.ZH].counter) == ("发票", "张")


@pytest.mark.parametrize(
    ("table", "language", "one", "many"),
    [
        ("sales_orders", Language.EN, "sales order", "sales orders"),
        ("sessions", Language.EN, "session", "sessions"),
        ("salesperson", Language.EN, "salesperson", "salespersons"),
        ("kundenauftraege", Language.DE, "Kundenauftrag", "Kundenaufträge"),
        ("mahnungen", Language.DE, "Mahnung", "Mahnungen"),
        ("销售发票", Language.ZH, "销售发票", ""),
    ],
)
def test_another_thing_is_known_in_the_language_of_its_name(
    table: str, language: Language, one: str, many: str
) -> None:
    found = drafted_nouns(table)
    assert set(found) == {language}
    assert (found[language].one, found[language].many) == (one, many)


def test_what_is_not_counted_has_no_noun() -> None:
    assert drafted_nouns("stock") == {}
