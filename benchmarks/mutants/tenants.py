"""Whose rows: no tenant chosen where several are visible, or one that is not the caller's."""

from collections.abc import Iterator

from sqlglot import exp

from benchmarks.mutants.legal import Case, call_case, sql_case
from benchmarks.mutants.trees import (
    BALANCES,
    conditions,
    drop,
    literals,
    parsed,
    sources_of,
    tables_in,
    without_group,
)
from veridical.contracts.call import AggregateCall, Filter, QueryCall, SqlCall
from veridical.packs.trustee import pack

_TENANT = ("mandateId", "featureInstanceId")


def missing_tenant(case: Case) -> Iterator[Case]:
    """Balances of several clients at once: the filter, or the group, is gone."""
    if not case.audience.pins:
        return
    call = case.call
    if isinstance(call, SqlCall):
        tables = [table for table in tables_in(case.tree) if table.name == BALANCES]
        if any(not table.find_ancestor(exp.Exists) for table in tables):
            yield from _unchosen_sql(case)
    elif isinstance(call, QueryCall | AggregateCall) and call.table_name == BALANCES:
        rest = tuple(each for each in call.filters if each.field not in _TENANT)
        if len(rest) < len(call.filters):
            yield call_case(case, call.model_copy(update={"filters": rest}))
        if isinstance(call, AggregateCall) and "mandateId" in call.group_by:
            groups = tuple(each for each in call.group_by if each != "mandateId")
            kept = tuple(i for i, each in enumerate((*call.group_by, "")) if each != "mandateId")
            yield call_case(case, call.model_copy(update={"group_by": groups}), kept)


def _unchosen_sql(case: Case) -> Iterator[Case]:
    tree = case.tree.copy()
    for node in conditions(tree, _TENANT):
        drop(node)
    if tree != case.tree:
        yield sql_case(case, tree)
        return
    if isinstance(tree, exp.Select):
        kept = without_group(tree, "mandateId")
        if kept is not None:
            yield sql_case(case, tree, kept)


def foreign_tenant(case: Case) -> Iterator[Case]:
    """A client of somebody else, by name."""
    strangers = case.audience.strangers
    call = case.call
    if isinstance(call, SqlCall):
        for stranger in strangers:
            yield from _foreign_sql(case, stranger)
    elif isinstance(call, QueryCall | AggregateCall) and call.table_name in pack.tenant_columns:
        rest = tuple(each for each in call.filters if each.field not in _TENANT)
        for stranger in strangers:
            wrong = Filter(field="mandateId", value=stranger)
            books = Filter(field="featureInstanceId", value=f"{stranger}-a")
            yield call_case(case, call.model_copy(update={"filters": (wrong, *rest)}))
            yield call_case(case, call.model_copy(update={"filters": (*rest, books)}))


def _foreign_sql(case: Case, stranger: str) -> Iterator[Case]:
    tree = case.tree.copy()
    for node in conditions(tree, _TENANT):
        for literal in literals(node):
            tail = "-a" if node.this.name == "featureInstanceId" else ""
            literal.replace(exp.Literal.string(stranger + tail))
    if tree != case.tree:
        yield sql_case(case, tree)
        return
    select = next((each for each in tree.find_all(exp.Select) if sources_of(each)), None)
    source = sources_of(select)[0] if select is not None else None
    if select is None or source is None or source.name not in pack.tenant_columns:
        return
    owner = f"{source.alias}." if source.alias else f'"{source.name}".'
    for form in ("{}\"mandateId\" = '{}'", "{}\"mandateId\" IN ('{}')", "'{1}' = {0}\"mandateId\""):
        wrong = tree.copy()
        same = next(each for each in wrong.find_all(exp.Select) if sources_of(each))
        same.where(parsed(form.format(owner, stranger)), copy=False)
        yield sql_case(case, wrong)
