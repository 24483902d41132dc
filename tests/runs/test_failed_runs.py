"""A run that the engine gave up ends as failed, in the words of who asked."""

import pytest

from tests.runs.asked import asked, rows
from tests.runs.conftest import TENANT
from veridical.contracts.answer import AnswerKind
from veridical.runs.failed_runs import close_failed_runs
from veridical.runs.port import Runs
from veridical.runs.state import RunStatus
from veridical.store.connection import Store

pytestmark = pytest.mark.postgres


def given_up(store: Store, run_id: str, status: str, ago: float = 0) -> None:
    rows(
        store,
        "UPDATE dbos.workflow_status SET status = :status, completed_at ="
        " (extract(epoch FROM now()) - :ago) * 1000 WHERE workflow_uuid = :run",
        status=status,
        ago=ago,
        run=run_id,
    )


@pytest.mark.parametrize(
    ("status", "error"), [("MAX_RECOVERY_ATTEMPTS_EXCEEDED", "GAVE_UP"), ("ERROR", "BROKE")]
)
def test_what_the_engine_gave_up_has_failed(
    runs: Runs, store: Store, status: str, error: str
) -> None:
    run_id, other = (runs.start(asked(), TENANT, "Ada").run_id for _ in range(2))
    given_up(store, run_id, status)
    assert close_failed_runs(store, runs.client, 60) == [run_id]
    state = runs.state(run_id, TENANT)
    assert state is not None
    assert (state.status, state.error) == (RunStatus.FAILED, error)
    assert state.answer is not None
    assert state.answer.kind is AnswerKind.FAILED
    assert state.answer.text
    assert runs.state(other, TENANT).status is RunStatus.QUEUED  # pyright: ignore
    assert close_failed_runs(store, runs.client, 60) == []


def test_what_was_cancelled_in_the_engine_is_cancelled(runs: Runs, store: Store) -> None:
    run_id = runs.start(asked(), TENANT, "Ada").run_id
    given_up(store, run_id, "CANCELLED")
    assert close_failed_runs(store, runs.client, 60) == [run_id]
    assert runs.state(run_id, TENANT).status is RunStatus.CANCELLED  # pyright: ignore


def test_an_earlier_life_settles_nothing(runs: Runs, store: Store) -> None:
    run_id = runs.start(asked(), TENANT, "Ada").run_id
    given_up(store, run_id, "ERROR")
    rows(store, "UPDATE veridical.run_requests SET workflow_id = workflow_id || '~1'")
    assert close_failed_runs(store, runs.client, 60) == []


def test_only_what_happened_lately_is_looked_at(runs: Runs, store: Store) -> None:
    run_id = runs.start(asked(), TENANT, "Ada").run_id
    given_up(store, run_id, "ERROR", ago=120)
    assert close_failed_runs(store, runs.client, 60) == []
    assert close_failed_runs(store, runs.client, 600) == [run_id]
