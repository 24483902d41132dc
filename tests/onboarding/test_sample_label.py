"""Tables beyond the budget: little of them is read, and what rests on that says so."""

from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from veridical.contracts.caller import Scope
from veridical.contracts.language import Language
from veridical.contracts.statement import Statement
from veridical.engines import Limits, Postgres, open_duckdb
from veridical.engines.limits import Fetched
from veridical.engines.sqlite import Sqlite
from veridical.onboarding.budget import Budget
from veridical.onboarding.decisions import open_decisions
from veridical.onboarding.look import Look, look_at
from veridical.onboarding.proposal import ProposalKind
from veridical.onboarding.record import read_profiles
from veridical.onboarding.unread import unread
from veridical.onboarding.wording import evidence_of

ROWS = 300_000
PAGE = 8_192
SMALL = Budget(rows=2_000, bytes=8_000_000)
LARGE = f"""
    CREATE TABLE shop (shop_id int PRIMARY KEY, shop_name text NOT NULL);
    INSERT INTO shop SELECT n, 'shop ' || n FROM generate_series(1, 40) AS s(n);
    CREATE TABLE sale (
        sale_id bigint, shop_id int, sold_on date, status text, amount numeric(12, 2), note text
    );
    INSERT INTO sale SELECT n, 1 + n % 40, date '2020-01-01' + (n / 300),
        (ARRAY['paid', 'open', 'cancelled'])[1 + n % 3],
        (n::bigint * 7919 % 100000) / 100.0, repeat('x', 40)
        FROM generate_series(1, {ROWS}) AS s(n);
    ANALYZE;
"""


def _unwatched(done: int, of: int) -> None:
    del done, of


def _found(look: Look) -> set[tuple[str, ...]]:
    return {(each.kind, each.table, *each.columns, each.target or "") for each in look.proposals}


def _touched(url: str) -> int:
    """The bytes of the large table that statements have read so far, from disk or memory."""
    with psycopg.connect(url) as connection:
        row = connection.execute(
            "SELECT heap_blks_read + heap_blks_hit FROM pg_statio_user_tables"
            " WHERE relname = 'sale'"
        ).fetchone()
    assert row is not None
    return int(row[0]) * PAGE


@pytest.fixture(scope="module")
def large(postgres_url: str) -> str:
    with psycopg.connect(postgres_url, autocommit=True) as owner:
        owner.execute(LARGE.encode())
    return postgres_url


@pytest.mark.postgres
def test_a_table_beyond_the_budget_is_sampled_and_proves_nothing(
    large: str, tmp_path: Path
) -> None:
    before = _touched(large)
    with closing(Postgres(large)) as database:
        look = look_at(database, tmp_path / "small", SMALL, _unwatched)
    assert _touched(large) - before <= SMALL.bytes
    sale = look.tables["sale"]
    assert sale.is_sampled
    assert sale.is_about
    assert sale.seen <= 2 * SMALL.rows
    assert abs(sale.rows - ROWS) <= ROWS / 20
    on_sale = [each for each in look.proposals if each.table == "sale"]
    assert not any(each.proven for each in on_sale if each.reason != "declared")
    texts = [evidence_of(each, Language.EN) for each in on_sale if each.reason != "declared"]
    assert all("in a sample of " in text and " of about 300,000 rows" in text for text in texts)
    lines = list(unread(look, Language.EN))
    assert len(lines) == 1
    assert lines[0].startswith("sale: in a sample of ")
    with closing(Postgres(large)) as database:
        whole = look_at(database, tmp_path / "whole", Budget(rows=ROWS + 1), _unwatched)
    assert not whole.tables["sale"].is_sampled
    assert list(unread(whole, Language.EN)) == []
    assert _found(look) == _found(whole)
    keys = {each.id: each.proven for each in whole.proposals}
    assert keys["foreign_key:sale.shop_id>shop"]
    asked = {each.id for each in open_decisions(look.proposals)}
    assert "foreign_key:sale.shop_id>shop" in asked  # what is not proven waits for a person


@pytest.mark.postgres
def test_what_was_never_read_is_named(large: str, tmp_path: Path) -> None:
    with closing(Postgres(large)) as database:
        look = look_at(database, tmp_path, Budget(rows=2_000, bytes=1_000), _unwatched)
    assert look.uncounted
    assert list(unread(look, Language.DE))[-1].startswith("Nicht gelesen: sale")


def test_duckdb_estimates_a_sample_by_its_share(shop_duckdb: Path) -> None:
    with closing(open_duckdb(shop_duckdb)) as database:
        statements = (
            Statement(f"SELECT * FROM data.main.stock{sample}", ())
            for sample in ("", " USING SAMPLE 10% (system, 1)")
        )
        plain, sampled = (database.estimate(each, Scope(), Limits()) for each in statements)
    assert plain is not None
    assert sampled is not None
    assert sampled.rows_read <= max(1, plain.rows_read // 5)


def test_a_killed_look_goes_on_after_the_last_finished_table(
    shop_sqlite: Path, tmp_path: Path
) -> None:
    class Killed(BaseException):
        """What no part of a look catches."""

    class Dying(Sqlite):
        left = 12

        def fetch(self, statement: Statement, scope: Scope, rows: int, limits: Limits) -> Fetched:
            self.left -= 1
            if self.left < 0:
                raise Killed
            return super().fetch(statement, scope, rows, limits)

    with closing(Dying(shop_sqlite)) as database, pytest.raises(Killed):
        look_at(database, tmp_path, Budget(), _unwatched)
    finished = set(read_profiles(tmp_path))
    assert finished
    counted: list[str] = []

    class Watched(Sqlite):
        def fetch(self, statement: Statement, scope: Scope, rows: int, limits: Limits) -> Fetched:
            counted.append(statement.sql)
            return super().fetch(statement, scope, rows, limits)

    with closing(Watched(shop_sqlite)) as database:
        look = look_at(database, tmp_path, Budget(), _unwatched)
    assert look.uncounted == 0
    again = [each for each in counted if each.startswith("SELECT COUNT(*) FROM")]
    assert not any(f'"{name}"' in each for each in again[: len(look.tables)] for name in finished
                   if each.endswith(f'"{name}"'))  # fmt: skip
    assert {each.kind for each in look.proposals} >= {ProposalKind.SNAPSHOT}
