"""What counts in a figure, as far as data shows: states, events, empty answers, days of a zone."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from veridical.check.checker import Checker
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.language import Language
from veridical.contracts.schema import Schema
from veridical.contracts.violation import Refusal
from veridical.engines.sqlite import Sqlite
from veridical.onboarding.budget import Budget
from veridical.onboarding.decisions import open_decisions
from veridical.onboarding.draft import draft_ontology
from veridical.onboarding.findings import Findings
from veridical.onboarding.look import Look, look_at
from veridical.onboarding.profile import TableProfile
from veridical.onboarding.proposal import Proposal, ProposalKind, State
from veridical.onboarding.review import decide, decided_ontology
from veridical.onboarding.wording import evidence_of, proposal_text, stake_of
from veridical.ontology.compile import compile_catalog
from veridical.ontology.model import Percent

_TABLES = """
CREATE TABLE customer (customer_id INTEGER PRIMARY KEY, kind TEXT);
CREATE TABLE payment (payment_id INTEGER PRIMARY KEY, customer_id INTEGER, paid_at TEXT,
  value_date TEXT, amount REAL, discount_pct REAL);
CREATE TABLE transfer (transfer_id INTEGER PRIMARY KEY, sent_at TEXT, sent_on TEXT, ccy TEXT,
  amount REAL);
CREATE TABLE fx_rate (rate_month TEXT, ccy TEXT, eur_per_unit REAL, PRIMARY KEY (rate_month, ccy));
CREATE TABLE ticket (ticket_id INTEGER PRIMARY KEY, opened_at TEXT);
CREATE TABLE ticket_event (event_id INTEGER PRIMARY KEY, ticket_id INTEGER, event_type TEXT,
  event_at TEXT);
CREATE TABLE invitation (invitation_id INTEGER PRIMARY KEY, responded INTEGER, opened INTEGER);
"""
_TIMES = [datetime(2025, 1, 1, tzinfo=UTC) + timedelta(hours=7 * n) for n in range(400)]
_NEW = frozenset(
    {
        ProposalKind.UNCOUNTED,
        ProposalKind.LOCAL_DAYS,
        ProposalKind.EMPTY_COUNTS,
        ProposalKind.EVENTS,
        ProposalKind.CONVERSION,
    }
)
WARNED = (
    "SELECT COUNT(*) FROM customer",
    "SELECT SUM(p.amount) FROM payment p JOIN customer c ON c.customer_id = p.customer_id",
    "SELECT SUM(amount) FROM payment WHERE substr(paid_at, 1, 10) = '2025-03-01'",
    "SELECT AVG(responded) FROM invitation",
)
RIGHT = (
    "SELECT COUNT(*) FROM customer WHERE kind NOT IN ('TEST')",
    "SELECT ccy, SUM(amount) FROM transfer WHERE sent_on = '2025-03-01' GROUP BY ccy",
    "SELECT AVG(opened) FROM invitation",
)


@pytest.fixture(scope="module")
def looked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Look, Schema]:
    place = tmp_path_factory.mktemp("counting")
    zone = ZoneInfo("Europe/Berlin")
    with closing(sqlite3.connect(place / "c.db")) as connection:
        connection.executescript(_TABLES)
        many = connection.executemany
        many(
            "INSERT INTO customer VALUES (?, ?)",
            [(n, "TEST" if n % 9 == 0 else "REAL") for n in range(1, 41)],
        )
        many(
            "INSERT INTO payment VALUES (?, ?, ?, ?, ?, ?)",
            [
                (n, 1 + n % 40, f"{at:%Y-%m-%d %H:%M:%S}", f"{at.astimezone(zone):%Y-%m-%d}",
                 n * 1.25, n % 30)
                for n, at in enumerate(_TIMES, 1)
            ],
        )  # fmt: skip
        many(
            "INSERT INTO transfer VALUES (?, ?, ?, ?, ?)",
            [
                (
                    n,
                    f"{at:%Y-%m-%d %H:%M:%S}",
                    f"{at:%Y-%m-%d}",
                    ("EUR", "CHF", "USD")[n % 3],
                    n * 1.5,
                )
                for n, at in enumerate(_TIMES, 1)
            ],
        )
        many(
            "INSERT INTO fx_rate VALUES (?, ?, ?)",
            [
                (f"2025-{month:02}", ccy, rate + month / 1000)
                for month in range(1, 13)
                for ccy, rate in (("CHF", 1.05), ("USD", 0.9))
            ],
        )
        many(
            "INSERT INTO ticket VALUES (?, ?)",
            [(n, f"{at:%Y-%m-%d %H:%M:%S}") for n, at in enumerate(_TIMES[:60], 1)],
        )
        many(
            "INSERT INTO ticket_event VALUES (?, ?, ?, ?)",
            [
                (n, 1 + n % 60, ("OPENED", "RESOLVED")[n // 60 % 2], f"{at:%Y-%m-%d %H:%M:%S}")
                for n, at in enumerate(_TIMES[:300], 1)
            ],
        )
        many(
            "INSERT INTO invitation VALUES (?, ?, ?)",
            [(n, (0, 1, None)[n % 3], n % 2) for n in range(1, 91)],
        )
        connection.commit()
    with closing(Sqlite(place / "c.db")) as database:
        look = look_at(database, place / "project", Budget(), lambda _done, _of: None)
        return look, database.reflect()


def _found(look: Look) -> dict[str, Proposal]:
    return {each.id: each for each in look.proposals if each.kind in _NEW}


def test_what_data_shows_is_proposed_and_nothing_else(looked: tuple[Look, Schema]) -> None:
    assert set(_found(looked[0])) == {
        "uncounted:customer.kind",
        "uncounted:payment.customer_id>customer",
        "local_days:payment.paid_at>payment",
        "empty_counts:invitation.responded",
        "events:ticket_event.ticket_id>ticket",
        "conversion:transfer.amount>fx_rate",
    }
    assert _found(looked[0])["local_days:payment.paid_at>payment"].values == ("Europe/Berlin",)


@pytest.mark.parametrize("language", list(Language))
def test_each_is_a_decision_with_its_figures(
    looked: tuple[Look, Schema], language: Language
) -> None:
    decided = {each.id: each for each in open_decisions(looked[0].proposals)}
    for id_, each in _found(looked[0]).items():
        assert id_ in decided
        texts = (
            proposal_text(each, language),
            evidence_of(each, language),
            stake_of(each, language),
        )
        assert all(texts)
        assert not any("{" in text for text in texts)


@pytest.mark.parametrize("sql", WARNED)
def test_until_somebody_decides_it_only_warns(looked: tuple[Look, Schema], sql: str) -> None:
    verdict = _checker(looked, State.OPEN).check(sql)
    assert isinstance(verdict, CheckedQuery)
    assert verdict.warnings


@pytest.mark.parametrize("sql", RIGHT)
def test_right_statements_pass(looked: tuple[Look, Schema], sql: str) -> None:
    for state in (State.OPEN, State.ACCEPTED):
        verdict = _checker(looked, state).check(sql)
        assert isinstance(verdict, CheckedQuery)
        assert not verdict.warnings


def test_a_state_that_may_count_warns_of_nothing() -> None:
    table = TableProfile(name="claim", rows=9, seen=9)
    proposal = Proposal(
        kind=ProposalKind.UNCOUNTED,
        table="claim",
        columns=("status",),
        values=("rejected",),
        confidence=0.6,
    )
    assert not draft_ontology("c", {"claim": table}, [proposal]).constraints
    accepted = proposal.model_copy(update={"state": State.ACCEPTED})
    (constraint,) = draft_ontology("c", {"claim": table}, [accepted]).constraints
    assert constraint.condition == "\"status\" NOT IN ('rejected')"


def test_what_is_accepted_refuses(looked: tuple[Look, Schema]) -> None:
    assert isinstance(_checker(looked, State.ACCEPTED).check(WARNED[0]), Refusal)


def test_accepted_rates_join_the_unit(looked: tuple[Look, Schema]) -> None:
    look, _ = looked
    before = draft_ontology("c", look.tables, look.proposals)
    known = Findings(None, look.tables)
    known.add(decide(look.proposals, ["conversion:transfer.amount>fx_rate"], State.ACCEPTED, "Ada"))
    for ontology in (
        draft_ontology("c", look.tables, known.proposals),
        decided_ontology(before, known),
    ):
        (unit,) = (each for each in ontology.constraints if each.applies_to == "transfer.amount")
        assert unit.conversion is not None
        assert unit.conversion.rate == "fx_rate.eur_per_unit"
        assert unit.conversion.day == "substr(sent_on, 1, 7)"
        assert unit.conversion.base == ("EUR",)
    assert all(each.conversion is None for each in before.constraints)


def test_percents_have_their_scale(looked: tuple[Look, Schema]) -> None:
    ontology = draft_ontology("c", looked[0].tables, looked[0].proposals)
    fields = {each.name: each.percent for entity in ontology.entities for each in entity.fields}
    assert fields["discount_pct"] is Percent.POINTS
    assert fields["amount"] is None


def _checker(looked: tuple[Look, Schema], state: State) -> Checker:
    look, schema = looked
    proposals = [
        each.model_copy(update={"state": state}) if each.kind in _NEW else each
        for each in look.proposals
    ]
    ontology = draft_ontology("c", look.tables, proposals)
    return Checker(compile_catalog(schema, ontology), "sqlite")
