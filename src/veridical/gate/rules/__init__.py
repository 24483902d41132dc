"""The rules, in the order of their findings. One file each; a rule never raises."""

from collections.abc import Callable, Iterable

from veridical.gate.rules import (
    after_error,
    contradicted_claim,
    empty_result,
    no_evidence,
    required_tools,
    stale_result,
    truncated_result,
)
from veridical.gate.rules.gate_facts import GateFacts
from veridical.gate.rules.problem import Problem

Rule = Callable[[GateFacts], Iterable[Problem]]

OF_EVALUATED: tuple[Rule, ...] = (
    required_tools.find,
    after_error.find,
    no_evidence.find,
    contradicted_claim.find,
    truncated_result.find,
    empty_result.find,
    stale_result.find,
)
"""Rules for an answer whose parts were evaluated one by one."""

OF_RUN: tuple[Rule, ...] = tuple(
    rule for rule in OF_EVALUATED if rule not in (contradicted_claim.find, no_evidence.find)
)
"""Rules for an answer whose claims were judged elsewhere. ``no_evidence`` is added for an answer
without any result, ``empty_result`` for one from an empty result."""
