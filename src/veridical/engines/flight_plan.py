"""The plan of a server that has no read-only mode: only queries, only the tables that were written.

The plan is that of Sail's ``EXPLAIN EXTENDED``, a node a line. A text in a statement may hold such
lines too: they can only be taken for further tables, and then the statement is refused.
"""

import logging
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from sqlglot import exp

from veridical.contracts.caller import Scope
from veridical.contracts.statement import Statement
from veridical.statement.errors import EngineError, Problem
from veridical.statement.reader import parsed

_log = logging.getLogger("veridical.engines")
_START = "== Parsed Logical Plan ==\n"
_END = "\n== Analyzed Logical Plan ==\n"
_SCAN = re.compile(r"^ *TableScan: (.+)$", re.MULTILINE)
_QUERY = re.compile(
    r"(?:Projection|Filter|Sort|Limit|Distinct|DistinctOn|Union|Aggregate|WindowAggr"
    r"|SubqueryAlias|TableScan|Values|EmptyRelation|Unnest|\w+ Join)(?=[:\n])"
)
"""The first node of a query. Commands and writing have others, which only ever come first."""
Scans = Counter[str]
"""The tables that are read, as often as they are."""
PlanOf = Callable[[str], str]
"""What the server tells of a statement."""


class Reading(NamedTuple):
    """What a statement is accepted for: its text, the types of its values, its tables."""

    sql: str
    kinds: tuple[type, ...]
    tables: tuple[tuple[str, ...], ...]
    has_tenants: bool

    @staticmethod
    def of(statement: Statement, scope: Scope) -> "Reading":
        """The reading of a statement for this scope."""
        kinds = tuple(map(type, statement.parameters))
        return Reading(statement.sql, kinds, statement.tables, bool(scope.allowed))


def ensure_reads(reading: Reading, sql: str, schemas: Sequence[str], plan_of: PlanOf) -> None:
    """Raises ``EngineError`` unless the server takes this text for a query over its tables.

    With tenants it must read each table as often as the host has written it, else only tables of
    these schemas.
    """
    found = _scans(plan_of(sql))
    if not reading.has_tenants:
        if not all(name.partition(".")[0] in schemas and "." in name for name in found):
            raise EngineError(Problem.NOT_PERMITTED)
        return
    if found and not reading.tables:
        raise EngineError(Problem.NOT_PERMITTED)
    tree = parsed(sql, "spark")
    if isinstance(tree, exp.Query) and _named(tree) == Counter(reading.tables):
        written = _of(tree, {})
        if found == written or found == _behind_views(written, plan_of):
            return
    _log.error("defect: the server reads other tables than were written")
    raise EngineError(Problem.MISWRITTEN)


def quoted(name: str) -> str:
    """A name as Spark SQL writes it."""
    return "`" + name.replace("`", "``") + "`"


def _scans(plan: str) -> Scans:
    """The tables of a plan. Raises ``EngineError`` for what is no query."""
    head, mark, rest = plan.removeprefix(_START).partition(_END)
    is_plan = plan.startswith(_START) and mark and _END not in rest
    if not is_plan or not _QUERY.match(f"{head}\n"):
        raise EngineError(Problem.NOT_PERMITTED)
    return Counter(_SCAN.findall(head))


def _behind_views(written: Scans, plan_of: PlanOf) -> Scans:
    """The tables behind these, of which some may be views."""
    found: Scans = Counter()
    for name, times in written.items():
        place = ".".join(map(quoted, name.split(".")))
        for each, within in _scans(plan_of(f"SELECT * FROM {place}")).items():  # noqa: S608
            found[each] += times * within
    return found


def _named(tree: exp.Expr) -> Counter[tuple[str, ...]]:
    """The tables of the data in a tree: those with a full name."""
    paths = (tuple(part.name for part in table.parts) for table in tree.find_all(exp.Table))
    return Counter(path for path in paths if len(path) > 1)


def _of(node: exp.Expr, common: Mapping[str, Scans]) -> Scans:
    """The tables as often as a server reads them that looks up a common table anew each time it is
    named."""
    with_ = node.args.get("with_")
    if isinstance(with_, exp.With):
        for each in with_.expressions:
            common = {**common, each.alias.casefold(): _of(each.this, common)}
    if isinstance(node, exp.Table) and isinstance(node.this, exp.Identifier):
        name = ".".join(part.name for part in node.parts)
        found = Counter(common.get(name.casefold(), {name: 1}))
    else:
        found = Counter()
    for value in node.args.values():
        for each in value if isinstance(value, list) else (value,):
            if isinstance(each, exp.Expr) and not isinstance(each, exp.With):
                found.update(_of(each, common))
    return found
