"""A constraint that the data settled twice is shown to those who maintain it."""

import time
from uuid import uuid4

import pytest

from tests.console.pages import signed_in
from tests.sample import PACK
from tests.server.standing import ACME, GLOBEX, Standing
from veridical.console.step_view import RenderedSteps, rendered_step
from veridical.contracts.language import Language
from veridical.contracts.question import Question
from veridical.contracts.result import Receipt, Settled
from veridical.contracts.trace import AgentTrace, RunStarted, ToolCalled
from veridical.runs.state import WatchedEvent

ONCE, TWICE, *_, OF_OTHERS = PACK.ontology.constraints
RECEIPT = Receipt(
    call_id="c", query_hash="q", ontology_hash="o", sql="SELECT 1", row_count=1,
    truncated=False, elapsed_ms=1.0,
)  # fmt: skip


def called(*rules: str) -> ToolCalled:
    settled = Settled(rules=rules, receipt=RECEIPT) if rules else None
    return ToolCalled(
        at=time.time(), round=1, tool="executeSqlSafe", arguments={}, success=True,
        receipt=RECEIPT, settled=settled,
    )  # fmt: skip


def run(*calls: ToolCalled, tenant: str = ACME, feature: str = "trustee") -> AgentTrace:
    started = RunStarted(
        at=time.time(), question=Question(text="?", feature=feature), caller="x", tenant=tenant
    )
    return AgentTrace(trace_id=str(uuid4()), events=(started, *calls))


@pytest.mark.postgres
def test_a_constraint_that_was_settled_twice_is_shown_to_its_maintainers(
    console: Standing,
) -> None:
    console.services.traces.save(
        [
            run(called(TWICE.title), called()),
            run(called(ONCE.title, TWICE.title)),
            run(called("not declared any more"), called("not declared any more")),
            *(run(called(OF_OTHERS.title), tenant=GLOBEX) for _ in range(2)),
            *(run(called(ONCE.title), feature="other") for _ in range(2)),
        ]
    )
    with signed_in(console) as client:
        shown = client.get("/console/ontology/upkeep").text
    section = shown.partition('id="doubts"')[2].partition("</section>")[0]
    assert section.count("<li") == 1
    assert "2 times" in section
    number = PACK.ontology.constraints.index(TWICE)
    assert f"constraint={number}#effect" in section


def test_a_step_says_why_it_was_accepted() -> None:
    event = WatchedEvent(sequence=1, event=called("NEVER_SUM · sale.price"))
    shown = RenderedSteps(rendered_step).message("r", event, Language.EN).decode()
    assert "NEVER_SUM · sale.price objected" in shown
