import pytest

from tests.facts.flights import DELAYS, FLIGHTS, INVOICES, exact, table_of
from tests.ontology.judged import with_field
from veridical.contracts.language import Language
from veridical.evidence.dimension import Quantity
from veridical.evidence.table import EvidenceTable
from veridical.ontology.model import Favourable

TABLE = table_of(FLIGHTS, DELAYS)


def column(table: EvidenceTable, name: str):
    at = table.column(name)
    assert at is not None
    return table.columns[at]


def test_a_column_carries_what_its_owner_says() -> None:
    delay, load, freight = (column(TABLE, name) for name in ("dly_min", "load", "freight"))
    assert delay.called(Language.DE) == "Verspätung"
    assert delay.favourable is Favourable.DOWN
    assert load.decimals == 0
    assert load.dimension is not None
    assert (load.dimension.quantity, load.dimension.factor) == (Quantity.SHARE, 0.01)
    assert freight.dimension is not None
    assert freight.dimension.factor == 1000


def test_an_average_under_another_name_is_not_called_as_what_it_is_of() -> None:
    sql = "SELECT carrier, AVG(dly_min) AS typical FROM flight GROUP BY carrier"
    table = table_of(sql, [("LX", 20.0), ("OS", 5.0)])
    assert column(table, "typical").label == ""
    assert column(table, "typical").favourable is Favourable.DOWN
    assert column(table, "carrier").called(Language.ZH) == "airline"
    assert not table.nouns
    assert not table.judgements


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        (Language.EN, "Of the 3 of 4 flights that have a value, LX2 has the highest delay: "
                      "45 minutes."),
        (Language.DE, "Den höchsten Wert von Verspätung hat LX2: 45 Minuten. Verglichen wurden "
                      "die 3 von 4 Flügen mit einem Wert."),
        (Language.ZH, "4个航班中有值的3个中，LX2的延误最高：45分钟。"),
    ],
)  # fmt: skip
def test_a_label_is_in_the_readers_language(language: Language, sentence: str) -> None:
    assert exact({"say": "top", "measure": "dly_min"}, TABLE, language) == sentence


def test_without_a_label_of_the_language_the_column_has_its_own_name() -> None:
    fact = {"say": "value", "row": "LX2", "measure": "load"}
    assert exact(fact, TABLE) == "For LX2, load factor is 60%."
    assert exact(fact, TABLE, Language.ZH) == "LX2：load为60%。"


def test_figures_have_the_decimals_and_the_scale_of_their_owner() -> None:
    shown = exact({"say": "value", "row": "LX1", "measures": ["load", "freight"]}, TABLE)
    assert shown == "For LX1, load factor is 50% and freight is 1.5 t."
    mean = exact({"say": "total", "agg": "avg", "measure": "load"}, TABLE)
    assert mean == "Over all 4 flights, the average load factor is 65%."


def test_a_bare_figure_in_thousands_is_written_out() -> None:
    plain = table_of(FLIGHTS, DELAYS, with_field("freight", unit=None))
    assert exact({"say": "value", "row": "LX1", "measure": "freight"}, plain) == (
        "For LX1, freight is 1,500."
    )


@pytest.mark.parametrize(
    ("language", "some", "one", "none"),
    [
        (Language.EN, "For 2 of 3 invoices, amount is above €100.", "The number of invoices is 1.",
         "For none of the 3 invoices, amount is above €900."),
        (Language.DE, "Für 2 von 3 Rechnungen gilt: amount ist über 100 €.",
         "Die Anzahl der Rechnungen ist 1.",
         "Für keine der 3 Rechnungen gilt: amount ist über 900 €."),
        (Language.ZH, "3张发票中有2张满足“amount高于100欧元”。", "发票数为1。",
         "3张发票中没有一张满足“amount高于900欧元”。"),
    ],
)  # fmt: skip
def test_rows_are_called_by_their_noun(language: Language, some: str, one: str, none: str) -> None:
    rows = [("A", "2026-10-01", None, 100.0), ("B", "2026-10-02", None, 200.0),
            ("C", "2026-12-01", None, 300.0)]  # fmt: skip
    table = table_of(INVOICES, rows)
    assert exact({"say": "count", "where": "amount > 100"}, table, language) == some
    assert exact({"say": "count", "where": "amount > 900"}, table, language) == none
    assert exact({"say": "count"}, table_of(INVOICES, rows[:1]), language) == one


def test_rows_that_are_no_entity_stay_entries() -> None:
    joined = (
        "SELECT flight.number, dly_min FROM flight JOIN invoice ON flight.number = invoice.number"
    )
    table = table_of(joined, [("LX1", 10.0), ("LX2", 20.0)])
    assert exact({"say": "count"}, table) == "The number of entries is 2."
