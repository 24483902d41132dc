"""A structured call and the SQL that says the same are judged the same."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import examples
from veridical.check.checker import Checker
from veridical.contracts.call import AggregateCall, Filter, SqlCall
from veridical.contracts.caller import Caller, Scope
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.input_budget import DEFAULT_BUDGET
from veridical.contracts.violation import Code
from veridical.ontology.compile import compile_catalog
from veridical.ontology.pack import load_pack

pytestmark = pytest.mark.slow

PACK = load_pack("trustee")
CHECKER = Checker(compile_catalog(PACK.schema, PACK.ontology))
CALLER = Caller(scope=Scope({"mandateId": ("m1",), "featureInstanceId": ("f1",)}))


@pytest.fixture(autouse=True, scope="module")
def without_hurry() -> Iterator[None]:  # pyright: ignore[reportUnusedFunction]
    """What is compared is the verdict, not the time: on a busy machine one of a pair may take too
    long and the other not, and two that both take too long would only seem to agree."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("veridical.check.checker.DEFAULT_BUDGET", replace(DEFAULT_BUDGET, seconds=60))
        yield


def on_balances(**parts: Any) -> AggregateCall:
    return AggregateCall(table_name="TrusteeDataAccountBalance", **parts)


conditions = st.lists(
    st.sampled_from(
        [
            Filter(field="periodYear", op="=", value=2025),
            Filter(field="periodYear", op=">=", value=2024),
            Filter(field="periodMonth", op="=", value=0),
            Filter(field="periodMonth", op=">", value=0),
            Filter(field="periodMonth", op="in", value=(0, 1)),
            Filter(field="currency", op="=", value="CHF"),
            Filter(field="currency", op="=", value="Franken"),
            Filter(field="accountNumber", op="like", value="102%"),
            Filter(field="accountNumber", op="=", value="102%"),
            Filter(field="accountNumber", op="=", value=1020),
        ]
    ),
    max_size=4,
    unique_by=lambda each: each.field,
).map(tuple)
calls = st.builds(
    on_balances,
    aggregate=st.sampled_from(["sum", "avg", "max", "count"]),
    field=st.sampled_from(["closingBalance", "debitTotal", "periodYear", "accountNumber"]),
    group_by=st.lists(
        st.sampled_from(["periodYear", "periodMonth", "currency", "accountNumber"]), unique=True
    ).map(tuple),
    filters=conditions,
)
WRITINGS = {
    "plain": 'SELECT {agg}("{field}") FROM "{table}" AS t{where}{group}',
    "derived": 'SELECT {agg}("{field}") FROM (SELECT * FROM "{table}"{where}) AS t{group}',
    "cte": 'WITH t AS (SELECT * FROM "{table}"{where}) SELECT {agg}(t."{field}") FROM t{group}',
    "unquoted": "select {agg}({field}) from {table}{where}{bare_group}",
}


def literal(value: object) -> str:
    if isinstance(value, tuple):
        return "(" + ", ".join(map(literal, value)) + ")"
    return f"'{value}'" if isinstance(value, str) else str(value)


def as_sql(call: AggregateCall, writing: str) -> str:
    parts = [f'"{each.field}" {each.op} {literal(each.value)}' for each in call.filters]
    return WRITINGS[writing].format(
        agg=call.aggregate,
        field=call.field,
        table=call.table_name,
        where=" WHERE " + " AND ".join(parts) if parts else "",
        group=" GROUP BY " + ", ".join(f'"{name}"' for name in call.group_by)
        if call.group_by
        else "",
        bare_group=" group by " + ", ".join(call.group_by) if call.group_by else "",
    )


def codes(call: AggregateCall | SqlCall) -> set[Code]:
    verdict = CHECKER.check(call, CALLER)
    return (
        set() if isinstance(verdict, CheckedQuery) else {each.code for each in verdict.violations}
    )


@pytest.mark.parametrize("writing", WRITINGS)
@given(call=calls)
@settings(max_examples=examples(150), deadline=None)
def test_both_ways_of_asking_are_judged_alike(writing: str, call: AggregateCall) -> None:
    assert codes(SqlCall(sql=as_sql(call, writing))) == codes(call)
