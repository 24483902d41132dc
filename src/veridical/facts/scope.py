"""The rows of a fact, out of all rows, and its measures over them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress

from veridical.evidence.column import CellKind
from veridical.evidence.dimension import NUMBER, SHARE, Quantity
from veridical.facts.arguments import Arguments
from veridical.facts.fact import Label, Measured, plain
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.evaluate import EvaluationScope, evaluate, series, truths
from veridical.facts.kernel.frame import Frame, as_items, joined
from veridical.facts.kernel.parse import read_condition, read_measure
from veridical.facts.kernel.value import FactError, Reason, Value, Vector
from veridical.ontology.printed import Favourable


@dataclass(frozen=True, slots=True)
class Scoped:
    """Rows in scope, and their selection."""

    frame: Frame
    rows: tuple[int, ...]
    of: tuple[int, ...]
    """All rows that the condition was applied to."""
    condition: ex.Expression | None
    others: Mapping[str, Frame]
    arguments: Arguments
    pool: tuple[int, ...] = ()
    """The rows that meet the condition, whether they are named or not."""
    before: "Scoped | None" = None
    """The rows that these are groups of, or whose cells they are."""

    @property
    def origin(self) -> "Scoped":
        """The rows of the result itself."""
        return self if self.before is None else self.before.origin

    @property
    def evaluation(self) -> EvaluationScope:
        """The scope for the kernel."""
        return EvaluationScope(self.frame, self.rows, self.others)

    @property
    def beside(self) -> EvaluationScope:
        """The same with aggregates over all rows that meet the condition: a row is compared with
        the mean of all, not with its own."""
        return EvaluationScope(self.frame, self.rows, self.others, self.pool)

    def evaluation_of(self, expression: ex.Expression) -> EvaluationScope:
        """The scope for one expression: names pick rows, aggregates beside cells are over all."""
        return self.beside if ex.is_mixed(expression) else self.evaluation

    @property
    def unnamed(self) -> "Scoped":
        """All rows that meet the condition, whether they are named or not."""
        arguments = replace(self.arguments, rows=())
        return replace(self, rows=self.pool, of=self.frame.members, arguments=arguments)

    def having(self, rows: Sequence[int]) -> "Scoped":
        """The same over other rows."""
        return replace(self, rows=tuple(rows))


def scoped(arguments: Arguments, frames: Mapping[str, Frame]) -> Scoped:
    """The rows by the arguments ``from``, ``join``, ``among``, ``where`` and ``rows``. Raises
    ``FactError``."""
    frame = _frame(arguments, frames)
    members = pool = frame.members
    condition = None
    if arguments.where:
        condition = _condition(arguments.where, frame, frames)
        pool = _meeting(condition, EvaluationScope(frame, members, frames))
    rows, of = pool, members
    if arguments.rows:
        of = _named(frame, arguments.rows)
        rows = of
        if condition is not None:
            rows = _meeting(condition, EvaluationScope(frame, of, frames, members))
    found = Scoped(frame, rows, of, condition, frames, arguments, pool)
    return _as_items(found) if arguments.among else found


def _as_items(scope: Scoped) -> Scoped:
    """Columns of the one row in scope as rows."""
    frame = as_items(scope.frame, scope.arguments.among, scope.rows)
    rows = frame.members
    return Scoped(frame, rows, rows, scope.condition, scope.others, scope.arguments, rows, scope)


def _meeting(condition: ex.Expression, scope: EvaluationScope) -> tuple[int, ...]:
    return tuple(compress(scope.rows, truths(condition, scope)))


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
    if len(frames) == 1:
        return next(iter(frames.values()))
    fitting = [frame for frame in frames.values() if _fits(arguments, frame, frames)]
    return fitting[0] if fitting else next(iter(frames.values()))


def _fits(arguments: Arguments, frame: Frame, frames: Mapping[str, Frame]) -> bool:
    written = (*arguments.measures, *filter(None, (arguments.a, arguments.b, arguments.part,
               arguments.whole)), *(each.lstrip("-") for each in arguments.columns))  # fmt: skip
    try:
        for each in written:
            read_measure_in(each, frame, frames)
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
    return _localized(read_condition(text, frame.columns, tuple(frames), frame.judged), frame)


def read_measure_in(text: str, frame: Frame, frames: Mapping[str, Frame]) -> ex.Measure:
    """A measure over the rows of a frame. Raises ``FactError``."""
    found = read_measure(text, frame.columns, tuple(frames), frame.judged)
    local = _localized(found.expression, frame)
    return found if local is found.expression else replace(found, expression=local)


def _localized(expression: ex.Expression, frame: Frame) -> ex.Expression:
    """Columns that are named with a result whose rows are in scope are columns of these."""

    def local(column: ex.Column) -> ex.Column:
        if column.result not in frame.results:
            return column
        joined = f"{column.result}.{column.name}"
        return ex.Column(joined if frame.place(joined) is not None else column.name)

    return ex.with_columns(expression, local) if ex.result_names(expression) else expression


def _named(frame: Frame, names: Sequence[str]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(row for name in names for row in frame.find(name)))


def measure_of(text: str, scope: Scoped) -> ex.Measure:
    """A measure of the rows in scope. Raises ``FactError``."""
    if text.casefold() == "value" and scope.frame.place("value") is None:
        return _only_figure(scope)
    found = read_measure_in(text, scope.frame, scope.others)
    if isinstance(found.expression, _CONDITIONS):
        raise FactError(Reason.SYNTAX, text)
    if isinstance(found.expression, ex.Text):  # in quotes, but no column
        raise FactError(Reason.NO_COLUMN, text, scope.frame.columns)
    return found


_CONDITIONS = (ex.Compare, ex.OneOf, ex.Blank, ex.Contains, ex.Every, ex.Either, ex.Not,
               ex.Judged)  # fmt: skip


def measures_of(scope: Scoped) -> tuple[ex.Measure, ...]:
    """All measures of a fact; of a frame with one figure, that. Raises ``FactError``."""
    texts = scope.arguments.measures
    if scope.arguments.among:
        return (ex.Measure(ex.Column("value"), "value"),)
    if not texts:
        return (_only_figure(scope),)
    return tuple(measure_of(text, scope) for text in texts)


def _only_figure(scope: Scoped) -> ex.Measure:
    columns = [each.name for each in scope.frame.table.columns if each.kind is CellKind.FIGURE]
    if len(columns) != 1:
        raise FactError(Reason.ARGUMENT, "measure", columns)
    return ex.Measure(ex.Column(columns[0]), columns[0])


def measured(measure: ex.Measure, scope: Scoped) -> Measured:
    """A measure over the rows in scope. Raises ``FactError``."""
    vector = series(measure.expression, scope.evaluation_of(measure.expression))
    return Measured(label_of(measure), names_of(measure), formatted(vector, scope.arguments))


def value_of(measure: ex.Measure, scope: Scoped) -> Value | Vector | None:
    """The value of a measure over all rows in scope, or one for each. Raises ``FactError``."""
    found = evaluate(measure.expression, scope.evaluation_of(measure.expression))
    if isinstance(found, Vector):
        return formatted(found, scope.arguments)
    return formatted_value(found, scope.arguments)


def sets_cells_beside(measures: Sequence[ex.Measure]) -> bool:
    """True if the cells of a row stand beside an aggregate: its quantity and the mean of all."""
    whole = [ex.has_aggregate(each.expression) for each in measures]
    return any(whole) and any(
        ex.column_names(each.expression) for each, flag in zip(measures, whole, strict=True)
        if not flag
    )  # fmt: skip


def single_of(measure: ex.Measure, scope: Scoped, *, beside: bool = False) -> Value:
    """The one value of a measure; of a row beside others, aggregates are over all of these.
    Raises ``FactError``."""
    chosen = scope.beside if beside else scope.evaluation_of(measure.expression)
    found = evaluate(measure.expression, chosen)
    if isinstance(found, Vector):
        if len(found.values) != 1:
            reason = Reason.SEVERAL_ROWS if found.values else Reason.NO_ROW
            raise FactError(reason, measure.text)
        found = found.at(0)
    if found is None:
        raise FactError(Reason.NO_VALUE, measure.text)
    return formatted_value(found, scope.arguments) or found


def label_of(measure: ex.Measure) -> Label:
    """The label of a measure."""
    return Label(measure.alias, measure.meaning or measure.expression)


_KEPT = frozenset({"sum", "avg", "median", "min", "max"})
"""Functions of a column that get better where it does."""


def favourable_of(scope: Scoped, measures: Sequence[ex.Measure]) -> Favourable | None:
    """The favourable direction of these measures, as their owner declares it; none where they
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
    """The names of a measure in slots."""
    found = [plain(measure.alias)] if measure.alias else []
    found.append(plain(measure.text))
    meaning = measure.meaning or measure.expression
    if meaning == ex.Call("count", ()):
        found.append("count")
    columns = dict.fromkeys(ex.column_names(meaning))
    if len(columns) == 1:
        name = next(iter(columns))
        found += [plain(name), plain(name.rpartition(".")[2])]
    return tuple(dict.fromkeys(found))


def formatted(vector: Vector, arguments: Arguments) -> Vector:
    """A column as percent, if its author wants it."""
    if arguments.format != "percent" or vector.dimension is None:
        return vector
    if vector.dimension.quantity is not Quantity.NUMBER:
        return vector
    return replace(vector, dimension=SHARE, scale=1.0, digits=None)


def formatted_value(value: Value | None, arguments: Arguments) -> Value | None:
    """The same of one value."""
    if value is None or arguments.format != "percent" or value.dimension != NUMBER:
        return value
    return replace(value, dimension=SHARE, scale=1.0, digits=None)
