"""After a failed call there is no data answer: what the call should have brought is missing."""

from collections.abc import Iterator

from veridical.contracts.proof import GateCode, Standing
from veridical.contracts.violation import Mode
from veridical.gate.bound import Bound
from veridical.gate.notions import Notion, said
from veridical.gate.rules.gate_facts import FIGURES, TIMES, GateFacts
from veridical.gate.rules.problem import Problem
from veridical.gate.rules.sentence import sentence_at


def find(facts: GateFacts) -> Iterator[Problem]:
    """One problem where the last call for data failed and the answer gives data all the same.

    Where earlier calls succeeded and bear out all that is said, the reader is only warned. What an
    answer says about the failure itself is no data.
    """
    if not facts.runs:
        return
    idle = {tool.casefold() for tool in facts.policy.idle_tools}
    runs = [run for run in facts.runs if run.tool.casefold() not in idle]
    if not runs or runs[-1].success:
        return
    told = [bound for bound in facts.data if _is_result(bound, facts)]
    if not told:
        return
    open_claims = [bound for bound in told if bound.standing is not Standing.GROUNDED]
    borne_out = any(run.success for run in runs) and not open_claims
    yield Problem(
        GateCode.AFTER_TOOL_ERROR,
        bound=(open_claims or told)[0],
        at_most=Mode.WARN if borne_out else Mode.BLOCK,
        values=(("tool", runs[-1].tool),),
    )


def _is_result(bound: Bound, facts: GateFacts) -> bool:
    if bound.claim.kind not in FIGURES | TIMES:
        return False
    return not said(Notion.UNABLE, sentence_at(facts.text, bound.claim.start))
