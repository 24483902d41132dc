"""An answer in facts as callers outside get it: the text with its exact sentences, or why not."""

from collections.abc import Sequence
from typing import Any

from veridical.contracts.language import Language
from veridical.contracts.stated import Refused, StatedAnswer
from veridical.evidence.table import Table
from veridical.facts.answer import Stated, state_answer
from veridical.facts.prose.finding import Code, Finding
from veridical.facts.reasons import reason_of
from veridical.facts.record import recorded_facts, recorded_sentence

_MOST_REFUSED = 40
_WITH_REASON = frozenset({Code.FACT, Code.SLOT, Code.FORM})


def report_answer(
    raw: Any, tables: Sequence[Table], question: str, language: Language
) -> StatedAnswer:
    """The answer that somebody's model wrote over these results, as it is told to them."""
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
        sentences=tuple(recorded_sentence(said, language) for said in stated.sentences),
        notes=stated.notes,
        facts=facts,
    )


def _refused(finding: Finding, language: Language) -> Refused:
    reason = finding.reason if finding.code in _WITH_REASON else ""
    hint = reason_of(finding, language)
    return Refused(code=finding.code.value, said=finding.said, reason=reason, hint=hint)
