"""A desk on which exactly one rule is switched off."""

from collections.abc import Iterable
from dataclasses import replace

from veridical.check.checker import ALWAYS_BLOCKING, Checker
from veridical.check.context import Context
from veridical.check.facts import Problem
from veridical.check.rules import Rule
from veridical.contracts.proof import GateCode
from veridical.contracts.violation import Code, Mode
from veridical.ways import Desk


def without(desk: Desk, rule: Code | GateCode) -> Desk:
    """The desk without this rule; all others work as before."""
    if isinstance(rule, GateCode):
        modes = {**desk.policy.modes, rule: Mode.OFF}
        return replace(desk, policy=desk.policy.model_copy(update={"modes": modes}))
    if rule is Code.UNTRACED_VALUE:
        policy = desk.policy.model_copy(update={"untraced_arguments": Mode.OFF})
        return replace(desk, policy=policy)
    checker = _silenced(desk.feature.checker, rule)
    return replace(desk, feature=replace(desk.feature, checker=checker))


def _silenced(checker: Checker, code: Code) -> Checker:
    """No mode switches off what must always block, so its findings are left out instead."""
    if code not in ALWAYS_BLOCKING:
        return replace(checker, modes={**checker.modes, code: Mode.OFF})
    return replace(checker, rules=tuple(_leaving_out(rule, code) for rule in checker.rules))


def _leaving_out(rule: Rule, code: Code) -> Rule:
    def find(context: Context) -> Iterable[Problem]:
        return [problem for problem in rule(context) if problem.code is not code]

    return find
