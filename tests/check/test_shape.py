"""A remembered shape gives the verdict that the rules would give."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import examples
from veridical.check.checker import Checker
from veridical.contracts.call import AggregateCall, Filter, QueryCall, TableCall
from veridical.contracts.caller import Caller, Scope
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.violation import Code
from veridical.ontology.compile import compile_catalog
from veridical.ontology.pack import load_pack

pytestmark = pytest.mark.slow

PACK = load_pack("trustee")
CATALOG = compile_catalog(PACK.schema, PACK.ontology)
REMEMBERING = Checker(CATALOG)
ONE = Caller(scope=Scope({"mandateId": ("m1",), "featureInstanceId": ("f1",)}))
SEVERAL = Caller(scope=Scope({"mandateId": ("m1", "m2"), "featureInstanceId": ("f1", "f2")}))

fields = st.sampled_from(
    ["accountNumber", "periodYear", "periodMonth", "closingBalance", "debitTotal", "currency",
     "mandateId", "nonsense"]
)  # fmt: skip
values = st.sampled_from(
    [2024, 2025, 0, 1, 12, 13, "1020", "102%", "%", "CHF", "XYZ", "m1", "m2", "m3", True, None, 1.5]
)
filters = st.builds(
    Filter,
    field=fields,
    op=st.sampled_from(["=", "eq", "!=", ">", ">=", "<", "like", "in", "is null", "contains"]),
    value=st.one_of(values, st.lists(values, max_size=3).map(tuple)),
)
period = st.sampled_from(
    [(), (Filter(field="periodYear", value=2025), Filter(field="periodMonth", value=0))]
)
conditions = st.tuples(period, st.lists(filters, max_size=3)).map(lambda two: (*two[0], *two[1]))


def query(**parts: Any) -> QueryCall:
    return QueryCall(table_name="TrusteeDataAccountBalance", **parts)


def aggregate(**parts: Any) -> AggregateCall:
    return AggregateCall(table_name="TrusteeDataAccountBalance", **parts)


calls = st.one_of(
    st.builds(query, fields=st.lists(fields, max_size=3).map(tuple), filters=conditions),
    st.builds(
        aggregate,
        aggregate=st.sampled_from(["sum", "avg", "count", "max", "total"]),
        field=fields,
        group_by=st.lists(fields, max_size=2).map(tuple),
        filters=conditions,
    ),
)


def codes(checker: Checker, call: TableCall, caller: Caller, question: str) -> list[Code]:
    verdict = checker.check(call, caller, question)
    return [] if isinstance(verdict, CheckedQuery) else [each.code for each in verdict.violations]


@given(calls, st.sampled_from([ONE, SEVERAL]), st.sampled_from(["", "Saldo?", "Bewegung?"]))
@settings(max_examples=examples(600), deadline=None)
def test_memory_changes_no_verdict(call: TableCall, caller: Caller, question: str) -> None:
    fresh = Checker(CATALOG)
    assert codes(REMEMBERING, call, caller, question) == codes(fresh, call, caller, question)
    assert codes(REMEMBERING, call, caller, question) == codes(fresh, call, caller, question)


def test_other_values_of_a_passed_shape_are_not_judged_again() -> None:
    checker = Checker(CATALOG)
    for account in ("1020", "1000", "6000"):
        call = QueryCall(
            table_name="TrusteeDataAccount",
            filters=(Filter(field="accountNumber", value=account),),
        )
        assert isinstance(checker.check(call, ONE), CheckedQuery)
    (role,) = checker._roles.values()  # pyright: ignore[reportPrivateUsage]
    assert len(role.passed) == 1
