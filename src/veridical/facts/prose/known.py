"""The texts that the facts of an answer print, to recognise them outside of slots."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date

from veridical.evidence.column import CellKind
from veridical.evidence.moment import Moment, find_moments
from veridical.facts.fact import Fact, Part, Role, key_of
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.frame import Frame, moment_of
from veridical.facts.printing import PLAIN, Format, Printer
from veridical.late_pattern import late_pattern

DIGITS = late_pattern(r"\d[\d.,'’]*\d|\d")
_MOST_NAMES = 400
_ROUNDED = (Format(0), Format(1), Format(2), Format(None, frozenset({"short"})))


@dataclass(slots=True)
class Known:
    """Figures, counts, times and names of some facts."""

    figures: set[str] = field(default_factory=set[str])
    """Figures as texts of digits."""
    counts: set[int] = field(default_factory=set[int])
    times: list[Moment] = field(default_factory=list[Moment])
    names: set[str] = field(default_factory=set[str])
    left: int = 6_000
    """Limit of values: an answer may have any number of facts over any rows."""

    def time(self, moment: Moment) -> bool:
        """True if one of the facts has this time."""
        return any(moment.meets(each) for each in self.times)


def known_of(facts: Iterable[Fact], frames: Mapping[str, Frame], printer: Printer) -> Known:
    """All texts that these facts may print, and the arguments of their calls."""
    known = Known()
    results: set[str] = set()
    for fact in facts:
        results |= fact.results
        for part in fact.parts.values():
            _add(known, part, printer)
        for name in fact.grid.names[:_MOST_NAMES] if fact.grid is not None else ():
            _add(known, name, printer)
        _add_grid(known, fact, printer)
        _add_words(known, fact)
    for frame in (frames[name] for name in results if name in frames):
        for cell in frame.table.held.values():
            _add_text(known, f"{cell:g}" if isinstance(cell, float) else str(cell))
        known.counts |= {len(frame.table.rows), len(frame.members)}
        for column in frame.columns:
            _add_text(known, column.replace("_", " "))
    return known


def _add(known: Known, part: Part, printer: Printer) -> None:
    known.left -= 1
    if known.left < 0:
        return
    for item in part.items:
        for each in item:
            _add(known, each, printer)
    if part.role is Role.NAMES or part.role is Role.LIST:
        known.counts.add(len(part.items))
    if part.value is None:
        if part.items and part.role is Role.NAME:
            known.names.add(key_of(part).casefold())
        return
    if part.value.kind is CellKind.FIGURE:
        for form in (PLAIN, *_ROUNDED):
            known.figures |= set(DIGITS.findall(printer.part(part, form)))
        if part.role in (Role.COUNT, Role.LIMIT) and float(part.value.number).is_integer():
            known.counts.add(int(part.value.number))
        return
    _add_text(known, printer.part(part))
    _add_text(known, key_of(part))
    when = moment_of(part.value.value)
    if when is not None:
        known.times.append(when)
    known.names.add(key_of(part).casefold())


def _add_grid(known: Known, fact: Fact, printer: Printer) -> None:
    grid = fact.grid
    if grid is None:
        return
    known.counts.add(len(grid.names))
    for measure in grid.measures:
        for at in range(min(len(grid.names), _MOST_NAMES, max(0, known.left))):
            known.left -= 1
            value = measure.vector.at(at)
            if value is None:
                continue
            if isinstance(value.value, str | date):
                _add(known, Part(Role.NAME, value), printer)
            else:
                for form in (PLAIN, *_ROUNDED[:2]):
                    known.figures |= set(DIGITS.findall(printer.value(value, form)))


def _add_words(known: Known, fact: Fact) -> None:
    """Constants of conditions, names of measures, arguments."""
    population = fact.population
    if population is not None and population.condition is not None:
        for constant in ex.constants(population.condition):
            _add_text(known, str(constant.value))
            known.names.add(str(constant.value).casefold())
    for value in fact.claim.arguments.values():
        for each in value if isinstance(value, list) else (value,):
            if isinstance(each, str):
                _add_text(known, each)
                known.names.add(each.casefold())
            elif isinstance(each, int) and not isinstance(each, bool):
                known.counts.add(each)


def _add_text(known: Known, text: str) -> None:
    known.figures |= set(DIGITS.findall(text))
    known.times += [found.moment for found in find_moments(text)]
