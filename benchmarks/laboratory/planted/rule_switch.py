"""Switches off exactly one rule of a session."""

from collections.abc import Iterable
from dataclasses import replace

from veridical.answering.session import Session
from veridical.check.checker import ALWAYS_BLOCKING, Checker
from veridical.check.context import Context
from veridical.check.facts import Problem
from veridical.check.rules import Rule
from veridical.contracts.proof import GateCode
from veridical.contracts.violation import Code, Mode
from veridical.gate.policy import ProofPolicy


def without(session: Session, rule: Code | GateCode) -> Session:
    """The session without this rule; all others work as before. What the gate marks is of one
    reading, so that all of it is switched off with any of its rules."""
    if isinstance(rule, GateCode):
        modes = {**session.policy.modes, rule: Mode.OFF}
        off = {"modes": modes, "policy": ProofPolicy.OFF}
        return replace(session, policy=session.policy.model_copy(update=off))
    if rule is Code.UNTRACED_VALUE:
        policy = session.policy.model_copy(update={"untraced_arguments": Mode.OFF})
        return replace(session, policy=policy)
    checker = _silenced(session.feature.checker, rule)
    return replace(session, feature=replace(session.feature, checker=checker))


def _silenced(checker: Checker, code: Code) -> Checker:
    """No mode switches off what must always block, so its findings are left out instead."""
    if code not in ALWAYS_BLOCKING:
        return replace(checker, modes={**checker.modes, code: Mode.OFF})
    return replace(checker, rules=tuple(_leaving_out(rule, code) for rule in checker.rules))


def _leaving_out(rule: Rule, code: Code) -> Rule:
    def find(context: Context) -> Iterable[Problem]:
        return [problem for problem in rule(context) if problem.code is not code]

    return find
