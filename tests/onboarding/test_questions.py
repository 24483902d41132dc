"""Known questions of states, versions, movements and lists, drafted from the data and answered."""

import asyncio
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from veridical.agent.settings import AgentSettings
from veridical.answering.flow import answer
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.caller import WHOLE, Caller, scope_of
from veridical.contracts.language import Language
from veridical.contracts.question import Question
from veridical.engines.sqlite import Sqlite
from veridical.host.runtime import open_runtime
from veridical.host.settings import FeatureSettings, RuntimeSettings
from veridical.onboarding.budget import Budget
from veridical.onboarding.display_names import column_name, table_name
from veridical.onboarding.look import Look, look_at
from veridical.onboarding.project import ONTOLOGY, QUESTIONS, address_of, drafted, write_project
from veridical.onboarding.proposal import ProposalKind
from veridical.ontology.load import load_ontology
from veridical.ontology.model import OntologyDescriptor

_TABLES = """
CREATE TABLE customer (customer_id INTEGER PRIMARY KEY, company_name TEXT, country TEXT, kind TEXT);
CREATE TABLE mrr_snapshot (month_end TEXT, customer_id INTEGER, mrr_eur REAL, seats INTEGER,
  PRIMARY KEY (month_end, customer_id));
CREATE TABLE plan_version (row_key INTEGER PRIMARY KEY, plan_id INTEGER, plan_name TEXT,
  valid_from TEXT, valid_to TEXT, seats INTEGER);
CREATE TABLE stock_daily (day TEXT, warehouse_cd TEXT, product_id INTEGER, qty_on_hand INTEGER,
  PRIMARY KEY (day, warehouse_cd, product_id));
CREATE TABLE invoice (invoice_id INTEGER PRIMARY KEY, customer_id INTEGER, invoice_date TEXT,
  currency TEXT, amount REAL, status TEXT);
CREATE TABLE shelf (shelf_id INTEGER PRIMARY KEY, bin INTEGER, product_id INTEGER);
CREATE TABLE ticket (ticket_id INTEGER PRIMARY KEY, customer_id INTEGER, opened_at TEXT);
"""
_CUSTOMERS = range(1, 31)
_MONTHS = [f"{2024 + n // 12}-{n % 12 + 1:02}-28" for n in range(24)]
_DAYS = [date(2025, 1, 1) + timedelta(n) for n in range(60)]
_COUNTRIES = ("Canada", "Germany", "Switzerland")


def _rows() -> dict[str, list[tuple[Any, ...]]]:
    return {
        "customer": [
            (n, f"Company {n}", _COUNTRIES[n % 3], "TEST" if n % 10 == 0 else "REAL")
            for n in _CUSTOMERS
        ],
        "mrr_snapshot": [
            (month, n, 100.0 + n + at, 5 + n)
            for at, month in enumerate(_MONTHS)
            for n in _CUSTOMERS
            if n % 10
        ],
        "plan_version": [
            (4 * n + v, n, f"Plan {n}", f"202{v}-01-01", f"202{v}-12-31" if v < 3 else None, n)
            for n in range(1, 13)
            for v in range(4)
        ],
        "stock_daily": [
            (day.isoformat(), warehouse, product, 100 + product + at // 20)
            for at, day in enumerate(_DAYS)
            for warehouse in ("HAM", "RTM")
            for product in range(1, 6)
            if warehouse == "HAM" or day.weekday() < 5
        ],
        "invoice": [
            (n, 1 + n % 9, f"2025-{n % 12 + 1:02}-10", ("CHF", "EUR")[n % 2], n * 1.5, "paid")
            for n in range(1, 121)
        ],
        "shelf": [(n, n % 17, n % 5) for n in range(1, 61)],
        "ticket": [(n, 1 + n % 30, f"2025-{n % 12 + 1:02}-05 10:00:00") for n in range(1, 91)],
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("saas")
    with closing(sqlite3.connect(found / "saas.db")) as connection:
        connection.executescript(_TABLES)
        for table, rows in _rows().items():
            marks = ", ".join("?" * len(rows[0]))
            connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
        connection.commit()
    return found


@pytest.fixture(scope="module")
def looked(folder: Path) -> Look:
    with closing(Sqlite(folder / "saas.db")) as database:
        return look_at(database, folder, Budget(), lambda _done, _of: None)


@pytest.fixture(scope="module")
def ontology(folder: Path, looked: Look) -> OntologyDescriptor:
    path = folder / "saas.db"
    with closing(Sqlite(path)) as database:
        found = drafted("saas", looked, database.reflect(), "sqlite")
    write_project(folder, address_of(str(path)), found, "sqlite", Language.EN)
    return found


@pytest.fixture(scope="module")
def calls(ontology: OntologyDescriptor) -> dict[str, str]:
    return {each.intent: str(each.pattern) for each in ontology.canonical_patterns}


def _answers(folder: Path, texts: Iterable[str], language: Language) -> list[Answer]:
    feature = FeatureSettings(
        name="saas", ontology=folder / ONTOLOGY, database=str(folder / "saas.db")
    )

    async def run() -> list[Answer]:
        settings = RuntimeSettings(features=(feature,), agent=AgentSettings(model=""))
        async with open_runtime(settings) as runtime:
            session = runtime.session("saas", Caller(scope_of({}, WHOLE), language=language))
            return [await answer(Question(text=text, feature="saas"), session) for text in texts]

    return asyncio.run(run())


def test_what_stands_beside_a_state_is_never_added_up_over_time(calls: dict[str, str]) -> None:
    seats = [call for intent, call in calls.items() if "MRR_SNAPSHOT_SEATS" in intent]
    assert all("MAX(" in call for call in seats)
    assert {"NOW_MRR_SNAPSHOT_MRR_EUR", "DAY_MRR_SNAPSHOT_MRR_EUR"} <= set(calls)


def test_a_number_that_may_be_anything_is_not_added_up(calls: dict[str, str]) -> None:
    assert not any("SHELF_BIN" in intent for intent in calls)


def test_the_last_report_of_a_warehouse_holds(looked: Look, calls: dict[str, str]) -> None:
    states = [each for each in looked.proposals if each.kind is ProposalKind.SNAPSHOT]
    reports = {each.table: each.evidence.get("reports") for each in states}
    assert reports["stock_daily"] == "warehouse_cd"
    assert reports["mrr_snapshot"] is None
    assert 'o."warehouse_cd" = t."warehouse_cd"' in calls["NOW_STOCK_DAILY_QTY_ON_HAND"]


def test_versions_are_counted_at_a_day(calls: dict[str, str]) -> None:
    assert '"valid_to" IS NULL OR' in calls["COUNT_NOW_PLAN_VERSION"]
    assert "COUNT_PLAN_VERSION" not in calls


def test_amounts_of_several_currencies_never_lose_their_unit(calls: dict[str, str]) -> None:
    amounts = [call for intent, call in calls.items() if "INVOICE_AMOUNT" in intent]
    assert amounts
    assert all("currency" in call for call in amounts)


def test_rows_of_test_accounts_raise_doubt_below(looked: Look, calls: dict[str, str]) -> None:
    doubted = {each.id for each in looked.proposals if each.kind is ProposalKind.UNCOUNTED}
    assert doubted == {"uncounted:customer.kind", "uncounted:ticket.customer_id>customer"}
    assert not any("TICKET" in intent for intent in calls)
    own = {intent for intent, call in calls.items() if 'FROM "customer" AS t' in call}
    assert own == {"COUNT_SPLIT_CUSTOMER"}


def test_questions_are_in_a_file_of_their_own(folder: Path, ontology: OntologyDescriptor) -> None:
    assert "canonicalPatterns" not in (folder / ONTOLOGY).read_text("utf-8")
    assert load_ontology(str(folder / ONTOLOGY)) == ontology
    only = load_ontology(str(folder / QUESTIONS))
    assert (only.entities, only.canonical_patterns) == ((), ontology.canonical_patterns)


_PLAIN = (
    (Language.EN, "What was our MRR on 31 March 2025?"),
    (Language.EN, "How many units are on hand now by warehouse?"),
    (Language.DE, "Wie hoch ist der Bestand aktuell?"),
    (Language.DE, "Wie viele Rechnungen gab es im Jahr 2025?"),
    (Language.ZH, "2025年有多少张发票？"),
)


@pytest.mark.parametrize(("language", "question"), _PLAIN)
def test_plain_words_find_them(
    folder: Path, ontology: OntologyDescriptor, language: Language, question: str
) -> None:
    (given,) = _answers(folder, (question,), language)
    assert given.kind is AnswerKind.PATTERN, given.text


def test_an_offer_says_what_it_leaves_out(folder: Path, ontology: OntologyDescriptor) -> None:
    (given,) = _answers(folder, ("How many invoices were disputed in 2025?",), Language.EN)
    assert given.kind is AnswerKind.UNKNOWN
    assert "leaves out: “disputed”" in given.text


def test_names_in_three_languages() -> None:
    assert column_name("qty_on_hand").shown[Language.DE] == "Bestand"
    assert table_name("purchase_order_header").shown[Language.EN] == "purchase orders"
    assert "渠道" in column_name("channel_cd").phrases[Language.ZH]
    assert "Lieferland" in column_name("ship_country").phrases[Language.DE]
