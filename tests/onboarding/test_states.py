"""States with their openings, periods, units by name and flags: found in data, and what follows."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from veridical.check.checker import Checker
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.schema import Schema
from veridical.contracts.violation import Refusal
from veridical.engines.sqlite import Sqlite
from veridical.onboarding.budget import Budget
from veridical.onboarding.draft import draft_ontology
from veridical.onboarding.look import Look, look_at
from veridical.onboarding.proposal import Proposal, ProposalKind, State
from veridical.ontology.compile import compile_catalog
from veridical.ontology.model import ConstraintRule, OntologyDescriptor

_TABLES = """
CREATE TABLE app_currency (currency TEXT PRIMARY KEY, title TEXT);
CREATE TABLE app_account (account_id INTEGER PRIMARY KEY, title TEXT, is_active INTEGER);
CREATE TABLE app_balance (
    account_id INTEGER REFERENCES app_account, year INTEGER, month INTEGER,
    opening_balance REAL, closing_balance REAL, debit REAL, currency TEXT,
    PRIMARY KEY (account_id, year, month));
CREATE TABLE app_trade (
    trade_id INTEGER PRIMARY KEY, currency TEXT, foreign_currency TEXT, amount REAL,
    foreign_amount REAL, payment_days INTEGER);
CREATE TABLE app_fx (day TEXT, currency TEXT, to_chf REAL, PRIMARY KEY (day, currency));
"""
_CODES = ("CHF", "EUR", "USD")


def _balances() -> Iterator[tuple[object, ...]]:
    for account in range(1, 13):
        held = 100.0 * account
        for year in (2023, 2024):
            for month in range(1, 13):
                change = float((account * month) % 7 - 2)
                yield account, year, month, held, held + change, change, _CODES[account % 3]
                held += change


@pytest.fixture(scope="module")
def looked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Look, Schema]:
    place = tmp_path_factory.mktemp("states")
    path: Path = place / "states.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(_TABLES)
        many = connection.executemany
        many("INSERT INTO app_currency VALUES (?, ?)", [(code, f"{code} x") for code in _CODES])
        accounts = [(n, f"Account {n}", int(n != 5)) for n in range(1, 13)]
        many("INSERT INTO app_account VALUES (?, ?, ?)", accounts)
        many("INSERT INTO app_balance VALUES (?, ?, ?, ?, ?, ?, ?)", _balances())
        trades = [
            (n, _CODES[n % 3], _CODES[1 + n % 2], n * 1.25, n * 1.5, n % 30) for n in range(1, 61)
        ]
        many("INSERT INTO app_trade VALUES (?, ?, ?, ?, ?, ?)", trades)
        days = [
            (f"2024-01-{day:02}", code, 0.9 + day / 1000) for day in range(1, 29) for code in _CODES
        ]
        many("INSERT INTO app_fx VALUES (?, ?, ?)", days)
        connection.commit()
    with closing(Sqlite(path)) as database:
        look = look_at(database, place / "project", Budget(), lambda _done, _of: None)
        return look, database.reflect()


def _found(look: Look, kind: ProposalKind, table: str) -> dict[str, Proposal]:
    return {
        each.columns[0]: each
        for each in look.proposals
        if each.kind is kind and each.table == table
    }


def _ontology(look: Look, state: State = State.OPEN) -> OntologyDescriptor:
    proposals = [each.model_copy(update={"state": state}) for each in look.proposals]
    return draft_ontology("states", look.tables, proposals)


def test_a_state_knows_what_it_began_with(looked: tuple[Look, Schema]) -> None:
    states = _found(looked[0], ProposalKind.SNAPSHOT, "app_balance")
    assert states["closing_balance"].evidence["opening"] == "opening_balance"
    assert "opening" not in states["opening_balance"].evidence


def test_parts_of_the_calendar_are_told_from_figures(looked: tuple[Look, Schema]) -> None:
    periods = _found(looked[0], ProposalKind.PERIOD, "app_balance")
    assert set(periods) == {"year", "month"}
    assert periods["month"].values == tuple(range(1, 13))
    assert all(each.proven for each in periods.values())


def test_an_amount_has_the_unit_that_is_called_like_it(looked: tuple[Look, Schema]) -> None:
    units = _found(looked[0], ProposalKind.UNIT, "app_trade")
    assert units["amount"].target_columns == ("currency",)
    assert units["foreign_amount"].target_columns == ("foreign_currency",)
    assert "payment_days" not in units


def test_a_name_before_every_table_says_nothing(looked: tuple[Look, Schema]) -> None:
    links = _found(looked[0], ProposalKind.FOREIGN_KEY, "app_trade")
    assert links["foreign_currency"].target == "app_currency"


def test_what_a_currency_is_worth_is_a_rate(looked: tuple[Look, Schema]) -> None:
    assert "to_chf" in _found(looked[0], ProposalKind.NOT_ADDITIVE, "app_fx")


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT currency, SUM(closing_balance - opening_balance) FROM app_balance"
        " WHERE year = 2024 AND month BETWEEN 1 AND 12 GROUP BY currency",
        "SELECT AVG(to_chf) FROM app_fx WHERE currency = 'EUR'",
        "SELECT SUM(t.amount * f.to_chf) FROM app_trade t"
        " JOIN app_fx f ON f.currency = t.currency AND f.day = '2024-01-05'",
        "SELECT COUNT(*) FROM app_account",
    ],
)
@pytest.mark.parametrize("state", [State.OPEN, State.ACCEPTED])
def test_what_is_right_is_not_refused(sql: str, state: State, looked: tuple[Look, Schema]) -> None:
    look, schema = looked
    catalog = compile_catalog(schema, _ontology(look, state))
    assert isinstance(Checker(catalog, "sqlite").check(sql), CheckedQuery)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT SUM(year) FROM app_balance",
        "SELECT account_id FROM app_balance WHERE year = 2024 AND month = 13",
        "SELECT SUM(amount) FROM app_trade",
        "SELECT SUM(to_chf) FROM app_fx",
    ],
)
def test_what_is_accepted_refuses(sql: str, looked: tuple[Look, Schema]) -> None:
    look, schema = looked
    catalog = compile_catalog(schema, _ontology(look, State.ACCEPTED))
    assert isinstance(Checker(catalog, "sqlite").check(sql), Refusal)


def test_who_is_inactive_still_counts(looked: tuple[Look, Schema]) -> None:
    made = [
        each
        for each in _ontology(looked[0], State.ACCEPTED).constraints
        if each.rule is ConstraintRule.REQUIRES_FILTER_ON and each.applies_to == "app_account"
    ]
    assert [each.warns for each in made] == [True]
