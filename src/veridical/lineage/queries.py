"""Queries to relations: what their sources and outputs are made of, and what decides their rows."""

from collections.abc import Sequence

from sqlglot import exp

from veridical.lineage import functions
from veridical.lineage.cell import (
    COLUMN,
    COMPUTED,
    SOME_DAY,
    SOME_LITERAL,
    UNKNOWN,
    UNREDEEMED,
    Cell,
    either,
    is_day,
)
from veridical.lineage.conditions import equal_values, keeps_nothing, meeting, vouched_label
from veridical.lineage.expressions import Reader
from veridical.lineage.scope import TABLE, LineageScope, Output, Relation, Relations, Rows

UNREAD = Relation((Output("", UNKNOWN),), Rows.WRITTEN)
_SERIES = (exp.GenerateSeries, exp.ExplodingGenerateSeries, exp.GenerateDateArray)


def read_query(
    node: exp.Expr, relations: Relations, parent: LineageScope | None = None
) -> Relation:
    """The output of a query; an unknown one for an unforeseen form."""
    with_ = node.args.get("with_")
    if with_ is not None:
        relations = _with(with_, relations, parent)
    if isinstance(node, exp.Subquery):
        found = _limited(node, read_query(node.this, relations, parent))
        return UNREAD if node.args.get("pivots") else found.renamed(_alias_columns(node))
    if isinstance(node, exp.SetOperation):
        return _limited(node, _set_operation(node, relations, parent))
    if isinstance(node, exp.Values):
        return _values(node, relations, parent)
    if isinstance(node, exp.Select):
        return _limited(node, _select(node, relations, parent))
    if isinstance(node, exp.Table):
        return relations.get(node.name.casefold(), TABLE)
    return UNREAD


def _with(with_: exp.With, relations: Relations, parent: LineageScope | None) -> Relations:
    known = dict(relations)
    for cte in with_.expressions:
        name = cte.alias.casefold()
        names = _alias_columns(cte)
        body = cte.this
        if with_.args.get("recursive") and isinstance(body, exp.SetOperation):
            known[name] = _recursive(body, name, names, known, parent)
        else:
            known[name] = read_query(body, known, parent).renamed(names)
    return known


def _alias_columns(node: exp.Expr) -> list[str]:
    return [name.casefold() for name in node.alias_column_names]


def _recursive(
    body: exp.SetOperation,
    name: str,
    names: list[str],
    known: Relations,
    parent: LineageScope | None,
) -> Relation:
    """Read until another step adds nothing; what has not settled by then is unknown."""
    reached = read_query(body.this, known, parent).renamed(names)
    for _ in range(3):
        step = read_query(body.expression, {**known, name: reached}, parent)
        after = _side_by_side(reached, step)
        if after == reached:
            return reached
        reached = after
    return Relation(tuple(Output(each.name, UNREDEEMED) for each in reached.outputs), Rows.WRITTEN)


def _set_operation(
    node: exp.SetOperation, relations: Relations, parent: LineageScope | None
) -> Relation:
    left = read_query(node.this, relations, parent)
    if isinstance(node, exp.Except | exp.Intersect):
        return left
    right = read_query(node.expression, relations, parent)
    if node.args.get("by_name"):
        return _by_name(left, right)
    return _side_by_side(left, right)


def _side_by_side(left: Relation, right: Relation) -> Relation:
    rows = _rows_of_both(left, right)
    if left.is_table or right.is_table:
        if all(each.star for each in (*left.outputs, *right.outputs)):
            return Relation(left.outputs, rows)
        return _with_stars(left, right, rows)
    if len(left.outputs) != len(right.outputs):
        return Relation((Output("", UNKNOWN),), rows)
    return Relation(
        tuple(
            Output(one.name, either(one.cell, other.cell))
            for one, other in zip(left.outputs, right.outputs, strict=True)
        ),
        rows,
    )


def _rows_of_both(left: Relation, right: Relation) -> Rows:
    """So many single rows as the statement has parts are no number that was read."""
    rows = max(left.rows, right.rows)
    if left.rows is not Rows.ONE or right.rows is not Rows.ONE:
        return rows
    return Rows.LIMITED if left.reads or right.reads else Rows.WRITTEN


def _with_stars(left: Relation, right: Relation, rows: Rows) -> Relation:
    """A table beside listed values: each of these may stand in any of its columns."""
    cells = [each.cell for each in (*left.outputs, *right.outputs)]
    if all(cell.is_data and not cell.written for cell in cells):
        return Relation((Output("", COLUMN, star=True),), rows)
    return Relation((Output("", UNKNOWN),), rows)


def _by_name(left: Relation, right: Relation) -> Relation:
    rows = _rows_of_both(left, right)
    names = list(dict.fromkeys(each.name for each in (*left.outputs, *right.outputs)))
    if left.is_table or right.is_table:
        return _with_stars(left, right, rows)
    outputs: list[Output] = []
    for name in names:
        cells = [cell for side in (left, right) if (cell := side.cell(name)) is not None]
        outputs.append(Output(name, cells[0] if len(cells) == 1 else either(*cells)))
    return Relation(tuple(outputs), rows)


def _values(node: exp.Values, relations: Relations, parent: LineageScope | None) -> Relation:
    """Rows that are written out."""
    reader = Reader(LineageScope(relations, parent, rows=Rows.WRITTEN), read_query)
    columns: list[Cell] = []
    for at, row in enumerate(node.expressions):
        cells = [reader.read(each) for each in getattr(row, "expressions", None) or [row]]
        columns = (
            cells if at == 0 else [either(*pair) for pair in zip(columns, cells, strict=False)]
        )
    names = _alias_columns(node)
    outputs = tuple(
        Output(names[at] if at < len(names) else f"column{at + 1}", cell)
        for at, cell in enumerate(columns)
    )
    return Relation(outputs, Rows.ONE if len(node.expressions) == 1 else Rows.WRITTEN)


def _select(node: exp.Select, relations: Relations, parent: LineageScope | None) -> Relation:
    scope = LineageScope(relations, parent)
    reader = Reader(scope, read_query)
    from_, joins = node.args.get("from_"), node.args.get("joins") or []
    laterals = node.args.get("laterals") or []
    sources = [*([from_.this] if from_ is not None else []), *laterals, *joins]
    for each in sources:
        _add_source(scope, each, reader)
    scope.met = meeting(node, scope)
    scope.rows = _joined_rows(scope) if sources else Rows.ONE
    where = node.args.get("where")
    if where is not None:
        scope.equal_to = equal_values(where.this, scope)
        if keeps_nothing(where.this):
            scope.rows = Rows.WRITTEN
    outputs = _outputs(node, scope, reader)
    return Relation(tuple(outputs), _rows(node, scope))


def _rows(node: exp.Select, scope: LineageScope) -> Rows:
    """The origin of the row count; an aggregate over everything always gives one row."""
    if scope.rows is Rows.WRITTEN:
        return Rows.WRITTEN
    if node.args.get("group") is None and any(
        each.find(exp.AggFunc) is not None and each.find(exp.Window, exp.Subquery) is None
        for each in node.expressions
    ):
        return Rows.ONE
    return scope.rows


def _outputs(node: exp.Select, scope: LineageScope, reader: Reader) -> list[Output]:
    outputs: list[Output] = []
    where = node.args.get("where")
    for each in node.expressions:
        if each.is_star:
            outputs += _starred(each, scope)
            continue
        cell = reader.read(each)
        if cell.is_literal and where is not None and vouched_label(cell, where.this, scope):
            cell = COLUMN
        name = each.alias_or_name.casefold()
        if isinstance(each, exp.Alias):
            scope.aliases[name] = cell
        outputs.append(Output(name, cell))
    return outputs


def _starred(node: exp.Expr, scope: LineageScope) -> Sequence[Output]:
    """The columns that a star stands for."""
    star = node.this if isinstance(node, exp.Column) else node
    if not isinstance(star, exp.Star) or star.args.get("replace") or star.args.get("rename"):
        return [Output("", UNKNOWN)]
    left_out = {each.name.casefold() for each in star.args.get("except_") or ()}
    table = node.table.casefold() if isinstance(node, exp.Column) else ""
    if table and table not in scope.sources:
        return [Output("", UNKNOWN)]
    chosen = [scope.sources[table]] if table else list(scope.sources.values())
    if not chosen:
        return [Output("", UNKNOWN)]
    keys = [table] if table else list(scope.sources)
    found: list[Output] = []
    for key, relation in zip(keys, chosen, strict=True):
        for each in relation.outputs:
            if each.star or each.name not in left_out:
                met = each.cell.is_literal and (key, each.name) in scope.met
                found.append(Output(each.name, COLUMN) if met else each)
    return found


def _limited(node: exp.Expr, relation: Relation) -> Relation:
    if node.args.get("limit") is None and node.args.get("offset") is None:
        return relation
    return Relation(relation.outputs, max(relation.rows, Rows.LIMITED))


def _add_source(scope: LineageScope, node: exp.Expr, reader: Reader) -> None:
    """Adds what FROM or a JOIN names to what the SELECT sees."""
    if isinstance(node, exp.Join):
        node = node.this
    relation = _relation(node, scope, reader)
    for join in node.args.get("joins") or ():
        _add_source(scope, join, reader)
    names = _alias_columns(node)
    name = node.alias_or_name.casefold() or (names[0] if len(names) == 1 else "")
    if not isinstance(node, exp.Subquery | exp.Values):
        relation = _named(relation, names, name)
    key = name if name and name not in scope.sources else f"{name}#{len(scope.sources)}"
    scope.sources[key] = relation


def _named(relation: Relation, names: list[str], name: str) -> Relation:
    if names:
        return relation.renamed(names)
    if len(relation.outputs) == 1 and not relation.is_table and not relation.outputs[0].name:
        return relation.renamed([name])  # a series has the name of its source
    return relation


def _relation(node: exp.Expr, scope: LineageScope, reader: Reader) -> Relation:
    if node.args.get("pivots"):
        return UNREAD
    if isinstance(node, exp.Subquery | exp.Values | exp.Query):
        return read_query(node, scope.relations, scope)
    if isinstance(node, exp.Lateral):
        inner = node.this
        if isinstance(inner, exp.Subquery | exp.Query):
            return read_query(inner, scope.relations, scope)
        return _made(inner, reader)
    if isinstance(node, exp.Unnest):
        return _made(node, reader)
    if isinstance(node, exp.Table):
        return _table(node, scope, reader)
    return UNREAD


def _table(node: exp.Table, scope: LineageScope, reader: Reader) -> Relation:
    inner = node.this
    if isinstance(inner, exp.Identifier):
        known = scope.relations.get(node.name.casefold()) if not node.db else None
        return known if known is not None else TABLE
    if isinstance(inner, functions.FILES):
        return TABLE
    if isinstance(inner, exp.Anonymous) and inner.name.casefold() in functions.FILE_NAMES:
        return TABLE
    return _made(inner, reader)


def _made(node: exp.Expr, reader: Reader) -> Relation:
    """Rows that a function makes; from data alone, they are data."""
    cells = [_element(each, reader) for each in node.iter_expressions() if _is_value(each)]
    if cells and not isinstance(node, _SERIES) and all(cell.is_data for cell in cells):
        return Relation((Output("", COMPUTED, star=True),))
    dated = any(map(is_day, cells)) and all(is_day(cell) or not cell.is_data for cell in cells)
    return Relation((Output("", SOME_DAY if dated else SOME_LITERAL),), Rows.WRITTEN)


def _element(node: exp.Expr, reader: Reader) -> Cell:
    if isinstance(node, exp.Kwarg):
        node = node.expression
    if isinstance(node, exp.Array) and not any(node.iter_expressions()):
        return SOME_LITERAL
    return reader.read(node)


def _is_value(node: exp.Expr) -> bool:
    return not isinstance(node, exp.TableAlias | exp.Identifier | exp.Var)


def _joined_rows(scope: LineageScope) -> Rows:
    """The origin of the row count of all sources together.

    Rows that are written out multiply the others, unless each of them meets a column of a table.
    """
    kinds: list[Rows] = []
    for key, relation in scope.sources.items():
        rows = relation.rows
        if rows is Rows.WRITTEN and any(source == key for source, _ in scope.met):
            continue
        kinds.append(rows)
    if not kinds:
        return Rows.READ
    several = [kind for kind in kinds if kind is not Rows.ONE]
    return max(several) if several else Rows.ONE
