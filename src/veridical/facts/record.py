"""An answer in facts as it crosses the border: plain values, the cells capped."""

from collections.abc import Iterator, Mapping
from datetime import date
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
from veridical.facts.answer import Said, Stated
from veridical.facts.fact import Fact
from veridical.facts.reasons import reason_of

_MOST_CELLS = 24


def record_of(stated: Stated, policy: Show) -> FactsAnswer:
    """All of it as it was written: what is shown, the policy decides."""
    return FactsAnswer(
        policy=policy,
        sentences=tuple(_sentence(said, stated) for said in stated.sentences),
        facts={
            name: _fact(stated.facts[name], sentence) for name, sentence in stated.exact.items()
        },
        notes=stated.notes,
        basis=stated.basis,
    )


def _sentence(said: Said, stated: Stated) -> StatedSentence:
    return StatedSentence(
        text=said.text,
        state=said.state,
        facts=said.facts,
        marks=tuple(
            Mark(
                by="check",
                code=each.code.value,
                said=each.said,
                why=reason_of(each, stated.language),
            )
            for each in said.findings
        ),
        slots=tuple(
            SlotPrint(start=each.start, end=each.end, fact=each.fact, part=each.part)
            for each in said.printed
        ),
    )


def _fact(fact: Fact, sentence: str) -> StatedFact:
    cells = list(_cells(fact))
    claim = fact.claim
    return StatedFact(
        form=fact.form,
        sentence=sentence,
        claim={
            "form": claim.form,
            "result": claim.result,
            "arguments": _plain(claim.arguments),
            "values": _plain(claim.values),
        },
        cells=tuple(cells[:_MOST_CELLS]),
        cells_left_out=_size(fact) - len(cells[:_MOST_CELLS]),
    )


def _cells(fact: Fact) -> Iterator[FactCell]:
    left = _MOST_CELLS
    for touched in fact.cells:
        for row in touched.rows[:left]:
            for column in sorted(touched.columns):
                yield FactCell(result=touched.result, row=row, column=column)


def _size(fact: Fact) -> int:
    return sum(len(each.rows) * len(each.columns) for each in fact.cells)


def _plain(value: Any) -> Any:
    """A claim's value as JSON has it."""
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(each) for each in value]
    if isinstance(value, date):
        return value.isoformat()
    return value if isinstance(value, str | int | float | bool) or value is None else str(value)
