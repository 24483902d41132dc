"""The rows that a fact speaks of, out of those that there are, and its measures over them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from veridical.evidence.column import Kind
from veridical.evidence.dimension import NUMBER, SHARE, Quantity
from veridical.facts.arguments import Arguments
from veridical.facts.fact import Label, Measured, Part, Role, Touched, key_of, plain
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.compare import lifted
from veridical.facts.kernel.evaluate import Scope, evaluate, holds, series
from veridical.facts.kernel.frame import Frame, as_items, joined
from veridical.facts.kernel.parse import read_condition, read_measure
from veridical.facts.kernel.value import FactError, Reason, Value, Vector
from veridical.ontology.printed import Favourable

_MOST_ROWS = 100_000


@dataclass(frozen=True, slots=True)
class Scoped:
    """Rows in scope, and what put them there."""

    frame: Frame
    rows: tuple[int, ...]
    of: tuple[int, ...]
    """All rows that the condition was asked of."""
    condition: ex.Expression | None
    others: Mapping[str, Frame]
    arguments: Arguments

    @property
    def evaluation(self) -> Scope:
        """For the kernel."""
        return Scope(self.frame, self.rows, self.others)

    def having(self, rows: Sequence[int]) -> "Scoped":
        """The same over other rows."""
        return replace(self, rows=tuple(rows))


def scoped(arguments: Arguments, frames: Mapping[str, Frame], *, named: bool = True) -> Scoped:
    """What the arguments ``from``, ``join``, ``among``, ``where`` and ``rows`` say. Raises
    ``FactError``."""
    frame = _frame(arguments, frames)
    rows: tuple[int, ...] = frame.members
    condition = None
    if arguments.among:
        within = rows
        if arguments.rows:
            within = _named(frame, arguments.rows)
        elif arguments.where:
            condition = _condition(arguments.where, frame, frames)
            within = _meeting(condition, Scope(frame, rows, frames))
        frame = as_items(frame, arguments.among, within)
        return Scoped(frame, frame.members, frame.members, None, frames, arguments)
    if arguments.rows and named:
        rows = _named(frame, arguments.rows)
    of = rows
    if arguments.where:
        condition = _condition(arguments.where, frame, frames)
        rows = _meeting(condition, Scope(frame, rows, frames))
    return Scoped(frame, rows, of, condition, frames, arguments)


def _meeting(condition: ex.Expression, scope: Scope) -> tuple[int, ...]:
    met = holds(condition, scope)
    return tuple(row for row, flag in zip(scope.rows, met, strict=True) if flag)


def _frame(arguments: Arguments, frames: Mapping[str, Frame]) -> Frame:
    frame = _result(arguments, frames)
    if arguments.join is None:
        return frame
    other = frames.get(arguments.join.result)
    if other is None:
        raise FactError(Reason.NO_RESULT, arguments.join.result, tuple(frames))
    return joined(frame, other, (arguments.join.left, arguments.join.right))


def _result(arguments: Arguments, frames: Mapping[str, Frame]) -> Frame:
    """The result that is named; the only one; or the first that has all that the fact names."""
    if arguments.result:
        found = frames.get(arguments.result)
        if found is None:
            raise FactError(Reason.NO_RESULT, arguments.result, tuple(frames))
        return found
    if not frames:
        raise FactError(Reason.NO_RESULT, "r1")
    fitting = [frame for frame in frames.values() if _fits(arguments, frame, frames)]
    return fitting[0] if fitting else next(iter(frames.values()))


def _fits(arguments: Arguments, frame: Frame, frames: Mapping[str, Frame]) -> bool:
    written = (*arguments.measures, *filter(None, (arguments.a, arguments.b, arguments.part,
               arguments.whole)), *(each.lstrip("-") for each in arguments.columns))  # fmt: skip
    try:
        for each in written:
            read_measure(each, frame.columns, tuple(frames), frame.judged)
        if arguments.where:
            _condition(arguments.where, frame, frames)
        for name in (*arguments.among, *arguments.by, arguments.over):
            if name:
                frame.column(name)
        for row in arguments.rows:
            frame.find(row)
    except FactError:
        return False
    return bool(written or arguments.where or arguments.among or arguments.rows)


def _condition(text: str, frame: Frame, frames: Mapping[str, Frame]) -> ex.Expression:
    return read_condition(text, frame.columns, tuple(frames), frame.judged)


def _named(frame: Frame, names: Sequence[str]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(row for name in names for row in frame.find(name)))


def measure_of(text: str, scope: Scoped) -> ex.Measure:
    """A measure of the rows in scope. Raises ``FactError``."""
    if text.casefold() == "value" and scope.frame.table.column("value") is None:
        return _only_figure(scope)
    found = read_measure(text, scope.frame.columns, tuple(scope.others), scope.frame.judged)
    if isinstance(found.expression, ex.Compare | ex.Every | ex.Either | ex.Not | ex.Judged):
        raise FactError(Reason.SYNTAX, text)
    return found


def measures_of(scope: Scoped) -> tuple[ex.Measure, ...]:
    """All measures of a fact; of a frame with one figure, that. Raises ``FactError``."""
    texts = scope.arguments.measures
    if scope.arguments.among:
        return (ex.Measure(ex.Column("value"), "value"),)
    if not texts:
        return (_only_figure(scope),)
    return tuple(measure_of(text, scope) for text in texts)


def _only_figure(scope: Scoped) -> ex.Measure:
    columns = [each.name for each in scope.frame.table.columns if each.kind is Kind.FIGURE]
    if len(columns) != 1:
        raise FactError(Reason.ARGUMENT, "measure", columns)
    return ex.Measure(ex.Column(columns[0]), columns[0])


def measured(measure: ex.Measure, scope: Scoped) -> Measured:
    """A measure over the rows in scope. Raises ``FactError``."""
    vector = series(measure.expression, scope.evaluation)
    return Measured(label_of(measure), names_of(measure), formatted(vector, scope.arguments))


def value_of(measure: ex.Measure, scope: Scoped) -> Value | Vector | None:
    """The value of a measure over all rows in scope, or one for each. Raises ``FactError``."""
    found = evaluate(measure.expression, scope.evaluation)
    if isinstance(found, Vector):
        return formatted(found, scope.arguments)
    return formatted_value(found, scope.arguments)


def label_of(measure: ex.Measure) -> Label:
    """What a measure is called."""
    return Label(measure.alias, measure.meaning or measure.expression)


_KEPT = frozenset({"sum", "avg", "median", "min", "max"})
"""Functions of a column that get better where it does."""


def favourable_of(scope: Scoped, measures: Sequence[ex.Measure]) -> Favourable | None:
    """Which way these measures get better, as the owner of their columns says; none where they
    differ, or are computed from several."""
    found = {_favourable(each.meaning or each.expression, scope) for each in measures}
    return found.pop() if len(found) == 1 else None


def _favourable(expression: ex.Expression, scope: Scoped) -> Favourable | None:
    if isinstance(expression, ex.Call) and expression.function in _KEPT:
        expression = expression.arguments[0]
    if not isinstance(expression, ex.Column) or expression.result:
        return None
    tables = (scope.frame.table, *(each.table for each in scope.others.values()))
    columns = (table.columns[at] for table in tables
               if (at := table.column(expression.name)) is not None)  # fmt: skip
    return next((each.favourable for each in columns), None)


def names_of(measure: ex.Measure) -> tuple[str, ...]:
    """What slots may call a measure."""
    found = [plain(measure.alias)] if measure.alias else []
    found.append(plain(measure.text))
    columns = dict.fromkeys(ex.column_names(measure.meaning or measure.expression))
    if len(columns) == 1:
        name = next(iter(columns))
        found += [plain(name), plain(name.rpartition(".")[2])]
    return tuple(dict.fromkeys(found))


def formatted(vector: Vector, arguments: Arguments) -> Vector:
    """A column as percent, where its author asks for it."""
    if arguments.format != "percent" or vector.dimension is None:
        return vector
    if vector.dimension.quantity not in (Quantity.NUMBER, Quantity.COUNT):
        return vector
    return replace(vector, dimension=SHARE, scale=1.0, digits=None)


def formatted_value(value: Value | None, arguments: Arguments) -> Value | None:
    """The same of one value."""
    if value is None or arguments.format != "percent" or value.dimension != NUMBER:
        return value
    return replace(value, dimension=SHARE, scale=1.0, digits=None)


def names_in(scope: Scoped, rows: Sequence[int]) -> tuple[Part, ...]:
    """What these rows are called, told apart among all rows."""
    frame = scope.frame
    among = frame.members if len(frame.members) > 1 else rows
    columns = frame.naming(among, scope.arguments.name)
    return tuple(_name(frame, row, columns) for row in rows)


def _name(frame: Frame, row: int, columns: Sequence[int]) -> Part:
    cells = [
        Value(frame.table.columns[at].kind, cell)
        for at in columns
        if (cell := frame.table.rows[row][at]) is not None
    ]
    if not cells:
        cells = [Value(Kind.NAME, f"#{row + 1}")] if len(frame.table.rows) > 1 else []
    if len(cells) == 1:
        found = Part(Role.NAME, cells[0])
        return replace(found, row=key_of(found))
    items = tuple(Part(Role.NAME, cell) for cell in cells)
    found = Part(Role.NAME, items=(items,) if items else ())
    return replace(found, row=key_of(found))


def limits_of(scope: Scoped) -> dict[str, Part]:
    """The constants of the condition, in the units of what they are compared with."""
    if scope.condition is None:
        return {}
    found: list[Part] = []
    for compare in _comparisons(scope.condition):
        for constant, beside in _constants(compare):
            value = _constant(constant, beside, scope)
            if value is not None:
                found.append(Part(Role.LIMIT, value))
    parts = {f"limit{at}": part for at, part in enumerate(found, start=1)}
    if found:
        parts["limit"] = found[0]
    return parts


def _comparisons(condition: ex.Expression) -> list[ex.Expression]:
    if isinstance(condition, ex.Compare | ex.OneOf | ex.Contains):
        return [condition]
    return [found for part in ex.parts_of(condition) for found in _comparisons(part)]


def _constants(compare: ex.Expression) -> list[tuple[ex.Expression, ex.Expression]]:
    match compare:
        case ex.Compare(_, left, right):
            pairs = ((right, left), (left, right))
            return [(one, other) for one, other in pairs
                    if isinstance(one, ex.Number | ex.Text | ex.Truth)]  # fmt: skip
        case ex.OneOf(operand, values, _):
            return [(value, operand) for value in values]
        case ex.Contains(operand, text):
            return [(ex.Text(text), operand)]
        case _:
            return []


def _constant(constant: ex.Expression, beside: ex.Expression, scope: Scoped) -> Value | None:
    full = Scope(scope.frame, scope.of, scope.others)
    value, other = evaluate(constant, full), evaluate(beside, full)
    if not isinstance(value, Value):
        return None
    if isinstance(other, Vector):
        place = next((at for at, each in enumerate(other.values) if each is not None), None)
        other = other.at(place) if place is not None else None
    if other is None:
        return value
    if other.kind is Kind.FIGURE and value.kind is Kind.FIGURE:
        found = lifted(value, other)
        return replace(found, digits=None, is_literal=False)
    return replace(value, kind=other.kind if value.kind is Kind.NAME else value.kind)


def constant_beside(text: str, beside: Value, scope: Scoped) -> Value:
    """A limit that an author wrote, in the unit of what it is compared with. Raises
    ``FactError``."""
    measure = read_measure(text, scope.frame.columns, tuple(scope.others))
    found = evaluate(measure.expression, scope.evaluation)
    if isinstance(found, Vector):
        found = found.at(0) if len(found.values) == 1 else None
    if found is None:
        raise FactError(Reason.NO_VALUE, text)
    return replace(lifted(found, beside), is_literal=False)


def touched(
    scope: Scoped, rows: Sequence[int], measures: Sequence[ex.Measure]
) -> tuple[Touched, ...]:
    """The cells that measures and condition read."""
    columns = {
        name for each in measures for name in ex.all_columns(each.meaning or each.expression)
    }
    if scope.condition is not None:
        columns |= set(ex.all_columns(scope.condition))
    return (Touched(scope.frame.table.name, tuple(rows[:_MOST_ROWS]), frozenset(columns)),)
