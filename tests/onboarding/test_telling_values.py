"""What values tell where names say nothing: pointers, points in time, marks, parts and versions."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from veridical.engines.sqlite import Sqlite
from veridical.onboarding.budget import Budget
from veridical.onboarding.draft import draft_ontology
from veridical.onboarding.findings import Findings
from veridical.onboarding.look import Look, look_at
from veridical.onboarding.proposal import Proposal, ProposalKind
from veridical.onboarding.questions.draft import draft_patterns
from veridical.ontology.model import Cardinality, ConstraintRule, Encoding

_TABLES = """
CREATE TABLE guest (guest_no INTEGER, full_name TEXT, removed TEXT);
CREATE TABLE hall (hall_id INTEGER, hall_code TEXT, seats INTEGER);
CREATE TABLE hall_plan (hall_id INTEGER, drawn TEXT);
CREATE TABLE worker (worker_id INTEGER, guideId INTEGER, hired INTEGER, code_scans INTEGER);
CREATE TABLE booking (booking_id INTEGER, who INTEGER, from_hall TEXT, made INTEGER, total REAL);
CREATE TABLE payment_plan (booking_id INTEGER, part_no INTEGER, rate REAL);
CREATE TABLE seat_price (hall_id INTEGER, level TEXT, fee REAL, currency TEXT);
CREATE TABLE terms_revision (terms_id INTEGER, revision_no INTEGER, agreed_on TEXT, penalty REAL);
CREATE TABLE house (house_code TEXT, base_currency TEXT);
CREATE TABLE takings (house_code TEXT, day TEXT, amount REAL);
"""
_GUESTS = [40_000 + 37 * n for n in range(120)]


def _rows() -> dict[str, list[tuple[object, ...]]]:
    halls = [(n, f"H-{n * 7:03}", 80 + n) for n in range(1, 31)]
    totals = {n: float(30 + n % 40) for n in range(1, 201)}
    return {
        "guest": [(no, f"Guest {no}", "X" if no % 5 == 0 else None) for no in _GUESTS],
        "hall": [*halls],
        "hall_plan": [(n, f"plan {n}") for n in range(1, 31)],
        "worker": [
            (n, None if n < 4 else 1 + n % 9, 1_600_000_000 + n * 86_399, n * 37 % 91)
            for n in range(1, 41)
        ],
        "booking": [
            (n, _GUESTS[n * 13 % 120], f"H-{(1 + n % 30) * 7:03}", 1_700_000_000_000 + n * 7, total)
            for n, total in totals.items()
        ],
        "payment_plan": [
            (n, part, round(total / 4, 2)) for n, total in totals.items() for part in (1, 2, 3, 4)
        ],
        "seat_price": [
            (n, level, 9.5 + n + (level == "A"), "CHF" if n % 2 else "EUR")
            for n in range(1, 31)
            for level in "AB"
        ],
        "terms_revision": [
            (n, number, f"2024-{number:02}-{1 + n % 28:02}", 1.5 * number)
            for n in range(1, 41)
            for number in range(1, 2 + n % 4)
        ],
        "house": [("ALPHA", "CHF"), ("BETA", "EUR"), ("GAMMA", "USD")],
        "takings": [
            (house, f"2024-05-{day:02}", day * 3.25)
            for house in ("ALPHA", "BETA", "GAMMA")
            for day in range(1, 29)
        ],
    }


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("telling") / "house.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(_TABLES)
        for table, rows in _rows().items():
            marks = ", ".join("?" * len(rows[0]))
            connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
        connection.commit()
    return path


@pytest.fixture(scope="module")
def looked(path: Path) -> Look:
    with closing(Sqlite(path)) as database:
        return look_at(database, path.parent, Budget(), lambda _done, _of: None)


def _of(looked: Look, kind: ProposalKind) -> dict[str, Proposal]:
    found = (each for each in looked.proposals if each.kind is kind)
    return {f"{each.table}.{'+'.join(each.columns)}": each for each in found}


def test_numbers_that_leave_most_out_say_where_they_point(looked: Look) -> None:
    found = _of(looked, ProposalKind.FOREIGN_KEY)["booking.who"]
    assert (found.target, found.target_columns) == ("guest", ("guest_no",))
    assert not found.proven  # nothing in a name says so: somebody should look


def test_a_table_is_pointed_to_by_another_column_than_its_key(looked: Look) -> None:
    found = _of(looked, ProposalKind.FOREIGN_KEY)["booking.from_hall"]
    assert (found.target, found.target_columns) == ("hall", ("hall_code",))


def test_a_pointer_that_the_first_ones_lack_is_to_its_own_table(looked: Look) -> None:
    assert _of(looked, ProposalKind.FOREIGN_KEY)["worker.guideId"].target == "worker"


def test_of_two_tables_with_one_key_the_one_that_is_not_called_so_points(looked: Look) -> None:
    found = _of(looked, ProposalKind.FOREIGN_KEY)
    assert found["hall_plan.hall_id"].target == "hall"
    assert found["hall_plan.hall_id"].cardinality is Cardinality.ONE_TO_ONE
    assert "hall.hall_id" not in found


def test_numbers_of_our_days_are_points_in_time(looked: Look) -> None:
    found = _of(looked, ProposalKind.TIME_COLUMN)
    assert found["worker.hired"].encoding is Encoding.UNIX_SECONDS
    assert found["booking.made"].encoding is Encoding.UNIX_MILLISECONDS
    assert not found["worker.hired"].proven


def test_scans_of_codes_are_counted(looked: Look) -> None:
    assert "worker.code_scans" in _of(looked, ProposalKind.MEASURE)
    assert "worker.code_scans" not in _of(looked, ProposalKind.CODE)


def test_parts_of_an_amount_are_no_rates_whatever_they_are_called(looked: Look) -> None:
    assert "payment_plan.rate" in _of(looked, ProposalKind.MEASURE)
    assert "payment_plan.rate" not in _of(looked, ProposalKind.NOT_ADDITIVE)


def test_what_a_list_of_prices_asks_for_is_a_price(looked: Look) -> None:
    assert _of(looked, ProposalKind.NOT_ADDITIVE)["seat_price.fee"].reason == "price"
    assert _of(looked, ProposalKind.UNIT)["seat_price.fee"].target_columns == ("currency",)


def test_a_currency_is_known_though_none_comes_twice(looked: Look) -> None:
    found = _of(looked, ProposalKind.UNIT)["takings.amount"]
    assert (found.target, found.target_columns) == ("house", ("base_currency",))
    assert len(found.values) > 1


def test_a_mark_or_nothing_tells_what_was_deleted(looked: Look, path: Path) -> None:
    found = _of(looked, ProposalKind.SOFT_DELETE)["guest.removed"]
    assert found.evidence["marked"] == sum(no % 5 == 0 for no in _GUESTS)
    known = Findings(None, looked.tables)
    known.add(looked.proposals)
    with closing(Sqlite(path)) as database:
        patterns = draft_patterns(known, database.reflect(), "sqlite")
    (count,) = (each for each in patterns if each.intent == "COUNT_GUEST")
    assert '"removed" IS NULL' in count.pattern["sql"]
    assert "removed" in str(count.title)


def test_versions_without_an_end_are_chosen_by_their_day_or_number(looked: Look) -> None:
    found = _of(looked, ProposalKind.VALIDITY)["terms_revision.agreed_on"]
    assert found.reason == "since"
    ontology = draft_ontology("house", looked.tables, looked.proposals)
    demand = next(
        each
        for each in ontology.constraints
        if each.applies_to == "terms_revision" and each.rule is ConstraintRule.REQUIRES_FILTER_ON
    )
    assert demand.fields == ("agreed_on",)
    assert demand.settled_by == ("agreed_on", "revision_no")
