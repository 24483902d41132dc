"""The store of a worker that stands still."""

import time

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from veridical.runs.retry import is_transient
from veridical.runs.settings import RunsSettings
from veridical.runs.worker import WorkerStore
from veridical.store.connection import Store

pytestmark = pytest.mark.postgres

_LOCK = text("SELECT 1 FROM veridical.workers FOR UPDATE")
_ADD = text("INSERT INTO veridical.workers (executor_id, version) VALUES ('me', '1')")


def locked(connection: Connection) -> bool:
    return connection.scalar(_LOCK) == 1


def test_a_transaction_that_stands_still_is_ended(settings: RunsSettings, store: Store) -> None:
    """Whoever takes over must not wait for its locks; and whoever stood still tries again."""

    def stand_still() -> None:
        with stopped.system() as standing:
            assert locked(standing)
            with store.system() as other:
                assert locked(other)
            locked(standing)

    with store.system() as connection:
        connection.execute(_ADD)
    stopped = WorkerStore(settings.model_copy(update={"lease_seconds": 0.5}))
    began = time.monotonic()
    with pytest.raises(DBAPIError) as ended:
        stand_still()
    assert time.monotonic() - began < 20
    assert is_transient(ended.value)
    with stopped.system() as again:
        assert locked(again)
    stopped.close()
