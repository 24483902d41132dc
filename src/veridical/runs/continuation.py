"""How a run goes on after it ended to wait: its next life, and the steps that it need not repeat.

Nobody waits in the engine for a person: that would hold a slot, a thread and a poll for a day. The
run ends, and its next life stands on the queue with a delay; a decision takes the delay away.
"""

import json

from dbos import DBOSClient
from sqlalchemy import Connection, text

from veridical.contracts.step import Json
from veridical.runs.dbos_setup import enqueue
from veridical.runs.encoding import JsonSerializer, PickleRefusedError
from veridical.runs.lives import Life
from veridical.runs.rows import current_workflow, move_on, seconds_to_wait
from veridical.runs.state import RunStatus
from veridical.store.connection import Store, become
from veridical.store.roles import DatabaseRole

WAITING_FOR = "waitingFor"
"""In the result of a step that asked a person and found no decision yet: asked again next time."""

_DELAY = text("""
    UPDATE dbos.workflow_status
    SET delay_until_epoch_ms = CAST((extract(epoch FROM now()) + :seconds) * 1000 AS bigint)
    WHERE workflow_uuid = :workflow_id AND status = 'DELAYED'
""")
_WAKE = text("""
    UPDATE dbos.workflow_status SET status = 'ENQUEUED'
    WHERE workflow_uuid = :workflow_id AND status = 'DELAYED'
""")
_STEPS = text("""
    SELECT function_name, output, serialization FROM dbos.operation_outputs
    WHERE workflow_uuid = ANY(CAST(:workflow_ids AS text[])) AND output IS NOT NULL
""")


def go_on_later(store: Store, client: DBOSClient, life: Life, item: str) -> None:
    """Let the next life wait until the item is decided, or its time is over."""
    with store.system() as connection:
        # The row is locked from here on: whoever decides now finds the next life and wakes it.
        if not move_on(connection, life, RunStatus.WAITING):
            return
        # By the database's clock, and from now: a crash may have come between asking and this.
        delay = seconds_to_wait(connection, item)
        become(connection, DatabaseRole.DBOS)
        enqueue(client, connection, life.next, delay)
        if delay:
            of_next = {"seconds": delay, "workflow_id": life.next.workflow_id}
            connection.execute(_DELAY, of_next)


def go_on_now(store: Store, client: DBOSClient, life: Life) -> None:
    """Let the next life begin at once: steps are found by name there, whatever code took them."""
    with store.system() as connection:
        if move_on(connection, life, RunStatus.QUEUED):
            become(connection, DatabaseRole.DBOS)
            enqueue(client, connection, life.next)


def wake(connection: Connection, run_id: str) -> None:
    """Let a waiting run go on, within the transaction that decides: both happen, or neither."""
    workflow_id = current_workflow(connection, run_id)
    if workflow_id is not None:
        connection.execute(_WAKE, {"workflow_id": workflow_id})


def earlier_steps(store: Store, life: Life) -> dict[str, Json]:
    """What the steps of all earlier lives gave, by name."""
    if not life.number:
        return {}
    with store.system() as connection:
        become(connection, DatabaseRole.DBOS)
        rows = connection.execute(_STEPS, {"workflow_ids": life.earlier}).all()
    known: dict[str, Json] = {}
    for name, output, serialization in rows:
        if serialization != JsonSerializer().name():
            raise PickleRefusedError
        result = json.loads(output)
        if not (isinstance(result, dict) and WAITING_FOR in result):
            known[name] = result
    return known
