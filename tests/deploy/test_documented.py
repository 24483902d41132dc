"""What the documents tell an operator to run by other means than a shell."""

import re

import psycopg
import pytest

from tests.deploy.conftest import AddressOf
from tests.deploy.places import ROOT
from tests.docs.markdown import fences
from tests.sample import PACK
from veridical.contracts.caller import Scope
from veridical.contracts.statement import Statement
from veridical.engines import Postgres
from veridical.engines.limits import Limits
from veridical.sample.books import load_sample
from veridical.sample.postgres import LocalPostgres

pytestmark = pytest.mark.postgres
HOW_TO = ROOT / "docs" / "how-to"


def test_the_owner_can_look_at_the_queue(migrated: AddressOf) -> None:
    (query,) = (each for each in fences(HOW_TO / "operate.md") if each.language == "sql")
    with psycopg.connect(migrated("veridical_owner"), autocommit=True) as connection:
        looked = connection.execute(query.content.encode())
        shown = [[column.name for column in each.description or ()] for each in looked.results()]
    assert [columns for columns in shown if columns] == [
        ["status", "count", "oldest"],
        ["executor_id", "silent"],
    ]


def test_a_login_for_a_server_can_read_and_nothing_else(postgres_server: LocalPostgres) -> None:
    page = HOW_TO / "postgresql-with-tenants.md"
    (code,) = (each.content for each in fences(page) if each.not_run)
    books = load_sample(PACK, postgres_server, "documented_books").url
    exec(code.replace("postgresql://owner@db.internal/books", books), {})
    address = re.sub(r"//postgres:", "//asker:", books, count=1)
    database = Postgres(address, role="veridical_reader")
    found = database.fetch(Statement("SELECT 1", ()), Scope(), 1, Limits())
    database.close()
    assert found.rows == ((1,),)
    with (
        psycopg.connect(address) as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute('SELECT * FROM "TrusteeDataAccountBalance"')
