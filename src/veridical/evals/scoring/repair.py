"""Repair conversion: whether a run recovered from a refused call, in the next round or ever."""

from veridical.contracts.trace import AgentTrace, ToolCalled
from veridical.tools.calculate import CALCULATE


def repaired_at_once(trace: AgentTrace) -> bool | None:
    """Whether a call on the data worked in the round after the first refusal.

    It may be the same call mended or another way to the data; arithmetic gets nobody to the data.
    None when no call was refused.
    """
    refused = _first_refusal(trace)
    return None if refused is None else refused + 1 in _rounds_with_data(trace)


def overcame_refusal(trace: AgentTrace) -> bool | None:
    """The same in any later round: the run got there, however many rounds it took."""
    refused = _first_refusal(trace)
    return None if refused is None else any(each > refused for each in _rounds_with_data(trace))


def _first_refusal(trace: AgentTrace) -> int | None:
    """The first round in which the check refused a call."""
    refused = (call.round for call in _calls(trace) if call.validation_failure_code is not None)
    return min(refused, default=None)


def _rounds_with_data(trace: AgentTrace) -> set[int]:
    return {call.round for call in _calls(trace) if call.success and call.tool != CALCULATE}


def _calls(trace: AgentTrace) -> list[ToolCalled]:
    return [event for event in trace.events if isinstance(event, ToolCalled)]
