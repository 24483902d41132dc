from tests.trace.runs import NOON, repaired_run
from veridical.contracts.trace import AgentTrace
from veridical.trace.counters import counters
from veridical.trace.summary import summary_of
from veridical.trace.timestamps import moment


def test_a_run_in_a_few_words() -> None:
    run = repaired_run("run-1", tenant="acme")
    told = summary_of(run)
    assert (told.trace_id, told.tenant, told.started_at) == ("run-1", "acme", moment(NOON))
    assert told.outcome == "agent"
    assert told.counters == counters(run)


def test_what_has_not_happened_is_not_told() -> None:
    told = summary_of(AgentTrace(trace_id="run-1"))
    assert (told.question, told.started_at, told.outcome) == (None, None, None)
