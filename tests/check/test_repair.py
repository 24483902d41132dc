"""A correction is offered where exactly one is sensible, and it passes."""

from typing import Any

import pytest

from veridical.check.checker import Checker
from veridical.contracts.call import AggregateCall, Filter, SqlCall, parse_call
from veridical.contracts.caller import Caller, Permissions, Scope
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.violation import Code, Mode, Refusal
from veridical.ontology.compile import compile_catalog
from veridical.ontology.ontology_file import ontology_from
from veridical.ontology.pack import load_pack

PACK = load_pack("trustee")
CATALOG = compile_catalog(PACK.schema, PACK.ontology)
CHECKER = Checker(CATALOG)
SCOPE = Scope({"mandateId": ("m1",), "featureInstanceId": ("f1",)})
CALLER = Caller(scope=SCOPE)


def query(table: str, *filters: tuple[str, str, Any], fields: tuple[str, ...] = ()) -> Any:
    return parse_call(
        {
            "tool": "queryTable",
            "tableName": table,
            "fields": fields,
            "filters": [{"field": field, "op": op, "value": value} for field, op, value in filters],
        }
    )


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        (
            query("TrusteeDataAccount", fields=("acountNumber",)),
            query("TrusteeDataAccount", fields=("accountNumber",)),
        ),
        (
            query("TrusteeDataAcount", fields=("label",)),
            query("TrusteeDataAccount", fields=("label",)),
        ),
        (
            query("TrusteeDataAccount", ("accountNumber", "=", "102%")),
            query("TrusteeDataAccount", ("accountNumber", "like", "102%")),
        ),
        (
            query("TrusteeDataJournalEntry", ("periodYear", "like", 2024)),
            query("TrusteeDataJournalEntry", ("periodYear", "=", 2024)),
        ),
        (
            query("TrusteeDataAccount", ("accountNumber", "=", 1020)),
            query("TrusteeDataAccount", ("accountNumber", "=", "1020")),
        ),
        (
            query("TrusteeDataJournalEntry", ("bookingDate", ">=", "2025-01-01")),
            query("TrusteeDataJournalEntry", ("bookingDate", ">=", 1735689600)),
        ),
        (
            query("TrusteeDataJournalEntry", ("status", "=", "Posted")),
            query("TrusteeDataJournalEntry", ("status", "=", "posted")),
        ),
    ],
)
def test_the_one_sensible_correction_is_offered(wrong: Any, right: Any) -> None:
    verdict = CHECKER.check(wrong, CALLER)
    assert isinstance(verdict, Refusal)
    assert verdict.corrected_call == right


def test_sql_names_are_corrected() -> None:
    verdict = CHECKER.check(SqlCall(sql='SELECT "lable" FROM "TrusteeDataAcount"'), CALLER)
    assert isinstance(verdict, Refusal)
    assert isinstance(verdict.corrected_call, SqlCall) is False  # two slips: the table hides one
    verdict = CHECKER.check(SqlCall(sql='SELECT "lable" FROM "TrusteeDataAccount"'), CALLER)
    assert isinstance(verdict, Refusal)
    assert isinstance(verdict.corrected_call, SqlCall)
    assert isinstance(CHECKER.check(verdict.corrected_call, CALLER), CheckedQuery)


def test_what_is_only_the_users_choice_is_not_corrected() -> None:
    verdict = CHECKER.check(query("TrusteeDataAccountBalance"), CALLER)
    assert isinstance(verdict, Refusal)
    assert verdict.primary.code is Code.MISSING_REQUIRED_FILTER
    assert verdict.corrected_call is None


def test_suggestions_come_only_from_what_the_caller_may_see() -> None:
    blind = Caller(scope=SCOPE, permissions=Permissions(deny=("TrusteeDataAccount.label",)))
    verdict = CHECKER.check(query("TrusteeDataAccount", fields=("lable",)), blind)
    assert isinstance(verdict, Refusal)
    assert verdict.primary.suggestion != "label"
    verdict = CHECKER.check(query("TrusteeDataAccount", fields=("label",)), blind)
    assert isinstance(verdict, Refusal)
    assert verdict.primary.code is Code.NOT_PERMITTED
    assert verdict.primary.suggestion is None


@pytest.mark.parametrize("mode", Mode)
def test_a_rule_blocks_warns_counts_or_is_silent(mode: Mode) -> None:
    checker = Checker(CATALOG, modes={Code.MISSING_REQUIRED_FILTER: mode})
    verdict = checker.check(query("TrusteeDataAccountBalance"), CALLER)
    if mode is Mode.BLOCK:
        assert isinstance(verdict, Refusal)
        return
    assert isinstance(verdict, CheckedQuery)
    assert bool(verdict.warnings) is (mode is Mode.WARN)
    assert bool(verdict.shadowed) is (mode is Mode.SHADOW)


def test_an_aggregate_is_not_sorted_by_what_it_does_not_show() -> None:
    call = {
        "tool": "aggregateTable",
        "tableName": "TrusteeDataAccount",
        "aggregate": "count",
        "groupBy": ["accountType"],
    }
    for name, code in (("label", Code.UNGROUPED_FIELD), ("accountType", None), ("value", None)):
        verdict = CHECKER.check(parse_call({**call, "orderBy": [{"field": name}]}), CALLER)
        found = verdict.primary.code if isinstance(verdict, Refusal) else None
        assert found is code


def test_what_cannot_run_blocks_in_every_mode() -> None:
    checker = Checker(CATALOG, modes=dict.fromkeys(Code, Mode.OFF))
    for sql in ("SELECT", "DELETE FROM x", "SELECT nonsense", "SELECT pg_sleep(1)"):
        assert isinstance(checker.check(SqlCall(sql=sql), CALLER), Refusal)


def test_a_metric_where_none_are_defined_is_refused() -> None:
    call = parse_call({"tool": "queryMetrics", "metrics": ["revenue"]})
    verdict = CHECKER.check(call, CALLER)
    assert isinstance(verdict, Refusal)
    assert verdict.primary.code is Code.METRIC_NOT_FOUND


SHOP = """
featureCode: shop
entities:
- name: sale
  semanticType: TRANSACTION
  table: sale
  keys: [[id]]
  fields:
  - {name: id, type: integer}
  - {name: state, type: text}
  - {name: kind, type: integer}
  - {name: amount, type: number, role: MEASURE}
constraints:
- {appliesTo: sale, rule: COUNTS_ONLY, condition: "%s"}
"""


@pytest.mark.parametrize(
    ("condition", "added"),
    [
        ("state <> 'void'", [Filter(field="state", op="!=", value="void")]),
        ("kind IN (1, 2)", [Filter(field="kind", op="in", value=(1, 2))]),
        ("kind >= 1 AND state IS NOT NULL", [Filter(field="kind", op=">=", value=1),
                                             Filter(field="state", op="is not null")]),
        ("state = 'paid' OR kind = 1", None),
        ("(state = 'paid' AND kind = 1) OR kind = 2", None),
    ],
)  # fmt: skip
def test_a_call_gets_the_conditions_that_it_can_have(
    condition: str, added: list[Filter] | None
) -> None:
    checker = Checker(compile_catalog(None, ontology_from(SHOP % condition, "shop")), "sqlite")
    call = AggregateCall(table_name="sale", aggregate="sum", field="amount")
    verdict = checker.check(call)
    assert isinstance(verdict, Refusal)
    right = call.model_copy(update={"filters": tuple(added)}) if added else None
    assert verdict.corrected_call == right


def test_a_condition_of_which_a_part_is_lost_is_not_offered() -> None:
    condition = "(state = 'paid' AND kind = 1) OR kind = 2"
    checker = Checker(compile_catalog(None, ontology_from(SHOP % condition, "shop")), "sqlite")
    verdict = checker.check(SqlCall("SELECT SUM(amount) FROM sale"))
    assert isinstance(verdict, Refusal)
    assert verdict.corrected_call is None
