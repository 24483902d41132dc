"""The rules, in the order in which their findings are told. One file each; a rule never raises."""

from collections.abc import Callable, Iterable

from veridical.gate.rules import (
    after_error,
    contradicted_claim,
    emptiness_told,
    no_evidence,
    required_tools,
    staleness_said,
    truncation_said,
)
from veridical.gate.rules.gate_facts import GateFacts
from veridical.gate.rules.problem import Problem

Rule = Callable[[GateFacts], Iterable[Problem]]

OF_EVALUATED: tuple[Rule, ...] = (
    required_tools.find,
    after_error.find,
    no_evidence.find,
    contradicted_claim.find,
    truncation_said.find,
    emptiness_told.find,
    staleness_said.find,
)
"""For an answer whose pieces were evaluated one by one: what the run knows beyond its cells."""

OF_RUN: tuple[Rule, ...] = tuple(
    rule for rule in OF_EVALUATED if rule not in (contradicted_claim.find, no_evidence.find)
)
"""For an answer whose claims somebody else has judged: what the run alone knows. An answer without
any result is judged by ``no_evidence`` as well; with a result that is empty its claims tell."""
