"""The host's tenant condition, put into every mention of a table.

``T AS a`` becomes ``(SELECT <visible columns> FROM schema.T WHERE tenant = $n) AS a``. Only base
tables carry a schema; the engines run with a search path that holds none of them, so a name that
was taken for a CTE by mistake finds nothing instead of finding an unscoped table.
"""

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import NamedTuple

from sqlglot import exp

from veridical.contracts.caller import Scope
from veridical.statement.errors import EngineError, Problem

TABLE_FUNCTIONS = frozenset(
    {
        "explodinggenerateseries",
        "generateseries",
        "generate_series",
        "generatedatearray",
        "generatetimestamparray",
        "range",
        "unnest",
        "explode",
        "posexplode",
    }
)
"""Functions in FROM that only make rows out of their arguments."""

_FORBIDDEN = (
    *(exp.Insert, exp.Update, exp.Delete, exp.Merge, exp.Create, exp.Command, exp.Into, exp.Lock),
    *(exp.Parameter, exp.Placeholder),
)
_MARKS = frozenset("$@:?#")
"""First signs of parameters. A dialect may read one as a name, and write it as a parameter."""
_KEPT_INSIDE = ("only", "sample")
_MOVED_OUTSIDE = ("joins", "laterals", "pivots")
_UNDERSTOOD = frozenset({"this", "db", "catalog", "alias", *_KEPT_INSIDE, *_MOVED_OUTSIDE})


Slot = tuple[str, str]
"""The table and the tenant column that the next parameters are for."""


class ScopeShape(NamedTuple):
    """A caller's scope without its values: the tenant columns with how many values each allows."""

    allowed: tuple[tuple[str, int], ...]
    shared: frozenset[str]


class Scoped(NamedTuple):
    """A tree with its tables scoped, and what the host needs to bind and to compare it."""

    tree: exp.Query
    slots: tuple[Slot, ...]
    """The tenant columns in the parameters' order."""
    tables: tuple[tuple[str, ...], ...]
    """The full names of the base tables, each as often as it is mentioned."""


class Ground(NamedTuple):
    """The tables that a query may read: where they live, their columns, the visible ones."""

    namespace: tuple[str, ...]
    columns: Mapping[str, frozenset[str]]
    visible: Mapping[str, tuple[str, ...]]
    places: Mapping[str, tuple[str, ...]] = {}
    """The full names, part by part, of tables that live elsewhere than in the namespace, or have
    another name there."""

    def place(self, table: str) -> tuple[str, ...]:
        """The full name of a table, part by part."""
        return self.places.get(table) or (*self.namespace, table)


def scope_shape(scope: Scope, shared: frozenset[str]) -> ScopeShape:
    """The shape of this scope; ``shared`` are the tables that the engine itself shares."""
    allowed = tuple((column, len(values)) for column, values in sorted(scope.allowed.items()))
    return ScopeShape(allowed, scope.shared | shared)


def refuse_writes(tree: exp.Query) -> None:
    """Raises for raw SQL that writes, locks, or brings parameters of its own."""
    intruder = tree.find(*_FORBIDDEN)
    if intruder is not None:
        raise EngineError(Problem.NOT_ALLOWED, part=intruder.key.upper())
    for name in tree.find_all(exp.Identifier):
        if name.name[:1] in _MARKS and not name.args.get("quoted"):
            raise EngineError(Problem.NOT_ALLOWED, part=name.name)


def apply_scope(tree: exp.Query, shape: ScopeShape, ground: Ground, first: int) -> Scoped:
    """The tree with all its base tables scoped.

    Parameters are numbered from ``first``; the values of each returned column follow each other.
    The tree is changed in place.
    """
    tables = list(tree.find_all(exp.Table, exp.Lateral))
    writer = _Writer(shape, ground, first)
    for node in tables:
        if _function_in_from(node) or _is_cte(node):
            continue
        if isinstance(node, exp.Table):
            scoped = writer.scoped(node)
            if node is tree:
                raise EngineError(Problem.NOT_ALLOWED, part="TABLE")
            node.replace(scoped)
    return Scoped(tree, tuple(writer.slots), tuple(writer.tables))


class _Writer:
    """Writes the scoped form of each table and remembers which parameters it used."""

    def __init__(self, shape: ScopeShape, ground: Ground, first: int) -> None:
        self._shape = shape
        self._ground = ground
        self._next = first
        self._numbers: dict[tuple[str, str], range] = {}
        self._folded = {name.casefold(): name for name in ground.columns}
        self.slots: list[Slot] = []
        self.tables: list[tuple[str, ...]] = []

    def scoped(self, node: exp.Table) -> exp.Subquery:
        """The sub-query that stands for this mention of a table."""
        odd = [key for key, value in node.args.items() if value and key not in _UNDERSTOOD]
        if odd:
            raise EngineError(Problem.NOT_ALLOWED, part=odd[0].upper())
        name = self._canonical(node)
        self.tables.append(self._ground.place(name))
        visible = self._ground.visible.get(name)
        if not visible:
            raise EngineError(Problem.UNKNOWN_TABLE, table=name)
        select = exp.Select(expressions=[_column(column) for column in visible])
        source = base_table(self._ground.place(name))
        for key in _KEPT_INSIDE:
            source.set(key, node.args.get(key))
        select.set("from_", exp.From(this=source))
        conditions = list(self._conditions(name))
        if conditions:
            select.set("where", exp.Where(this=exp.and_(*conditions, copy=False)))
        alias = node.args.get("alias") or exp.TableAlias(this=node.this.copy())
        if alias.this is None:
            alias.set("this", node.this.copy())
        subquery = exp.Subquery(this=select, alias=alias)
        for key in _MOVED_OUTSIDE:
            subquery.set(key, node.args.get(key))
        return subquery

    def _canonical(self, node: exp.Table) -> str:
        marked = node.meta.get("table")
        if marked is not None:
            return marked
        places = [part.name for part in node.parts[:-1]]
        here = list(self._ground.namespace)[-len(places) :] if places else []
        name = node.name
        if name not in self._ground.columns:
            name = self._folded.get(name.casefold(), name)
        if places != here or name not in self._ground.columns:
            raise EngineError(Problem.UNKNOWN_TABLE, table=node.name)
        return name

    def _conditions(self, table: str) -> Iterator[exp.Expr]:
        columns = self._ground.columns[table]
        own = [(column, count) for column, count in self._shape.allowed if column in columns]
        if not own and not any(fnmatchcase(table, pattern) for pattern in self._shape.shared):
            raise EngineError(Problem.NO_SCOPE, table=table)
        for column, count in own:
            numbers = [_parameter(number) for number in self._parameters(table, column, count)]
            if not numbers:
                yield exp.false()
            elif len(numbers) == 1:
                yield exp.EQ(this=_column(column), expression=numbers[0])
            else:
                yield exp.In(this=_column(column), expressions=numbers)

    def _parameters(self, table: str, column: str, count: int) -> range:
        # Per table: a parameter has one type, and the column may have another type elsewhere.
        if (table, column) not in self._numbers:
            self._numbers[table, column] = range(self._next, self._next + count)
            self._next += count
            self.slots.append((table, column))
        return self._numbers[table, column]


def base_table(place: tuple[str, ...]) -> exp.Table:
    """A table by its quoted full name; if that is one part, the connection decides its schema."""
    parts = [exp.to_identifier(part, quoted=True) for part in place]
    return exp.Table(
        this=parts[-1],
        db=parts[-2] if len(parts) > 1 else None,
        catalog=parts[-3] if len(parts) > 2 else None,
    )


def _column(name: str) -> exp.Column:
    return exp.column(name, quoted=True)


def _parameter(number: int) -> exp.Parameter:
    return exp.Parameter(this=exp.Literal.number(number))


def _function_in_from(node: exp.Table | exp.Lateral) -> bool:
    """True for a harmless function in FROM; one that might read data is refused."""
    source = node.this
    if isinstance(source, exp.Identifier | exp.Subquery):
        return isinstance(node, exp.Lateral)
    if isinstance(source, exp.Unnest):
        return True
    name = source.name if isinstance(source, exp.Anonymous) else getattr(source, "key", "ROWS FROM")
    if node.args.get("rows_from") or name.lower() not in TABLE_FUNCTIONS:
        raise EngineError(Problem.NOT_ALLOWED, part=f"{name}()")
    return True


def _is_cte(node: exp.Expr) -> bool:
    """True when a WITH visible from here defines this name and the check marked no table."""
    if not isinstance(node, exp.Table) or node.meta.get("table") or len(node.parts) > 1:
        return False
    own = _spelling(node.this)
    return any(own == _spelling(cte.args["alias"].this) for cte in _visible_ctes(node))


def _visible_ctes(node: exp.Expr) -> Iterator[exp.CTE]:
    inside: exp.Expr = node
    while inside.parent is not None:
        around = inside.parent
        if isinstance(around, exp.With):
            for sibling in around.expressions:
                if sibling is inside and not around.args.get("recursive"):
                    break
                yield sibling
        else:
            own = around.args.get("with_")
            if own is not None and own is not inside:
                yield from own.expressions
        inside = around


def _spelling(name: exp.Identifier) -> str:
    return name.name if name.args.get("quoted") else name.name.lower()
