"""The tools that a kind of source needs have succeeded in this run."""

from collections.abc import Iterator
from functools import lru_cache

from veridical.contracts.proof import GateCode
from veridical.gate.rules.gate_facts import GateFacts
from veridical.gate.rules.holding import repeats_cell
from veridical.gate.rules.problem import Problem
from veridical.late_pattern import late_pattern

_NOT_A_LETTER = late_pattern(r"[^a-z0-9|]")


def find(facts: GateFacts) -> Iterator[Problem]:
    """One problem for each tool that is missing, where the answer gives data."""
    if not (facts.runs or facts.required_tools or facts.source):
        return
    wanted = dict.fromkeys((*facts.required_tools, *_of_sources(facts)))
    succeeded = {_plain(run.tool) for run in facts.runs if run.success}
    missing = [tools for tools in wanted if succeeded.isdisjoint(_either(tools))]
    if not missing or not (facts.result_claims or repeats_cell(facts)):
        return
    for tools in missing:
        yield Problem(GateCode.REQUIRED_TOOL_MISSING, claim="", values=(("tool", _named(tools)),))


def _of_sources(facts: GateFacts) -> Iterator[str]:
    """The tools that the declared kind of source needs; where none is declared, those of each kind
    of which a tool was called."""
    if facts.source is not None:
        yield from facts.policy.required_tools.get(facts.source, ())
        return
    called = {_plain(run.tool) for run in facts.runs}
    for groups in facts.policy.required_tools.values():
        if any(not called.isdisjoint(_either(tools)) for tools in groups):
            yield from groups


@lru_cache(maxsize=1024)
def _either(tools: str) -> frozenset[str]:
    """The tools that can replace one another."""
    return frozenset(_plain(tools).split("|"))


@lru_cache(maxsize=1024)
def _plain(tool: str) -> str:
    """``inspect_file`` and ``inspectFile`` are one tool."""
    return _NOT_A_LETTER.sub("", tool.casefold())


def _named(tools: str) -> str:
    return tools.replace("|", " / ")
