"""Data that is older than allowed is given with a word about it."""

from collections.abc import Iterator

from veridical.contracts.proof import GateCode
from veridical.contracts.result import Emptiness
from veridical.gate.notions import Notion, said
from veridical.gate.rules.gate_facts import GateFacts
from veridical.gate.rules.problem import Problem


def find(facts: GateFacts) -> Iterator[Problem]:
    """One problem where a stale result is told as if it were fresh."""
    if facts.empty_for(Emptiness.STALE) and facts.data and not said(Notion.OLD, facts.text):
        yield Problem(GateCode.STALENESS_NOT_SAID, bound=facts.data[0])
