"""The same shop on every engine gives the same findings."""

import signal
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

from tests.onboarding.shop import DDL, inserts
from veridical.contracts.caller import Scope
from veridical.contracts.statement import Statement
from veridical.engines.database import Database
from veridical.engines.limits import Fetched, Limits
from veridical.engines.registry import engine_of
from veridical.engines.sqlite import Sqlite
from veridical.onboarding.budget import Budget
from veridical.onboarding.look import Look, look_at
from veridical.onboarding.proposal import ProposalKind, State
from veridical.onboarding.record import read_profiles, read_proposals, write_proposals
from veridical.onboarding.review import decide
from veridical.ontology.model import Encoding
from veridical.statement.errors import EngineError, Problem

EXPECTED = {
    (ProposalKind.PRIMARY_KEY, "orders", ("id",)),
    (ProposalKind.PRIMARY_KEY, "stock", ("day", "product_id")),
    (ProposalKind.PRIMARY_KEY, "region_sales", ("year", "month")),
    (ProposalKind.FOREIGN_KEY, "orders", ("customer_id",)),
    (ProposalKind.FOREIGN_KEY, "stock", ("product_id",)),
    (ProposalKind.TIME_COLUMN, "orders", ("created_at",)),
    (ProposalKind.TIME_COLUMN, "stock", ("day",)),
    (ProposalKind.CODE, "product", ("ean",)),
    (ProposalKind.NOT_ADDITIVE, "product", ("unit_price",)),
    (ProposalKind.SNAPSHOT, "stock", ("on_hand",)),
    (ProposalKind.TOTAL_ROWS, "region_sales", ("month",)),
    (ProposalKind.UNIT, "orders", ("total",)),
    (ProposalKind.CLOSED_LIST, "orders", ("status",)),
    (ProposalKind.SOFT_DELETE, "customer", ("deleted",)),
    (ProposalKind.PERSONAL, "customer", ("email",)),
}


def _unwatched(done: int, of: int) -> None:
    del done, of


def _found(look: Look) -> set[tuple[ProposalKind, str, tuple[str, ...]]]:
    return {(each.kind, each.table, each.columns) for each in look.proposals}


def _looked(database: Database, project: Path) -> Look:
    with closing(database):
        return look_at(database, project, Budget(), _unwatched)


def test_a_sqlite_file_is_mined(looked: Look) -> None:
    assert _found(looked) >= EXPECTED
    assert looked.uncounted == 0


def test_nothing_is_proposed_twice(looked: Look) -> None:
    ids = [each.id for each in looked.proposals]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("fixture", ["shop_duckdb", "shop_files"])
def test_other_engines_agree(
    fixture: str, request: pytest.FixtureRequest, tmp_path: Path, looked: Look
) -> None:
    source = str(request.getfixturevalue(fixture))
    kind = engine_of(source)
    assert kind is not None
    assert _found(_looked(kind.open(source), tmp_path)) == _found(looked)


@pytest.mark.postgres
def test_postgres_agrees_for_a_role_that_may_only_select(
    postgres_url: str, tmp_path: Path, looked: Look
) -> None:
    with psycopg.connect(postgres_url) as connection:
        connection.execute(DDL.encode())
        for statement in inserts():
            connection.execute(statement.encode())
        connection.execute("CREATE ROLE look_reader")
        connection.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO look_reader")
    kind = engine_of(postgres_url)
    assert kind is not None
    assert _found(_looked(kind.open(postgres_url, "look_reader"), tmp_path)) == _found(looked)


def test_what_the_data_proves_is_told_with_its_counts(looked: Look) -> None:
    by_id = {each.id: each for each in looked.proposals}
    total = by_id["total_rows:region_sales.month"]
    assert total.proven
    assert total.evidence["agreeing"] == total.evidence["groups"] == 12
    stock = by_id["snapshot:stock.on_hand"]
    assert (stock.evidence["things"], stock.evidence["dates"]) == (20, 30)
    assert stock.target_columns == ("day",)
    assert by_id["time_column:orders.created_at"].encoding is Encoding.UNIX_SECONDS
    assert not by_id["closed_list:orders.status"].proven


def test_a_table_is_not_counted_twice(shop_sqlite: Path, tmp_path: Path) -> None:
    first = _looked(Sqlite(shop_sqlite), tmp_path)
    known = read_profiles(tmp_path)
    assert set(known) == set(first.tables)
    lying = {name: each.model_copy(update={"rows": 7, "seen": 7}) for name, each in known.items()}
    path = tmp_path / "onboarding" / "profile.jsonl"
    path.write_text("".join(f"{each.model_dump_json(by_alias=True)}\n" for each in lying.values()))
    second = _looked(Sqlite(shop_sqlite), tmp_path)
    assert {each.rows for each in second.tables.values()} == {7}


def test_a_budget_that_is_used_up_leaves_the_rest_for_the_next_time(
    shop_sqlite: Path, tmp_path: Path
) -> None:
    with closing(Sqlite(shop_sqlite)) as database:
        nothing = look_at(database, tmp_path, replace(Budget(), bytes=1), _unwatched)
        assert 0 < nothing.uncounted < len(nothing.tables)
        whole = look_at(database, tmp_path, Budget(), _unwatched)
    assert whole.uncounted == 0
    assert _found(whole) >= EXPECTED


def test_ctrl_c_keeps_what_was_counted(shop_sqlite: Path, tmp_path: Path) -> None:
    class Impatient(Sqlite):
        asked = 0

        def fetch(self, statement: Statement, scope: Scope, rows: int, limits: Limits) -> Fetched:
            self.asked += 1
            if self.asked == 6:
                raise KeyboardInterrupt
            return super().fetch(statement, scope, rows, limits)

    with closing(Impatient(shop_sqlite)) as database:
        look = look_at(database, tmp_path, Budget(), _unwatched)
    assert look.interrupted
    assert len(read_profiles(tmp_path)) == len(look.tables) - look.uncounted == 1


def test_ctrl_c_counts_also_where_the_driver_takes_it_for_its_own(
    shop_sqlite: Path, tmp_path: Path
) -> None:
    class Silent(Sqlite):
        asked = 0

        def fetch(self, statement: Statement, scope: Scope, rows: int, limits: Limits) -> Fetched:
            self.asked += 1
            if self.asked == 6:
                try:
                    signal.raise_signal(signal.SIGINT)
                except KeyboardInterrupt as error:
                    raise EngineError(Problem.TIMEOUT) from error
            return super().fetch(statement, scope, rows, limits)

    with closing(Silent(shop_sqlite)) as database:
        look = look_at(database, tmp_path, Budget(), _unwatched)
        assert look.interrupted
        assert 1 <= len(read_profiles(tmp_path)) < len(look.tables)
        assert look_at(database, tmp_path, Budget(), _unwatched).uncounted == 0


def test_large_tables_are_sampled(shop_sqlite: Path, tmp_path: Path) -> None:
    with closing(Sqlite(shop_sqlite)) as database:
        look = look_at(database, tmp_path, replace(Budget(), rows=150), _unwatched)
    assert look.tables["stock"].is_sampled
    assert 0 < look.tables["stock"].seen <= 300 < look.tables["stock"].rows
    assert (ProposalKind.SNAPSHOT, "stock", ("on_hand",)) in _found(look)


def test_a_decision_outlives_the_next_look(shop_sqlite: Path, tmp_path: Path) -> None:
    look = _looked(Sqlite(shop_sqlite), tmp_path)
    wanted = "soft_delete:customer.deleted"
    write_proposals(tmp_path, decide(look.proposals, [wanted], State.REJECTED, "Ada"))
    _looked(Sqlite(shop_sqlite), tmp_path)
    kept = next(each for each in read_proposals(tmp_path) if each.id == wanted)
    assert (kept.state, kept.decided_by) == (State.REJECTED, "Ada")


def test_profiles_hold_no_personal_values(looked: Look) -> None:
    for name in ("full_name", "email"):
        column = looked.tables["customer"].by_name[name]
        assert (column.low, column.high, column.values) == (None, None, ())
