"""FROM and JOIN: base tables, CTEs, sub-queries, functions, and how they are joined."""

from collections.abc import Callable
from dataclasses import replace

from sqlglot import exp

from veridical.check.facts import Equality, Origin, Side, Term, Terms, Use, uses_in
from veridical.check.sql.conditions import required
from veridical.check.sql.scope import (
    TWIN,
    Ctes,
    Derived,
    Output,
    SelectScope,
    Source,
    Work,
    cte_key,
)
from veridical.check.sql.values import Visitor
from veridical.contracts.violation import Code
from veridical.ontology.nearest import nearest
from veridical.statement.functions import table_function_columns

_UNNAMED = "derived_"
ReadQuery = Callable[[Work, exp.Expr, Ctes, SelectScope | None], Derived]


def add_source(
    scope: SelectScope, node: exp.Expr, visitor: Visitor, read_query: ReadQuery
) -> frozenset[int]:
    """Make a source's names known to the SELECT; returns the uses inside it."""
    if isinstance(node, exp.Join):
        return _add_join(scope, node, visitor, read_query)
    if isinstance(node, exp.Table):
        uses = _add_table(scope, node, visitor)
    elif isinstance(node, exp.Subquery) and isinstance(node.this, exp.Table):
        uses = add_source(scope, node.this, visitor, read_query)
    elif isinstance(node, exp.Subquery):
        around = scope.parent if scope.work.dialect.correlated_from else None
        derived = read_query(scope.work, node, scope.ctes, around)
        uses = _register(scope, node, derived)
    elif isinstance(node, exp.Lateral) and isinstance(node.this, exp.Query):
        derived = read_query(scope.work, node.this, scope.ctes, scope)
        uses = _register(scope, node, derived)
    else:
        uses = _add_values(scope, node, visitor)
    for join in node.args.get("joins") or ():
        uses |= add_source(scope, join, visitor, read_query)
    return uses


def _add_join(
    scope: SelectScope, join: exp.Join, visitor: Visitor, read_query: ReadQuery
) -> frozenset[int]:
    before = list(scope.sources.values())
    is_cross = join.kind == "CROSS" and scope.work.crosses
    if is_cross or isinstance(join.this, exp.Lateral | exp.Unnest):
        scope.block.crosses = True
    uses = add_source(scope, join.this, visitor, read_query)
    joined = list(scope.sources.values())[len(before) :]
    names = [name.name for name in join.args.get("using") or ()]
    if join.method == "NATURAL":
        names = _shared_names(scope, before, joined)
    for name in names:
        _merge(scope, before, joined, name)
    _note_optional(scope, join, uses)
    if not scope.work.dialect.forward_joins:
        read_on(scope, join, uses, visitor)
    return uses


def _note_optional(scope: SelectScope, join: exp.Join, joined: frozenset[int]) -> None:
    """The sides that an outer join may leave empty."""
    block = scope.block
    if join.side in ("LEFT", "FULL"):
        block.optional |= joined
    if join.side in ("RIGHT", "FULL"):
        block.optional |= uses_in(block.sides) - joined


def read_on(
    scope: SelectScope, join: exp.Join, uses: frozenset[int] | None, visitor: Visitor
) -> None:
    """The condition of a join; that of an outer join does not narrow a side that is kept."""
    on = join.args.get("on")
    if on is not None:
        visitor.visit(on, "on")
        met = required(scope, on, _narrowed_by_on(scope, join, uses))
        scope.work.facts.filters.extend(met)
        if not join.side:
            scope.block.demands.extend(met)


def _narrowed_by_on(
    scope: SelectScope, join: exp.Join, joined: frozenset[int] | None
) -> frozenset[int] | None:
    if join.side == "LEFT":
        return joined
    if join.side == "FULL":
        return frozenset()
    if join.side == "RIGHT":
        here = uses_in(scope.block.sides)
        return here - (joined or frozenset())
    return None


def _shared_names(scope: SelectScope, before: list[Source], joined: list[Source]) -> list[str]:
    scope.work.spend(sum(len(source.outputs()) for source in (*before, *joined)))
    there = {output.name.casefold() for source in joined for output in source.outputs()}
    here = (output.name for source in before for output in source.outputs())
    return [name for name in dict.fromkeys(here) if name.casefold() in there]


def _merge(scope: SelectScope, before: list[Source], joined: list[Source], name: str) -> None:
    folded = name.casefold()
    left = next((found for source in before if (found := source.find(folded))), None)
    right = next((found for source in joined if (found := source.find(folded))), None)
    if left is None or right is None:
        if not any(source.is_open for source in (*before, *joined)):
            known = [output.name for source in joined for output in source.outputs()]
            scope.work.problem(Code.FIELD_NOT_FOUND, name, nearest(name, known))
        return
    scope.merged.add(folded)
    for one in left.terms:
        scope.work.spend(len(right.terms))
        for other in right.terms:
            scope.work.facts.equalities.append(Equality(one.origin, other.origin))


def _add_table(scope: SelectScope, node: exp.Table, visitor: Visitor) -> frozenset[int]:
    if isinstance(node.this, exp.Func):
        return _add_function(scope, node, node.this, visitor)
    if not isinstance(node.this, exp.Identifier):
        scope.work.problem(Code.SYNTAX_ERROR, node.sql()[:40])
        return _register(scope, node, Derived([], open=True))
    name = node.name
    cte = scope.ctes.get(cte_key(node.this, scope.work.dialect)) if not node.db else None
    if cte is not None:
        return _register(scope, node, cte.mention(scope.work), default=name)
    card = scope.work.catalog.table(name, node.db)
    if card is None or node.catalog:
        _missing_table(scope, node)
        return _register(scope, node, Derived([], open=True))
    facts = scope.work.facts
    use = Use(len(facts.uses), card)
    facts.uses.append(use)
    alias = node.args.get("alias")
    own_name = ""
    if alias is None or not alias.name:
        own_name = card.own_name or card.name
        taken = own_name.casefold() in scope.sources
        shown = card.name if taken or not node.db else own_name
        node.set("alias", exp.TableAlias(this=exp.Identifier(this=shown, quoted=True)))
    node.set("this", exp.Identifier(this=card.name, quoted=True))
    node.meta["table"] = card.name
    keys = tuple(
        frozenset(Origin(use.id, card.columns[name]) for name in key if name in card.columns)
        for key in card.keys
    )
    source = Source(node.args["alias"].this, use=use)
    if node.args["alias"].args.get("columns"):
        whole = Derived(source.outputs()).renamed(node.args["alias"])
        source = Source(source.alias, derived=whole)
    _name(scope, source, own_name if node.db else "")
    node.set("db", None)
    scope.block.sides.append(Side(frozenset((use.id,)), keys))
    return frozenset((use.id,))


def _missing_table(scope: SelectScope, node: exp.Table) -> None:
    work = scope.work
    written = node.sql() if node.db else node.name
    written = written.split(" AS ")[0]
    full_name = ".".join(part.name for part in node.parts)
    if not work.catalog.hidden.isdisjoint((node.name.casefold(), full_name.casefold())):
        work.problem(Code.NOT_PERMITTED, written)
        return
    names = [*work.catalog.tables, *scope.ctes]
    work.problem(Code.TABLE_NOT_FOUND, written, nearest(node.name, names))


def _register(
    scope: SelectScope, node: exp.Expr, derived: Derived, default: str = ""
) -> frozenset[int]:
    alias = node.args.get("alias")
    identifier = alias.this if isinstance(alias, exp.TableAlias) else None
    if not isinstance(identifier, exp.Identifier):
        written = node.this if isinstance(node, exp.Table) and default else None
        unnamed = exp.Identifier(this=default, quoted=False)
        identifier = written if isinstance(written, exp.Identifier) else unnamed
        if isinstance(node, exp.Subquery | exp.Lateral | exp.Values):
            identifier = _given_alias(scope.work, node)
    _name(scope, Source(identifier, derived=derived.renamed(alias)))
    scope.block.merged = scope.block.merged or derived.merged
    sides = derived.sides
    scope.work.spend(sum(1 + len(side.uses) for side in sides))
    scope.block.sides.extend(sides)
    return uses_in(sides)


def _given_alias(work: Work, node: exp.Expr) -> exp.Identifier:
    """A name of its own for a derived table that has none: its columns are written with it."""
    work.unnamed += 1
    while work.catalog.table(f"{_UNNAMED}{work.unnamed}") is not None:
        work.unnamed += 1
    identifier = exp.Identifier(this=f"{_UNNAMED}{work.unnamed}", quoted=True)
    alias = node.args.get("alias") or exp.TableAlias()
    alias.set("this", identifier)
    node.set("alias", alias)
    return identifier


def _name(scope: SelectScope, source: Source, name: str = "") -> None:
    """Two sources of one name stay apart in the list; only the first can be addressed by it."""
    folded = (name or source.alias.name).casefold()
    while folded in scope.sources:
        folded += TWIN
    scope.sources[folded] = source


def _listed_outputs(node: exp.Expr) -> list[Output]:
    alias = node.args.get("alias")
    names = alias.args.get("columns") if isinstance(alias, exp.TableAlias) else None
    return [Output(name.name, False) for name in names or ()]


def _add_function(
    scope: SelectScope, node: exp.Expr, function: exp.Expr, visitor: Visitor
) -> frozenset[int]:
    """A function in FROM: its columns have the names of the alias, or the engine's.

    No other name is one of its columns: PostgreSQL reads ``g.f`` as ``f(g)`` where g has no f.
    """
    name = function.name if isinstance(function, exp.Anonymous) else function.key
    columns = table_function_columns(name)
    if columns is None:
        scope.work.problem(Code.FUNCTION_NOT_ALLOWED, _spelled(function))
    terms = visitor.visit(function, "on")
    return _register(scope, node, Derived(_function_outputs(node, columns or (), terms)))


def _spelled(function: exp.Expr) -> str:
    named = function.name if isinstance(function, exp.Anonymous) else ""
    return (
        named or (function.sql_name() if isinstance(function, exp.Func) else function.key).lower()
    )


def _function_outputs(node: exp.Expr, columns: tuple[str, ...], terms: Terms) -> list[Output]:
    """Its columns; any of them may be made of all that the function is given."""
    listed = [replace(each, terms=terms) for each in _listed_outputs(node)]
    offset = node.args.get("offset")
    if isinstance(offset, exp.Identifier):
        listed.append(Output(offset.name, False))
    if listed:
        return listed
    alias = node.args.get("alias")
    own = [alias.name] if isinstance(alias, exp.TableAlias) and alias.name else []
    return [Output(name, False, terms) for name in (*own, *columns)]


def _add_values(scope: SelectScope, node: exp.Expr, visitor: Visitor) -> frozenset[int]:
    """VALUES, UNNEST, LATERAL: their columns have the names of the alias, or the engine's."""
    if isinstance(node, exp.Lateral):
        return _add_function(scope, node, node.this, visitor)
    if isinstance(node, exp.Values):
        return _register(scope, node, values_derived(scope, node, visitor))
    if not isinstance(node, exp.Unnest):
        scope.work.problem(Code.SYNTAX_ERROR, node.sql()[:40])
    terms: list[Term] = []
    for child in node.iter_expressions():
        if not isinstance(child, exp.TableAlias):
            terms.extend(visitor.visit(child, "on"))
    outputs = _function_outputs(node, ("unnest",), tuple(terms))
    return _register(scope, node, Derived(outputs))


def values_derived(scope: SelectScope, node: exp.Values, visitor: Visitor) -> Derived:
    """Rows that are written out; each engine has names for their columns."""
    columns: list[Terms] = []
    for row in node.expressions:
        cells = row.expressions if isinstance(row, exp.Tuple) else [row]
        for index, cell in enumerate(cells):
            terms = visitor.visit(cell, "select", inside=True)
            if index == len(columns):
                columns.append(terms)
            elif terms:
                columns[index] = tuple(dict.fromkeys((*columns[index], *terms)))
    return Derived(
        [
            Output(
                scope.work.dialect.values_column.format(index, index + 1),
                False,
                terms,
                written=not terms,
            )
            for index, terms in enumerate(columns)
        ]
    )
