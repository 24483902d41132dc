"""The owner of the books tells the truth and changes nothing."""

from collections.abc import Iterator

import psycopg
import pytest

from tests.evals.gold_sample import case, gold
from veridical.evals.gold.case import Oracle
from veridical.evals.gold.oracle import RunSql, postgres_oracle, truth_of
from veridical.ontology.errors import LoadError

pytestmark = pytest.mark.postgres


@pytest.fixture
def run(postgres_url: str) -> Iterator[RunSql]:
    with psycopg.connect(postgres_url) as owner:
        owner.execute("DROP TABLE IF EXISTS books")
        owner.execute("CREATE TABLE books AS SELECT 'm-001' AS mandate, 7 AS amount")
    with postgres_oracle(postgres_url) as asked:
        yield asked


def test_all_statements_share_one_connection(run: RunSql) -> None:
    (first,), (second,) = (run("SELECT pg_backend_pid() AS pid").values("pid") for _ in range(2))
    assert first == second


def test_a_statement_can_only_read(run: RunSql) -> None:
    with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
        run("INSERT INTO books VALUES ('m-002', 8)")
    assert run("SELECT amount FROM books").rows == ((7,),)


def test_a_case_whose_sql_fails_is_named_and_the_next_is_answered(run: RunSql) -> None:
    broken = case("broken", truth=Oracle(sql="SELECT nothing FROM nowhere"))
    with pytest.raises(LoadError, match="broken"):
        truth_of(broken, gold(broken), run)
    right = case("right", truth=Oracle(sql="SELECT amount FROM books WHERE mandate = {mandate}"))
    assert truth_of(right, gold(right), run).truth.values("amount") == (7,)


def test_what_one_statement_sets_is_forgotten_in_the_next(run: RunSql) -> None:
    run("SELECT set_config('search_path', 'elsewhere', true)")
    assert run("SELECT amount FROM books").rows == ((7,),)
