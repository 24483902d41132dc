"""Written statements, read back in the engine's dialect before they run.

sqlglot writes some parts of a tree as they are. A part that holds more than it should then becomes
other SQL than was checked. So every text is parsed again and compared with the tree that it was
written from: one query, no comment, the same tables within the same scopes, the same clauses, no
column and no function that was not there. A difference is a defect of ours: it is logged, and the
statement is refused.
"""

import hashlib
import logging
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from sqlglot import exp
from sqlglot.errors import SqlglotError

from veridical.statement.errors import EngineError, Problem
from veridical.statement.functions import written_functions
from veridical.statement.reader import GRAMMARS, nodes_of, reader_of, with_subkinds

_log = logging.getLogger("veridical.statement")
_REMEMBERED = 1024
_CLAUSES = with_subkinds(
    *(exp.Select, exp.SetOperation, exp.CTE, exp.Where, exp.Group, exp.Having, exp.Qualify),
    *(exp.Join, exp.Limit, exp.Offset, exp.Values, exp.Lateral, exp.Unnest, exp.Window),
    *(exp.Order, exp.Ordered, exp.Distinct, exp.Alias, exp.Connector, exp.In, exp.Exists),
)
"""The structure of a statement, apart from its functions."""
_OPERATORS = with_subkinds(
    *(exp.Binary, exp.Not, exp.Neg, exp.In, exp.Between, exp.Exists, exp.Any, exp.All, exp.Null),
    *(exp.Boolean, exp.Case, exp.If, exp.Filter, exp.Star, exp.Var),
)
"""Operators that compare and compute values."""
_INTERNAL = "ts_or_ds_"
"""Conversions that sqlglot marks in its trees and writes in some dialects only."""
_KEYWORDS = frozenset({"case", "if", "cast", "try_cast", "array", "interval"})
"""Operators that sqlglot counts among the functions; they call nothing."""


TableScope = tuple[str, tuple[str, ...], tuple[str, ...], str]
"""A table, what is selected of it, the clauses beside it, and the condition."""


@dataclass(frozen=True, slots=True)
class Content:
    """The tables, functions, operators and values of a tree."""

    tables: Counter[tuple[str, ...]]
    scopes: Counter[TableScope]
    """The select around each table: that of the host, for a table of the data."""
    parts: Counter[type[exp.Expr]]
    columns: Counter[tuple[str, str]]
    """Each behind the name of its source."""
    labels: Counter[str]
    """The names that the statement itself gives."""
    functions: frozenset[tuple[str, ...]]
    """Each by the names it is known under."""
    literals: Counter[str]

    def count(self, kinds: frozenset[type[exp.Expr]]) -> dict[type[exp.Expr], int]:
        """The number of parts of each of these kinds."""
        return {kind: times for kind, times in self.parts.items() if kind in kinds}


def content_of(tree: exp.Expr, dialect: str) -> Content:
    """The content of this tree."""
    found = Content(
        *(Counter(), Counter(), Counter(), Counter(), Counter(), frozenset(), Counter())
    )
    functions: set[tuple[str, ...]] = set()
    nodes = nodes_of(tree)
    ctes = {node.alias.casefold() for node in nodes if type(node) is exp.CTE}
    for node in nodes:
        kind = type(node)
        if not _is_ordering_inside(node):
            found.parts[exp.Limit if kind is exp.Fetch else kind] += 1
        if isinstance(node, exp.Column):
            found.columns[node.table.casefold(), node.name.casefold()] += 1
        elif isinstance(node, exp.Table):
            path: tuple[str, ...] = tuple(part.name for part in node.parts)
            found.tables[path] += 1
            if path[:-1] or node.name.casefold() not in ctes:
                found.scopes[_scope_around(node, dialect)] += 1
        elif kind is exp.Literal and not isinstance(node.parent, exp.Parameter):
            found.literals[node.name] += 1
        elif kind is exp.Alias or kind is exp.TableAlias or kind is exp.CTE:
            found.labels.update(_labels(node))
        elif isinstance(node, exp.Func) and kind not in _CLAUSES:
            functions.update(_names_of(node))
    return replace(found, functions=frozenset(functions))


def read_back(sql: str, written: Content, dialect: str) -> None:
    """Raises ``EngineError`` unless this text reads as what it was written from."""
    read = _read(sql, dialect)
    different = read if isinstance(read, str) else _difference(written, read, dialect)
    if different is not None:
        # Logged without the statement, which may hold parts of the question.
        digest = hashlib.sha256(sql.encode()).hexdigest()[:16]
        _log.error("defect: the %s of a %s statement (%s)", different, dialect, digest)
        raise EngineError(Problem.MISWRITTEN)


@lru_cache(_REMEMBERED)
def _read(sql: str, dialect: str) -> Content | str:
    """The content of a text, or why it can't be the written one. Cached, as most are repeated."""
    reader = reader_of(dialect)
    try:
        tokens = reader.tokens(sql)
        trees = reader.statements(tokens, sql)
    except (SqlglotError, ValueError, TypeError, AttributeError, KeyError, IndexError):
        return "grammar"
    if len(trees) != 1 or not isinstance(trees[0], exp.Query):
        return "number"
    if any(token.comments for token in tokens):
        return "comment"
    return content_of(trees[0], dialect)


def _difference(written: Content, read: Content, dialect: str) -> str | None:
    """The first thing that was read and not written, or written and not read.

    sqlglot may write a function under another name, with operators and literals of its own.
    """
    if read == written:
        return None
    for name in ("tables", "scopes", "labels"):
        if getattr(read, name) != getattr(written, name):
            return name
    kinds = _CLAUSES if read.functions != written.functions else _CLAUSES | _OPERATORS
    if read.count(kinds) != written.count(kinds):
        return "clauses"
    if written.literals - read.literals:
        return "literals"
    labels = {("", label) for label in written.labels}
    if set(read.columns) - labels != set(written.columns) - labels:
        return "columns"
    if not all(_is_allowed(names, dialect) for names in read.functions - written.functions):
        return "functions"
    return None


def _is_allowed(names: tuple[str, ...], dialect: str) -> bool:
    """True for what sqlglot writes for a function that this engine has under another name."""
    return not written_functions(dialect).union(_KEYWORDS).isdisjoint(names)


def _scope_around(table: exp.Table, dialect: str) -> TableScope:
    """The select around a table; a table scoped by the host is its only source."""
    source = table.parent
    select = source.parent if isinstance(source, exp.From) else None
    if select is None:
        return ("", (), (), "")
    shown = tuple(_spelled(each, dialect) for each in select.expressions)
    parts = tuple(sorted(key for node in (select, table) for key in node.args if node.args[key]))
    where = select.args.get("where")
    return (table.name, shown, parts, _spelled(where, dialect) if where else "")


def _spelled(node: exp.Expr, dialect: str) -> str:
    if type(node) is exp.Column and len(node.parts) == 1:
        return node.name  # most of them are: a whole generator for each would cost more than all
    return node.sql(GRAMMARS.get(dialect, dialect), comments=False)


def _is_ordering_inside(node: exp.Expr) -> bool:
    """The order within an aggregate: a median is written with one in some dialects."""
    order = node.parent if isinstance(node, exp.Ordered) else node
    return isinstance(order, exp.Order) and not isinstance(order.parent, exp.Query | exp.Window)


def _labels(node: exp.Expr) -> Iterator[str]:
    if node.alias:
        yield node.alias.casefold()
    for name in node.args.get("columns") or ():
        yield name.name.casefold()


def _names_of(function: exp.Func) -> Iterator[tuple[str, ...]]:
    if isinstance(function, exp.Anonymous | exp.AnonymousAggFunc):
        yield (function.name.casefold(),)
        return
    names = tuple(name.casefold() for name in type(function).sql_names())
    if not names[0].startswith(_INTERNAL):
        yield names
