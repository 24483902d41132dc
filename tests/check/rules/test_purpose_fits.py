"""What a query shows must answer the question; where it shows no figure, what it filters by."""

from collections.abc import Iterator

import pytest

from veridical.check.checker import Checker
from veridical.contracts.call import SqlCall
from veridical.contracts.caller import Caller, Scope
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.violation import Code, Refusal
from veridical.ontology.compile import compile_catalog
from veridical.ontology.model import Constraint
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


@pytest.mark.parametrize(
    ("sql", "question", "suggestion"),
    [
        (f"{COUNT} AND debitTotal < 0", "How many accounts have a negative balance?", "closing"),
        (ROWS, "Which postings has account 1020?", "JournalLine"),
        (
            "SELECT debitAmount FROM TrusteeDataJournalLine WHERE accountNumber = '1020'",
            "What is the balance of account 1020?",
            "AccountBalance",
        ),
    ],
)
def test_the_refusal_names_what_answers_it(sql: str, question: str, suggestion: str) -> None:
    verdict = CHECKER.check(SqlCall(sql=sql), CALLER, question)
    assert isinstance(verdict, Refusal)
    assert verdict.primary.code is Code.WRONG_TABLE_FOR_PURPOSE
    assert suggestion in (verdict.primary.suggestion or "")


def test_without_the_owners_words_the_table_with_most_of_the_columns_is_named() -> None:
    ontology = PACK.ontology.model_copy(update={"constraints": tuple(_without_messages())})
    checker = Checker(compile_catalog(PACK.schema, ontology))
    verdict = checker.check(SqlCall(sql=ROWS), CALLER, "Which postings has account 1020?")
    assert isinstance(verdict, Refusal)
    assert verdict.primary.suggestion == "TrusteeDataJournalEntry"


def _without_messages() -> Iterator[Constraint]:
    for each in PACK.ontology.constraints:
        yield each.model_copy(update={"message": ""})
