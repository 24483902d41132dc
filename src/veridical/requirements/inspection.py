"""All rules over one requirement: the findings, and the rules that could not be evaluated."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from veridical.requirements.finding import Finding
from veridical.requirements.rules import RULES, Rule
from veridical.requirements.tokens import Tokens, read

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Inspection:
    """The findings of all rules for a requirement."""

    tokens: Tokens
    findings: tuple[Finding, ...]
    not_evaluated: tuple[str, ...] = ()
    """The ids of rules that failed; nothing is known about what they look for."""


def inspect(text: str, language: str | None = None, rules: Sequence[Rule] = RULES) -> Inspection:
    """Reads a requirement and applies the rules, in the language that it is in unless known."""
    tokens = read(text, language)
    findings: list[Finding] = []
    failed: list[str] = []
    for rule in rules:
        if rule.phrases and rule.phrases not in tokens.hits:
            continue
        try:
            findings.extend(_found(tokens, rule))
        except Exception:
            _LOG.exception("rule %s failed", rule.id)
            failed.append(rule.id)
    return Inspection(tokens, tuple(findings), tuple(failed))


def _found(tokens: Tokens, rule: Rule) -> Iterator[Finding]:
    for mark in rule.find(tokens):
        start, end = tokens.all[mark.first].start, tokens.all[mark.end - 1].end
        if mark.first == 0 and mark.end == len(tokens.all):
            start, end = 0, len(tokens.text)
        yield Finding(
            rule.id,
            start,
            end,
            tokens.text[start:end],
            rule.variants.get(mark.variant, rule.weight),
            rule.criteria[0],
            mark.variant,
        )
