"""What a question's words mean: conditions that count only where it has them."""

from pathlib import Path

import pytest

from veridical.check.checker import Checker
from veridical.contracts.call import SqlCall
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.language import Language
from veridical.contracts.violation import Refusal
from veridical.ontology.compile import compile_catalog
from veridical.ontology.ontology_file import read_ontology
from veridical.ontology.prompt import compile_prompt

HERE = Path(__file__).parent / "notions"
ONTOLOGY = read_ontology(HERE / "ontology.yaml")
CHECKER = Checker(compile_catalog(None, ONTOLOGY), "sqlite")
CASES = [
    tuple(part.strip() for part in line.split("|", 2))
    for line in (HERE / "cases.txt").read_text("utf-8").splitlines()
    if line.strip() and not line.startswith("#")
]


@pytest.mark.parametrize(("question", "code", "sql"), CASES)
def test_a_condition_counts_where_the_question_has_its_words(
    question: str, code: str, sql: str
) -> None:
    verdict = CHECKER.check(SqlCall(sql=sql), question=question)
    assert isinstance(verdict, CheckedQuery), verdict
    assert {each.code.value for each in verdict.warnings} == ({code} - {"+"})


def test_the_warning_says_what_the_words_mean() -> None:
    sql, question = "SELECT COUNT(*) FROM member", "How many new members are there?"
    verdict = CHECKER.check(SqlCall(sql=sql), question=question)
    assert isinstance(verdict, CheckedQuery)
    (found,) = verdict.warnings
    assert found.hint == "member: new member means before_id IS NULL; add before_id IS NULL"


def test_a_table_of_another_purpose_is_still_refused() -> None:
    text = ONTOLOGY.model_dump(mode="json", by_alias=True)
    text["purposes"].append({"name": "visits", "keywords": {"en": ["visit"]}})
    other = Checker(compile_catalog(None, type(ONTOLOGY).model_validate(text)), "sqlite")
    sql = "SELECT COUNT(*) FROM payment"
    verdict = other.check(SqlCall(sql=sql), question="How many visits were there?")
    assert isinstance(verdict, Refusal)


def test_the_prompt_says_it() -> None:
    text = compile_prompt(ONTOLOGY, Language.EN)
    assert "new member means only rows with before_id IS NULL" in str(text)
