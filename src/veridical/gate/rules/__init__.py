"""The rules, in the order of their findings. One file each; a rule never raises."""

from collections.abc import Callable, Iterable

from veridical.gate.rules import (
    after_error,
    empty_result,
    required_tools,
    stale_result,
    truncated_result,
)
from veridical.gate.rules.gate_facts import GateFacts
from veridical.gate.rules.problem import Problem

Rule = Callable[[GateFacts], Iterable[Problem]]

OF_RUN: tuple[Rule, ...] = (
    required_tools.find,
    after_error.find,
    truncated_result.find,
    empty_result.find,
    stale_result.find,
)
"""The rules for every answer; ``no_evidence`` is added for one without any result."""
