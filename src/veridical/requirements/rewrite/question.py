"""Questions about what a requirement leaves open; an answer is written into the rewrite."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from veridical.contracts.language import Language
from veridical.messages import message
from veridical.requirements.finding import Finding
from veridical.requirements.rewrite.parts import Parts

ROLE, BENEFIT, STATE, EVENT, RESULT = "role", "benefit", "state", "event", "result"
QUESTION_KINDS = {
    "VAG": "metric",
    "NUM": "metric",
    "TMP": "metric",
    "CMP": "metric",
    "SUP": "metric",
    "APX": "tolerance",
    "RNG": "tolerance",
    "ABS": "metric",
    "QNT": "number",
    "UNIT": "unit",
    "TBD": "open",
    "ESC": "when",
    "OPN": "list",
    "PRO": "which",
    "MAN": "who",
    "PAS": "who",
    "ISTZU": "who",
    "MODW": "binding",
}
"""The kind of question about a finding, by rule; the texts are ``requirements.ask_…``."""

_SHARED = frozenset({ROLE, "binding"})
"""Kinds of questions that people answer once for a set: for whom it is, and what "should" means."""


@dataclass(frozen=True)
class Question:
    """One thing that only the author knows; ``key`` is the name of its answer."""

    key: str
    kind: str
    words: str = ""
    start: int = -1
    end: int = -1

    @property
    def shared(self) -> str:
        """What a question has in common with those of other requirements that have the same answer;
        empty if it is about this requirement alone."""
        return f"{self.kind}:{self.words.lower()}" if self.kind in _SHARED else ""

    def text(self, language: Language) -> str:
        """The question in a person's language."""
        return message(f"requirements.ask_{self.kind}", language, said=self.words)

    def placeholder(self, language: Language) -> str:
        """The placeholder in the rewrite until there is an answer."""
        return f"[{message(f'requirements.place_{self.kind}', language, said=self.words)}]"


def finding_questions(findings: Iterable[Finding]) -> Iterator[Question]:
    """The questions about the words that findings are about, in their order."""
    for finding in sorted(findings, key=lambda each: each.start):
        kind = QUESTION_KINDS.get(finding.rule)
        if kind is not None:
            key = f"{finding.rule}:{finding.start}"
            yield Question(key, kind, finding.words, finding.start, finding.end)


def questions_of(parts: Parts, findings: tuple[Finding, ...]) -> Iterator[Question]:
    """The questions, those about the words of the requirement first."""
    yield from finding_questions(findings)
    missing = {
        ROLE: not parts.role,
        BENEFIT: not parts.benefit,
        STATE: not (parts.state or parts.event),
        EVENT: not (parts.state or parts.event),
        RESULT: not parts.clause,
    }
    yield from (Question(key, key) for key, is_missing in missing.items() if is_missing)
