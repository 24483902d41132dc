"""The one sensible correction of a refused call, proved by checking it again."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby, islice
from typing import Any

from sqlglot import exp, parse_one

from veridical.check.completed import completed, missing_filter
from veridical.check.from_call import canonical
from veridical.check.over_all_rows import ALL_ROWS, over_all_rows
from veridical.check.sql.translate import call_text
from veridical.contracts.call import AggregateCall, Call, Filter, QueryCall, SqlCall
from veridical.contracts.violation import Code, Refusal, Violation
from veridical.ontology.catalog import Catalog
from veridical.statement.reader import PARSE_ERRORS

Passes = Callable[[Call], bool]

_RENAMED = frozenset({Code.FIELD_NOT_FOUND, Code.TABLE_NOT_FOUND, Code.AMBIGUOUS_FIELD})
_MANY = 20
"""A call with more slips than this was not meant for this data."""
_REVALUED = frozenset({Code.TYPE_MISMATCH, Code.VALUE_UNKNOWN})


def repaired(
    call: Call,
    refusal: Refusal,
    dialect: str,
    catalog: Catalog,
    passes: Passes,
) -> Call | None:
    """The call with every suggestion taken, where each violation has one and the result passes; of
    warnings, the conditions on its rows."""
    missing = (each for each in refusal.warnings if each.code is Code.MISSING_REQUIRED_FILTER)
    violations = (*refusal.violations, *missing)
    if len(violations) > _MANY or any(each.suggestion is None for each in violations):
        return None
    if isinstance(call, SqlCall):
        groups = _repaired_sql(call, violations, dialect, catalog)
    elif isinstance(call, QueryCall | AggregateCall):
        groups = iter([[_repaired_call(call, violations, catalog)]])
    else:
        return None
    for group in groups:
        passed = [each for each in group if each != call and passes(each)]
        if passed:
            return passed[0] if len(passed) == 1 else None
    return None


def _repaired_call(
    call: QueryCall | AggregateCall, violations: Iterable[Violation], catalog: Catalog
) -> Call:
    for violation in violations:
        name, suggestion = violation.field or "", violation.suggestion or ""
        if violation.code is Code.TABLE_NOT_FOUND:
            call = call.model_copy(update={"table_name": suggestion})
        elif violation.code is Code.FIELD_NOT_FOUND and "." not in suggestion:
            call = _renamed(call, name, suggestion)
        elif violation.code is Code.OPERATOR_INCOMPATIBLE:
            call = _refiltered(call, name, lambda each, op=suggestion: {"op": op})
        elif violation.code in _REVALUED:
            call = _refiltered(call, name, lambda each, to=suggestion: _revalued(each, to))
        elif violation.code is Code.FUNCTION_NOT_ALLOWED and isinstance(call, AggregateCall):
            call = call.model_copy(update={"aggregate": suggestion})
        elif violation.code is Code.MISSING_REQUIRED_FILTER:
            missing = missing_filter(catalog.table(call.table_name), suggestion)
            added = () if missing is None else (missing,)
            call = call.model_copy(update={"filters": (*call.filters, *added)})
    return call


def _renamed(call: QueryCall | AggregateCall, name: str, to: str) -> QueryCall | AggregateCall:
    def swap(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(to if each == name else each for each in names)

    update: dict[str, Any] = {
        "filters": tuple(
            each.model_copy(update={"field": to}) if each.field == name else each
            for each in call.filters
        ),
        "order_by": tuple(
            each.model_copy(update={"field": to}) if each.field == name else each
            for each in call.order_by
        ),
    }
    if isinstance(call, QueryCall):
        update["fields"] = swap(call.fields)
    else:
        update["group_by"] = swap(call.group_by)
        update["field"] = to if call.field == name else call.field
    return call.model_copy(update=update)


def _refiltered(
    call: QueryCall | AggregateCall, name: str, change: Callable[[Filter], dict[str, Any]]
) -> QueryCall | AggregateCall:
    filters = tuple(
        each.model_copy(update=change(each)) if each.field == name else each
        for each in call.filters
    )
    return call.model_copy(update={"filters": filters})


def _revalued(each: Filter, to: str) -> dict[str, Any]:
    """Only a single value can be replaced without guessing which one was meant."""
    if isinstance(each.value, tuple) or canonical(each.op) is None:
        return {}
    if to.startswith("'"):
        return {"value": to.strip("'")}
    if to in ("true", "false"):
        return {"value": to == "true"}
    return {"value": int(to) if to.isdigit() and not isinstance(each.value, int) else to}


def _recalled(sql: str, violations: Iterable[Violation], dialect: str) -> str:
    """The statement with the calls that the dialect has in place of those that it has not."""
    for violation in violations:
        name, to = violation.field or "", violation.suggestion or ""
        written = call_text(sql, name, dialect)
        if written is not None:
            whole = to if not to.isidentifier() else f"{to}{written[len(name) :]}"
            sql = sql.replace(written, whole)
    return sql


def _repaired_sql(
    call: SqlCall, violations: tuple[Violation, ...], dialect: str, catalog: Catalog
) -> Iterator[list[Call]]:
    """The corrected statements, those that add least first."""
    names = {each.field: each.suggestion for each in violations if each.code in _RENAMED}
    calls = [each for each in violations if each.code is Code.FUNCTION_NOT_ALLOWED]
    missing = [each for each in violations if each.code is Code.MISSING_REQUIRED_FILTER]
    means = [each.field or "" for each in violations if _is_of_filled(each)]
    if len(names) + len(calls) + len(missing) + len(means) < len(violations):
        return
    try:
        written = _recalled(call.sql, calls, dialect)
        if not names and not missing and not means:
            yield [SqlCall(sql=written, limit=call.limit)]
            return
        tree = parse_one(written, read=dialect)
    except PARSE_ERRORS:
        return
    _rename(tree, names)
    if not all(over_all_rows(tree, each) for each in means):
        return
    conditions = tuple(dict.fromkeys(each.suggestion or "" for each in missing))
    found = list(islice(completed(tree, conditions, catalog), _MANY + 1))
    if len(found) > _MANY:
        return
    for _, group in groupby(sorted(found, key=_added), key=_added):
        yield [SqlCall(sql=each.sql(dialect=dialect), limit=call.limit) for _, each in group]


def _is_of_filled(each: Violation) -> bool:
    return each.code is Code.INVALID_AGGREGATE_TARGET and each.suggestion == ALL_ROWS


def _added(found: tuple[int, exp.Expr]) -> int:
    return found[0]


def _rename(tree: exp.Expr, names: Mapping[str | None, str | None]) -> None:
    """Gives tables and columns the names that they were meant to have."""
    for table in tree.find_all(exp.Table):
        to = names.get(table.name)
        if to:
            table.set("this", exp.to_identifier(to, quoted=True))
    for column in tree.find_all(exp.Column):
        written = f"{column.table}.{column.name}" if column.table else column.name
        to = names.get(written)
        if to:
            owner, _, name = to.rpartition(".")
            column.set("this", exp.to_identifier(name, quoted=True))
            if owner:
                column.set("table", exp.to_identifier(owner))
