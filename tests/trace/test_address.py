from pathlib import Path

import pytest

from tests.trace.runs import repaired_run
from veridical.trace.address import VARIABLE, open_traces, traces_address
from veridical.trace.jsonl import JsonLines
from veridical.trace.recorder import StoreError


def test_the_environment_names_the_place() -> None:
    usual = "~/.local/state/veridical/traces"
    assert traces_address({}) == usual
    assert traces_address({VARIABLE: "", "XDG_STATE_HOME": ""}) == usual
    assert traces_address({"XDG_STATE_HOME": "/var/state"}) == "/var/state/veridical/traces"
    assert traces_address({VARIABLE: "/var/traces", "XDG_STATE_HOME": "/x"}) == "/var/traces"


def test_a_path_is_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    store = open_traces("~/traces")
    assert isinstance(store, JsonLines)
    assert store.folder == tmp_path / "traces"


@pytest.mark.postgres
def test_an_address_is_a_database_that_is_ready(postgres_url: str) -> None:
    store = open_traces(postgres_url)
    store.save(repaired_run())
    assert store.load("run-1") == repaired_run()
    store.close()


def test_other_databases_are_refused() -> None:
    with pytest.raises(StoreError, match="not to mysql://"):
        open_traces("mysql://here/db")
