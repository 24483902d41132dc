"""Reports made by hand, some with texts that try to break out of a page."""

from tests.evals.records import HEADER, record, runs
from tests.trace.runs import NOON, repaired_run
from veridical.contracts.proof import Finding, GateCode, Verdict
from veridical.contracts.trace import AgentTrace, Gated, ModelCalled, Routed
from veridical.evals.comparison.baseline import Baseline, as_baseline
from veridical.evals.comparison.regression import judge_drop
from veridical.evals.modes.mode import ModeName
from veridical.evals.report.report_data import Report, build_report
from veridical.evals.scoring.record import Outcome, RunRecord
from veridical.evals.storage.setup import RunHeader
from veridical.trace.counters import Counters

HOSTILE = (
    '"><script>steal()</script><img src=x onerror=steal()> | a\n\n# b `c` [d](javascript:e) \x00'
)


def plain_records() -> list[RunRecord]:
    """Two modes, two questions, three repeats."""
    return runs(ModeName.BASELINE, q1="cww", q2="wwr") + runs(ModeName.FULL, q1="ccc", q2="rrc")


def plain_report(header: RunHeader = HEADER) -> Report:
    records = plain_records()
    return build_report(header, records, judgements=judge_drop(records, _saved(), 0.02))


def _saved() -> Baseline:
    return as_baseline(HEADER, runs(ModeName.FULL, q1="ccc", q2="ccc"))


def told_trace(trace_id: str, text: str = "Twelve.") -> AgentTrace:
    """A run with a route, a refused call, its repair and a blocked answer."""
    known = repaired_run(trace_id)
    events = tuple(
        event.model_copy(update={"text": text}) if isinstance(event, ModelCalled) else event
        for event in known.events
    )
    gated = Gated(
        at=NOON + 3,
        attempt=1,
        text=text,
        verdict=Verdict.BLOCK,
        findings=(
            Finding(code=GateCode.CONTRADICTED_CLAIM, hint=f"not {text}", nearest="balance = 11"),
        ),
    )
    routed = Routed(at=NOON, route="pattern", reason=text, intent=text, slots={text: text})
    return AgentTrace(trace_id=trace_id, events=(*events[:-1], routed, gated, events[-1]))


def hostile_report() -> Report:
    """Every text that a model, a gold set or a setting can bring in, made of markup."""
    records = [
        record(
            HOSTILE,
            outcome,
            ModeName.FULL,
            repeat,
            score={"reasons": (HOSTILE,), "forbidden_tools": (HOSTILE,)},
            counters=Counters(validation_failures=1),
            question=HOSTILE,
            text=HOSTILE,
            traps=(HOSTILE,),
            failure_codes=(HOSTILE,),
            detail=HOSTILE,
            trace_id=f"t{repeat}",
        )
        for repeat, outcome in enumerate(Outcome)
    ]
    header = RunHeader(
        gold=HOSTILE,
        cases=1,
        repeats=3,
        model=HOSTILE,
        settings={HOSTILE: HOSTILE},
        version=HOSTILE,
    )
    traces = {f"t{number}": told_trace(f"t{number}", HOSTILE) for number in range(3)}
    return build_report(header, records, traces)
