"""Names that don't exist, names of something else, names that could mean two things."""

from collections.abc import Iterator

from sqlglot import exp

from benchmarks.data import data_beside
from benchmarks.mutants.legal import Case, call_case, sql_case
from benchmarks.mutants.trees import (
    columns_of,
    conditions,
    owner_of,
    sources_of,
    tables_in,
)
from veridical.contracts.call import (
    AggregateCall,
    BrowseCall,
    Filter,
    QueryCall,
    SqlCall,
    TableCall,
)

_DATA = data_beside(__file__)
_INVENTED: dict[str, list[str]] = _DATA["invented"]
_TABLES: dict[str, list[str]] = _DATA["tables"]
_OTHER_TABLES: tuple[str, ...] = tuple(_DATA["other_tables"])
_ELSEWHERE: tuple[str, ...] = tuple(_DATA["elsewhere"])
_UNKNOWN_AGGREGATES: tuple[str, ...] = tuple(_DATA["unknown_aggregates"])


def invented_field(case: Case) -> Iterator[Case]:
    """A column that the table does not have: a slip of the pen, or a name that sounds right."""
    if isinstance(case.call, SqlCall):
        names = dict.fromkeys(c.name for c in case.tree.find_all(exp.Column) if owner_of(c))
        for number, name in enumerate(names):
            yield sql_case(case, _renamed(case.tree.copy(), name, _wrong_name(name, number, case)))
        return
    names = dict.fromkeys(_names_in(case.call))
    for number, name in enumerate(names):
        yield call_case(case, _renamed_call(case.call, name, _wrong_name(name, number, case)))


def _wrong_name(name: str, number: int, case: Case) -> str:
    slips = (
        name[:-2] + name[-1],
        name[0] + name[2:3] + name[1] + name[3:] + "e",
        name + "s",
        name[: len(name) // 2] + name[len(name) // 2 :].capitalize() + "X",
    )
    choices = (*_INVENTED.get(name, ()), *(slip for slip in slips if len(name) > 3))
    return choices[(len(case.question) + number) % len(choices)]


def _renamed(tree: exp.Expr, name: str, to: str) -> exp.Expr:
    for column in list(tree.find_all(exp.Column)):
        if column.name == name and owner_of(column):
            column.set("this", exp.to_identifier(to, quoted=True))
    return tree


def _names_in(call: object) -> Iterator[str]:
    if isinstance(call, BrowseCall | QueryCall):
        yield from call.fields
    if isinstance(call, AggregateCall):
        yield from (*call.group_by, *((call.field,) if call.field else ()))
    if isinstance(call, QueryCall | AggregateCall):
        yield from (each.field for each in call.filters)


def _renamed_call(call: object, name: str, to: str) -> TableCall:
    def swap(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(to if each == name else each for each in names)

    if isinstance(call, BrowseCall):
        return call.model_copy(update={"fields": swap(call.fields)})
    assert isinstance(call, QueryCall | AggregateCall)
    update: dict[str, object] = {
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
        return call.model_copy(update=update | {"fields": swap(call.fields)})
    field = to if call.field == name else call.field
    return call.model_copy(update=update | {"field": field, "group_by": swap(call.group_by)})


def wrong_table(case: Case) -> Iterator[Case]:
    """A table that does not exist, one without the columns, or one for other questions."""
    if isinstance(case.call, SqlCall):
        yield from _wrong_table_sql(case)
    else:
        call = case.call
        assert isinstance(call, BrowseCall | QueryCall | AggregateCall)
        asked = set(_names_in(call))
        for name in _other_names(call.table_name, asked):
            yield call_case(case, call.model_copy(update={"table_name": name}))
    if case.about in ("balance", "result"):
        yield from _from_the_journal(case)


def _wrong_table_sql(case: Case) -> Iterator[Case]:
    for index, table in enumerate(tables_in(case.tree)):
        columns = (c for c in case.tree.find_all(exp.Column) if owner_of(c) == table.name)
        for name in _other_names(table.name, {column.name for column in columns}):
            tree = case.tree.copy()
            tables_in(tree)[index].set("this", exp.to_identifier(name, quoted=True))
            yield sql_case(case, tree)


def _other_names(table: str, columns: set[str]) -> Iterator[str]:
    yield from _TABLES.get(table, (table.replace("TrusteeData", "Trustee"), table + "s"))
    for other in _OTHER_TABLES:
        if not columns <= columns_of(other).keys():
            yield other


def _from_the_journal(case: Case) -> Iterator[Case]:
    """A balance or a result put together from postings."""
    call = case.call
    if isinstance(call, SqlCall):
        found = conditions(case.tree, ("accountNumber",))
        if not found:
            return
        column = found[0].copy()
        column.this.set("table", None)
        yield sql_case(
            case,
            'SELECT currency, SUM("debitAmount") - SUM("creditAmount") AS total'
            f' FROM "TrusteeDataJournalLine" WHERE {column.sql("postgres")} GROUP BY currency',
        )
        return
    filters = call.filters if isinstance(call, QueryCall | AggregateCall) else ()
    on_account = tuple(each for each in filters if each.field == "accountNumber")
    yield call_case(
        case,
        AggregateCall(
            table_name="TrusteeDataJournalLine",
            aggregate="SUM",
            field="debitAmount",
            filters=on_account,
            group_by=("currency",),
        ),
    )


def ambiguous_field(case: Case) -> Iterator[Case]:
    """A column that two joined tables have, without saying whose."""
    if not isinstance(case.call, SqlCall):
        return
    for index, column in enumerate(case.tree.find_all(exp.Column)):
        if not column.table or isinstance(column.this, exp.Star):
            continue
        tree = case.tree.copy()
        same = list(tree.find_all(exp.Column))[index]
        select = same.find_ancestor(exp.Select)
        owners = (
            [s for s in sources_of(select) if same.name in columns_of(s.name)] if select else []
        )
        if len(owners) > 1:
            same.set("table", None)
            yield sql_case(case, tree)


def foreign_function(case: Case) -> Iterator[Case]:
    """A function of another database, or an aggregate that nobody has."""
    if isinstance(case.call, AggregateCall):
        for name in _UNKNOWN_AGGREGATES:
            yield call_case(case, case.call.model_copy(update={"aggregate": name}))
        return
    if isinstance(case.call, QueryCall) and case.call.fields:
        for name in ("YEAR", "UPPER", "ROUND"):
            fields = (*case.call.fields[1:], f"{name}({case.call.fields[0]})")
            yield call_case(case, case.call.model_copy(update={"fields": fields}))
        condition = Filter(field="YEAR(bookingDate)", op="=", value=2024)
        filters = (*case.call.filters, condition)
        yield call_case(case, case.call.model_copy(update={"filters": filters}))
        return
    if isinstance(case.call, SqlCall):
        select = case.tree.find(exp.Select)
        columns = [c for c in select.find_all(exp.Column) if owner_of(c)] if select else []
        if not columns:
            return
        target = columns[len(case.sql) % len(columns)].sql("postgres")
        for form in _ELSEWHERE:
            head, tail = case.sql.split(" FROM ", 1)
            if not head.startswith("WITH"):
                yield sql_case(case, f"{head}, {form.format(target)} FROM {tail}")
