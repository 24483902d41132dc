"""An answer in facts as callers outside get it: the text with its exact sentences, or why not."""

from collections.abc import Iterator, Sequence
from typing import Any

from veridical.contracts.facts_answer import FactCell, Mark, State, StatedFact, StatedSentence
from veridical.contracts.language import Language
from veridical.contracts.stated import Refused, StatedAnswer
from veridical.evidence.table import Table
from veridical.facts.answer import Said, Stated, state_answer
from veridical.facts.fact import Fact
from veridical.facts.prose.finding import Code, Finding
from veridical.facts.reasons import reason_of

_MOST_REFUSED = 40
_MOST_CELLS = 24
_WITH_REASON = frozenset({Code.FACT, Code.SLOT, Code.FORM})


def report_answer(
    raw: Any, tables: Sequence[Table], question: str, language: Language
) -> StatedAnswer:
    """The answer that somebody's model wrote over these results, as it is told to them."""
    return report(state_answer(raw, tables, question, language))


def report(stated: Stated) -> StatedAnswer:
    """An answer in facts as it crosses the border. The text of a refused one is not handed out."""
    language = stated.language
    facts = {name: _fact(stated.facts[name], text) for name, text in stated.exact.items()}
    if not stated.accepted:
        refused = tuple(dict.fromkeys(_refused(each, language) for each in stated.refused))
        return StatedAnswer(
            accepted=False, language=language, facts=facts, refused=refused[:_MOST_REFUSED]
        )
    return StatedAnswer(
        accepted=True,
        language=language,
        text=stated.text,
        sentences=tuple(_sentence(said, language) for said in stated.sentences),
        notes=stated.notes,
        facts=facts,
    )


def _refused(finding: Finding, language: Language) -> Refused:
    reason = finding.reason if finding.code in _WITH_REASON else ""
    hint = reason_of(finding, language)
    return Refused(code=finding.code.value, said=finding.said, reason=reason, hint=hint)


def _sentence(said: Said, language: Language) -> StatedSentence:
    marks = tuple(
        Mark(by="check", code=each.code.value, said=each.said, why=reason_of(each, language))
        for each in said.findings
    )
    return StatedSentence(
        text=said.text, state=State(said.state.value), facts=said.facts, marks=marks
    )


def _fact(fact: Fact, sentence: str) -> StatedFact:
    claim = fact.claim
    size = sum(len(each.rows) * len(each.columns) for each in fact.cells)
    cells = tuple(_cells(fact))[:_MOST_CELLS]
    return StatedFact(
        form=fact.form,
        sentence=sentence,
        claim={
            "form": claim.form,
            "result": claim.result,
            "arguments": dict(claim.arguments),
            "values": dict(claim.values),
        },
        cells=cells,
        cells_left_out=size - len(cells),
    )


def _cells(fact: Fact) -> Iterator[FactCell]:
    for touched in fact.cells:
        for row in touched.rows[:_MOST_CELLS]:
            for column in sorted(touched.columns):
                yield FactCell(result=touched.result, row=row, column=column)
