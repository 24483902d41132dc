import pytest

from tests.trace.runs import called
from veridical.contracts.trace import AgentTrace, ToolCalled
from veridical.evals.scoring.repair import overcame_refusal

REFUSED = called(2, code="FAN_OUT")


@pytest.mark.parametrize(
    ("calls", "overcome"),
    [
        ([called(1)], None),
        ([REFUSED], False),
        ([REFUSED, called(3)], True),
        ([REFUSED, called(3, tool="browseTable", table="Other")], True),
        ([called(1), REFUSED], False),
        ([REFUSED, called(2, table="Other")], False),
        ([REFUSED, called(3, code="FAN_OUT")], False),
        ([REFUSED, called(3, success=False)], False),
        ([REFUSED, called(3, tool="calculate", table=None)], False),
    ],
    ids=[
        "nothing refused",
        "gave up",
        "mended",
        "another way",
        "worked before only",
        "a sibling worked",
        "refused again",
        "the database failed",
        "arithmetic only",
    ],
)
def test_a_refusal_is_overcome_by_a_later_call_that_works(
    calls: list[ToolCalled], overcome: bool | None
) -> None:
    assert overcame_refusal(AgentTrace(trace_id="t", events=tuple(calls))) is overcome
