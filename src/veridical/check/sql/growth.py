"""Copies of a text into itself by a statement: ``concat(x, x)`` doubles with every level.

Row limits and table sizes bound what is read, not what is built from it: twenty-four levels of a
doubling fit into a kilobyte and ask for gigabytes.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from sqlglot import exp

MAX_COPIES = 1_000
"""Copies of one value within another."""
_JOINING = (exp.Concat, exp.ConcatWs, exp.DPipe, exp.Add, exp.Format)
"""Forms that concatenate texts. Some engines write that as an addition."""
COPYING = (exp.Replace, exp.With, *_JOINING)
"""Without any of these, no text holds another one twice."""
_MEANINGFUL = (exp.Column, exp.Star, exp.Query, exp.Subquery, exp.Binary, exp.Replace, *_JOINING)
"""Forms that are more than their parts."""


@dataclass(frozen=True, slots=True)
class _Source:
    """The copies in the columns of a table, a CTE or a sub-query; ``most`` for those unnamed."""

    columns: Mapping[str, int]
    order: tuple[int, ...]
    most: int


@dataclass(frozen=True, slots=True)
class _Names:
    """The meaning of names at one place of a statement."""

    tables: Mapping[str, _Source] = field(default_factory=dict[str, _Source])
    sources: Mapping[str, _Source] = field(default_factory=dict[str, _Source])
    leaf: int = 1


def may_copy_much(nodes: Iterable[exp.Expr]) -> bool:
    """False where counting can be spared: a value passes each part that joins texts at most once,
    unless a recursion leads back to it, and holds at most as many copies as all of them together
    can make."""
    bound = 1
    for node in nodes:
        if isinstance(node, exp.Replace):
            return True
        if isinstance(node, exp.With) and node.args.get("recursive"):
            return True
        if isinstance(node, _JOINING):
            bound *= max(2, sum(1 for _ in node.iter_expressions()))
            if bound > MAX_COPIES:
                return True
    return False


def most_copies(tree: exp.Query) -> int:
    """The most copies of one value that any value of the statement holds; capped soon above
    ``MAX_COPIES``."""
    try:
        return _output(tree, _Names()).most
    except RecursionError:  # nests too deep to be estimated
        return MAX_COPIES + 1


def _output(query: exp.Expr, names: _Names) -> _Source:
    query = query.unnest()
    if not isinstance(query, exp.Query):
        return _source([], [_copies(query, names)])
    names = _with_tables(query, names)
    if isinstance(query, exp.SetOperation):
        left, right = _output(query.this, names), _output(query.expression, names)
        pairs = zip(left.order, right.order, strict=False)
        order = [max(pair) for pair in pairs]
        return _source(list(left.columns), order, max(left.most, right.most))
    names = _with_sources(query, names)
    found = [_copies(each, names) for each in query.expressions]
    rest = [
        _copies(part, names)
        for name, part in query.args.items()
        if name not in ("expressions", "with_", "from_", "joins", "laterals")
        and isinstance(part, exp.Expr)
    ]
    shown = [each.alias_or_name.casefold() for each in query.expressions]
    return _source(shown, found, max(rest, default=1))


def _with_tables(query: exp.Query, names: _Names) -> _Names:
    with_ = query.args.get("with_")
    if not isinstance(with_, exp.With):
        return names
    tables = dict(names.tables)
    for cte in with_.expressions:
        own = cte.alias.casefold()
        known = _Names({**tables, own: _source([], [])}, names.sources, names.leaf)
        found = _renamed(_output(cte.this, known), cte)
        if with_.args.get("recursive") and _copies_itself(cte, own, tables):
            found = _source(list(found.columns), [MAX_COPIES + 1] * max(len(found.order), 1))
        tables[own] = found
    return _Names(tables, names.sources, names.leaf)


def _copies_itself(cte: exp.CTE, own: str, tables: Mapping[str, _Source]) -> bool:
    """True where a round of a recursion holds more than one copy of the round before."""
    nothing = {name: _Source({}, (), 0) for name in tables}
    body = cte.this.unnest()
    if not isinstance(body, exp.SetOperation):
        return False
    step = _output(body.expression, _Names({**nothing, own: _Source({}, (), 1)}, leaf=0))
    return any(copies > 1 for copies in step.order)


def _with_sources(query: exp.Query, names: _Names) -> _Names:
    sources = dict(names.sources)
    from_ = query.args.get("from_")
    parts = [from_.this] if isinstance(from_, exp.From) else []
    parts += [join.this for join in query.args.get("joins") or ()]
    parts += list(query.args.get("laterals") or ())
    for part in parts:
        if isinstance(part, exp.Table):
            plain = _Source({}, (), names.leaf)
            found = names.tables.get(part.name.casefold(), plain) if not part.db else plain
        else:
            inner = part.this if isinstance(part, exp.Subquery | exp.Lateral) else part
            found = _output(inner, _Names(names.tables, sources, names.leaf))
        sources[part.alias_or_name.casefold()] = _renamed(found, part)
    return _Names(names.tables, sources, names.leaf)


def _renamed(found: _Source, part: exp.Expr) -> _Source:
    alias = part.args.get("alias")
    listed = alias.args.get("columns") if isinstance(alias, exp.TableAlias) else None
    if not listed:
        return found
    names = [each.name.casefold() for each in listed]
    return _source(names, list(found.order), found.most)


def _source(names: list[str], order: list[int], most: int = 0) -> _Source:
    columns = dict(zip(names, order, strict=False))
    return _Source(columns, tuple(order), max([most, *order]))


def _copies(node: exp.Expr, names: _Names) -> int:
    inner_parts = list(node.iter_expressions())
    while len(inner_parts) == 1 and not isinstance(node, _MEANINGFUL):  # parentheses, casts, signs
        node = inner_parts[0]
        inner_parts = list(node.iter_expressions())
    if isinstance(node, exp.Column):
        return _of_column(node, names)
    if isinstance(node, exp.Star):
        return max((each.most for each in names.sources.values()), default=names.leaf)
    if isinstance(node, exp.Query | exp.Subquery):
        return _output(node, names).most
    if isinstance(node, exp.Binary):
        return _chained(node, names)
    inner = [_copies(each, names) for each in inner_parts]
    if isinstance(node, exp.Replace):
        text, *others = inner or [names.leaf]
        return min(max(text, 1) * max([1, *others]), MAX_COPIES + 1)
    if isinstance(node, _JOINING):
        return min(sum(inner), MAX_COPIES + 1)
    return max(inner, default=names.leaf)


def _chained(node: exp.Expr, names: _Names) -> int:
    """``a || b || c``: along the left side without recursion, which may be thousands of levels."""
    chain: list[exp.Expr] = []
    while isinstance(node, exp.Binary):
        chain.append(node)
        node = node.this
    total = _copies(node, names)
    for each in reversed(chain):
        more = _copies(each.expression, names) if isinstance(each.expression, exp.Expr) else 0
        # within a recursion only: ``a + b`` of two counters is a number and no longer text
        joins = isinstance(each, _JOINING) and not (isinstance(each, exp.Add) and not names.leaf)
        total = min(total + more, MAX_COPIES + 1) if joins else max(total, more)
    return total


def _of_column(column: exp.Column, names: _Names) -> int:
    name = column.name.casefold()
    if column.table:
        source = names.sources.get(column.table.casefold())
        return source.columns.get(name, source.most) if source else names.leaf
    holding = [each.columns[name] for each in names.sources.values() if name in each.columns]
    if holding:
        return max(holding)
    return max((each.most for each in names.sources.values()), default=names.leaf)
