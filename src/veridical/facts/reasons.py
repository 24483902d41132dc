"""Findings in words, for the author of the next draft."""

from collections.abc import Iterable

from veridical.contracts.language import Language
from veridical.facts.prose.finding import Code, ProseFinding
from veridical.messages import message

_COMPUTED = frozenset({Code.FACT, Code.SLOT, Code.FORM})
"""Codes whose reason is part of the wording."""


def reasons_of(findings: Iterable[ProseFinding], language: Language) -> tuple[str, ...]:
    """Each finding once, in their order."""
    return tuple(dict.fromkeys(reason_of(each, language) for each in findings))


def reason_of(finding: ProseFinding, language: Language) -> str:
    """One finding: the fault, the replacement, the choices."""
    key = f"facts.{finding.code.value}"
    if finding.code not in _COMPUTED:
        return message(key, language, said=finding.text)
    why = message(f"facts.why_{finding.reason}", language)
    text = message(key, language, said=finding.text, why=why)
    if not finding.instead:
        return text
    return text + message("facts.choices", language, choices=finding.instead)
