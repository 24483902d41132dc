"""The rows of a fact, out of all rows, and its measures over them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress

from veridical.evidence.column import CellKind
from veridical.evidence.dimension import NUMBER, SHARE
from veridical.facts.arguments import Arguments
from veridical.facts.fact import Label, Measured, Population, plain
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.arithmetic import spread
from veridical.facts.kernel.evaluate import EvaluationScope, evaluate, truths
from veridical.facts.kernel.frame import Frame, as_items
from veridical.facts.kernel.join import joined
from veridical.facts.kernel.parse import read_condition, read_measure
from veridical.facts.kernel.reduce import reduced
from veridical.facts.kernel.value import FactError, Found, Reason, Value, Vector
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
    return read_condition(text, frame.columns, tuple(frames), frame.judged, frame.results)


def read_measure_in(text: str, frame: Frame, frames: Mapping[str, Frame]) -> ex.Measure:
    """A measure over the rows of a frame; columns that are named with a result whose rows are in
    scope are columns of these. Raises ``FactError``."""
    return read_measure(text, frame.columns, tuple(frames), frame.judged, frame.results)


def _named(frame: Frame, names: Sequence[str]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(row for name in names for row in frame.find(name)))


def measure_of(text: str, scope: Scoped) -> ex.Measure:
    """A measure of the rows in scope. Raises ``FactError``."""
    if text.casefold() == "value" and scope.frame.place("value") is None:
        return _only_figure(scope)
    found = read_measure_in(text, scope.frame, scope.others)
    if isinstance(found.expression, ex.Condition):
        raise FactError(Reason.SYNTAX, text)
    if isinstance(found.expression, ex.Text):  # in quotes, but no column
        raise FactError(Reason.NO_COLUMN, text, scope.frame.columns)
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
    columns = [each.name for each in scope.frame.table.columns if each.kind is CellKind.FIGURE]
    if len(columns) != 1:
        raise FactError(Reason.ARGUMENT, "measure", columns)
    return ex.Measure(ex.Column(columns[0]), columns[0])


def evaluated(measure: ex.Measure, scope: Scoped, *, is_beside: bool = False) -> Found:
    """A measure over the rows in scope: one value, or one for each; of a row beside others,
    aggregates are over all of these. Raises ``FactError``."""
    chosen = scope.beside if is_beside else scope.evaluation_of(measure.expression)
    found = evaluate(measure.expression, chosen)
    # as percent, if its author wants it
    if found is None or scope.arguments.format != "percent" or found.dimension != NUMBER:
        return found
    return replace(found, dimension=SHARE, scale=1.0, digits=None)


def measured(measure: ex.Measure, scope: Scoped) -> Measured:
    """A measure of each row in scope. Raises ``FactError``."""
    found = evaluated(measure, scope)
    vector = found if isinstance(found, Vector) else spread(found, len(scope.rows))
    return Measured(label_of(measure), names_of(measure), vector)


def sets_cells_beside(measures: Sequence[ex.Measure]) -> bool:
    """True if the cells of a row stand beside an aggregate: its quantity and the mean of all."""
    whole = [ex.has_aggregate(each.expression) for each in measures]
    return any(whole) and any(
        ex.column_names(each.expression) for each, flag in zip(measures, whole, strict=True)
        if not flag
    )  # fmt: skip


def summed(measure: ex.Measure, found: Value | Vector | None, scope: Scoped) -> Value:
    """A measure as one value: of a column over several rows, its sum. Raises ``FactError``."""
    if isinstance(found, Vector):
        one = len(found.values) == 1
        found = found.at(0) if one else reduced("sum", found, scope.frame, scope.rows)
    if found is None:
        raise FactError(Reason.NO_VALUE, measure.text)
    return found


def single_of(measure: ex.Measure, scope: Scoped, *, is_beside: bool = False) -> Value:
    """The one value of a measure; of a row beside others, aggregates are over all of these.
    Raises ``FactError``."""
    found = evaluated(measure, scope, is_beside=is_beside)
    if isinstance(found, Vector):
        if len(found.values) != 1:
            reason = Reason.SEVERAL_ROWS if found.values else Reason.NO_ROW
            raise FactError(reason, measure.text)
        found = found.at(0)
    if found is None:
        raise FactError(Reason.NO_VALUE, measure.text)
    return found


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


def population(scope: Scoped, *columns: Sequence[object], by: tuple[str, ...] = ()) -> Population:
    """The rows in scope, those counted that have a value in each of these columns."""
    known = rows = len(scope.rows)
    gaps = [each for each in columns if None in each]
    if gaps:
        known = sum(None not in cells for cells in zip(*gaps, strict=True))
    table, origin = scope.frame.table, scope.origin
    named = bool(scope.arguments.rows) and len(origin.of) < len(origin.frame.members)
    named = named or (bool(scope.arguments.among) and bool(origin.arguments.rows))
    chosen = scope.condition is not None and bool(scope.arguments.by) and origin is not scope
    return Population(
        count=known,
        of=len(scope.of),
        condition=None if chosen else scope.condition,
        before=grouping(origin) if chosen else None,
        names=origin.arguments.rows if named else (),
        missing=rows - known,
        by=by,
        truncated=table.truncated,
        total=table.row_count,
        nouns=table.nouns,
        unmatched=origin.frame.unmatched,
        ungrouped=scope.frame.ungrouped,
    )


def grouping(scope: Scoped) -> Population:
    """The rows that groups are made of; those without a group are in none."""
    frame, by = scope.frame, scope.arguments.by
    return population(scope, *(frame.taken(frame.column(name), scope.rows) for name in by), by=by)
