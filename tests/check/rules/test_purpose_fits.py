"""What a query shows must answer the question; where it shows no figure, what it filters by."""

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
CALLER = Caller(Scope({"mandateId": ("m1",), "featureInstanceId": ("f1",)}, PACK.shared_tables))
COUNT = "SELECT COUNT(*) FROM TrusteeDataAccountBalance WHERE periodYear = 2025 AND periodMonth = 0"
ROWS = COUNT.replace("COUNT(*)", "accountNumber, closingBalance")


@pytest.mark.parametrize(
    ("sql", "question"),
    [
        (f"{COUNT} AND closingBalance < 0", "How many accounts have a negative balance?"),
        (f"{COUNT} AND debitTotal > 0", "How many accounts had debits?"),
        (f"{ROWS} AND debitTotal > 0", "What is the balance of the accounts in use?"),
    ],
)
def test_passes(sql: str, question: str) -> None:
    assert isinstance(CHECKER.check(SqlCall(sql=sql), CALLER, question), CheckedQuery)


def test_a_count_by_turnover_does_not_answer_a_question_about_balances() -> None:
    question = "How many accounts have a negative balance?"
    verdict = CHECKER.check(SqlCall(sql=f"{COUNT} AND debitTotal < 0"), CALLER, question)
    assert isinstance(verdict, Refusal)
    assert verdict.primary.code is Code.WRONG_TABLE_FOR_PURPOSE
