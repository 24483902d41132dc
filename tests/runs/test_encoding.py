"""What is kept is JSON, and a pickle among it is not read."""

import asyncio
import base64
import os
import pickle
from pathlib import Path
from typing import Any

import pytest
from dbos import DBOSClient
from hypothesis import given
from hypothesis import strategies as st

from tests.runs.asked import asked, at, finished, rows, working
from tests.runs.conftest import TENANT
from veridical.answering.feature import Feature
from veridical.runs.continuation import earlier_steps
from veridical.runs.encoding import (
    Encoded,
    JsonSerializer,
    PickleRefusedError,
    RecordedError,
    encode,
    refuse_pickle,
)
from veridical.runs.port import Runs
from veridical.runs.request import RunSegment
from veridical.runs.settings import RunsSettings
from veridical.runs.state import RunStatus
from veridical.store.connection import Store

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)  # fmt: skip


class Trap:
    """What a pickle can do when it is read."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> Any:
        return os.mkdir, (str(self.mark),)


def trapped(mark: Path) -> str:
    return base64.b64encode(pickle.dumps(Trap(mark))).decode()


@given(_JSON)
def test_a_value_comes_back_as_it_was(value: Any) -> None:
    serializer = JsonSerializer()
    text = serializer.serialize(value)
    assert text.encode()
    assert "\0" not in text
    assert serializer.deserialize(text) == value
    assert serializer.deserialize(serializer.serialize(Encoded(encode(value)))) == value


def test_what_is_no_json_is_not_kept() -> None:
    with pytest.raises(ValueError, match="JSON"):
        encode(float("nan"))
    with pytest.raises(TypeError):
        encode({1, 2})


def test_an_error_keeps_its_kind_and_its_words() -> None:
    serializer = JsonSerializer()
    error = serializer.deserialize(serializer.serialize(KeyError("gone")))
    assert isinstance(error, RecordedError)
    assert error.kind == "KeyError"
    assert "gone" in str(error)


def test_the_trap_is_one(tmp_path: Path) -> None:
    pickle.loads(base64.b64decode(trapped(tmp_path / "sprung")))
    assert (tmp_path / "sprung").is_dir()


@pytest.mark.postgres
def test_no_pickle_is_read_from_a_row(runs: Runs, store: Store, tmp_path: Path) -> None:
    mark = tmp_path / "sprung"
    run_id = runs.start(asked(), TENANT, "Ada").run_id
    rows(
        store,
        "INSERT INTO dbos.operation_outputs (workflow_uuid, function_id, function_name, output,"
        " serialization, retention_timestamp) VALUES (:run, 1, 'open', :trap, 'py_pickle', 0)",
        run=run_id,
        trap=trapped(mark),
    )
    rows(
        store,
        "UPDATE dbos.workflow_status SET serialization = 'py_pickle' WHERE workflow_uuid = :run",
        run=run_id,
    )
    rows(
        store,
        "UPDATE dbos.workflow_input SET inputs = :trap WHERE workflow_uuid = :run",
        run=run_id,
        trap=trapped(mark),
    )
    refuse_pickle()
    client: DBOSClient = runs.client
    assert client.list_workflow_steps(run_id)[0]["output"] == trapped(mark)
    assert client.retrieve_workflow(run_id).get_status().input == trapped(mark)
    later = RunSegment(run_id=run_id, number=1, tenant=TENANT, asked_by="Ada", request=asked())
    with pytest.raises(PickleRefusedError):
        earlier_steps(store, later)
    assert not mark.exists()


@pytest.mark.postgres
def test_a_run_that_holds_a_pickle_fails_and_nothing_of_it_is_run(
    runs: Runs, settings: RunsSettings, store: Store, trustee: Feature, tmp_path: Path
) -> None:
    mark = tmp_path / "sprung"

    async def story() -> None:
        run_id = runs.start(asked(), TENANT, "Ada").run_id
        sql = "UPDATE dbos.workflow_input SET inputs = :trap WHERE workflow_uuid = :run"
        rows(store, sql, run=run_id, trap=trapped(mark))
        rows(store, "UPDATE dbos.workflow_status SET serialization = 'py_pickle'")
        async with working(settings, at(trustee)):
            failed = await finished(runs, run_id, TENANT)
        assert (failed.status, failed.error) == (RunStatus.FAILED, "BROKE")

    asyncio.run(story())
    assert not mark.exists()
