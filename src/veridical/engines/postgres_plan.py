"""What a statement would read, by PostgreSQL's plan of it.

A plan tells the rows that a node returns, not those it reads. A scan of a whole table reads all of
it, whatever it returns; an index reads what its own condition finds; a limit ends what streams to
it; the inner side of a loop is read once for each outer row; each process reads its part.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from veridical.engines.estimate import CostEstimate, Plan, estimate_of

Name = tuple[str, str]
"""Schema and table."""
Read = tuple[str, float, float | None]
_PAGE = 8192
_ROW_COST = 0.0125
"""Of a row with one condition, in the cost of reading a page: PostgreSQL's defaults."""
_ROW_HEAD = 28
"""Bytes that a row takes beside its values."""
_BLOCKING = frozenset(
    {"Sort", "Hash", "Aggregate", "WindowAgg", "Materialize", "Bitmap Index Scan"}
)
"""Nodes that read all their input before they return the first row."""
_BY_INDEX = frozenset({"Index Scan", "Index Only Scan"})


@dataclass(frozen=True, slots=True)
class Relation:
    """The size of a table. The reader may not ask for it: it counts the rows of others."""

    rows: float
    size: float

    @classmethod
    def of(cls, counted: float, pages: int, node: Plan) -> "Relation":
        """As PostgreSQL counted it last; without that by the cost of a scan of all of it."""
        returned = float(node["Plan Rows"])
        if counted >= 0 and pages > 0:
            rows = max(counted, returned)  # more, where it has grown since
            return cls(rows, pages * _PAGE * (rows / counted if counted else 1.0))
        row = int(node["Plan Width"]) + _ROW_HEAD
        if node["Node Type"] != "Seq Scan" or not node.get("Filter"):
            return cls(returned, returned * row)
        each = _PAGE / row
        scanned = float(node["Total Cost"]) / (1 + each * _ROW_COST)
        return cls(max(scanned * each, returned), scanned * _PAGE)


@dataclass(frozen=True, slots=True)
class _Turn:
    """How often and how far a node is read."""

    times: float = 1.0
    share: float = 1.0
    """Of all its rows, until a limit has enough."""
    processes: float = 1.0
    """Those that share its rows, if it is parallel."""
    workers: int = 0


def relations_of(plan: Plan) -> dict[Name, Plan]:
    """The tables of a plan, each with the node that reads most of it."""
    nodes = sorted(filter(_is_table, _nodes(plan)), key=lambda node: float(node["Total Cost"]))
    return {_name(node): node for node in nodes}


def needs_index_rows(plan: Plan) -> bool:
    """True if an index finds rows that a filter drops: the plan does not tell how many."""
    return any(_is_filtered(node) for node in _nodes(plan))


def index_rows_of(plan: Plan) -> dict[str, float]:
    """The rows that each index finds, of the plan for bitmaps, which tells them."""
    found = (node for node in _nodes(plan) if node["Node Type"] == "Bitmap Index Scan")
    return {str(node["Index Name"]): float(node["Plan Rows"]) for node in found}


def postgres_estimate(
    plan: Plan, relations: Mapping[Name, Relation], index_rows: Mapping[str, float]
) -> CostEstimate:
    """Of ``EXPLAIN (VERBOSE, FORMAT JSON)``."""
    return estimate_of(_read(plan, _Turn(), relations, index_rows))


def _read(
    node: Plan, turn: _Turn, relations: Mapping[Name, Relation], index_rows: Mapping[str, float]
) -> Iterator[Read]:
    children: list[Plan] = list(node.get("Plans", ()))
    if _is_table(node):
        known = relations.get(_name(node), Relation(float(node["Plan Rows"]), 0))
        yield _scanned(node, turn, known, index_rows)
    inner = _inner(node, turn, children)
    for child in children:
        below = inner
        match child.get("Parent Relationship"):
            case "InitPlan":
                below = _Turn()
            case "SubPlan":
                once = f"hashed {child.get('Subplan Name')}" in str(_own(node))
                below = _Turn() if once else _again(turn, _tested(node, turn, relations))
            case "Inner" if node["Node Type"] == "Nested Loop":
                below = _again(turn, _rescans(child, children[0], turn))
            case _ if node["Node Type"] == "Merge Join":
                below = replace(inner, share=inner.share * _until_one_ends(node, child))
            case _:
                pass
        yield from _capped(node, _read(child, below, relations, index_rows), relations)


def _scanned(node: Plan, turn: _Turn, known: Relation, index_rows: Mapping[str, float]) -> Read:
    parallel = turn.processes if turn.workers else 1.0
    match node["Node Type"]:
        case "Seq Scan":
            shared = bool(node.get("Parallel Aware"))
            times = turn.times * (1 if shared or not turn.workers else turn.workers + 1)
            return _name(node)[1], known.rows * turn.share * times, known.size * turn.share * times
        case kind if kind in _BY_INDEX:
            rows = _by_index(node, known, index_rows) * parallel
        case "Bitmap Heap Scan":
            bitmaps = node.get("Plans", ())
            rows = max((float(each["Plan Rows"]) for each in bitmaps), default=known.rows)
        case _:
            rows = float(node["Plan Rows"]) * parallel
    rows = min(rows, max(known.rows, float(node["Plan Rows"]))) * turn.share * turn.times
    return _name(node)[1], rows, rows * known.size / max(known.rows, 1.0)


def _by_index(node: Plan, known: Relation, index_rows: Mapping[str, float]) -> float:
    returned = float(node["Plan Rows"])
    if not node.get("Filter"):
        return returned
    if not node.get("Index Cond"):
        return known.rows  # in its order only
    return max(returned, index_rows.get(str(node.get("Index Name")), returned))


def _inner(node: Plan, turn: _Turn, children: list[Plan]) -> _Turn:
    """How the children of a node are read."""
    kind = str(node["Node Type"])
    if kind == "Limit" and children:
        found = max(float(children[0]["Plan Rows"]), 1.0)
        return replace(turn, share=turn.share * min(1.0, float(node["Plan Rows"]) / found))
    if kind in ("Gather", "Gather Merge"):
        workers = int(node.get("Workers Planned", 0))
        leader = max(0.0, 1 - 0.3 * workers)  # it has less time to read itself, the more there are
        return replace(turn, workers=workers, processes=workers + leader)
    is_sorted = kind == "Aggregate" and node.get("Strategy") == "Sorted"
    if kind in _BLOCKING and not is_sorted:
        return replace(turn, share=1.0)
    return turn


def _until_one_ends(join: Plan, child: Plan) -> float:
    """A join of two orders ends with the shorter one, so it may cost less than all of a side."""
    return min(1.0, float(join["Total Cost"]) / max(float(child["Total Cost"]), 0.01))


def _again(turn: _Turn, times: float) -> _Turn:
    """What is read whole for each row."""
    return _Turn(turn.times * max(turn.share * times, 1.0))


def _tested(node: Plan, turn: _Turn, relations: Mapping[Name, Relation]) -> float:
    """The rows for which a node computes its conditions."""
    if node["Node Type"] == "Seq Scan" and _is_table(node) and _name(node) in relations:
        return relations[_name(node)].rows
    return _returned(node, turn)


def _rescans(inner: Plan, outer: Plan, turn: _Turn) -> float:
    """How often the inner side of a loop is read."""
    if inner["Node Type"] == "Materialize":
        return 1.0  # and is kept then
    return _returned(outer, turn)


def _returned(node: Plan, turn: _Turn) -> float:
    """The rows of a node in all processes, if no limit above ends it."""
    return float(node["Plan Rows"]) * (turn.processes if turn.workers else 1.0)


def _capped(node: Plan, read: Iterator[Read], relations: Mapping[Name, Relation]) -> Iterator[Read]:
    """What is remembered is not read twice: no more than the whole table."""
    if node["Node Type"] != "Memoize":
        yield from read
        return
    sizes = {name: known for (_, name), known in relations.items()}
    for name, rows, size in read:
        known = sizes.get(name, Relation(rows, size or 0))
        yield name, min(rows, known.rows), size if size is None else min(size, known.size)


def _is_table(node: Plan) -> bool:
    return "Relation Name" in node and "Schema" in node


def _is_filtered(node: Plan) -> bool:
    return bool(node["Node Type"] in _BY_INDEX and node.get("Filter") and node.get("Index Cond"))


def _name(node: Plan) -> Name:
    return str(node["Schema"]), str(node["Relation Name"])


def _own(node: Plan) -> dict[str, Any]:
    return {key: value for key, value in node.items() if key != "Plans"}


def _nodes(plan: Plan) -> Iterator[Plan]:
    waiting = [plan]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(node.get("Plans", ()))
