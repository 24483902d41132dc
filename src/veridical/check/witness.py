"""Statements that show whether the data has what a doubt about figures is about: several currencies
in a sum, several days of a stock, a row that a join repeats."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from sqlglot import exp, parse_one

from veridical.contracts.violation import Code, Violation
from veridical.ontology.catalog import Catalog, TableCard
from veridical.ontology.model import Constraint, ConstraintRule
from veridical.statement.reader import PARSE_ERRORS

_N = "n"
_ROWS = "witnessed"
_SUBTOTALS = ("rollup", "cube", "grouping_sets")
_DROPPED = ("order", "limit", "offset", "having", "distinct", "qualify", "with_", "windows")

Counting = Callable[[exp.Select, TableCard, str], exp.Expr | None]
"""How many values or rows are too many, for the rows of a SELECT under this alias."""


class _Faults(NamedTuple):
    """What must not be among the rows of a figure."""

    of: Counting
    repeats: bool = False
    """True for rows that are there more than once, be it in different groups."""


def witness(sql: str, violation: Violation, catalog: Catalog, dialect: str) -> str | None:
    """A statement that gives 0 where nothing is mixed or repeated in the rows of this one, in any
    group; None where there is none."""
    found = _doubt(violation, catalog)
    if found is None:
        return None
    card, faults = found
    try:
        tree = parse_one(sql, read=dialect)
    except PARSE_ERRORS:
        return None
    mentions = list(_mentions(tree, card.name))
    if len(mentions) != 1:  # of several, each may be of one unit, and another one
        return None
    written = _witness(tree, *mentions[0], card, faults)
    return None if written is None else written.sql(dialect=dialect)


def _doubt(violation: Violation, catalog: Catalog) -> tuple[TableCard, _Faults] | None:
    """The table whose rows are doubted, and what must not be among them."""
    name = violation.field or ""
    if violation.code is Code.FAN_OUT and not violation.rule:
        return None
    for table in catalog.tables.values():
        columns = [each for each in table.columns.values() if each.name == name]
        own = [*table.required_filters, *table.things]
        for constraint in (*own, *(part for each in columns for part in each.constraints)):
            if constraint.title == violation.rule:
                faults = _faults(violation, constraint)
                return None if faults is None else (table, faults)
    return None


def _faults(violation: Violation, constraint: Constraint) -> _Faults | None:
    match constraint.rule:
        case ConstraintRule.SAME_UNIT if violation.code is Code.MIXED_UNITS:
            named = violation.suggestion
            return None if named is None else _values_of((named,))
        case ConstraintRule.SEMI_ADDITIVE_OVER if violation.suggestion is not None:
            return _values_of(constraint.fields)
        case ConstraintRule.ONE_LEVEL:
            return _levels_of(constraint)
        case ConstraintRule.FAN_OUT:
            return _repeated_rows()
        case ConstraintRule.FIRST_OR_LAST:
            return _repeated_things(constraint)
        case _:  # which version is right, no row tells
            return None


def _values_of(names: Sequence[str]) -> _Faults:
    """More than one value of any of these columns, an empty one included."""

    def counted(select: exp.Select, card: TableCard, alias: str) -> exp.Expr | None:
        columns = [_column(select, card, alias, name) for name in names]
        found = [each for each in columns if each is not None]
        return _sum([_several(each) for each in found]) if len(found) == len(names) else None

    return _Faults(counted)


def _levels_of(constraint: Constraint) -> _Faults:
    """Rows of more than one level."""

    def counted(_select: exp.Select, _card: TableCard, alias: str) -> exp.Expr | None:
        column = exp.column(constraint.fields[0], table=alias)
        case = exp.Case()
        for name, values in constraint.levels.items():
            if values:
                listed = [exp.convert(each) for each in values]
                case = case.when(exp.In(this=column.copy(), expressions=listed), exp.convert(name))
        level = case.else_(exp.convert(""))
        return _sum([_distinct(level), exp.convert(-1)]) if case.args.get("ifs") else None

    return _Faults(counted)


def _repeated_rows() -> _Faults:
    """Rows that a join repeats."""

    def counted(_select: exp.Select, card: TableCard, alias: str) -> exp.Expr | None:
        return _repetitions(alias, sorted(min(card.keys, key=len))) if card.keys else None

    return _Faults(counted, repeats=True)


def _repeated_things(constraint: Constraint) -> _Faults:
    """Things that have more than one of these rows."""

    def counted(_select: exp.Select, _card: TableCard, alias: str) -> exp.Expr | None:
        return _repetitions(alias, constraint.fields)

    return _Faults(counted, repeats=True)


def _repetitions(alias: str, names: Sequence[str]) -> exp.Expr:
    columns: list[exp.Expr] = [exp.column(name, table=alias) for name in names]
    thing = columns[0] if len(columns) == 1 else _together(columns)
    return exp.Sub(this=exp.Count(this=thing), expression=_distinct(thing.copy()))


def _together(columns: list[exp.Expr]) -> exp.Expr:
    parts: list[exp.Expr] = []
    for each in columns:
        parts += [exp.cast(each, exp.DType.TEXT), exp.Literal.string("|")]
    return exp.Concat(expressions=parts[:-1], safe=False, coalesce=False)


def _several(value: exp.Expr) -> exp.Expr:
    """How many values there are beside one; an empty one is one more."""
    empty = exp.Is(this=value.copy(), expression=exp.Null())
    has_empty = exp.Max(this=exp.Case().when(empty, exp.convert(1)).else_(exp.convert(0)))
    return _sum([_distinct(value), has_empty, exp.convert(-1)])


def _distinct(value: exp.Expr) -> exp.Expr:
    return exp.Count(this=exp.Distinct(expressions=[value]))


def _sum(parts: Sequence[exp.Expr]) -> exp.Expr:
    whole, *others = parts
    for each in others:
        whole = exp.Add(this=whole, expression=each)
    return whole


def _column(select: exp.Select, card: TableCard, alias: str, name: str) -> exp.Expr | None:
    """The column of these rows, or of the parent that the same SELECT joins once."""
    table, _, column = name.rpartition(".")
    if not table:
        return exp.column(column, table=alias) if column in card.columns else None
    joined = [each.alias_or_name for each in _tables_of(select) if _is_named(each, table)]
    return exp.column(column, table=joined[0]) if len(joined) == 1 else None


def _mentions(tree: exp.Expr, name: str) -> Iterator[tuple[exp.Select, str]]:
    """The SELECTs that read the table itself, with its alias in each."""
    shadowed = {cte.alias.casefold() for cte in tree.find_all(exp.CTE)}
    if name.casefold() in shadowed:
        return
    for select in tree.find_all(exp.Select):
        for table in _tables_of(select):
            if _is_named(table, name):
                yield select, table.alias_or_name


def _is_named(table: exp.Table, name: str) -> bool:
    return table.name.casefold() == name.casefold()


def _tables_of(select: exp.Select) -> list[exp.Table]:
    from_ = select.args.get("from_")
    sources = [from_, *(select.args.get("joins") or ())]
    return [each.this for each in sources if each is not None and isinstance(each.this, exp.Table)]


def _witness(
    tree: exp.Expr, select: exp.Select, alias: str, card: TableCard, faults: _Faults
) -> exp.Expr | None:
    rows = select.copy()
    last = _is_last(tree, select)
    rows.set("group", exp.Group(expressions=group) if (group := _group_of(select)) else None)
    counted = faults.of(rows, card, alias)
    if counted is None or (faults.repeats and not (last and _adds(select))):
        return None
    if faults.repeats or not last:
        rows.set("group", None)
    for name in _DROPPED:
        rows.set(name, None)
    rows.set("expressions", [exp.alias_(counted, _N)])
    whole = exp.select(exp.Max(this=exp.column(_N)).as_(_N)).from_(rows.subquery(_ROWS))
    with_ = tree.args.get("with_")
    if with_ is not None:
        whole.set("with_", with_.copy())
    return whole


def _adds(select: exp.Select) -> bool:
    return any(each.parent_select is select for each in select.find_all(exp.AggFunc))


def _is_last(tree: exp.Expr, select: exp.Select) -> bool:
    """True when its groups stay apart: nothing else in the statement puts rows together."""
    others = (each for each in tree.find_all(exp.AggFunc) if each.parent_select is not select)
    return not any(True for _ in others) and select.find(exp.Window) is None


def _group_of(select: exp.Select) -> list[exp.Expr]:
    """What it groups by, written out; nothing where subtotals run over its groups."""
    group = select.args.get("group")
    shown = select.expressions
    named: Mapping[str, exp.Expr] = {
        each.alias.casefold(): each.this for each in shown if isinstance(each, exp.Alias)
    }
    found: list[exp.Expr] = []
    if group is None or any(group.args.get(each) for each in _SUBTOTALS):
        return []
    for each in group.expressions:
        if isinstance(each, exp.Literal) and each.name.isdigit() and int(each.name) <= len(shown):
            found.append(shown[int(each.name) - 1].unalias().copy())
        elif isinstance(each, exp.Column) and not each.table:
            found.append(named.get(each.name.casefold(), each).copy())
        else:
            found.append(each.copy())
    return found
