"""Gold questions on a database of one's own, of any engine."""

from pathlib import Path

import duckdb
import pytest
from typer.testing import CliRunner

from tests.engines.conftest import sqlite_books
from veridical.cli.main import app
from veridical.evals.gold.oracle import Truth, engine_oracle
from veridical.packs.trustee.load import load_duckdb


def test_truth_is_plain_sql_over_everybody_s_rows(tmp_path: Path) -> None:
    database = sqlite_books(tmp_path / "books.db")
    run = engine_oracle(database)
    assert run('SELECT count(*) AS n FROM "Line"') == Truth(("n",), ((150,),))
    named = 'WITH "Account" AS (SELECT "id" FROM "Line") SELECT count(*) AS n FROM "Account"'
    assert run(named) == Truth(("n",), ((150,),))
    database.close()


@pytest.mark.slow
def test_gold_questions_are_asked_and_replayed_on_duckdb(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "books.duckdb")) as connection:
        load_duckdb("small", connection)
    made, again = str(tmp_path / "made"), str(tmp_path / "again")
    words = ["eval", "run", "--gold", "pack:trustee", "--modes", "product", "--limit", "1"]
    database = str(tmp_path / "books.duckdb")
    done = CliRunner().invoke(app, [*words, "--database", database, "--out", made])
    assert done.exit_code == 0, done.output
    assert "correct" in done.output
    assert (tmp_path / "made" / "dialect.txt").read_text("utf-8") == "duckdb"
    replayed = ["eval", "run", "--model", f"replay:{made}", "--out", again]
    done = CliRunner().invoke(app, replayed)
    assert done.exit_code == 0, done.output
    assert (tmp_path / "again" / "dialect.txt").read_text("utf-8") == "duckdb"
    ignored = CliRunner().invoke(app, [*replayed, "--database", database])
    assert ignored.exit_code == 2
    assert "--database" in ignored.output
