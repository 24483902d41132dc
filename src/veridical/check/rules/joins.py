"""Tables that are read together are joined, by columns that can meet; what an outer join keeps is
not thrown away again, and its empty rows are not counted."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from veridical.check.context import Context
from veridical.check.facts import Block, Equality, Facts, Filter, Origin, Problem, uses_in
from veridical.check.row_multiplicity import meets_one
from veridical.contracts.violation import Code
from veridical.ontology.catalog import Catalog

_KEEPS_EMPTY = frozenset({"is null", "not is null", "group", "rank"})
"""``IS NULL`` looks for the empty rows; who writes ``IS NOT NULL`` leaves them out knowingly."""


def joined(context: Context) -> Iterable[Problem]:
    """Tables joined to nothing, and keys of different things that share no value."""
    facts = context.facts
    if len(facts.uses) < 2:
        return
    near = _neighbours(facts)
    for block in facts.blocks:
        if len(block.sides) > 1 and not block.crosses:
            for name in _unjoined(facts, block, near):
                yield Problem(Code.CARTESIAN_JOIN, name)
    yield from _never_matching(context)


def _neighbours(facts: Facts) -> dict[int, set[int]]:
    """The uses that a condition ties to each use."""
    near = defaultdict[int, set[int]](set)
    for each in facts.equalities:
        if each.joins:
            near[each.left.use].add(each.right.use)
            near[each.right.use].add(each.left.use)
    for link in facts.links:
        for use in link:
            near[use] |= link
    return near


def _unjoined(facts: Facts, block: Block, near: Mapping[int, set[int]]) -> Iterator[str]:
    """The tables that no condition ties to the first one."""
    waiting = [side for side in block.sides if side.uses and frozenset() not in side.keys]
    if len(waiting) < 2 or len(waiting) < len(block.sides):
        return
    reached = [waiting.pop(0)]
    while reached and waiting:
        tied = set[int]().union(*(near[use] for use in reached.pop().uses if use in near))
        reached += [side for side in waiting if not tied.isdisjoint(side.uses)]
        waiting = [side for side in waiting if tied.isdisjoint(side.uses)]
    yield from (facts.uses[min(side.uses)].table.name for side in waiting)


def _never_matching(context: Context) -> Iterator[Problem]:
    for equality in context.facts.equalities:
        left, right = equality.left.column, equality.right.column
        if left is right or left.values is None or right.values is None:
            continue
        different = _are_different_things(context.catalog, equality)
        if different and _disjoint(left.values, right.values):
            other = f"{right.table}.{right.name}"
            name = f"{left.table}.{left.name}"
            yield Problem(Code.NEVER_MATCHES, name, None, "", (("other", other),))


def _are_different_things(catalog: Catalog, equality: Equality) -> bool:
    """Both columns are declared to identify something, and not the same thing."""
    left = _identified(catalog, equality.left)
    right = _identified(catalog, equality.right)
    return bool(left) and bool(right) and left.isdisjoint(right)


def _identified(catalog: Catalog, origin: Origin) -> set[tuple[str, str]]:
    """The keys that a column is, or points to, directly or over several tables."""
    column = origin.column
    waiting = [(column.table, column.name)]
    found: set[tuple[str, str]] = set()
    while waiting:
        table_name, name = waiting.pop()
        table = catalog.table(table_name)
        if table is None or (table_name, name) in found:
            continue
        pairs = ((join.target, pair) for join in table.joins for pair in join.pairs)
        points = [(target, far) for target, (near, far) in pairs if near == name]
        if points or frozenset((name,)) in table.keys:
            found.add((table_name, name))
            waiting.extend(points)
    return found


def _disjoint(left: frozenset[str | int | float], right: frozenset[str | int | float]) -> bool:
    known = {str(value).strip().casefold() for value in left}
    return not any(str(value).strip().casefold() in known for value in right)


def outer_join(context: Context) -> Iterable[Problem]:
    """Filters on the optional side of a join, and counts of rows where that side may be empty."""
    for block in context.facts.blocks:
        if block.optional:
            if block.grouped or not _is_one_figure(context, block):
                yield from _undone(block)
            yield from _counted(context, block)


def _is_one_figure(context: Context, block: Block) -> bool:
    """True when no row of the kept side is listed: a filter chooses the rows of the figure, as it
    would with an inner join."""
    return any(each.block == block.index for each in context.facts.aggregates)


def _undone(block: Block) -> Iterator[Problem]:
    for each in block.demands:
        if each.origin.use in block.optional and _loses_empty(each):
            column = each.origin.column
            yield Problem(Code.OUTER_JOIN_UNDONE, column.name, None, "", (("table", column.table),))


def _loses_empty(each: Filter) -> bool:
    if each.op in ("or", "and"):
        lost = [_loses_empty(part) for part in each.parts]
        return all(lost) if each.op == "or" else bool(lost) and all(lost)
    return each.op not in _KEEPS_EMPTY


def _is_looked_up(context: Context, block: Block, use: int) -> bool:
    """True for what each row meets once at most, such as its customer: the rows are what counts."""
    around = uses_in(each for each in block.sides if use not in each.uses)
    return any(use in each.uses and meets_one(context, each, around) for each in block.sides)


def _counted(context: Context, block: Block) -> Iterator[Problem]:
    """``COUNT(*)`` gives 1 where there is nothing to count."""
    demanded = {each.origin.use for each in block.demands}
    empty = {each for each in block.optional - demanded if not _is_looked_up(context, block, each)}
    grouped = block.keys and all(key.use not in block.optional for key in block.keys)
    if not empty or not grouped:
        return
    for aggregate in context.facts.aggregates:
        counts = aggregate.function == "count" and not aggregate.terms and not aggregate.distinct
        if counts and aggregate.block == block.index:
            table = context.facts.uses[min(empty)].table.name
            yield Problem(Code.COUNTS_EMPTY_ROW, table)
