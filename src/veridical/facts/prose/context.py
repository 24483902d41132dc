"""An answer under check: its facts, the results, the words of its language, its question."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from veridical.evidence.column import CellKind
from veridical.evidence.moment import Moment, find_moments, read_moment
from veridical.facts.fact import Fact
from veridical.facts.kernel.frame import Frame
from veridical.facts.prose.known import Known, known_of
from veridical.facts.prose.shown import shown_by
from veridical.facts.prose.vocabulary import Vocabulary, vocabulary
from veridical.facts.wording import Wording
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import has_han, terms

_MARKER = late_pattern(r"(?m)^[ \t]*(?:[-*>][ \t]*)?(?P<number>\d{1,2})[.)][ \t]+(?=\S)")
_SHORTEST_LABEL = 3
_SHORTEST_NAME = 2
_MOST_NAMES = 2000


@dataclass(frozen=True)
class Context:
    """What the checks of a sentence compare it with."""

    facts: Mapping[str, Fact]
    """The facts that slots print."""
    frames: Mapping[str, Frame]
    wording: Wording
    question: str
    """Without case."""
    answer: str
    """The answer as it is shown."""
    text: str
    """The question and the answer."""

    @cached_property
    def words(self) -> Vocabulary:
        """The lists of its language."""
        return vocabulary(self.wording.printer.language)

    @cached_property
    def known(self) -> Known:
        """The texts that its facts print."""
        return known_of(self.facts.values(), self.frames, self.wording.printer)

    @cached_property
    def shown(self) -> frozenset[str]:
        """The claims that its facts allow."""
        return shown_by(self.facts.values())

    @cached_property
    def is_dated(self) -> bool:
        """True if the question names a year."""
        return any(each.moment.year for each in find_moments(self.question))

    @cached_property
    def stems(self) -> frozenset[str]:
        """The words of question and answer."""
        return frozenset(terms(self.text))

    @cached_property
    def times(self) -> tuple[Moment, ...]:
        """The times of question and answer."""
        return tuple(each.moment for each in find_moments(self.text))

    def has(self, name: str) -> bool:
        """True if the name, a word of it, or a time that meets it is in question or answer."""
        when = read_moment(name)
        if when is not None and any(each.meets(when) for each in self.times):
            return True
        return name.casefold() in self.text.casefold() or bool(self.stems & set(terms(name)))

    @cached_property
    def markers(self) -> frozenset[int]:
        """The places of the numbers of a numbered list: at the start of lines, one after
        another."""
        found: set[int] = set()
        before = 0
        for match in _MARKER.finditer(self.answer):
            number = int(match["number"])
            if number in (1, before + 1):
                found.add(match.start("number"))
                before = number
        return frozenset(found)

    @cached_property
    def columns(self) -> str:
        """The names of all columns."""
        names = " ".join(name for frame in self.frames.values() for name in frame.columns)
        return names.casefold().replace("_", " ")

    @cached_property
    def measures(self) -> re.Pattern[str]:
        """The names of measures, as they stand in prose."""
        names = {
            name
            for frame in self.frames.values()
            for column in frame.table.columns
            for name in (column.name, *column.labels)
            if column.kind is CellKind.FIGURE and len(name) >= _SHORTEST_LABEL
        }
        names |= {name for fact in self.facts.values() for name in fact.aliases}
        names |= {" ".join(re.sub(r"[_.]", " ", name).split()) for name in names}
        return _any_of(map(re.escape, _longest(names)), re.IGNORECASE)

    @cached_property
    def rows(self) -> re.Pattern[str]:
        """The names of rows in the results."""
        names = {
            cell
            for frame in self.frames.values()
            for at, column in enumerate(frame.table.columns)
            if column.kind in (CellKind.NAME, CellKind.CODE) and column.is_key
            for cell in frame.cells(at)
            if isinstance(cell, str) and len(cell) >= _SHORTEST_NAME
            and not cell.islower() and not cell.isdecimal()
        }  # fmt: skip
        return _any_of(
            re.escape(name) if not name.isascii() and has_han(name)
            else rf"(?<!\w){re.escape(name)}(?!\w)" for name in _longest(names)[:_MOST_NAMES]
        )  # fmt: skip


def _longest(names: Iterable[str]) -> list[str]:
    """The longest first."""
    return sorted(filter(None, names), key=len, reverse=True)


def _any_of(forms: Iterable[str], flags: int = 0) -> re.Pattern[str]:
    return re.compile("|".join(forms) or r"(?!)", flags)
