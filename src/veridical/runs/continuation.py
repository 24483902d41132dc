"""Continues a run after it ended to wait: its next segment, and the steps that need no repeating.

No run waits in the engine for a person: that would hold a slot, a thread and a poll for a day. The
run ends, and its next segment is queued with a delay; a decision removes the delay.
"""

import json
import time

from dbos import DBOSClient
from sqlalchemy import Connection

from veridical.contracts.step import Json
from veridical.runs import dbos_tables
from veridical.runs.dbos_setup import enqueue
from veridical.runs.encoding import JsonSerializer, PickleRefusedError
from veridical.runs.request import RunSegment
from veridical.runs.rows import current_workflow, database_time, move_on, seconds_to_wait
from veridical.runs.state import RunStatus
from veridical.store.connection import Store, become
from veridical.store.protection import DatabaseRole

WAITING_FOR = "waitingFor"
"""Key in the result of a step that found no decision of a person yet: it is run again next time."""
_A_MOMENT = 0.001


def go_on_later(store: Store, client: DBOSClient, segment: RunSegment, item: str) -> None:
    """Queue the next segment until the item is decided or has expired."""
    with store.system() as connection:
        # The row is locked from here on: a decision made now finds the next segment and wakes it.
        if not move_on(connection, segment, RunStatus.WAITING):
            return
        # By the database's clock, and from now: a crash may have come between asking and this.
        delay = seconds_to_wait(connection, item)
        if delay:  # the engine adds it to this machine's clock
            delay = max(delay + database_time(connection) - time.time(), _A_MOMENT)
        become(connection, DatabaseRole.DBOS)
        enqueue(client, connection, segment.next, delay)


def go_on_now(store: Store, client: DBOSClient, segment: RunSegment) -> None:
    """Queue the next segment at once: it finds steps by name, whatever code took them."""
    with store.system() as connection:
        if move_on(connection, segment, RunStatus.QUEUED):
            become(connection, DatabaseRole.DBOS)
            enqueue(client, connection, segment.next)


def wake(connection: Connection, run_id: str, seconds: float = 0) -> None:
    """Resume a waiting run, now or after some seconds, within the transaction of the decision: both
    happen, or neither."""
    workflow_id = current_workflow(connection, run_id)
    if workflow_id is not None:
        dbos_tables.wake(connection, workflow_id, seconds)


def earlier_steps(store: Store, segment: RunSegment) -> dict[str, Json]:
    """The results of the steps of all earlier segments, by name."""
    if not segment.number:
        return {}
    with store.system() as connection:
        become(connection, DatabaseRole.DBOS)
        results = dbos_tables.step_results(connection, segment.earlier)
    known: dict[str, Json] = {}
    for name, output, serializer in results:
        if serializer != JsonSerializer().name():
            raise PickleRefusedError
        result = json.loads(output)
        if not (isinstance(result, dict) and WAITING_FOR in result):
            known[name] = result
    return known
