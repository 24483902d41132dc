"""What an ontology can say beyond single columns: conversions, versions, doubles, local days."""

from pathlib import Path

import pytest

from veridical.check.checker import Checker
from veridical.contracts.call import SqlCall
from veridical.contracts.caller import Caller
from veridical.contracts.language import Language
from veridical.contracts.violation import Refusal, Violation
from veridical.ontology.compile import compile_catalog
from veridical.ontology.ontology_file import read_ontology

HERE = Path(__file__).parent / "constructs"
CHECKER = Checker(compile_catalog(None, read_ontology(HERE / "ontology.yaml")), "sqlite")


def pairs(name: str) -> list[tuple[str, str]]:
    lines = (HERE / name).read_text("utf-8").splitlines()
    parts = (line.partition("|") for line in lines if line.strip() and not line.startswith("#"))
    return [(one.strip(), other.strip()) for one, _, other in parts]


CASES = pairs("cases.txt")


def findings(sql: str, language: Language = Language.EN) -> tuple[Violation, ...]:
    verdict = CHECKER.check(SqlCall(sql=sql), Caller(language=language))
    refused = verdict.violations if isinstance(verdict, Refusal) else ()
    return (*refused, *verdict.warnings)


@pytest.mark.parametrize(("code", "sql"), CASES)
def test_the_wrong_form_is_found_and_the_right_one_is_not(code: str, sql: str) -> None:
    found = {each.code.value for each in findings(sql)}
    assert code in found if code != "+" else not found


@pytest.mark.parametrize("language", list(Language))
def test_hints_are_short(language: Language) -> None:
    hints = {each.hint for code, sql in CASES if code != "+" for each in findings(sql, language)}
    assert hints
    assert max(map(len, hints)) <= 80


@pytest.mark.parametrize(("wrong", "right"), pairs("corrected.txt"))
def test_a_missing_condition_is_added(wrong: str, right: str) -> None:
    verdict = CHECKER.check(SqlCall(sql=wrong))
    assert isinstance(verdict, Refusal)
    offered = verdict.corrected_call
    assert (offered.sql if isinstance(offered, SqlCall) else "") == right
