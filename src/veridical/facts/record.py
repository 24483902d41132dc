"""An answer in facts as it crosses the border: plain values, the cells capped."""

from collections.abc import Iterator, Mapping
from datetime import date
from itertools import islice
from typing import Any

from veridical.contracts.facts_answer import (
    FactCell,
    FactsAnswer,
    Mark,
    Show,
    SlotPrint,
    StatedFact,
    StatedSentence,
)
from veridical.contracts.language import Language
from veridical.facts.answer import AnswerSentence, Stated
from veridical.facts.fact import Fact
from veridical.facts.reasons import reason_of

_MOST_CELLS = 24


def record_of(stated: Stated, policy: Show) -> FactsAnswer:
    """The whole answer as it was written; the policy decides which parts are shown."""
    return FactsAnswer(
        policy=policy,
        sentences=tuple(_with_slots(each, stated.language) for each in stated.sentences),
        facts=recorded_facts(stated),
        notes=stated.notes,
        basis=stated.basis,
    )


def recorded_facts(stated: Stated) -> dict[str, StatedFact]:
    """The facts that the prose uses, each with its exact sentence."""
    return {name: _fact(stated.facts[name], text) for name, text in stated.exact.items()}


def recorded_sentence(sentence: AnswerSentence, language: Language) -> StatedSentence:
    """A sentence with the marks of the checks."""
    marks = tuple(
        Mark(by="check", code=each.code.value, said=each.text, why=reason_of(each, language))
        for each in sentence.findings
    )
    return StatedSentence(
        text=sentence.text, state=sentence.state, facts=sentence.facts, marks=marks
    )


def _with_slots(sentence: AnswerSentence, language: Language) -> StatedSentence:
    slots = tuple(
        SlotPrint(start=each.start, end=each.end, fact=each.fact, part=each.part)
        for each in sentence.printed
    )
    return recorded_sentence(sentence, language).model_copy(update={"slots": slots})


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
                yield FactCell(result=touched.result, row=row, column=column)


def _plain(value: Any) -> Any:
    """A claim's value as JSON has it."""
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(each) for each in value]
    if isinstance(value, date):
        return value.isoformat()
    return value if isinstance(value, str | int | float | bool) or value is None else str(value)
