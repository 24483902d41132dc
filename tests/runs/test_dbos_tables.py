"""What we rely on in DBOS's tables, against the version that is installed."""

import re
from pathlib import Path

import pytest
from dbos import WorkflowStatusString

import veridical
from tests.runs.asked import asked, rows
from tests.runs.conftest import TENANT
from veridical.runs import dbos_tables
from veridical.runs.port import Runs
from veridical.store.connection import Store

STATUSES = {
    "CANCELLED",
    "DELAYED",
    "ENQUEUED",
    "ERROR",
    "MAX_RECOVERY_ATTEMPTS_EXCEEDED",
    "PENDING",
    "SUCCESS",
}
COLUMNS = {
    "workflow_status": {
        "workflow_uuid": "text",
        "status": "text",
        "name": "text",
        "class_name": "character varying",
        "config_name": "character varying",
        "queue_name": "text",
        "queue_partition_key": "text",
        "executor_id": "text",
        "creator_xid": "text",
        "owner_xid": "text",
        "serialization": "text",
        "recovery_attempts": "bigint",
        "started_at_epoch_ms": "bigint",
        "delay_until_epoch_ms": "bigint",
        "updated_at": "bigint",
        "completed_at": "bigint",
    },
    "workflow_input": {"workflow_uuid": "text", "retention_timestamp": "bigint"},
    "workflow_output": {"workflow_uuid": "text", "retention_timestamp": "bigint"},
    "operation_outputs": {
        "workflow_uuid": "text",
        "function_name": "text",
        "output": "text",
        "serialization": "text",
        "retention_timestamp": "bigint",
    },
}
_TABLE = re.compile(r"dbos\.((?:workflow|operation)_\w+)")


def test_one_file_names_the_tables_of_the_engine() -> None:
    root = Path(veridical.__file__).parent
    naming = {path for path in root.rglob("*.py") if _TABLE.search(path.read_text())}
    assert {path.name for path in naming if path.parent.name == "runs"} == {"dbos_tables.py"}
    assert set(_TABLE.findall(Path(dbos_tables.__file__).read_text())) <= COLUMNS.keys()


def test_the_engine_has_these_statuses() -> None:
    assert {each.value for each in WorkflowStatusString} >= STATUSES


@pytest.mark.postgres
@pytest.mark.parametrize("table", COLUMNS)
def test_the_engine_has_these_columns(store: Store, table: str) -> None:
    found = rows(
        store,
        "SELECT column_name, data_type FROM information_schema.columns"
        " WHERE table_schema = 'dbos' AND table_name = :table",
        table=table,
    )
    assert COLUMNS[table].items() <= {str(name): kind for name, kind in found}.items()


@pytest.mark.postgres
def test_only_what_was_taken_long_ago_and_is_not_active_is_put_back(
    runs: Runs, store: Store
) -> None:
    known, lately, stray = (runs.start(asked(), TENANT, "Ada").run_id for _ in range(3))
    for run_id, seconds in ((known, 60), (lately, 0), (stray, 60)):
        rows(
            store,
            "UPDATE dbos.workflow_status SET status = 'PENDING', executor_id = 'me',"
            " recovery_attempts = 2, started_at_epoch_ms = (extract(epoch FROM now()) - :seconds)"
            " * 1000 WHERE workflow_uuid = :run",
            run=run_id,
            seconds=seconds,
        )
    with store.engine.begin() as connection:
        taken = dbos_tables.requeue(connection, ["me"], active=[known], seconds=30, forgiven=1)
        assert taken == [stray]
        assert dbos_tables.counts_by_status(connection) == {"ENQUEUED": 1, "PENDING": 2}
        assert set(dbos_tables.requeue(connection, ["me"])) == {known, lately}
    attempts = rows(store, "SELECT workflow_uuid, recovery_attempts FROM dbos.workflow_status")
    assert dict(attempts) == {known: 2, lately: 2, stray: 1}
