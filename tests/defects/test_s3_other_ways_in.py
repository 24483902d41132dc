"""S3: a reader's role has other ways in than a missing policy, and each is found."""

from collections.abc import Iterator

import psycopg
import pytest

from veridical.engines import install_row_level_security
from veridical.engines.gap import Finding, Gap
from veridical.engines.reader import reader_findings
from veridical.sample.postgres import LocalPostgres

pytestmark = pytest.mark.postgres

READER = "s3_reader"
TABLES = {"Line": ["mandateId"], "Currency": list[str]()}
DEFINER = (
    'CREATE FUNCTION leak() RETURNS SETOF "Line" LANGUAGE sql SECURITY DEFINER'
    ' AS $$ SELECT * FROM "Line" $$'
)
COPY = 'CREATE TABLE copy AS SELECT * FROM "Line"; GRANT SELECT ON copy TO PUBLIC'
COLUMN = 'CREATE TABLE part AS SELECT * FROM "Line"; GRANT SELECT ("id") ON part TO PUBLIC'
ELSEWHERE = (
    "CREATE SCHEMA other; GRANT USAGE ON SCHEMA other TO PUBLIC;"
    ' CREATE VIEW other.shown AS SELECT * FROM public."Line"; GRANT SELECT ON other.shown TO PUBLIC'
)
CHANGES = (
    ('CREATE POLICY extra ON "Line" USING (true)', Finding(Gap.OPEN_POLICY, "Line.extra")),
    (
        f'CREATE POLICY extra ON "Line" FOR SELECT TO {READER} USING (note IS NOT NULL)',
        Finding(Gap.OPEN_POLICY, "Line.extra"),
    ),
    (
        'ALTER POLICY veridical_scope ON "Line" USING (true)',
        Finding(Gap.OPEN_POLICY, "Line.veridical_scope"),
    ),
    (
        'CREATE VIEW shown AS SELECT * FROM "Line"; GRANT SELECT ON shown TO PUBLIC',
        Finding(Gap.OTHER_RELATION, "public.shown"),
    ),
    (COPY, Finding(Gap.OTHER_RELATION, "public.copy")),
    (COLUMN, Finding(Gap.OTHER_RELATION, "public.part")),
    (ELSEWHERE, Finding(Gap.OTHER_RELATION, "other.shown")),
    (f"GRANT pg_read_all_data TO {READER}", Finding(Gap.MEMBER, "pg_read_all_data")),
    (f"CREATE ROLE s3_mighty; GRANT s3_mighty TO {READER}", Finding(Gap.MEMBER, "s3_mighty")),
    (DEFINER, Finding(Gap.FUNCTION, "leak")),
)


@pytest.fixture
def admin(postgres_server: LocalPostgres) -> Iterator["psycopg.Connection[tuple[object, ...]]"]:
    with psycopg.connect(postgres_server.create_database("s3"), autocommit=True) as connection:
        connection.execute('CREATE TABLE "Line" ("id" int, "mandateId" text, "note" text)')
        connection.execute('CREATE TABLE "Currency" ("code" text)')
        install_row_level_security(connection, TABLES, READER)
        yield connection


@pytest.mark.parametrize(("change", "finding"), CHANGES, ids=[each.name for _, each in CHANGES])
def test_s3_a_way_in_is_found(
    admin: "psycopg.Connection[tuple[object, ...]]", change: str, finding: Finding
) -> None:
    before = reader_findings(admin, READER, TABLES)
    assert not [each for each in before if each.gap.refuses]
    with admin.transaction(force_rollback=True):
        admin.execute(change.encode())
        assert finding in reader_findings(admin, READER, TABLES)


def test_s3_a_view_with_the_reader_s_own_rights_is_no_way_in(
    admin: "psycopg.Connection[tuple[object, ...]]",
) -> None:
    admin.execute('CREATE VIEW shown WITH (security_invoker = true) AS SELECT * FROM "Line"')
    admin.execute(f"GRANT SELECT ON shown TO {READER}".encode())
    tables = {**TABLES, "shown": ["mandateId"]}
    assert not [each for each in reader_findings(admin, READER, tables) if each.gap.refuses]
    admin.execute("ALTER VIEW shown RESET (security_invoker)")
    assert Finding(Gap.NO_POLICY, "shown") in reader_findings(admin, READER, tables)


def test_s3_a_policy_for_another_role_is_no_way_in(
    admin: "psycopg.Connection[tuple[object, ...]]",
) -> None:
    with admin.transaction(force_rollback=True):
        admin.execute("CREATE ROLE s3_writer")
        admin.execute('CREATE POLICY writers ON "Line" TO s3_writer USING (true)')
        assert not [each for each in reader_findings(admin, READER, TABLES) if each.gap.refuses]
