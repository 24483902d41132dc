"""Statements that must pass and statements that must be refused, one a line in ``cases/``."""

from pathlib import Path

import pytest

from veridical.check.checker import Checker
from veridical.contracts.call import SqlCall
from veridical.contracts.caller import Caller, Scope
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.language import Language
from veridical.contracts.violation import Code, Refusal
from veridical.ontology.compile import compile_catalog
from veridical.ontology.pack import load_pack

CASES = Path(__file__).parent / "cases"
PACK = load_pack("trustee")
CHECKER = Checker(compile_catalog(PACK.schema, PACK.ontology))
SCOPE = Scope({"mandateId": ("m1",), "featureInstanceId": ("f1",)}, frozenset(PACK.shared_tables))


def lines(name: str) -> list[str]:
    text = (CASES / name).read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


@pytest.mark.parametrize("sql", lines("sql_accept.txt"))
def test_passes(sql: str) -> None:
    verdict = CHECKER.check(SqlCall(sql=sql), Caller(scope=SCOPE))
    assert isinstance(verdict, CheckedQuery), verdict


@pytest.mark.parametrize("line", lines("sql_reject.txt"))
def test_is_refused(line: str) -> None:
    code, _, sql = (part.strip() for part in line.partition("|"))
    verdict = CHECKER.check(SqlCall(sql=sql), Caller(scope=SCOPE))
    assert isinstance(verdict, Refusal)
    assert Code(code) in {each.code for each in verdict.violations}


def test_the_latest_of_each_account_may_be_that_of_one_client() -> None:
    several = Scope(
        {"mandateId": ("m1", "m2"), "featureInstanceId": ("f1", "f2")},
        frozenset(PACK.shared_tables),
    )
    latest = (
        'SELECT "currency", SUM("closingBalance") FROM (SELECT "currency", "closingBalance", '
        'ROW_NUMBER() OVER (PARTITION BY "accountNumber" ORDER BY "periodYear" DESC, "periodMonth" '
        'DESC) AS rn FROM "TrusteeDataAccountBalance" WHERE "periodMonth" > 0{}) AS t '
        'WHERE rn = 1 GROUP BY "currency"'
    )
    of_one = SqlCall(sql=latest.format(" AND \"mandateId\" = 'm1'"))
    assert isinstance(CHECKER.check(of_one, Caller(scope=several)), CheckedQuery)
    of_both = SqlCall(sql=latest.format(" AND \"mandateId\" IN ('m1', 'm2')"))
    verdict = CHECKER.check(of_both, Caller(scope=several))
    assert isinstance(verdict, Refusal)
    assert Code.INVALID_AGGREGATE_TARGET in {each.code for each in verdict.violations}


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("line", lines("sql_reject.txt"))
def test_hints_are_short_in_every_language(line: str, language: Language) -> None:
    sql = line.partition("|")[2].strip()
    verdict = CHECKER.check(SqlCall(sql=sql), Caller(scope=SCOPE, language=language))
    assert isinstance(verdict, Refusal)
    assert all(0 < len(each.hint) <= 80 for each in verdict.violations)
