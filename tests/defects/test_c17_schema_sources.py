"""Schemas are read from where they are, and what can't be read is told in a sentence."""

import sqlite3
from collections.abc import Callable, Generator
from pathlib import Path

import duckdb
import psycopg
import pytest
import yaml
from typer.testing import CliRunner

from tests.without_extras import veridical as veridical_alone
from veridical import Checker, compile_catalog, load_ontology, load_schema
from veridical.check.dialects import DIALECTS, UnknownDialectError, dialect_named
from veridical.cli.main import app
from veridical.contracts.language import Language
from veridical.contracts.schema import ForeignKey, Schema, ValueType
from veridical.ontology.errors import LoadError
from veridical.ontology.ontology_file import ontology_text
from veridical.sample.postgres import LocalPostgres, local_postgres

SHOP = """
CREATE TABLE customer (id INTEGER PRIMARY KEY, email TEXT UNIQUE, name TEXT NOT NULL);
CREATE TABLE orders (
    id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer (id), total DECIMAL(12, 2)
);
"""


@pytest.fixture
def query(tmp_path: Path) -> Path:
    path = tmp_path / "query.sql"
    path.write_text("SELECT SUM(total) FROM orders")
    return path


def _sqlite(folder: Path) -> Path:
    path = folder / "shop.db"
    with sqlite3.connect(path) as connection:
        connection.executescript(SHOP)
    connection.close()
    return path


def _duckdb(folder: Path) -> Path:
    path = folder / "shop.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(SHOP)
    return path


def _csv(folder: Path) -> Path:
    path = folder / "orders.csv"
    path.write_text("id,customer_id,total\n1,1,12.50\n")
    return path


def _csv_folder(folder: Path) -> Path:
    _csv(folder)
    return folder


def _parquet(folder: Path) -> Path:
    path = folder / "orders.parquet"
    duckdb.connect().execute(f"COPY (SELECT 1 AS id, 12.5 AS total) TO '{path}' (FORMAT parquet)")
    return path


SOURCES = [_sqlite, _duckdb, _csv, _csv_folder, _parquet]


@pytest.mark.parametrize("made", SOURCES)
def test_c17_database_and_data_files_are_schemas(
    tmp_path: Path, query: Path, made: Callable[[Path], Path]
) -> None:
    (tmp_path / "data").mkdir()
    source = made(tmp_path / "data")
    assert load_schema(str(source)).tables["orders"].columns[-1].name == "total"
    done = CliRunner().invoke(app, ["check", str(query), "--schema", str(source)])
    assert done.exit_code == 0, done.output
    query.write_text("SELECT totl FROM orders")
    done = CliRunner().invoke(app, ["check", str(query), "--schema", str(source)])
    assert (done.exit_code, "FIELD_NOT_FOUND" in done.output) == (1, True)


def test_c17_a_sqlite_file_brings_its_keys(tmp_path: Path) -> None:
    tables = load_schema(str(_sqlite(tmp_path))).tables
    assert tables["customer"].keys == (("id",), ("email",))
    assert tables["orders"].foreign_keys == (ForeignKey(("customer_id",), "customer", ("id",)),)
    assert [each.type for each in tables["orders"].columns][-1] is ValueType.NUMBER


def test_c17_sqlite_needs_no_extra_and_duckdb_says_which(tmp_path: Path, query: Path) -> None:
    done = veridical_alone("check", str(query), "--schema", str(_sqlite(tmp_path)), folder=tmp_path)
    assert done.returncode == 0, done.stderr
    done = veridical_alone("check", str(query), "--schema", str(_duckdb(tmp_path)), folder=tmp_path)
    assert (done.returncode, "veridical[engine]" in done.stderr) == (2, True)


@pytest.fixture(scope="module")
def postgres() -> Generator[LocalPostgres]:
    with local_postgres() as server:
        url = server.create_database("shop")
        with psycopg.connect(url) as connection:
            connection.execute(SHOP.encode())
        yield LocalPostgres(url)


@pytest.mark.postgres
def test_c17_a_database_address_is_read(postgres: LocalPostgres, query: Path) -> None:
    schema = load_schema(postgres.url)
    assert isinstance(schema, Schema)
    assert set(schema.tables) == {"customer", "orders"}
    done = CliRunner().invoke(app, ["check", str(query), "--schema", postgres.url])
    assert done.exit_code == 0, done.output


JUNK = {
    "junk.duckdb": b"\x00\xff\xfe junk \x80\x81",
    "junk.json": b"\x80\x81\x82",
    "junk.sql": b"\xff\xfe\x00",
    "empty.sql": b"",
    "empty.json": b"",
    "blank.sql": b" \n",
    "no_tables.sql": b"SELECT 1;",
    "list.json": b"[1, 2]",
    "cut.json": b'{"tables": [',
    "cut.db": b"SQLite format 3\x00 and then nothing of the kind",
    "cut.duckdb": b"\x00" * 8 + b"DUCK" + b"\x00" * 40,
    "cut.parquet": b"PAR1 and no more",
    "pic.png": b"\x89PNG\r\n\x1a\n",
}


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("name", [*JUNK, "missing.sql", "missing.duckdb", "folder"])
def test_c17_what_is_no_schema_is_told_in_a_sentence(
    tmp_path: Path, query: Path, name: str, language: Language
) -> None:
    (tmp_path / "folder").mkdir()
    if name in JUNK:
        (tmp_path / name).write_bytes(JUNK[name])
    source = str(tmp_path / name)
    with pytest.raises(LoadError):
        load_schema(source)
    words = ["check", str(query), "--schema", source, "--language", language]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 2, done.output
    assert name in done.stderr
    assert "UnicodeDecodeError" not in done.stderr
    assert "Error" not in done.stderr.replace("SYSTEM ERROR", "")


@pytest.mark.parametrize("name", [*JUNK, "missing.yaml"])
def test_c17_what_is_no_ontology_is_told_in_a_sentence(
    tmp_path: Path, query: Path, name: str
) -> None:
    if name in JUNK:
        (tmp_path / name).write_bytes(JUNK[name])
    words = ["check", str(query), "--ontology", str(tmp_path / name)]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 2, done.output
    assert "Internal error" not in done.stderr


@pytest.mark.parametrize("address", ["mysql://x/y", "postgresql://u:secret@127.0.0.1:9/x", "://"])
def test_c17_an_address_that_leads_nowhere(query: Path, address: str) -> None:
    done = CliRunner().invoke(app, ["check", str(query), "--schema", address])
    assert done.exit_code == 2, done.output
    assert "secret" not in done.output
    assert "Internal error" not in done.stderr


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("dialect", ["foo", "postgresql", "Postgres", ""])
def test_c17_a_dialect_that_nobody_knows_is_refused(
    query: Path, dialect: str, language: Language
) -> None:
    with pytest.raises(UnknownDialectError):
        Checker(compile_catalog(load_schema("pack:trustee")), dialect)
    with pytest.raises(UnknownDialectError):
        dialect_named(dialect)
    if not dialect:
        return
    words = ["check", str(query), "--schema", "pack:trustee", "--dialect", dialect]
    done = CliRunner().invoke(app, [*words, "--language", language])
    assert done.exit_code == 2, done.output
    assert all(each in done.stderr for each in DIALECTS)


IMPORTED = """
semantic_models:
  - name: orders
    model: ref('orders')
    entities: [{name: order, type: primary, expr: id}]
    dimensions: [{name: "on", type: categorical, expr: "\\"on\\""}]
    measures: [{name: revenue, agg: sum, expr: total}]
"""


@pytest.mark.parametrize("ending", [".yaml", ".yml", ".json"])
def test_c17_an_import_writes_what_its_ending_says(tmp_path: Path, ending: str) -> None:
    (tmp_path / "models.yml").write_text(IMPORTED)
    output = tmp_path / f"out{ending}"
    words = ["ontology", "import", str(tmp_path / "models.yml"), "-o", str(output)]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    text = output.read_text("utf-8")
    assert text.startswith("{") == (ending == ".json")
    assert load_ontology(str(output)).hash == load_ontology(str(tmp_path / "models.yml")).hash


@pytest.mark.parametrize("name", ["out.txt", "out", "out.yaml.bak"])
def test_c17_an_import_refuses_other_endings(tmp_path: Path, name: str) -> None:
    (tmp_path / "models.yml").write_text(IMPORTED)
    words = ["ontology", "import", str(tmp_path / "models.yml"), "-o", str(tmp_path / name)]
    done = CliRunner().invoke(app, words)
    assert (done.exit_code, ".yaml" in done.stderr) == (2, True)
    assert not (tmp_path / name).exists()


@pytest.mark.parametrize("ending", [".yaml", ".json"])
def test_c17_the_trustee_ontology_comes_back_the_same(tmp_path: Path, ending: str) -> None:
    ontology = load_ontology("pack:trustee")
    path = tmp_path / f"trustee{ending}"
    path.write_text(ontology_text(ontology, ending), "utf-8")
    assert load_ontology(str(path)).hash == ontology.hash
    assert isinstance(yaml.safe_load(path.read_text("utf-8")), dict)
