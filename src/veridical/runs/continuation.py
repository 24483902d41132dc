"""Continues a run after it ended to wait: its next segment, and the steps that need no repeating.

Nobody waits in the engine for a person: that would hold a slot, a thread and a poll for a day. The
run ends, and its next segment is queued with a delay; a decision removes the delay.
"""

import json

from dbos import DBOSClient
from sqlalchemy import Connection, text

from veridical.contracts.step import Json
from veridical.runs.dbos_setup import enqueue
from veridical.runs.encoding import JsonSerializer, PickleRefusedError
from veridical.runs.rows import current_workflow, move_on, seconds_to_wait
from veridical.runs.segment import RunSegment
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


def go_on_later(store: Store, client: DBOSClient, segment: RunSegment, item: str) -> None:
    """Queue the next segment until the item is decided or has expired."""
    with store.system() as connection:
        # The row is locked from here on: whoever decides now finds the next segment and wakes it.
        if not move_on(connection, segment, RunStatus.WAITING):
            return
        # By the database's clock, and from now: a crash may have come between asking and this.
        delay = seconds_to_wait(connection, item)
        become(connection, DatabaseRole.DBOS)
        enqueue(client, connection, segment.next, delay)
        if delay:
            of_next = {"seconds": delay, "workflow_id": segment.next.workflow_id}
            connection.execute(_DELAY, of_next)


def go_on_now(store: Store, client: DBOSClient, segment: RunSegment) -> None:
    """Queue the next segment at once: it finds steps by name, whatever code took them."""
    with store.system() as connection:
        if move_on(connection, segment, RunStatus.QUEUED):
            become(connection, DatabaseRole.DBOS)
            enqueue(client, connection, segment.next)


def wake(connection: Connection, run_id: str) -> None:
    """Resume a waiting run, within the transaction of the decision: both happen, or neither."""
    workflow_id = current_workflow(connection, run_id)
    if workflow_id is not None:
        connection.execute(_WAKE, {"workflow_id": workflow_id})


def earlier_steps(store: Store, segment: RunSegment) -> dict[str, Json]:
    """The results of the steps of all earlier segments, by name."""
    if not segment.number:
        return {}
    with store.system() as connection:
        become(connection, DatabaseRole.DBOS)
        rows = connection.execute(_STEPS, {"workflow_ids": segment.earlier}).all()
    known: dict[str, Json] = {}
    for name, output, serialization in rows:
        if serialization != JsonSerializer().name():
            raise PickleRefusedError
        result = json.loads(output)
        if not (isinstance(result, dict) and WAITING_FOR in result):
            known[name] = result
    return known
