"""What a finding tells the author of an answer: what is wrong, and what to write instead."""

from veridical.contracts.language import Language
from veridical.facts.prose.finding import Code, Finding
from veridical.messages import message

_OF_KERNEL = frozenset({Code.FACT, Code.SLOT, Code.FORM})
"""What has a reason of the kernel, and a list of what there is instead."""


def reason_of(finding: Finding, language: Language) -> str:
    """One line for one finding."""
    values = {"said": finding.said, "instead": finding.instead}
    told = [message(f"facts.finding_{finding.code}", language, **values)]
    if finding.code in _OF_KERNEL:
        if finding.reason:
            told.append(message(f"facts.reason_{finding.reason}", language, **values))
        if finding.instead:
            told.append(message("facts.choices", language, **values))
    return " ".join(told)
