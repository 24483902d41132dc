"""Whether an answer has the requested form: a total is not a list of its parts, the
figure of a year not one for each month, customers are not suppliers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from veridical.answering.coverage.call import ReadCall
from veridical.answering.coverage.call_subjects import KindMention, RowKind
from veridical.answering.coverage.kind_words import KindWords
from veridical.answering.coverage.mentions import Mentions
from veridical.answering.coverage.ontology_index import OntologyIndex
from veridical.contracts.language import Language
from veridical.late_pattern import late_pattern
from veridical.ontology.model import Role
from veridical.reading.figure import DIGITS, read_digits
from veridical.route.slots import Word, words_of
from veridical.word_file import word_file

Gap = tuple[str, str]
"""The requested thing, and the one that the answer has instead."""

_WORDS = word_file("veridical.answering.coverage")
_TOTAL, _PARTS, _SERIES = (
    {language: late_pattern(_WORDS[name][language]) for language in Language}
    for name in ("total", "parts", "series")
)
"""Words that ask for a total, for its parts, or for a figure per month."""
_FIGURE = late_pattern(DIGITS)
_DUST = 1.001
_A_SERIES = 3
_SHORTEST_HEAD = 5


@dataclass(frozen=True, slots=True)
class _Written:
    """The figures of an answer."""

    figures: tuple[tuple[float, float], ...]

    def has(self, value: float) -> bool:
        return any(abs(each - abs(value)) <= half * _DUST for each, half in self.figures)

    def count(self, values: Sequence[float]) -> int:
        """The number of different values that the answer has."""
        return sum(map(self.has, set(values)))


def ill_formed(
    text: str,
    language: Language,
    answer: str,
    mentions: Mentions,
    calls: Sequence[ReadCall],
    index: OntologyIndex,
) -> Iterator[Gap]:
    """The places where the answer has another form than the question asks for."""
    question = text.lower()
    written = _Written(tuple(_figures(answer)))
    if not _PARTS[language].search(question):
        yield from _not_added_up(question, language, written, calls, index)
        yield from _not_one_figure(question, language, written, mentions, calls, index)
    yield from _of_siblings(answer, mentions, calls, index.kinds[language])


def _figures(answer: str) -> Iterator[tuple[float, float]]:
    for match in _FIGURE.finditer(answer):
        yield from read_digits(match[0])


def _not_added_up(
    question: str,
    language: Language,
    written: _Written,
    calls: Sequence[ReadCall],
    index: OntologyIndex,
) -> Iterator[Gap]:
    total = _TOTAL[language].search(question)
    if total is None:
        return
    listed = [column for call in calls for column in _measures(call, index)]
    parts = [values for values in listed if written.count(values) > 1]
    single = any(len(values) == 1 and written.has(values[0]) for values in listed)
    if parts and not single and not any(written.has(sum(values)) for values in parts):
        yield total[0], f"{max(map(len, parts))} ×"


def _not_one_figure(
    question: str,
    language: Language,
    written: _Written,
    mentions: Mentions,
    calls: Sequence[ReadCall],
    index: OntologyIndex,
) -> Iterator[Gap]:
    """A series of months for a year, where nothing in the question asks for months."""
    if len(mentions.periods) != 1 or len(calls) != 1 or _SERIES[language].search(question):
        return
    period, call = mentions.periods[0], calls[0]
    months = sorted(index.calendar.months & set(call.source.columns))
    if period.period.grain != "year" or not months or len(set(call.cells(months))) < _A_SERIES:
        return
    if any(written.count(each) >= _A_SERIES for each in _measures(call, index)):
        yield period.words, f"{len(call.source.rows)} × {months[0]}"


def _measures(call: ReadCall, index: OntologyIndex) -> Iterator[list[float]]:
    """The values of each column that counts or measures, apart for each currency."""
    source = call.source
    aside = index.calendar.years | index.calendar.months | index.calendar.coded
    aside |= {column.name for column in call.columns if column.role is not Role.MEASURE}
    units = [at for at, name in enumerate(source.columns) if name in index.currencies]
    for at, name in enumerate(source.columns):
        if name in aside or at in units:
            continue
        values: dict[tuple[str, ...], list[float]] = {}
        for row in source.rows:
            number = _number(row[at])
            if number is not None:
                values.setdefault(tuple(str(row[unit]) for unit in units), []).append(number)
        yield from values.values()


def _number(cell: object) -> float | None:
    if isinstance(cell, bool) or cell is None:
        return None
    try:
        return float(str(cell))
    except ValueError:
        return None


def _of_siblings(
    answer: str, mentions: Mentions, calls: Sequence[ReadCall], words: KindWords
) -> Iterator[Gap]:
    """Kinds that the answer names instead, where no table has a column that separates them."""
    written = words_of(answer)
    shown = {column.name for call in calls for column in call.columns}
    for kind in mentions.kinds:
        if kind.is_known_question or any(each.column in shown for each in kind.kinds):
            continue
        others = [other for other in words.kinds if _are_others(words.kinds[other], kind)]
        found = next((name for other in others if (name := _named(other, written, words))), "")
        mine = (own for own, kinds in words.kinds.items() if not _are_others(kinds, kind))
        if found and not any(
            _named(own, written, words) for own in mine if _is_of(own, kind, words)
        ):
            yield kind.words, found


def _are_others(kinds: Sequence[RowKind], mention: KindMention) -> bool:
    """True for kinds that the same column separates from all that may be meant."""
    columns = {each.column for each in mention.kinds}
    spans = [span for each in mention.kinds for span in each.spans]
    return all(
        each.column in columns and not any(own.meets(span) for own in each.spans for span in spans)
        for each in kinds
    )


def _is_of(phrase: tuple[str, ...], mention: KindMention, words: KindWords) -> bool:
    columns = {each.column for each in mention.kinds}
    return any(each.column in columns for each in words.kinds[phrase])


def _named(phrase: tuple[str, ...], written: Sequence[Word], words: KindWords) -> str:
    """The words that name a kind; in German also the head of a compound."""
    size = len(phrase)
    for at in range(len(written) - size + 1):
        if tuple(each.stem for each in written[at : at + size]) == phrase:
            return "".join(each.folded for each in written[at : at + size])
    if words.language is not Language.DE or size > 1 or len(phrase[0]) < _SHORTEST_HEAD:
        return ""
    return next((each.folded for each in written if each.folded.startswith(phrase[0])), "")
