"""What is drafted from the shop warns of what is wrong there; what is accepted refuses it."""

from pathlib import Path

import pytest

from veridical.check.checker import Checker
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.violation import Refusal
from veridical.engines.schema_source import load_schema
from veridical.evals.gold.case import GoldSet
from veridical.onboarding.findings import Findings
from veridical.onboarding.gold import draft_gold
from veridical.onboarding.look import Look
from veridical.onboarding.project import drafted
from veridical.onboarding.proposal import State
from veridical.onboarding.review import decide, decided_ontology
from veridical.ontology.compile import compile_catalog
from veridical.ontology.model import OntologyDescriptor
from veridical.ontology.ontology_file import ontology_from, ontology_text

PROVEN = (
    "SELECT SUM(on_hand) FROM stock",
    "SELECT SUM(revenue) FROM region_sales",
    "SELECT SUM(ean) FROM product",
    "SELECT id FROM orders WHERE created_at > '2025-01-01'",
)
WARNED = (
    "SELECT SUM(total) FROM orders",
    "SELECT currency, SUM(total) FROM orders GROUP BY currency",
    "SELECT SUM(unit_price) FROM product",
    "SELECT COUNT(*) FROM customer",
    "SELECT id FROM orders WHERE status = 'closed'",
)
RIGHT = (
    "SELECT SUM(on_hand) FROM stock WHERE day = '2025-01-30'",
    "SELECT SUM(revenue) FROM region_sales WHERE month <> 0",
    "SELECT currency, SUM(total) FROM orders WHERE status NOT IN ('void') GROUP BY currency",
    "SELECT AVG(unit_price) FROM product",
    "SELECT COUNT(*) FROM customer WHERE deleted = 0",
    "SELECT id FROM orders WHERE status = 'open'",
)


@pytest.fixture(scope="module")
def ontology(looked: Look, shop_sqlite: Path) -> OntologyDescriptor:
    return drafted("shop", looked, load_schema(str(shop_sqlite)), "sqlite")


def _verdict(ontology: OntologyDescriptor, path: Path, sql: str) -> CheckedQuery | Refusal:
    catalog = compile_catalog(load_schema(str(path)), ontology)
    return Checker(catalog, "sqlite").check(sql)


@pytest.mark.parametrize("sql", PROVEN)
def test_what_the_data_proves_is_refused(
    sql: str, ontology: OntologyDescriptor, shop_sqlite: Path
) -> None:
    assert isinstance(_verdict(ontology, shop_sqlite, sql), Refusal)


@pytest.mark.parametrize("sql", WARNED)
def test_what_is_likely_wrong_is_warned_about(
    sql: str, ontology: OntologyDescriptor, shop_sqlite: Path
) -> None:
    verdict = _verdict(ontology, shop_sqlite, sql)
    assert isinstance(verdict, CheckedQuery)
    assert verdict.warnings


@pytest.mark.parametrize("sql", RIGHT)
def test_what_is_right_passes(sql: str, ontology: OntologyDescriptor, shop_sqlite: Path) -> None:
    verdict = _verdict(ontology, shop_sqlite, sql)
    assert isinstance(verdict, CheckedQuery)
    assert not verdict.warnings


@pytest.mark.parametrize("sql", PROVEN + WARNED)
def test_what_is_accepted_refuses(
    sql: str, looked: Look, ontology: OntologyDescriptor, shop_sqlite: Path
) -> None:
    every = [each.id for each in looked.proposals]
    known = Findings(None, looked.tables)
    known.add(decide(looked.proposals, every, State.ACCEPTED, "Ada"))
    decided = decided_ontology(ontology, known)
    assert isinstance(_verdict(decided, shop_sqlite, sql), Refusal)
    assert all(not each.warns for each in decided.constraints)


def test_what_is_rejected_is_gone(
    looked: Look, ontology: OntologyDescriptor, shop_sqlite: Path
) -> None:
    known = Findings(None, looked.tables)
    unwanted = ["snapshot:stock.on_hand", "foreign_key:orders.customer_id>customer"]
    known.add(decide(looked.proposals, unwanted, State.REJECTED, "Ada"))
    decided = decided_ontology(ontology, known)
    assert isinstance(_verdict(decided, shop_sqlite, WARNED[0]), CheckedQuery)
    assert len(decided.relations) == len(ontology.relations) - 1
    assert len(decided.constraints) == len(ontology.constraints) - 1


def test_the_draft_is_read_as_it_was_written(ontology: OntologyDescriptor) -> None:
    assert ontology_from(ontology_text(ontology, ".yaml"), "ontology.yaml") == ontology


def test_rows_that_may_not_count_are_shown_apart_until_somebody_decides(
    looked: Look, ontology: OntologyDescriptor, shop_sqlite: Path
) -> None:
    open_ = {each.intent for each in ontology.canonical_patterns if "ORDERS" in each.intent}
    assert open_ == {"SPLIT_ORDERS_TOTAL", "COUNT_SPLIT_ORDERS"}
    accepted = decide(looked.proposals, ["uncounted:orders.status"], State.ACCEPTED, "Ada")
    again = Look(looked.tables, tuple(accepted))
    decided = drafted("shop", again, load_schema(str(shop_sqlite)), "sqlite")
    calls = {each.intent: str(each.pattern) for each in decided.canonical_patterns}
    expected = {"TOTAL_ORDERS_TOTAL", "YEAR_ORDERS_TOTAL", "TREND_ORDERS_TOTAL", "COUNT_ORDERS"}
    assert expected <= set(calls)
    assert all("void" in calls[intent] for intent in expected)


def test_states_are_asked_at_a_day_and_prices_by_their_mean(ontology: OntologyDescriptor) -> None:
    calls = {each.intent: str(each.pattern) for each in ontology.canonical_patterns}
    assert {"NOW_STOCK_ON_HAND", "DAY_STOCK_ON_HAND", "MONTH_ENDS_STOCK_ON_HAND"} <= set(calls)
    assert {"MEAN_PRODUCT_UNIT_PRICE", "COUNT_CUSTOMER"} <= set(calls)
    assert all('"day"' in call for intent, call in calls.items() if "ON_HAND" in intent)
    assert not any("SUM" in call for intent, call in calls.items() if "UNIT_PRICE" in intent)


def test_gold_questions_can_be_read(ontology: OntologyDescriptor) -> None:
    from datetime import date

    from veridical.contracts.language import Language

    for language in Language:
        gold = draft_gold(ontology, language, "sqlite", date(2026, 1, 2))
        assert gold is not None
        assert len(GoldSet.model_validate(gold).cases) == len(ontology.canonical_patterns)
