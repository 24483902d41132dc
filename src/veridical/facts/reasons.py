"""Findings in words, for whoever writes the answer anew."""

from collections.abc import Iterable

from veridical.contracts.language import Language
from veridical.facts.prose.finding import Code, Finding
from veridical.messages import message

_COMPUTED = frozenset({Code.FACT, Code.SLOT, Code.FORM})
"""Codes whose reason says what to do."""


def reasons_of(findings: Iterable[Finding], language: Language) -> tuple[str, ...]:
    """Each finding once, in their order."""
    return tuple(dict.fromkeys(reason_of(each, language) for each in findings))


def reason_of(finding: Finding, language: Language) -> str:
    """One finding: what is wrong, what to write instead, what there is to choose from."""
    key = f"facts.{finding.code.value}"
    if finding.code not in _COMPUTED:
        return message(key, language, said=finding.said)
    why = message(f"facts.why_{finding.reason}", language)
    told = message(key, language, said=finding.said, why=why)
    if not finding.instead:
        return told
    return told + message("facts.choices", language, choices=finding.instead)
