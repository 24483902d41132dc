"""Without any result, only small talk, a refusal or a question passes.

The forms that may pass are a closed list, as invented content can't be listed.
"""

from collections.abc import Iterator

from veridical.contracts.proof import ClaimKind, GateCode
from veridical.gate.bound import Bound
from veridical.gate.notions import Notion, find_notion
from veridical.gate.rules.gate_facts import GateFacts
from veridical.gate.rules.problem import Problem
from veridical.gate.rules.sentence import sentence_at
from veridical.gate.rules.unproven import unproven

_VAGUE = frozenset({ClaimKind.PERIOD, ClaimKind.FACT})


def find(facts: GateFacts) -> Iterator[Problem]:
    """One problem: for the first piece of data, else for the first clause of another form."""
    if facts.filled or _counts_rows(facts):
        return
    for bound in facts.data:
        if _needs_data(bound, facts):
            yield Problem(GateCode.NO_EVIDENCE, _why(facts), bound=bound)
            return
    clause = unproven(facts.text, found_nothing=_found_nothing(facts))
    if clause is not None:
        start = _start(clause, facts.text)
        yield Problem(GateCode.NO_EVIDENCE, _why(facts), claim=clause, start=start)


def _why(facts: GateFacts) -> str:
    """Why no result has it: the wording of the finding."""
    if _found_nothing(facts):
        return "empty"
    if facts.exhibits:
        return "written"
    return "failed" if facts.runs and not any(run.success for run in facts.runs) else ""


def _counts_rows(facts: GateFacts) -> bool:
    """True if the number of rows was read, though no row is shown."""
    return any(each.row_count for each in facts.exhibits)


def _found_nothing(facts: GateFacts) -> bool:
    return any(each.emptiness is not None or each.row_count == 0 for each in facts.exhibits)


def _is_none(bound: Bound) -> bool:
    return bool(bound.readings) and all(each.value == 0 for each in bound.readings)


def _needs_data(bound: Bound, facts: GateFacts) -> bool:
    if bound.kind in _VAGUE or _is_supposed(bound, facts):
        return False
    return not (facts.exhibits and _is_none(bound))


def _is_supposed(bound: Bound, facts: GateFacts) -> bool:
    return find_notion(Notion.SUPPOSED, sentence_at(facts.text, bound.start)) is not None


def _start(clause: str, text: str) -> int | None:
    found = text.find(clause)
    return found if found >= 0 else None
