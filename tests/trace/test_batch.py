"""Events of many runs in one round trip."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine, create_engine, make_url

from tests.trace.runs import repaired_run
from veridical.contracts.trace import AgentTrace
from veridical.trace.batch import Written, execute_together, notices, written
from veridical.trace.event_json import to_stored_text
from veridical.trace.postgres import PostgresTraces

pytestmark = pytest.mark.postgres


@pytest.fixture(scope="module")
def traces(postgres_url: str) -> Iterator[PostgresTraces]:
    store = PostgresTraces(postgres_url)
    store.prepare()
    yield store
    store.close()


@pytest.fixture
def engine(postgres_url: str, traces: PostgresTraces) -> Iterator[Engine]:
    engine = create_engine(make_url(postgres_url).set(drivername="postgresql+psycopg"))
    yield engine
    engine.dispose()


def numbered(trace: AgentTrace) -> list[Written]:
    return [
        Written(trace.trace_id, sequence, event, to_stored_text(event))
        for sequence, event in enumerate(trace.events)
    ]


def write(engine: Engine, batch: list[Written]) -> None:
    with engine.begin() as connection:
        execute_together(connection, written(batch))


@settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.data())
def test_any_order_and_any_repetition_gives_the_same_trace(
    engine: Engine, traces: PostgresTraces, data: st.DataObject
) -> None:
    name = f"shuffled-{data.draw(st.integers(0, 10**9))}"
    runs = [repaired_run(f"{name}-{number}", "acme") for number in range(2)]
    pieces = [piece for run in runs for piece in numbered(run)]
    shuffled = data.draw(st.permutations([*pieces, *pieces]))
    cut = data.draw(st.integers(0, len(shuffled)))
    write(engine, shuffled[:cut])
    write(engine, shuffled[cut:])
    for run in runs:
        assert traces.load(run.trace_id, "acme") == run


def test_what_is_known_of_a_run_comes_from_its_first_writing(
    engine: Engine, traces: PostgresTraces, postgres_url: str
) -> None:
    write(engine, numbered(repaired_run("first", "acme")))
    write(engine, numbered(repaired_run("first", "other")))
    assert traces.load("first", "other") is None
    with psycopg.connect(postgres_url) as connection:
        known = connection.execute(
            "SELECT tenant, outcome FROM veridical.runs WHERE trace_id = 'first'"
        )
        assert known.fetchall() == [("acme", "agent")]


def test_writers_of_the_same_events_do_not_block_each_other(
    engine: Engine, traces: PostgresTraces
) -> None:
    runs = [repaired_run(f"many-{number}") for number in range(20)]
    batch = [piece for run in runs for piece in numbered(run)]
    with ThreadPoolExecutor(4) as pool:
        writing = [pool.submit(write, engine, order) for order in (batch, batch[::-1]) * 4]
        for each in writing:
            each.result()
    assert [traces.load(run.trace_id) for run in runs] == runs


def test_nothing_is_written_of_a_batch_that_fails(engine: Engine, traces: PostgresTraces) -> None:
    good = numbered(repaired_run("half"))
    bad = Written("half", 99, good[0].event, "\0")
    with pytest.raises(psycopg.Error):
        write(engine, [*good, bad])
    assert traces.load("half") is None


def test_a_notice_that_is_too_long_is_left_out(postgres_url: str, engine: Engine) -> None:
    with psycopg.connect(postgres_url, autocommit=True) as listener:
        listener.execute("LISTEN veridical_runs")
        with engine.begin() as connection:
            execute_together(connection, notices(["x" * 9_000, "run-1"]))
        heard = [notice.payload for notice in listener.notifies(timeout=5, stop_after=1)]
    assert heard == ["run-1"]
    assert notices([]) == []
