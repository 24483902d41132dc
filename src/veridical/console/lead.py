"""What leads an answer: one figure, a table, and charts that never mix two units."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from veridical.contracts.facts_answer import FactsAnswer, ShownColumn, ShownFact

_FEWEST_POINTS, _MOST_POINTS = 3, 200
_FEWEST_BARS, _MOST_BARS = 2, 24
_MOST_PANELS = 4
_MOST_TEXTS = 1
"""Columns of texts beside the names; rows with more are records, which a drawing can't show."""
_SINGLE = frozenset({"value", "total", "count", "share", "compare"})
"""Forms whose one figure answers the question, where they come first; a highest value or a change
is a remark on a list."""


@dataclass(frozen=True, slots=True)
class Figure:
    """The figure that answers the question."""

    text: str
    label: str
    name: str
    """The row that it is of."""
    fact: str


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell as it is written."""

    text: str
    is_figure: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Figures under each other."""

    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    facts: tuple[str, ...]
    """The fact of each row where they differ, else the one of all."""
    left_out: int = 0

    @property
    def figures(self) -> int:
        """The number of figures in it."""
        return sum(cell.is_figure and bool(cell.text) for row in self.rows for cell in row)

    def fact_of(self, row: int) -> str:
        """The fact that a row shows."""
        return self.facts[min(row, len(self.facts) - 1)]


@dataclass(frozen=True, slots=True)
class Point:
    """One value of a chart."""

    name: str
    value: float
    text: str


@dataclass(frozen=True, slots=True)
class Panel:
    """Values of one unit on one scale."""

    label: str
    unit: str
    points: tuple[Point, ...]
    over_time: bool


@dataclass(frozen=True, slots=True)
class Lead:
    """What stands above the prose."""

    title: str = ""
    figure: Figure | None = None
    table: Table | None = None
    panels: tuple[Panel, ...] = ()

    @property
    def facts(self) -> frozenset[str]:
        """The facts whose figures it shows in full."""
        figure = (self.figure.fact,) if self.figure else ()
        return frozenset((*figure, *(self.table.facts if self.table else ())))

    @property
    def figures(self) -> int:
        """The number of figures that it shows."""
        return (self.figure is not None) + (self.table.figures if self.table else 0)


def lead_of(answer: FactsAnswer) -> Lead | None:
    """The lead of an answer in facts; none where no fact has a figure."""
    shown = {name: each for name in _in_order(answer) if (each := answer.shown[name]).columns}
    if not shown:
        return None
    first, *_ = shown
    title = shown[first].title
    rows = {name: each for name, each in shown.items() if _length(each) > 1}
    figure = None
    if _is_single(shown[first]) and answer.facts[first].form in _SINGLE:
        figure = _figure(first, shown[first])
    if rows:
        name = max(rows, key=lambda each: (_length(rows[each]), answer.facts[each].form == "table"))
        table = table_of(name, rows[name])
        return Lead(title, figure, table, tuple(panels_of(rows[name])))
    single = {name: each for name, each in shown.items() if answer.facts[name].form in _SINGLE}
    pairs = [(name, *each) for name, fact in single.items() for each in _pairs(fact)]
    if len(pairs) == 1 and figure is not None:
        return Lead(title, figure)
    if not pairs:
        return None
    cells = tuple((Cell(label), Cell(text, is_figure=True)) for _, label, text in pairs)
    return Lead(title, None, Table(("", ""), cells, tuple(name for name, *_ in pairs)))


def table_of(name: str, shown: ShownFact) -> Table:
    """The rows of a fact; their units stand with their figures."""
    columns = [[Cell(text, bool(each.values)) for text in each.texts] for each in shown.columns]
    heads = [each.label for each in shown.columns]
    if shown.names and not any(each.texts == shown.names for each in shown.columns):
        columns.insert(0, [Cell(each) for each in shown.names])
        heads.insert(0, "")
    rows = zip_longest(*columns, fillvalue=Cell(""))
    return Table(tuple(heads), tuple(rows), (name,), shown.left_out)


def panels_of(shown: ShownFact) -> Iterator[Panel]:
    """The charts of a fact's rows: one for each column and each unit."""
    texts = sum(not each.values and each.texts != shown.names for each in shown.columns)
    if texts > _MOST_TEXTS or len(set(shown.names)) < len(shown.names) or shown.left_out:
        return
    found = [panel for each in shown.columns if each.values for panel in _panels(shown, each)]
    if len(found) <= _MOST_PANELS:
        yield from found


def _panels(shown: ShownFact, column: ShownColumn) -> Iterator[Panel]:
    for unit in dict.fromkeys(column.units or ("",)):
        points = tuple(
            Point(name, value, text)
            for at, (name, value, text) in enumerate(
                zip(shown.names, column.values, column.texts, strict=False)
            )
            if value is not None and (len(column.units) <= 1 or column.units[at] == unit)
        )
        least, most = _limits(over_time=shown.over_time)
        if least <= len(points) <= most and any(point.value for point in points):
            yield Panel(column.label, unit, points, shown.over_time)


def _limits(*, over_time: bool) -> tuple[int, int]:
    return (_FEWEST_POINTS, _MOST_POINTS) if over_time else (_FEWEST_BARS, _MOST_BARS)


def _in_order(answer: FactsAnswer) -> Sequence[str]:
    """The facts in the order in which the sentences use them."""
    used = dict.fromkeys(name for each in answer.sentences for name in each.facts)
    return [name for name in used if name in answer.shown and name in answer.facts]


def _length(shown: ShownFact) -> int:
    return max(len(each.texts) for each in shown.columns)


def _is_single(shown: ShownFact) -> bool:
    return len(shown.columns) == 1 and _length(shown) == 1 and bool(shown.columns[0].values)


def _figure(name: str, shown: ShownFact) -> Figure:
    column = shown.columns[0]
    row = shown.names[0] if shown.names else ""
    return Figure(column.texts[0], column.label, row, name)


def _pairs(shown: ShownFact) -> Iterator[tuple[str, str]]:
    """The single figures of a fact under their labels."""
    name = shown.names[0] if shown.names else ""
    for column in shown.columns:
        if column.values:
            yield ", ".join(filter(None, (name, column.label))), column.texts[0]
