"""Comparisons: operators that can't work, values that don't exist, values of the wrong kind."""

from collections.abc import Iterator

from sqlglot import exp

from benchmarks.data import data_beside
from benchmarks.mutants.legal import Case, call_case, sql_case
from benchmarks.mutants.trees import columns_of, conditions, literals, owner_of, parsed, select_of
from veridical.contracts.call import AggregateCall, Filter, QueryCall, Scalar, SqlCall
from veridical.contracts.schema import ValueType

_DATA = data_beside(__file__)
_WRONG_VALUES: dict[str, list[str | int]] = _DATA["wrong_values"]
_UNKNOWN_OPERATORS: tuple[str, ...] = tuple(_DATA["unknown_operators"])


def wrong_operator(case: Case) -> Iterator[Case]:
    """LIKE on numbers, = with a pattern, = NULL, order on a closed list, too few values."""
    call = case.call
    if isinstance(call, SqlCall):
        yield from _wrong_operator_sql(case)
    elif isinstance(call, QueryCall | AggregateCall):
        for index, each in enumerate(call.filters):
            for wrong in _wrong_filters(each, call.table_name):
                filters = (*call.filters[:index], wrong, *call.filters[index + 1 :])
                yield call_case(case, call.model_copy(update={"filters": filters}))


def _wrong_filters(each: Filter, table: str) -> Iterator[Filter]:
    column = columns_of(table)[each.field]
    yield from (
        each.model_copy(update={"op": op})
        for op in (_UNKNOWN_OPERATORS[len(str(each.value)) % 8], _UNKNOWN_OPERATORS[len(table) % 8])
    )
    value = each.value
    if isinstance(value, tuple):
        yield each.model_copy(update={"op": "="})
        yield each.model_copy(update={"op": "between", "value": (*value, *value[:1])})
        yield each.model_copy(update={"op": ">="})
        return
    yield each.model_copy(update={"op": "between"})
    yield each.model_copy(update={"op": "in"})
    if each.op.lower() in ("is null", "is not null"):
        yield each.model_copy(update={"op": "=", "value": None})
        return
    yield each.model_copy(update={"op": "=", "value": None})
    if column.type.is_numeric:
        yield each.model_copy(update={"op": "like", "value": f"{value}%"})
    if each.op.lower() == "like":
        yield each.model_copy(update={"op": "="})
        yield each.model_copy(update={"op": "in", "value": (value,)})
    if _is_closed(each.field) and column.type is ValueType.TEXT:
        yield each.model_copy(update={"op": ">"})
        yield each.model_copy(update={"op": "<="})


def _is_closed(name: str) -> bool:
    return name in _WRONG_VALUES


def _wrong_operator_sql(case: Case) -> Iterator[Case]:
    for index, (node, table) in enumerate(_compared(case)):
        column = columns_of(table)[node.this.name]
        written = node.this.sql("postgres")
        values = [literal.sql("postgres") for literal in literals(node)]
        if not values:
            continue
        plain = values[0].strip("'")
        forms: list[str] = [f"{written} = NULL"]
        if column.type.is_numeric:
            forms += [f"{written} LIKE '{plain}%'", f"{written} ILIKE '{plain}'"]
            forms += [f"{written} = '{plain}%'"]
        if isinstance(node, exp.Like):
            forms += [f"{written} = '{plain}'", f"{written} IN ('{plain}')"]
        if _is_closed(node.this.name) and column.type is ValueType.TEXT:
            forms += [f"{written} > '{plain}'", f"{written} <= '{plain}'"]
            forms += [f"{written} BETWEEN '{plain}' AND 'z'"]
        for form in forms:
            yield _replaced(case, index, form)


def _compared(case: Case) -> list[tuple[exp.Expr, str]]:
    """The comparisons with values in walking order, each with the table of its column."""
    return _compared_in(case.tree)


def _compared_in(tree: exp.Expr) -> list[tuple[exp.Expr, str]]:
    names = {column.name for column in tree.find_all(exp.Column)}
    found = ((node, owner_of(node.this)) for node in conditions(tree, names))
    return [(node, table) for node, table in found if table]


def _replaced(case: Case, index: int, form: str) -> Case:
    tree = case.tree.copy()
    _compared_in(tree)[index][0].replace(parsed(form))
    return sql_case(case, tree)


def unknown_value(case: Case) -> Iterator[Case]:
    """A value that the closed list of its column does not have."""
    call = case.call
    if isinstance(call, SqlCall):
        for index, (node, _) in enumerate(_compared(case)):
            choices = _WRONG_VALUES.get(node.this.name, ())
            if not literals(node) or not isinstance(node, exp.EQ | exp.NEQ | exp.In):
                continue
            for value in choices:
                tree = case.tree.copy()
                literal = literals(_compared_in(tree)[index][0])[0]
                literal.replace(exp.convert(value))
                yield sql_case(case, tree)
        return
    if not isinstance(call, QueryCall | AggregateCall):
        return
    for index, each in enumerate(call.filters):
        if each.op.lower() not in ("=", "eq", "!=", "in"):
            continue
        for value in _WRONG_VALUES.get(each.field, ()):
            listed = each.value if isinstance(each.value, tuple) else None
            wrong: Scalar | tuple[Scalar, ...] = (value, *listed[1:]) if listed else value
            changed = each.model_copy(update={"value": wrong})
            filters = (*call.filters[:index], changed, *call.filters[index + 1 :])
            yield call_case(case, call.model_copy(update={"filters": filters}))


def wrong_type(case: Case) -> Iterator[Case]:
    """A number for text, words for a number, a word for a truth value; text added up."""
    call = case.call
    if isinstance(call, SqlCall):
        for index, (node, table) in enumerate(_compared(case)):
            column = columns_of(table)[node.this.name]
            if not literals(node):
                continue
            tree = case.tree.copy()
            for literal in literals(_compared_in(tree)[index][0]):
                literal.replace(exp.convert(_misfit(column.type, literal.name)))
            yield sql_case(case, tree)
        yield from _text_summed(case)
        return
    if not isinstance(call, QueryCall | AggregateCall):
        return
    for index, each in enumerate(call.filters):
        column = columns_of(call.table_name)[each.field]
        if each.value is None:
            continue
        many = isinstance(each.value, tuple)
        values = each.value if isinstance(each.value, tuple) else (each.value,)
        wrong = tuple(_misfit(column.type, str(value)) for value in values)
        changed = each.model_copy(update={"value": wrong if many else wrong[0]})
        filters = (*call.filters[:index], changed, *call.filters[index + 1 :])
        yield call_case(case, call.model_copy(update={"filters": filters}))
    if isinstance(call, AggregateCall) and call.aggregate.upper() == "SUM":
        for name in ("currency", "accountNumber", "text"):
            if name in columns_of(call.table_name) and name not in call.group_by:
                yield call_case(case, call.model_copy(update={"field": name}))


def _misfit(kind: ValueType, written: str) -> str | int:
    if kind.is_numeric:
        return ("Ende", "all", "latest", "two")[len(written) % 4]
    if kind is ValueType.BOOLEAN:
        return "vielleicht"
    digits = "".join(sign for sign in written if sign.isdigit())
    return int(digits) if digits else 1


def _text_summed(case: Case) -> Iterator[Case]:
    for index, node in enumerate(case.tree.find_all(exp.Sum, exp.Avg)):
        select = select_of(node)
        column = node.this
        if select is None or not isinstance(column, exp.Column):
            continue
        for name in ("accountNumber", "currency"):
            if name in columns_of(owner_of(column)):
                tree = case.tree.copy()
                same = list(tree.find_all(exp.Sum, exp.Avg))[index].this
                same.set("this", exp.to_identifier(name, quoted=True))
                yield sql_case(case, tree)


def contradiction(case: Case) -> Iterator[Case]:
    """One column that must have two values at once."""
    call = case.call
    if isinstance(call, SqlCall):
        for index, (node, _) in enumerate(_compared(case)):
            if not isinstance(node, exp.EQ) or not literals(node):
                continue
            if node.find_ancestor(exp.Or, exp.Case, exp.Filter):
                continue
            literal = literals(node)[0]
            other = "'XXX'" if literal.is_string else str(int(literal.name) + 1)
            if _is_closed(node.this.name) and literal.is_string:
                continue
            column = node.this.sql("postgres")
            yield _replaced(case, index, f"({node.sql('postgres')} AND {column} = {other})")
        return
    if not isinstance(call, QueryCall | AggregateCall):
        return
    for each in call.filters:
        if each.op not in ("=", "eq") or isinstance(each.value, bool | tuple):
            continue
        if isinstance(each.value, int):
            other = each.model_copy(
                update={"value": (each.value + 1) % 13 if each.value < 13 else each.value - 1}
            )
            yield call_case(case, call.model_copy(update={"filters": (*call.filters, other)}))
        elif each.field == "accountNumber":
            other = each.model_copy(update={"value": "1099"})
            yield call_case(case, call.model_copy(update={"filters": (*call.filters, other)}))
