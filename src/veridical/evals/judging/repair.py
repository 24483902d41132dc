"""Whether a run got over the check's refusal of a call."""

from veridical.contracts.trace import AgentTrace, ToolCalled
from veridical.tools.calculate import CALCULATE


def overcame_refusal(trace: AgentTrace) -> bool | None:
    """Whether a call on the data worked in a later round than one that was refused.

    It may be the same call mended or another way to the data; arithmetic gets nobody to the data.
    None when no call was refused.
    """
    calls = [event for event in trace.events if isinstance(event, ToolCalled)]
    refused = [call.round for call in calls if call.validation_failure_code is not None]
    if not refused:
        return None
    return any(
        call.success and call.tool != CALCULATE and call.round > min(refused) for call in calls
    )
