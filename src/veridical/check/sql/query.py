"""Queries to derived tables: sources, joins, groups, outputs, set operations, CTEs."""

from functools import partial

from sqlglot import exp

from veridical.check.facts import Block, Filters, Origin, Side, Terms, Use, uses_in
from veridical.check.sql.aliases import is_alias, under_aliases
from veridical.check.sql.choices import (
    distinct_on,
    first_of_each,
    note_demands,
    origins_of,
    ranked,
)
from veridical.check.sql.conditions import gives_one_row, required
from veridical.check.sql.kinds import type_of
from veridical.check.sql.measures import counts_rows, is_ratio, or_else
from veridical.check.sql.names import source_in
from veridical.check.sql.scope import Cte, Ctes, Derived, Output, SelectScope, Source, Work, cte_key
from veridical.check.sql.sources import add_source, read_on, values_derived
from veridical.check.sql.values import Visitor
from veridical.contracts.violation import Code

_SUBTOTALS = (exp.Rollup, exp.Cube, exp.GroupingSets)
_WHOLE = (exp.Column, exp.Cast, exp.Lower, exp.Upper, exp.Trim)
"""Forms that group by the whole value of a column, or nearly so."""
_RANKS = (exp.RowNumber, exp.Rank, exp.DenseRank)


def read_query(work: Work, node: exp.Expr, ctes: Ctes, parent: SelectScope | None) -> Derived:
    """The output of this query; its facts are noted in ``work.facts``."""
    with_ = node.args.get("with_")
    if with_ is not None:
        ctes = _read_ctes(work, with_, ctes, parent)
    if isinstance(node, exp.SetOperation):
        return _set_operation(work, node, ctes, parent)
    if isinstance(node, exp.Subquery):
        inner = read_query(work, node.this, ctes, parent)
        _note_modifiers(work, node, inner, ctes, parent)
        return inner
    if isinstance(node, exp.Select):
        return _select(work, node, ctes, parent)
    if isinstance(node, exp.Values):
        return _values(work, node, ctes, parent)
    work.problem(Code.SYNTAX_ERROR, node.sql()[:40])
    return Derived([], open=True)


def _values(work: Work, node: exp.Values, ctes: Ctes, parent: SelectScope | None) -> Derived:
    scope = _opened(work, ctes, parent)
    return values_derived(scope, node, Visitor(scope, _nested))


def _read_ctes(work: Work, with_: exp.With, ctes: Ctes, parent: SelectScope | None) -> Ctes:
    known = dict(ctes)
    for cte in with_.expressions:
        name = cte_key(cte.args["alias"].this, work.dialect)
        body = cte.this
        if not isinstance(body, exp.Query | exp.Values):
            work.problem(Code.NOT_READ_ONLY, cte.alias)
            known[name] = Cte(Derived([], open=True))
            continue
        if with_.args.get("recursive") and isinstance(body, exp.SetOperation):
            anchor = read_query(work, body.this, known, parent)
            known[name] = Cte(anchor.renamed(cte.args.get("alias")))
            step = read_query(work, body.expression, known, parent)
            _check_widths(work, anchor, step)
            continue
        read = partial(_read_cte, work, cte, dict(known), parent)
        known[name] = Cte(read(), read)
    return known


def _read_cte(work: Work, cte: exp.CTE, known: Ctes, parent: SelectScope | None) -> Derived:
    return read_query(work, cte.this, known, parent).renamed(cte.args.get("alias"))


def _set_operation(
    work: Work, node: exp.SetOperation, ctes: Ctes, parent: SelectScope | None
) -> Derived:
    left = read_query(work, node.this, ctes, parent)
    right = read_query(work, node.expression, ctes, parent)
    _check_widths(work, left, right)
    outputs = [
        Output(
            one.name,
            one.quoted,
            _together(one.terms, other.terms),
            type=one.type if one.type is other.type else None,
            counts=one.counts and other.counts,
        )
        for one, other in zip(left.outputs, right.outputs, strict=False)
    ]
    uses = uses_in((*left.sides, *right.sides))
    combined = Derived(
        outputs or left.outputs,
        sides=(Side(uses, ()),),
        open=left.open or right.open,
        merged=isinstance(node, exp.Union)
        and bool(node.args.get("distinct"))
        and not (_shows_key(left) and _shows_key(right)),
    )
    _note_modifiers(work, node, combined, ctes, parent)
    return combined


def _together(one: Terms, other: Terms) -> Terms:
    """The terms of both; one side that is written out stands in where the other has no row."""
    if one and other:
        return tuple(dict.fromkeys((*one, *other)))
    return or_else((*one, *other))


def _shows_key(derived: Derived) -> bool:
    """True when no two of its rows can be equal."""
    shown = {term.origin for output in derived.outputs for term in output.terms if not term.via}
    return len(derived.sides) == 1 and any(key <= shown for key in derived.sides[0].keys)


def _check_widths(work: Work, left: Derived, right: Derived) -> None:
    if left.open or right.open or len(left.outputs) == len(right.outputs):
        return
    widths = {"left": str(len(left.outputs)), "right": str(len(right.outputs))}
    work.problem(Code.SYNTAX_ERROR, "UNION", None, "widths", **widths)


def _note_modifiers(
    work: Work, node: exp.Expr, derived: Derived, ctes: Ctes, parent: SelectScope | None
) -> None:
    """ORDER BY of a set operation sees its outputs only."""
    order = node.args.get("order")
    if order is None:
        return
    scope = _opened(work, ctes, parent)
    scope.sources[""] = Source(exp.to_identifier("union"), derived=derived)
    visitor = Visitor(scope, _nested)
    for ordered in order.expressions:
        inner = ordered.this
        if isinstance(inner, exp.Column):
            if not inner.table:
                visitor.visit(inner, "where", inside=True)
                inner.set("table", None)
        else:
            visitor.visit(inner, "where", inside=True)


def _opened(work: Work, ctes: Ctes, parent: SelectScope | None) -> SelectScope:
    """A new block, with nothing in its sight yet."""
    block = Block(len(work.facts.blocks))
    work.facts.blocks.append(block)
    return SelectScope(work, block, ctes, parent)


def _nested(scope: SelectScope, node: exp.Expr) -> Derived:
    return read_query(scope.work, node, scope.ctes, scope)


def _select(work: Work, node: exp.Select, ctes: Ctes, parent: SelectScope | None) -> Derived:
    scope = _opened(work, ctes, parent)
    visitor = Visitor(scope, _nested)
    if node.args.get("into") is not None or node.args.get("locks"):
        work.problem(Code.NOT_READ_ONLY, "SELECT INTO" if node.args.get("into") else "FOR UPDATE")
    _read_sources(scope, visitor, node)
    for each in node.expressions:
        if isinstance(each, exp.Alias) and each.alias:
            scope.aliases[each.alias.casefold()] = each
    _read_where(scope, visitor, node)
    _read_groups(scope, visitor, node)
    outputs = _read_outputs(scope, visitor, node)
    if not node.expressions:
        work.problem(Code.SYNTAX_ERROR, "SELECT")
    _read_rest(scope, visitor, node)
    _note_limit(scope, node)
    _settle_groups(scope, node)
    return _derived(scope, node, outputs)


def _read_sources(scope: SelectScope, visitor: Visitor, node: exp.Select) -> None:
    from_ = node.args.get("from_")
    if from_ is not None:
        add_source(scope, from_.this, visitor, read_query)
    for lateral in node.args.get("laterals") or ():
        add_source(scope, lateral, visitor, read_query)
    joins = node.args.get("joins") or ()
    uses = [add_source(scope, join, visitor, read_query) for join in joins]
    if scope.work.dialect.forward_joins:
        for join, joined in zip(joins, uses, strict=True):
            read_on(scope, join, joined, visitor)


def _read_where(scope: SelectScope, visitor: Visitor, node: exp.Select) -> None:
    where = node.args.get("where")
    if where is not None:
        visitor.visit(where.this, "where")
        note_demands(scope, required(scope, where.this))
        for each in under_aliases(scope, where.this):
            visitor.visit(each, "where")
            note_demands(scope, required(scope, each))


def _read_groups(scope: SelectScope, visitor: Visitor, node: exp.Select) -> None:
    group = node.args.get("group")
    if group is None:
        return
    block = scope.block
    block.grouped = True
    keys: set[Origin] = set()
    for each in group.expressions:
        if isinstance(each, _SUBTOTALS):
            # Its columns may be shown, but the rows of a subtotal run over them.
            visitor.visit(each, "group")
            scope.grouped.extend(each.find_all(exp.Column))
            continue
        target = _projected(scope, node, each)
        scope.grouped.append(target)
        keys.update(term.origin for term in _key_terms(visitor, target) if not term.via)
    block.keys = frozenset(keys)


def _key_terms(visitor: Visitor, target: exp.Expr) -> Terms:
    terms = visitor.visit(target, "group")
    whole = isinstance(target.unnest(), _WHOLE)
    return terms if whole else ()


def _projected(scope: SelectScope, node: exp.Select, each: exp.Expr) -> exp.Expr:
    """GROUP BY 2 and GROUP BY alias mean an expression of the SELECT list."""
    if isinstance(each, exp.Literal) and not each.is_string:
        index = int(each.name) if each.name.isdigit() else 0
        if not 1 <= index <= len(node.expressions):
            if not node.is_star:
                scope.work.problem(Code.SYNTAX_ERROR, f"GROUP BY {each.name}", None, "ordinal")
            return each
        return node.expressions[index - 1].unalias()
    if isinstance(each, exp.Column) and not each.table and is_alias(scope, each):
        return scope.aliases[each.name.casefold()].unalias()
    return each


def _read_outputs(scope: SelectScope, visitor: Visitor, node: exp.Select) -> list[Output]:
    outputs: list[Output] = []
    for index, each in enumerate(node.expressions):
        inner = each.unalias()
        if isinstance(inner, exp.Star) or (
            isinstance(inner, exp.Column) and isinstance(inner.this, exp.Star)
        ):
            starred = _star(scope, inner)
            scope.work.spend(sum(1 + len(output.terms) for output in starred))
            outputs.extend(starred)
            continue
        terms = visitor.visit(inner, "select")
        scope.work.spend(1 + len(terms))
        outputs.append(_output(scope, each, inner, terms, index))
    return outputs


def _output(
    scope: SelectScope, each: exp.Expr, inner: exp.Expr, terms: Terms, index: int
) -> Output:
    ranks: Filters = ()
    if isinstance(inner, exp.Window) and isinstance(inner.this, _RANKS):
        order = inner.args.get("order")
        ordered = [part.this for part in order.expressions] if order is not None else []
        per = origins_of(scope, inner.args.get("partition_by") or [])
        ranks = tuple(ranked(scope, per, ordered, ties=not isinstance(inner.this, exp.RowNumber)))
        terms = ()
    identifier = each.args.get("alias") if isinstance(each, exp.Alias) else inner.this
    if isinstance(each, exp.Alias) or isinstance(inner, exp.Column):
        quoted = isinstance(identifier, exp.Identifier) and bool(identifier.args.get("quoted"))
        output = Output(each.alias_or_name, quoted, terms, ranks)
        seen = scope.work.resolved.get(id(inner))
        if seen is not None:
            output.ranks = output.ranks or seen.ranks
            output.type = seen.type
            output.counts = seen.counts
            output.ratio = seen.ratio
            output.written = seen.written
    else:
        output = Output(f"?column{index}", False, terms, ranks)
    if not isinstance(inner, exp.Column):
        output.type = type_of(scope, inner)
        output.counts = counts_rows(scope, inner)
        output.ratio = is_ratio(scope, inner)
        scope.work.resolved[id(inner)] = output
    return output


def _star(scope: SelectScope, node: exp.Expr) -> list[Output]:
    table = node.table if isinstance(node, exp.Column) else ""
    if not table:
        if not scope.sources:
            scope.work.problem(Code.SYNTAX_ERROR, "*", None, "star")
        return [output for source in scope.sources.values() for output in source.outputs()]
    schema = node.db if isinstance(node, exp.Column) else ""
    source = source_in(scope, schema, table.casefold())
    if source is None:
        scope.work.problem(Code.TABLE_NOT_FOUND, table, None)
        return []
    if isinstance(node, exp.Column):
        node.set("table", source.written())
        node.set("db", None)
    return source.outputs()


def _read_rest(scope: SelectScope, visitor: Visitor, node: exp.Select) -> None:
    having = node.args.get("having")
    if having is not None:
        visitor.visit(having.this, "having")
        scope.work.facts.filters.extend(required(scope, having.this))
    qualify = node.args.get("qualify")
    if qualify is not None:
        visitor.visit(qualify.this, "qualify")
        scope.work.facts.filters.extend(required(scope, qualify.this))
    order = node.args.get("order")
    for ordered in order.expressions if order is not None else ():
        inner = ordered.this
        if isinstance(inner, exp.Literal) and not inner.is_string and inner.name.isdigit():
            if not node.is_star and not 1 <= int(inner.name) <= len(node.expressions):
                scope.work.problem(Code.SYNTAX_ERROR, f"ORDER BY {inner.name}", None, "ordinal")
            continue
        before = scope.aggregates
        visitor.visit(inner, "order")
        if scope.aggregates > before and not scope.block.grouped and not scope.shown_aggregates:
            scope.work.problem(Code.MISPLACED_AGGREGATE, inner.sql()[:30], clause="ORDER BY")
    keys = distinct_on(node)
    for each in keys:
        visitor.visit(each, "select", inside=True)
    ordered = [each.this for each in order.expressions] if order is not None else []
    scope.work.facts.filters.extend(first_of_each(scope, keys, ordered))


def _note_limit(scope: SelectScope, node: exp.Select) -> None:
    limit = node.args.get("limit")
    scope.block.ordered = node.args.get("order") is not None
    if isinstance(limit, exp.Limit | exp.Fetch):
        kept = limit.args.get("expression") or limit.args.get("count")
        scope.block.cut = int(kept.name) if kept is not None and kept.name.isdigit() else 0
        ordered = node.args["order"].expressions if scope.block.ordered else ()
        scope.work.facts.sorted.extend(origins_of(scope, [each.this for each in ordered]))


def _settle_groups(scope: SelectScope, node: exp.Select) -> None:
    """Find the columns beside an aggregate that no group fixes.

    A column that depends on the grouped key is added to the GROUP BY: it means the same, and the
    engine, which sees a scoped sub-query instead of the table, can't know the dependency.
    """
    block = scope.block
    if not block.grouped and not scope.aggregates:
        return
    group = node.args.get("group")
    uses = scope.work.facts.uses
    grouped_columns = {origin.place for origin in block.keys}
    for output, column in scope.bare:
        if _is_inside(scope.work, column, scope.grouped):
            continue
        for term in output.terms:
            if term.via or term.origin in block.keys:
                continue
            if _depends_on_keys(uses, term.origin, grouped_columns) and group is not None:
                group.append("expressions", column.copy())
                block.keys |= {term.origin}
            else:
                block.ungrouped.append(term.origin)


def _is_inside(work: Work, column: exp.Column, grouped: list[exp.Expr]) -> bool:
    """True when an expression around the column is itself grouped by."""
    around: exp.Expr | None = column
    while around is not None and not isinstance(around, exp.Query):
        work.spend(1 + len(grouped))
        if any(around == each for each in grouped):
            return True
        around = around.parent
    return False


def _depends_on_keys(uses: list[Use], origin: Origin, grouped: set[tuple[int, str]]) -> bool:
    keys = uses[origin.use].table.keys
    return any(all((origin.use, name) in grouped for name in key) for key in keys if key)


def _derived(scope: SelectScope, node: exp.Select, outputs: list[Output]) -> Derived:
    block = scope.block
    scope.work.spend(len(block.sides))
    is_open = any(source.is_open for source in scope.sources.values()) and bool(node.is_star)
    aggregated = block.grouped or scope.aggregates > 0
    one_row = gives_one_row(node) or (scope.aggregates > 0 and not block.grouped)
    uses = uses_in(block.sides)
    if aggregated or one_row:
        keys = (frozenset(),) if one_row else (block.keys,)
        sides = (Side(uses, keys),)
    elif node.args.get("distinct") is not None:
        keys = origins_of(scope, distinct_on(node))
        shown = keys or frozenset(term.origin for output in outputs for term in output.terms)
        sides = (Side(uses, (shown,)),)
    else:
        sides = tuple(block.sides)
    return Derived(outputs, sides=sides, open=is_open, single_row=one_row)
