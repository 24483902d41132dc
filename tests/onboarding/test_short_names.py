"""Names of few letters, numbers that are kinds, days of birth, readings, versions and owners."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from veridical.engines.sqlite import Sqlite
from veridical.onboarding.budget import Budget
from veridical.onboarding.draft import draft_ontology
from veridical.onboarding.look import Look, look_at
from veridical.onboarding.proposal import Proposal, ProposalKind
from veridical.ontology.model import ConstraintRule, Encoding

_TABLES = """
CREATE TABLE GS (GS_ID INTEGER, GS_TITLE TEXT);
CREATE TABLE EMP (EMP_NO INTEGER, GS_ID INTEGER, EMP_NM TEXT, TEL_NO TEXT, BIRTH_DATE TEXT);
CREATE TABLE PUMP (PUMP_ID INTEGER, GS_ID INTEGER, EMP_NO INTEGER, MEDIUM TEXT, UNIT TEXT,
  DEL_FLG TEXT);
CREATE TABLE PUMP_READ (READ_ID INTEGER, PUMP_ID INTEGER, READ_DT INTEGER, METER_READING REAL,
  RSN_CD INTEGER);
CREATE TABLE PUMP_USE (PUMP_ID INTEGER, GS_ID INTEGER, USE_DT INTEGER, QTY REAL);
CREATE TABLE FEE (SVC_CD INTEGER, VLD_FR INTEGER, VLD_TO INTEGER, UNIT_PRC REAL);
"""
_KINDS = {"water": "m3", "gas": "m3", "power": "kWh"}


def _rows() -> dict[str, list[tuple[object, ...]]]:
    media = list(_KINDS)
    employees = [
        (
            500 + n,
            1 + n % 3,
            f"NOWAK {n}",
            f"+41 44 555 {n:02} 01",
            f"19{60 + n % 30}-04-{1 + n % 28:02}",
        )
        for n in range(40)
    ]
    pumps = [
        (
            n,
            1 + n % 3,
            500 + n % 3 + 3 * (n % 11),
            media[n % 3],
            _KINDS[media[n % 3]],
            "NY"[n % 13 == 0],
        )
        for n in range(1, 61)
    ]
    readings = [
        (
            n,
            1 + n % 60,
            20_240_101 + 100 * (n // 60) + n % 27,
            1000.5 + 7 * (n % 60) + n // 3,
            (10, 20, 35)[n % 3],
        )
        for n in range(1, 481)
    ]
    uses = [
        (pump, 1 + pump % 3, 20_250_101 + day, (pump * 31 + day * 17) % 97 + 0.25)
        for pump in range(1, 61)
        for day in range(9)
    ]
    fees = [
        (service, first, last, round(1.17 * service + first % 7, 2))
        for service in (10, 20, 30, 45)
        for first, last in ((20230101, 20231231), (20240101, 20241231), (20250101, 99991231))
    ]
    sites = [(n, f"Works {n}") for n in (1, 2, 3)]
    return {
        "GS": [*sites],
        "EMP": [*employees],
        "PUMP": [*pumps],
        "PUMP_READ": [*readings],
        "PUMP_USE": [*uses],
        "FEE": [*fees],
    }


@pytest.fixture(scope="module")
def looked(tmp_path_factory: pytest.TempPathFactory) -> Look:
    place = tmp_path_factory.mktemp("short")
    path: Path = place / "short.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(_TABLES)
        for table, rows in _rows().items():
            marks = ", ".join("?" * len(rows[0]))
            connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
        connection.commit()
    with closing(Sqlite(path)) as database:
        return look_at(database, place, Budget(), lambda _done, _of: None)


def _of(looked: Look, kind: ProposalKind) -> dict[str, Proposal]:
    found = (each for each in looked.proposals if each.kind is kind)
    return {f"{each.table}.{'+'.join(each.columns)}": each for each in found}


def test_people_are_known_by_short_names(looked: Look) -> None:
    assert {"EMP.EMP_NM", "EMP.TEL_NO", "EMP.BIRTH_DATE"} <= _of(
        looked, ProposalKind.PERSONAL
    ).keys()
    assert "GS.GS_TITLE" not in _of(looked, ProposalKind.PERSONAL)


def test_a_day_of_birth_is_a_day_whose_values_are_not_kept(looked: Look) -> None:
    found = _of(looked, ProposalKind.TIME_COLUMN)["EMP.BIRTH_DATE"]
    assert found.encoding is Encoding.ISO_TEXT
    assert found.reason == "looked"
    assert "low" not in found.evidence


def test_a_numbered_kind_is_a_code_and_no_measure(looked: Look) -> None:
    assert "PUMP_READ.RSN_CD" in _of(looked, ProposalKind.CODE)
    assert "PUMP_READ.RSN_CD" not in _of(looked, ProposalKind.MEASURE)


def test_a_flag_of_few_letters_marks_what_was_deleted(looked: Look) -> None:
    assert "PUMP.DEL_FLG" in _of(looked, ProposalKind.SOFT_DELETE)


def test_readings_are_states_though_no_two_are_read_on_one_day(looked: Look) -> None:
    found = _of(looked, ProposalKind.SNAPSHOT)["PUMP_READ.METER_READING"]
    assert found.target_columns == ("READ_DT",)
    assert "PUMP_USE.QTY" not in _of(looked, ProposalKind.SNAPSHOT)


def test_versions_are_those_of_what_the_key_names(looked: Look) -> None:
    found = _of(looked, ProposalKind.VALIDITY)["FEE.VLD_FR+VLD_TO"]
    assert found.evidence["thing"] == "SVC_CD"


def test_what_rows_repeat_of_their_parents_is_whose_they_are(looked: Look) -> None:
    assert _of(looked, ProposalKind.TENANT).keys() == {"EMP.GS_ID", "PUMP.GS_ID", "PUMP_USE.GS_ID"}


def test_a_list_of_kinds_that_says_the_unit_settles_it(looked: Look) -> None:
    found = _of(looked, ProposalKind.UNIT)["PUMP_USE.QTY"]
    assert found.evidence["settled_by"] == "MEDIUM"
    ontology = draft_ontology("short", looked.tables, looked.proposals)
    rule = next(
        each
        for each in ontology.constraints
        if each.rule is ConstraintRule.SAME_UNIT and each.applies_to == "PUMP_USE.QTY"
    )
    assert rule.settled_by == ("PUMP.MEDIUM",)
