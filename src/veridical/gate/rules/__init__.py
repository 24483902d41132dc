"""The rules, in the order in which their findings are told. One file each; a rule never raises."""

from collections.abc import Callable, Iterable

from veridical.gate.rules import (
    after_error,
    contradicted_claim,
    emptiness_told,
    illegal_derivation,
    list_complete,
    no_evidence,
    placeholder_series,
    required_tools,
    staleness_said,
    truncation_said,
    ungrounded_claim,
    unknown_name,
)
from veridical.gate.rules.gate_facts import GateFacts
from veridical.gate.rules.problem import Problem

Rule = Callable[[GateFacts], Iterable[Problem]]

RULES: tuple[Rule, ...] = (
    required_tools.find,
    after_error.find,
    no_evidence.find,
    contradicted_claim.find,
    ungrounded_claim.find,
    illegal_derivation.find,
    placeholder_series.find,
    unknown_name.find,
    list_complete.find,
    truncation_said.find,
    emptiness_told.find,
    staleness_said.find,
)
