"""The grounds of an answer: the results of this run, and the figures in the user's question.

Earlier turns come from the caller. They show what a question means and prove nothing: a figure in
them may be made up, and is to be fetched again.
"""

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from functools import partial

from veridical.arithmetic import ArithmeticRefusedError, compute
from veridical.contracts.answer import Source
from veridical.contracts.question import Question
from veridical.evidence.exhibit import Exhibit
from veridical.gate.evidence.source import Meaning, exhibit_of
from veridical.gate.evidence.tool_rows import exhibits_of_tool, is_from_tool
from veridical.gate.known_values import KnownValues
from veridical.gate.mention import Mention, mentions

_SMALL_TALK = 13
"""Below it, a bare whole number is a class, a rank or a number of months."""
_WHOLE = 100
"""Per cent."""
_CONSTANTS = frozenset({*range(_WHOLE + 1), 360, 365, 366, 1000})
"""Months, days, parts in a hundred or in a thousand: they need no source."""


_MOST_TURNS = 6
_MOST_OF_A_TURN = 2_000
"""A follow-up refers to recent turns, and not to the end of a long text."""
_WRITTEN = ("sql", "expression")
"""The arguments in which a figure can be written that is nowhere in the data."""


def exhibits_of(
    sources: Sequence[Source], question: Question, meaning: Meaning
) -> tuple[Exhibit, ...]:
    """The results behind an answer: what was read, and calculations on figures that are known."""
    if not any(_needs_names(source) for source in sources):
        return tuple(exhibit_of(source, meaning) for source in sources)
    in_question = KnownValues()
    in_question.add_text(question.text)
    named = partial(_is_named, known=in_question)
    exhibits = [
        None if is_from_tool(source) else exhibit_of(source, meaning, named) for source in sources
    ]
    read = [each for each in exhibits if each is not None and each.calculation is None]
    if len(read) == len(exhibits):
        return tuple(read)
    known = KnownValues()
    known.add_text(question.text)
    for exhibit in read:
        known.add_result((exhibit.rows, exhibit.row_count))
    return tuple(_in_order(zip(sources, exhibits, strict=True), known, meaning))


def _needs_names(source: Source) -> bool:
    """True if its proof depends on figures with another source."""
    return is_from_tool(source) or any(name in source.arguments for name in _WRITTEN)


def _in_order(
    pairs: Iterable[tuple[Source, Exhibit | None]], known: KnownValues, meaning: Meaning
) -> Iterator[Exhibit]:
    """All exhibits; calculations and tools may use what those before them found."""
    for source, exhibit in pairs:
        if exhibit is None:
            found = tuple(exhibits_of_tool(source, meaning, partial(_is_named, known=known)))
            for each in found:
                known.add_result((each.rows, each.row_count))
            yield from found
        elif exhibit.calculation is None or _follows(exhibit, known):
            yield exhibit


def earlier_questions(question: Question) -> str:
    """The user's earlier questions, for what a follow-up leaves out; without their figures, which
    an answer could repeat as if they were proven."""
    return "\n".join(
        _without_figures(turn.question[:_MOST_OF_A_TURN]) for turn in question.thread[-_MOST_TURNS:]
    )


def _is_named(number: float, known: KnownValues) -> bool:
    """True if a number in a statement is in the question, as it is or as a share."""
    return _is_known(Decimal(str(number)), known)


def _follows(exhibit: Exhibit, known: KnownValues) -> bool:
    """True if a calculation is made of known figures; its result is known from then on."""
    calculation = exhibit.calculation
    if calculation is None:
        return True
    try:
        inputs = compute(calculation.expression).inputs
    except ArithmeticRefusedError:
        return False
    others = [each for each in inputs if each not in _CONSTANTS]
    follows = all(_is_known(each, known) for each in others) and (
        bool(others) or any(_is_known(each, known) for each in inputs)
    )
    if follows:
        known.add_result(calculation.value)
    return follows


def _is_known(figure: Decimal, known: KnownValues) -> bool:
    """True if it is known to the digits that it has, or is a known share as a factor."""
    value = float(figure)
    half_step = 0.5 / 10 ** len(f"{figure:f}".partition(".")[2])
    if known.has_number(value) or any(abs(each - value) <= half_step for each in known.numbers):
        return True
    shares = (value * _WHOLE, abs(value - 1) * _WHOLE, abs(value - _WHOLE))
    return value < 2 * _WHOLE and any(known.has_number(each, derived=False) for each in shares)


def _without_figures(text: str) -> str:
    kept = text
    for mention in mentions(text):
        if mention.readings and _is_figure(mention):
            kept = kept[: mention.start] + " " * (mention.end - mention.start) + kept[mention.end :]
    return kept


def _is_figure(mention: Mention) -> bool:
    """True for an amount, a share or a number of things. Digits alone may be an account, and a
    small number a rank."""
    if mention.text.isdecimal() and not mention.mark:
        return False
    return not any(
        reading.value < _SMALL_TALK and reading.value == int(reading.value) and not reading.unit
        for reading in mention.readings
    )
