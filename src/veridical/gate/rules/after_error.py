"""After a failed call the answer gives no data: the result is missing."""

from collections.abc import Iterator

from veridical.contracts.proof import GateCode, Ground, Standing
from veridical.contracts.violation import Mode
from veridical.gate.bound import Bound
from veridical.gate.notions import Notion, find_notion
from veridical.gate.rules.gate_facts import FIGURES, TIMES, GateFacts
from veridical.gate.rules.problem import Problem
from veridical.gate.rules.sentence import sentence_at, sentences
from veridical.gate.rules.unproven import unproven


def find(facts: GateFacts) -> Iterator[Problem]:
    """One problem if the last call for data failed and the answer gives data anyway: a figure, a
    name, a small number, or a mere statement.

    If earlier calls succeeded and support the whole answer, the reader is only warned. Words
    about the failure itself are no data.
    """
    if not facts.runs:
        return
    idle = {tool.casefold() for tool in facts.policy.idle_tools}
    runs = [run for run in facts.runs if run.tool.casefold() not in idle]
    if not runs or runs[-1].success:
        return
    results = [bound for bound in facts.stated if _is_result(bound, facts)]
    clause = None if results else _statement(facts.text)
    if not results and clause is None:
        return
    open_claims = [bound for bound in results if bound.standing is not Standing.GROUNDED]
    supported = facts.exhibits and any(run.success for run in runs) and not open_claims
    yield Problem(
        GateCode.AFTER_TOOL_ERROR,
        bound=(open_claims or results or (None,))[0],
        claim=clause or "",
        start=facts.text.find(clause) if clause and clause in facts.text else None,
        at_most=Mode.WARN if supported else Mode.BLOCK,
        values=(("tool", runs[-1].tool),),
    )


def _statement(text: str) -> str | None:
    """The first clause that needs data and is not about a failure."""
    if unproven(text) is None:
        return None
    able = (each for each in sentences(text) if not find_notion(Notion.UNABLE, each))
    return next((clause for each in able if (clause := unproven(each)) is not None), None)


def _is_result(bound: Bound, facts: GateFacts) -> bool:
    if bound.ground is Ground.QUESTION:
        return False
    sentence = sentence_at(facts.text, bound.start)
    if find_notion(Notion.UNABLE, sentence):
        return False
    if bound in facts.data:
        return bound.kind in FIGURES | TIMES
    return unproven(sentence) is not None
