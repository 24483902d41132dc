import pytest

from tests.facts.flights import DELAYS, DUE, FLIGHTS, INVOICES, exact, stated, table_of
from tests.ontology.judged import LATE, with_flight
from veridical.contracts.language import Language
from veridical.facts.kernel.judged import judged_by
from veridical.facts.kernel.value import Reason
from veridical.facts.listing import list_results
from veridical.facts.prose.finding import Code

TABLE = table_of(FLIGHTS, DELAYS)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        (Language.EN, "Late (delay above 30 minutes): 2 of 4 flights."),
        (Language.DE, "Verspätet (Verspätung über 30 Minuten): 2 von 4 Flügen."),
        (Language.ZH, "晚点（延误高于30分钟）：4个航班中有2个。"),
    ],
)
@pytest.mark.parametrize("called", ["late", "verspätet", "晚点", "dly_min > 30 and late"])
def test_a_judgement_is_a_condition_by_any_of_its_names(
    called: str, language: Language, sentence: str
) -> None:
    found = exact({"say": "count", "where": called}, TABLE, language)
    if " " not in called:
        assert found == sentence
    assert stated({"say": "count", "where": called}, TABLE).facts["a"].claim.values["n"] == 2


def test_it_can_be_counted_listed_and_turned_around() -> None:
    assert exact({"say": "total", "measures": ["count(late)"]}, TABLE) == (
        "Over all 4 flights, the number of flights judged late (delay above 30 minutes) is 2."
    )
    assert exact({"say": "which", "where": "late"}, TABLE) == (
        "Late (delay above 30 minutes): 2 of 4 flights, namely LX1, LX2."
    )
    # Of a flight without a delay nobody knows.
    assert exact({"say": "count", "where": "not late"}, TABLE) == (
        "Not late (delay above 30 minutes): 1 of 4 flights."
    )
    assert exact({"say": "total", "measure": "load", "agg": "avg", "where": "late"}, TABLE) == (
        "Over the 2 of 4 flights judged late (delay above 30 minutes), "
        "the average load factor is 55%."
    )


def test_prose_that_only_says_the_name_gets_the_definition() -> None:
    found = stated({"say": "count", "where": "late"}, TABLE, answer="{a.n} flights were late.")
    assert found.text == "2 flights were late (only where late (delay above 30 minutes))."


def test_an_author_is_told_of_it() -> None:
    assert 'judgement late: "dly_min" > 30' in list_results([TABLE]).splitlines()


def test_what_is_open_is_overdue_from_the_day_on_which_it_is_asked() -> None:
    invoices = table_of(INVOICES, DUE)
    assert exact({"say": "which", "where": "overdue"}, invoices) == (
        "Overdue (due on before November 18, 2026 and no paid on): 1 of 3 invoices, namely A."
    )
    assert exact({"say": "count", "where": "not overdue"}, invoices).endswith("2 of 3 invoices.")
    assert judged_by(table_of(INVOICES, DUE, asked_on=None)) == ()


def test_a_proposal_and_what_the_result_does_not_show_are_no_conditions() -> None:
    proposed = with_flight(judgements=(LATE.model_copy(update={"proposed": True}),))
    unseen = table_of("SELECT number, load FROM flight", [("LX1", 50.0), ("LX2", 60.0)])
    for table in (table_of(FLIGHTS, DELAYS, proposed), unseen):
        refused = stated({"say": "count", "where": "late"}, table).refused
        assert [each.code for each in refused] == [Code.FACT]
        assert refused[0].reason == Reason.NO_COLUMN


def test_a_column_goes_before_a_judgement_of_its_name() -> None:
    table = table_of("SELECT number, dly_min AS late FROM flight", [("LX1", 50.0), ("LX2", 6.0)])
    assert exact({"say": "top", "measure": "late"}, table) == (
        "Of all 2 flights, LX1 has the highest delay: 50 minutes."
    )
    refused = stated({"say": "count", "where": "number = verspätet"}, table).refused
    assert refused[0].reason == Reason.SYNTAX
