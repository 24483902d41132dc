"""An answer in facts as it crosses the border: plain values with the cells capped, and the reasons
of a refusal in words."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import islice
from typing import Any

from veridical.contracts.facts_answer import (
    FactCell,
    FactsAnswer,
    Mark,
    Refused,
    Show,
    StatedAnswer,
    StatedFact,
    StatedSentence,
)
from veridical.contracts.language import Language
from veridical.evidence.table import EvidenceTable
from veridical.facts.answer import AnswerSentence, Stated, state_answer
from veridical.facts.fact import Fact
from veridical.facts.prose.finding import Code, ProseFinding
from veridical.messages import message

_MOST_CELLS = 24
_MOST_REFUSED = 40
_COMPUTED = frozenset({Code.FACT, Code.SLOT, Code.FORM})
"""Codes whose reason is part of the wording."""


def record_of(stated: Stated, policy: Show) -> FactsAnswer:
    """The whole answer as it was written; the policy decides which parts are shown."""
    return FactsAnswer(
        policy=policy,
        sentences=tuple(
            _sentence(each, stated.language).model_copy(update={"slots": each.slots})
            for each in stated.sentences
        ),
        facts=_facts(stated),
        shown=dict(stated.shown),
        notes=stated.notes,
        basis=stated.basis,
    )


def report_answer(
    raw: Any, tables: Sequence[EvidenceTable], question: str, language: Language
) -> StatedAnswer:
    """The report on an answer that a caller's model wrote over these results."""
    return report(state_answer(raw, tables, question, language))


def report(stated: Stated) -> StatedAnswer:
    """An answer for outside callers. The text of a refused one is not handed out."""
    language, facts = stated.language, _facts(stated)
    if not stated.accepted:
        refused = tuple(dict.fromkeys(_refused(each, language) for each in stated.refused))
        return StatedAnswer(
            accepted=False, language=language, facts=facts, refused=refused[:_MOST_REFUSED]
        )
    return StatedAnswer(
        accepted=True,
        language=language,
        text=stated.text,
        sentences=tuple(_sentence(each, language) for each in stated.sentences),
        notes=stated.notes,
        facts=facts,
    )


def reasons_of(findings: Iterable[ProseFinding], language: Language) -> tuple[str, ...]:
    """Each finding in words, once, in their order."""
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


def _refused(finding: ProseFinding, language: Language) -> Refused:
    reason = finding.reason if finding.code in _COMPUTED else ""
    hint = reason_of(finding, language)
    return Refused(code=finding.code.value, said=finding.text, reason=reason, hint=hint)


def _sentence(sentence: AnswerSentence, language: Language) -> StatedSentence:
    """A sentence with the marks of the checks."""
    marks = tuple(
        Mark(by="check", code=each.code.value, said=each.text, why=reason_of(each, language))
        for each in sentence.findings
    )
    return StatedSentence(
        text=sentence.text, state=sentence.state, facts=sentence.facts, marks=marks
    )


def _facts(stated: Stated) -> dict[str, StatedFact]:
    """The facts that the prose uses, each with its exact sentence."""
    return {name: _fact(stated.facts[name], text) for name, text in stated.exact.items()}


def _fact(fact: Fact, sentence: str) -> StatedFact:
    claim = fact.claim
    cells = tuple(islice(_cells(fact), _MOST_CELLS))
    size = sum(len(each.rows) * len(each.columns) for each in fact.cells)
    return StatedFact(
        form=fact.form,
        sentence=sentence,
        claim={
            "form": claim.form,
            "result": claim.result,
            "arguments": _plain(claim.arguments),
            "values": _plain(claim.values),
        },
        cells=cells,
        cells_left_out=size - len(cells),
    )


def _cells(fact: Fact) -> Iterator[FactCell]:
    for touched in fact.cells:
        for row in touched.rows:
            for column in sorted(touched.columns):
                cell = {"result": touched.result, "row": row, "column": column}
                yield FactCell.trusted(cell)


def _plain(value: Any) -> Any:
    """A claim's value as JSON has it."""
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, date):
        return value.isoformat()
    return value if isinstance(value, str | int | float | bool) or value is None else str(value)
