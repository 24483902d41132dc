"""An answer from data that is older than allowed mentions their age."""

from collections.abc import Iterator

from veridical.contracts.proof import GateCode
from veridical.contracts.result import Emptiness
from veridical.gate.notions import Notion, find_notion
from veridical.gate.rules.gate_facts import GateFacts
from veridical.gate.rules.problem import Problem


def find(facts: GateFacts) -> Iterator[Problem]:
    """One problem if a stale result is presented as fresh."""
    if facts.empty_for(Emptiness.STALE) and facts.data and not find_notion(Notion.OLD, facts.text):
        yield Problem(GateCode.STALENESS_NOT_SAID, bound=facts.data[0])
