"""After a failed call there is no data answer: what the call should have brought is missing."""

from collections.abc import Iterator

from veridical.contracts.proof import GateCode, Standing
from veridical.contracts.violation import Mode
from veridical.gate.rules.gate_facts import GateFacts
from veridical.gate.rules.problem import Problem


def find(facts: GateFacts) -> Iterator[Problem]:
    """One problem where the last call for data failed and the answer gives data all the same.

    Where earlier calls succeeded and bear out all that is said, the reader is only warned.
    """
    idle = {tool.casefold() for tool in facts.policy.idle_tools}
    runs = [run for run in facts.runs if run.tool.casefold() not in idle]
    if not runs or runs[-1].success or not facts.data:
        return
    borne_out = any(run.success for run in runs) and all(
        bound.standing is Standing.GROUNDED for bound in facts.data
    )
    first = facts.data[0]
    at_most = Mode.WARN if borne_out else Mode.BLOCK
    yield Problem(
        GateCode.AFTER_TOOL_ERROR, bound=first, at_most=at_most, values=(("tool", runs[-1].tool),)
    )
