"""An answer in facts for outside callers: its text and exact sentences, or why it is refused."""

from collections.abc import Sequence
from typing import Any

from veridical.contracts.language import Language
from veridical.contracts.stated import Refused, StatedAnswer
from veridical.evidence.table import EvidenceTable
from veridical.facts.answer import Stated, state_answer
from veridical.facts.prose.finding import Code, ProseFinding
from veridical.facts.reasons import reason_of
from veridical.facts.record import recorded_facts, recorded_sentence

_MOST_REFUSED = 40
_WITH_REASON = frozenset({Code.FACT, Code.SLOT, Code.FORM})


def report_answer(
    raw: Any, tables: Sequence[EvidenceTable], question: str, language: Language
) -> StatedAnswer:
    """The report on an answer that a caller's model wrote over these results."""
    return report(state_answer(raw, tables, question, language))


def report(stated: Stated) -> StatedAnswer:
    """An answer in facts as it crosses the border. The text of a refused one is not handed out."""
    language = stated.language
    facts = recorded_facts(stated)
    if not stated.accepted:
        refused = tuple(dict.fromkeys(_refused(each, language) for each in stated.refused))
        return StatedAnswer(
            accepted=False, language=language, facts=facts, refused=refused[:_MOST_REFUSED]
        )
    return StatedAnswer(
        accepted=True,
        language=language,
        text=stated.text,
        sentences=tuple(recorded_sentence(each, language) for each in stated.sentences),
        notes=stated.notes,
        facts=facts,
    )


def _refused(finding: ProseFinding, language: Language) -> Refused:
    reason = finding.reason if finding.code in _WITH_REASON else ""
    hint = reason_of(finding, language)
    return Refused(code=finding.code.value, said=finding.text, reason=reason, hint=hint)
