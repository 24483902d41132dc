"""All rules over one requirement: the findings, and the rules that could not be evaluated."""

import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from veridical.requirements.finding import Finding
from veridical.requirements.form import Form
from veridical.requirements.language import is_readable
from veridical.requirements.rules import PLAIN_RULES, RULES, Rule
from veridical.requirements.rules.obligation import is_bare_state
from veridical.requirements.rules.story import benefit_places
from veridical.requirements.tokens import Tokens, read

_LOG = logging.getLogger(__name__)
_LINE = re.compile(r"[^\n]*\S")


class Lack(StrEnum):
    """What is missing to tell whether a requirement is met."""

    CRITERION = "lacks_criterion"
    """no figure, no condition and no scenario"""
    EVERYTHING = "lacks_everything"
    """a state is demanded by its name alone"""


@dataclass(frozen=True)
class Inspection:
    """The findings of all rules for a requirement."""

    tokens: Tokens
    findings: tuple[Finding, ...]
    not_evaluated: tuple[str, ...] = ()
    """The ids of rules that failed; nothing is known about what they look for."""
    statements: tuple[range, ...] = ()
    """Where a requirement and each of its acceptance criteria stand, if it has any."""
    lack: "Lack | None" = None
    """What nothing in the text says."""
    is_readable: bool = True
    """False if the text is in a language that the rules don't read."""


def inspect(text: str, language: str | None = None, rules: Sequence[Rule] = RULES) -> Inspection:
    """Reads a requirement and applies the rules, in the language that it is in unless known.
    Acceptance criteria on lines of their own are statements of their own."""
    tokens = read(text, language)
    if not is_readable(tokens.all):
        return Inspection(tokens, (), tuple(rule.id for rule in rules), is_readable=False)
    parts = list(_statements(tokens))
    if len(parts) < 2:
        return _inspected(tokens, rules)
    each = [_inspected(read(part, tokens.language), rules) for _, part in parts]
    findings = tuple(
        replace(finding, start=finding.start + start, end=finding.end + start)
        for (start, _), one in zip(parts, each, strict=True)
        for finding in one.findings
    )
    failed = dict.fromkeys(rule for one in each for rule in one.not_evaluated)
    statements = tuple(range(start, start + len(part)) for start, part in parts)
    return Inspection(tokens, findings, tuple(failed), statements)


def _statements(tokens: Tokens) -> Iterator[tuple[int, str]]:
    """The lines with their places, if a later one is a scenario; else the whole text."""
    lines = [(each.start(), each[0]) for each in _LINE.finditer(tokens.text)]
    if not any(_is_criterion(line, tokens.language) for _, line in lines[1:]):
        yield 0, tokens.text
        return
    yield from lines


def _is_criterion(line: str, language: str) -> bool:
    tokens = read(line, language)
    opens = any(hit.first <= 1 for hit in tokens.hits.get("CONDITION", ()))
    return tokens.form is Form.SCENARIO or opens


def _inspected(tokens: Tokens, rules: Sequence[Rule]) -> Inspection:
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
    lack = _lack(tokens, {finding.rule for finding in findings})
    return Inspection(tokens, tuple(findings), tuple(failed), lack=lack)


def _lack(tokens: Tokens, rules: set[str]) -> Lack | None:
    named = tokens.form is Form.SCENARIO or tokens.has("CONDITION") or tokens.quantities
    if named or "IMP0" in rules:
        return None
    is_bare = rules.isdisjoint(PLAIN_RULES) and is_bare_state(tokens)
    return Lack.EVERYTHING if is_bare else Lack.CRITERION


def _found(tokens: Tokens, rule: Rule) -> Iterator[Finding]:
    for mark in rule.find(tokens):
        if rule.id in PLAIN_RULES and mark.first in benefit_places(tokens):
            continue  # a benefit is no demand: nobody has to test it
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
