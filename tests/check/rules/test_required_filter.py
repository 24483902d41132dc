"""Who sees several clients says whose balances are meant."""

import pytest

from veridical.check.checker import Checker
from veridical.contracts.call import SqlCall
from veridical.contracts.caller import Caller, Scope
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.violation import Code, Refusal
from veridical.ontology.compile import compile_catalog
from veridical.ontology.pack import load_pack

PACK = load_pack("trustee")
CHECKER = Checker(compile_catalog(PACK.schema, PACK.ontology))
SEVERAL = Caller(
    Scope({"mandateId": ("m1", "m2"), "featureInstanceId": ("f1", "f2")}, PACK.shared_tables)
)
PERIOD = "b.periodYear = 2025 AND b.periodMonth = 0 AND b.currency = 'CHF'"
JOIN = (
    "FROM TrusteeDataAccountBalance b JOIN TrusteeDataAccount a"
    " USING (mandateId, featureInstanceId, accountNumber)"
)


@pytest.mark.parametrize(
    "sql",
    [
        f"SELECT SUM(b.closingBalance) {JOIN} WHERE {PERIOD} AND a.mandateId = 'm1'",
        f"SELECT a.mandateId, SUM(b.closingBalance) {JOIN} WHERE {PERIOD} GROUP BY a.mandateId",
        "SELECT c.name, (SELECT SUM(b.closingBalance) FROM TrusteeDataAccountBalance b"
        f" WHERE b.mandateId = c.mandateId AND {PERIOD}) FROM TrusteeDataCompany c",
    ],
)
def test_a_client_that_is_chosen_through_a_join_is_chosen(sql: str) -> None:
    assert isinstance(CHECKER.check(SqlCall(sql=sql), SEVERAL), CheckedQuery)


def test_a_join_by_client_chooses_none() -> None:
    sql = f"SELECT SUM(b.closingBalance) {JOIN} WHERE {PERIOD}"
    verdict = CHECKER.check(SqlCall(sql=sql), SEVERAL)
    assert isinstance(verdict, Refusal)
    assert verdict.primary.code is Code.MISSING_REQUIRED_FILTER
    assert verdict.primary.field == "mandateId"
