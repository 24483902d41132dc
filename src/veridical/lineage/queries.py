"""Queries to relations: what their outputs are made of, and what decides their rows."""

from collections.abc import Sequence

from sqlglot import exp

from veridical.lineage.cell import (
    COLUMN,
    UNKNOWN,
    UNREDEEMED,
    Cell,
    either,
)
from veridical.lineage.conditions import held_values, keeps_nothing, meeting
from veridical.lineage.expressions import Reader
from veridical.lineage.labels import vouched_label
from veridical.lineage.scope import Output, Relation, Rows, Scope
from veridical.lineage.sources import add_source, joined_rows


def read_query(
    node: exp.Expr, relations: dict[str, Relation], parent: Scope | None = None
) -> Relation:
    """What a query gives; an unknown output for a form that nobody foresaw."""
    with_ = node.args.get("with_")
    if with_ is not None:
        relations = _with(with_, relations, parent)
    if isinstance(node, exp.Subquery):
        found = _limited(node, read_query(node.this, relations, parent))
        alias = node.args.get("alias")
        names = [each.name.casefold() for each in alias.columns] if alias is not None else []
        return UNREAD if node.args.get("pivots") else found.renamed(names)
    if isinstance(node, exp.SetOperation):
        return _limited(node, _set_operation(node, relations, parent))
    if isinstance(node, exp.Values):
        return read_values(node, relations, parent)
    if isinstance(node, exp.Select):
        return _limited(node, _select(node, relations, parent))
    if isinstance(node, exp.Table):
        return _table_query(node, relations)
    return UNREAD


UNREAD = Relation((Output("", UNKNOWN),), Rows.WRITTEN)


def _table_query(node: exp.Table, relations: dict[str, Relation]) -> Relation:
    return relations.get(node.name.casefold(), Relation((Output("", COLUMN, star=True),)))


def _with(
    with_: exp.With, relations: dict[str, Relation], parent: Scope | None
) -> dict[str, Relation]:
    known = dict(relations)
    for cte in with_.expressions:
        name = cte.alias.casefold()
        alias = cte.args.get("alias")
        names = [each.name.casefold() for each in alias.columns] if alias is not None else []
        body = cte.this
        if with_.args.get("recursive") and isinstance(body, exp.SetOperation):
            known[name] = _recursive(body, name, names, known, parent)
        else:
            known[name] = read_query(body, known, parent).renamed(names)
    return known


def _recursive(
    body: exp.SetOperation,
    name: str,
    names: list[str],
    known: dict[str, Relation],
    parent: Scope | None,
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
    node: exp.SetOperation, relations: dict[str, Relation], parent: Scope | None
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


def read_values(node: exp.Values, relations: dict[str, Relation], parent: Scope | None) -> Relation:
    """Rows that are written out."""
    reader = Reader(Scope(relations, parent, rows=Rows.WRITTEN), read_query)
    columns: list[Cell] = []
    for at, row in enumerate(node.expressions):
        cells = [reader.read(each) for each in getattr(row, "expressions", None) or [row]]
        columns = (
            cells if at == 0 else [either(*pair) for pair in zip(columns, cells, strict=False)]
        )
    alias = node.args.get("alias")
    names = [each.name.casefold() for each in alias.columns] if alias is not None else []
    outputs = tuple(
        Output(names[at] if at < len(names) else f"column{at + 1}", cell)
        for at, cell in enumerate(columns)
    )
    return Relation(outputs, Rows.ONE if len(node.expressions) == 1 else Rows.WRITTEN)


def _select(node: exp.Select, relations: dict[str, Relation], parent: Scope | None) -> Relation:
    scope = Scope(relations, parent)
    reader = Reader(scope, read_query)
    from_, joins = node.args.get("from_"), node.args.get("joins") or []
    laterals = node.args.get("laterals") or []
    sources = [*([from_.this] if from_ is not None else []), *laterals, *joins]
    for each in sources:
        add_source(scope, each, reader.read, read_query)
    scope.met = meeting(node, scope)
    scope.rows = joined_rows(scope) if sources else Rows.ONE
    where = node.args.get("where")
    if where is not None:
        scope.held = held_values(where.this, scope)
        if keeps_nothing(where.this):
            scope.rows = Rows.WRITTEN
    outputs = _outputs(node, scope, reader)
    return Relation(tuple(outputs), _rows(node, scope))


def _rows(node: exp.Select, scope: Scope) -> Rows:
    """An aggregate over everything gives one row, whatever the data says."""
    if scope.rows is Rows.WRITTEN:
        return Rows.WRITTEN
    if node.args.get("group") is None and any(
        each.find(exp.AggFunc) is not None and each.find(exp.Window, exp.Subquery) is None
        for each in node.expressions
    ):
        return Rows.ONE
    return scope.rows


def _outputs(node: exp.Select, scope: Scope, reader: Reader) -> list[Output]:
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


def _starred(node: exp.Expr, scope: Scope) -> Sequence[Output]:
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
