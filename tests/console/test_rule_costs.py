import time
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from tests.server.standing import GLOBEX, Standing
from veridical.console.quality import quality_of
from veridical.console.rule_costs import rule_costs
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.language import Language
from veridical.contracts.proof import Finding, GateCode, Verdict
from veridical.contracts.question import Question
from veridical.contracts.trace import (
    AgentTrace,
    Answered,
    Gated,
    ModelCalled,
    RunStarted,
    ToolCalled,
)

pytestmark = pytest.mark.postgres


def _run() -> AgentTrace:
    """A call is refused and mended, an answer held back and written anew."""
    now = time.time()
    trace_id = str(uuid4())
    refused = ToolCalled(
        at=now,
        round=1,
        tool="queryTable",
        arguments={},
        success=False,
        validation_failure_code="FIELD_NOT_FOUND",
    )
    mended = refused.model_copy(
        update={"round": 2, "success": True, "validation_failure_code": None}
    )
    finding = Finding(code=GateCode.UNGROUNDED_CLAIM, hint="no", claim="7")
    held_back = Gated(at=now, attempt=1, text="7", verdict=Verdict.BLOCK, findings=(finding,))
    answer = Answer(kind=AnswerKind.AGENT, text="8", language=Language.EN, trace_id=trace_id)
    return AgentTrace(
        trace_id=trace_id,
        events=(
            RunStarted(
                at=now,
                question=Question(text="?", feature="trustee"),
                caller="somebody",
                tenant=GLOBEX,
            ),
            refused,
            _asked(now, 2, 100),
            mended,
            _asked(now, 3, 1_000),
            held_back,
            _asked(now, 4, 10_000),
            Gated(at=now, attempt=2, text="8", verdict=Verdict.PASS),
            _asked(now, 5, 100_000),
            Answered(at=now, answer=answer),
        ),
    )


def _asked(now: float, number: int, tokens: int) -> ModelCalled:
    return ModelCalled(at=now, round=number, model="a model", input_tokens=tokens, output_tokens=1)


def test_a_rule_costs_what_is_spent_until_the_next_attempt(console: Standing) -> None:
    console.services.traces.save([_run(), _run()])
    since = datetime.now(UTC) - timedelta(days=1)
    with console.services.store.tenant(GLOBEX) as connection:
        checked, gated = rule_costs(connection, GLOBEX, since)
        quality = quality_of(connection, GLOBEX)
    (refused,), (blocked,) = checked, gated
    assert (refused.code, refused.times, refused.answered) == ("FIELD_NOT_FOUND", 2, 2)
    assert refused.tokens == 2 * 101
    assert (blocked.code, blocked.times, blocked.tokens) == ("UNGROUNDED_CLAIM", 2, 2 * 10_001)
    assert (quality.days[-1].refused, quality.days[-1].blocked) == (2, 2)
