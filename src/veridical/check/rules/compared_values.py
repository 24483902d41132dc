"""Values that a column is compared with: by an operator that fits, among those that it can have,
and never two at once. LIKE is for text, = for whole values, IS NULL for nothing at all."""

from collections.abc import Iterable, Set

from veridical.check.context import Context
from veridical.check.facts import ORDERS, Exclusion, Filter, LiteralKind, Origin, Problem
from veridical.contracts.schema import ValueType
from veridical.contracts.violation import Code
from veridical.ontology.model import Cardinality
from veridical.ontology.nearest import nearest

_PATTERNS = frozenset(
    {"like", "not like", "ilike", "not ilike", "similar", "not similar", "glob", "regexp"}
)
_TEXTUAL = frozenset({ValueType.TEXT, ValueType.UNKNOWN})
_ORDERED = frozenset(
    {
        ValueType.INTEGER, ValueType.NUMBER, ValueType.TEXT, ValueType.DATE, ValueType.TIMESTAMP,
        ValueType.TIME, ValueType.INTERVAL, ValueType.UNKNOWN,
    }
)  # fmt: skip
_NESTED = frozenset({ValueType.JSON, ValueType.OTHER})
_EQUALS = frozenset({"=", "!=", "in", "not in"})
_WRITTEN = (LiteralKind.TEXT, LiteralKind.NUMBER, LiteralKind.BOOLEAN)

_PLAIN = (LiteralKind.TEXT, LiteralKind.NUMBER)
_RESPELLED = {"LOWER": str.lower, "UPPER": str.upper}

_UNEQUAL = frozenset({"!=", "not in"})


def operator_fits(context: Context) -> Iterable[Problem]:
    """Operators that can't do what they were chosen for."""
    strict = context.dialect.strict_types
    for each in context.facts.comparisons:
        better = _better(each, strict)
        if better is not None:
            column = each.origin.column
            values = (("op", each.op.upper()), ("type", column.type.value))
            yield Problem(Code.OPERATOR_INCOMPATIBLE, column.name, better, "", values)


def _better(each: Filter, strict: bool) -> str | None:
    """The operator to try instead; none when this one will do."""
    op = each.op
    if op in _EQUALS:
        return _better_equality(each)
    if not strict:
        return None
    column = each.origin.column
    if op in _PATTERNS:
        return None if column.type in _TEXTUAL else _instead(column.type)
    if op in ORDERS:
        closed = column.allowed_values is not None and column.type is ValueType.TEXT
        return _instead(column.type) if closed or column.type not in _ORDERED else None
    return None


def _instead(kind: ValueType) -> str:
    """The operator for a type: of nested values, a part is compared."""
    return "->>" if kind in _NESTED else "="


def _better_equality(each: Filter) -> str | None:
    negated = each.op in ("!=", "not in")
    for literal in each.values:
        if literal.kind is LiteralKind.NULL and each.op in ("=", "!="):
            return "is not null" if negated else "is null"
        if literal.kind is LiteralKind.TEXT and "%" in literal.value and _is_pattern(literal.value):
            return "not like" if negated else "like"
    return None


def _is_pattern(text: str) -> bool:
    """One word with a wildcard at its end: in a sentence the sign may mean per cent."""
    return len(text) > 1 and "%" in (text[0], text[-1]) and " " not in text


def known_value(context: Context) -> Iterable[Problem]:
    """Values outside a closed list; and, as a warning, values that no row has."""
    for each in context.facts.comparisons:
        column = each.origin.column
        known = column.allowed_texts
        if known is None and column.values is not None:
            known = frozenset(map(str, column.values))
        if known is None or each.op not in _EQUALS:
            continue
        soft = column.allowed_values is None or column.allowed_values.warns
        may_be_unknown = each.op in _UNEQUAL and (soft or _leaves_out_known(context, each, known))
        for literal in each.values:
            written = str(literal.value)
            if written and written not in known and literal.kind in _WRITTEN:
                suggestion = nearest(written, known)
                if may_be_unknown and suggestion is None:
                    continue  # what no row has may be left out as well
                values = (("value", written),)
                yield Problem(Code.VALUE_UNKNOWN, column.name, suggestion, "", values, soft=soft)


def _leaves_out_known(context: Context, filtered: Filter, known: Set[str]) -> bool:
    """True when values of the list are left out of the same column, too."""
    return any(
        str(literal.value) in known
        for other in context.facts.comparisons
        if other.op in _UNEQUAL and other.origin.place == filtered.origin.place
        for literal in other.values
    )


def consistent(context: Context) -> Iterable[Problem]:
    """Filters on one column that no row can meet together."""
    filters = context.facts.filters
    if len(filters) < 2:
        return
    first: dict[tuple[int, str], Filter] = {}
    for each in filters:
        if each.op != "=" or len(each.values) != 1 or each.values[0].kind not in _PLAIN:
            continue
        place = each.origin.place
        other = first.setdefault(place, each)
        one, two = str(other.values[0].value), str(each.values[0].value)
        if one != two:
            values = (("one", one), ("other", two))
            yield Problem(Code.CONTRADICTION, place[1], None, "", values)


def letter_case(context: Context) -> Iterable[Problem]:
    """Comparisons of a changed case with a text of the other case."""
    for each in context.facts.respellings:
        respelled = _RESPELLED[each.function](each.text)
        values = (("function", each.function), ("value", each.text))
        yield Problem(Code.NEVER_MATCHES, each.origin.column.name, respelled, "case", values)


def excluded_null(context: Context) -> Iterable[Problem]:
    """Lists with a written NULL, and sub-queries whose column may have none."""
    for exclusion in context.facts.exclusions:
        if _may_hold_null(context, exclusion):
            yield _problem(exclusion)
    for each in context.facts.filters:
        if each.op not in _UNEQUAL or not each.values or _is_listed(context, each.origin):
            continue
        if _may_point_nowhere(context, each.origin):
            name = each.origin.column.name
            yield Problem(Code.NULL_IN_EXCLUSION, name, None, "unequal", soft=True)


def _is_listed(context: Context, origin: Origin) -> bool:
    """True when figures are made for each target, or rows are joined to theirs: those without one
    have no place there."""
    grouped = any(origin in block.keys for block in context.facts.blocks)
    joined = {use for use, _ in context.settled.same(origin.place)} - {origin.use}
    optional = frozenset().union(*(block.optional for block in context.facts.blocks))
    return grouped or not joined <= optional


def _may_point_nowhere(context: Context, origin: Origin) -> bool:
    """A pointer that some rows lack: leaving out one target leaves these out, too."""
    joins = context.facts.uses[origin.use].table.joins
    pointing = any(near == origin.column.name for join in joins for near, _ in join.pairs)
    return origin.column.nullable and pointing


def _may_hold_null(context: Context, each: Exclusion) -> bool:
    if each.origin is None:
        return each.null
    place = each.origin.place
    chosen = any(filter_.op != "is null" for filter_ in context.settled.filters(place))
    may = each.origin.column.nullable or _points_to_own(context, each.origin)
    return (may or _leaves_out_own(context, each.origin, each.kept)) and not chosen


def _points_to_own(context: Context, origin: Origin) -> bool:
    """A pointer to another row of the same table: the first row points to none."""
    table = context.facts.uses[origin.use].table
    name = origin.column.name
    return not any(name in key for key in table.keys) and any(
        join.target == table.name and any(near == name for near, _ in join.pairs)
        for join in table.joins
        if join.cardinality is Cardinality.MANY_TO_ONE
    )


def _leaves_out_own(context: Context, origin: Origin, kept: Origin | None) -> bool:
    """``staff_id NOT IN (SELECT lead_id FROM staff)``: the column points to rows of its own table,
    declared or not."""
    if kept is None or kept.column.name == origin.column.name:
        return False
    table = context.facts.uses[origin.use].table
    own = context.facts.uses[kept.use].table is table
    in_key = any(origin.column.name in key for key in table.keys)
    return own and not in_key and frozenset((kept.column.name,)) in table.keys


def _problem(each: Exclusion) -> Problem:
    if each.origin is None:
        return Problem(Code.NULL_IN_EXCLUSION, "NULL", None, "written")
    return Problem(Code.NULL_IN_EXCLUSION, each.origin.column.name, soft=True)
