import re
from pathlib import Path
from typing import Any

import pytest

from veridical import Caller, Checker, Scope, compile_catalog, parse_call
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.language import Language, in_language
from veridical.contracts.violation import Refusal
from veridical.ontology.lint import lint
from veridical.ontology.model import CanonicalQueryPattern, ConstraintRule, SemanticType
from veridical.packs.trustee import pack
from veridical.packs.trustee.accounts import CLASSES, GROUPS
from veridical.packs.trustee.models import MODELS
from veridical.packs.trustee.schema import columns_of
from veridical.packs.trustee.vat import VAT_CODES

pytestmark = pytest.mark.slow

ONTOLOGY = pack.ontology
CASES = Path(__file__).parent / "cases"
CHECKER = Checker(compile_catalog(pack.schema, ONTOLOGY))
ONE_SET_OF_BOOKS = Caller(
    scope=Scope(
        {"mandateId": ("m-001",), "featureInstanceId": ("m-001-a",)}, shared=pack.shared_tables
    )
)
ALL_CLIENTS = Caller(scope=Scope({"mandateId": ("m-001", "m-002")}, shared=pack.shared_tables))

NEEDLESS = {
    ConstraintRule.NEVER_SUM,  # rates of VAT and exchange are read singly here
    ConstraintRule.COUNTS_ONLY,
    ConstraintRule.EMPTY_COUNTS,
    ConstraintRule.FIRST_OR_LAST,
    ConstraintRule.INCLUDES,
    ConstraintRule.LOCAL_DAYS,
    ConstraintRule.MERGED_INTO,
    ConstraintRule.NOT_KEPT,
    ConstraintRule.NOT_UNIQUE,
    ConstraintRule.PERIOD_BY,
    ConstraintRule.SIGNED,
    ConstraintRule.SPELLINGS,
}
"""Books have no cancelled rows, doubles, events or clock times, and every amount its sign."""


def _cases(name: str) -> list[tuple[str, ...]]:
    lines = (CASES / name).read_text("utf-8").splitlines()
    return [tuple(line.split(" | ")) for line in lines if line and not line.startswith("#")]


def _filled(value: Any, slots: dict[str, Any]) -> Any:
    if isinstance(value, dict):
        return {key: _filled(each, slots) for key, each in value.items()}
    if isinstance(value, list):
        return [_filled(each, slots) for each in value]
    if not isinstance(value, str):
        return value
    whole = re.fullmatch(r"\{(\w+)\}", value)
    return slots[whole[1]] if whole else re.sub(r"\{(\w+)\}", lambda m: str(slots[m[1]]), value)


def test_nothing_has_drifted_from_the_tables() -> None:
    assert lint(ONTOLOGY, pack.schema) == ()


def test_entities_and_models_agree_name_by_name() -> None:
    described = {
        entity.table: tuple(field.name for field in entity.fields)
        for entity in ONTOLOGY.entities
        if entity.table
    }
    assert described == {model.__name__: columns_of(model) for model in MODELS}


def test_lists_agree_with_the_books() -> None:
    values = {
        each.applies_to: each.values
        for each in ONTOLOGY.constraints
        if each.rule is ConstraintRule.ALLOWED_VALUES
    }
    assert values["*.vatCode"] == tuple(code.code for code in VAT_CODES)
    conditions = {entity.name: entity.condition or "" for entity in ONTOLOGY.entities}
    for group in GROUPS:
        digits = re.findall(r"'(\d+)", conditions[group.entity])
        assert (digits[0].ljust(4, "0"), digits[-1].ljust(4, "9")) == (group.first, group.last)
    for each in CLASSES:
        assert conditions[each.entity] == f"\"accountNumber\" LIKE '{each.digit}%'"


def test_it_is_as_large_as_the_trade_needs() -> None:
    assert 50 <= len(ONTOLOGY.entities) + len(ONTOLOGY.relations) <= 100
    names = {entity.name for entity in ONTOLOGY.entities}
    assert {each.entity for each in (*CLASSES, *GROUPS)} <= names
    kinds = {entity.semantic_type for entity in ONTOLOGY.entities}
    assert kinds >= set(SemanticType) - {SemanticType.OBJECT, SemanticType.EVENT}
    rules = {constraint.rule for constraint in ONTOLOGY.constraints}
    assert rules == set(ConstraintRule) - NEEDLESS


def test_every_condition_picks_rows_of_its_table(duck: Any) -> None:
    entities = {entity.name: entity for entity in ONTOLOGY.entities}
    for entity in ONTOLOGY.entities:
        owner = entity
        while owner.table is None:
            assert owner.parent_entity
            owner = entities[owner.parent_entity]
        if entity.condition:
            query = f'SELECT count(*) FROM "{owner.table}" WHERE {entity.condition}'
            assert duck.execute(query).fetchone()[0] > 0, entity.name


@pytest.mark.parametrize("language", Language)
def test_hints_are_short_and_in_every_language(language: Language) -> None:
    for constraint in ONTOLOGY.constraints:
        assert len(in_language(constraint.message, language)) <= 80
        if constraint.message:
            assert not isinstance(constraint.message, str)
            assert language in constraint.message
    assert all(purpose.keywords[language] for purpose in ONTOLOGY.purposes)
    assert all(pattern.questions[language] for pattern in ONTOLOGY.canonical_patterns)
    assert "closingBalance" in in_language(ONTOLOGY.domain_hints, language)


@pytest.mark.parametrize("pattern", ONTOLOGY.canonical_patterns, ids=lambda each: each.intent)
def test_every_pattern_passes_the_check_for_each_of_its_questions(
    pattern: CanonicalQueryPattern,
) -> None:
    slots = {slot.name: slot.examples[0] for slot in pattern.slots}
    call = parse_call(_filled(pattern.pattern, slots))
    for questions in pattern.questions.values():
        for question in questions:
            verdict = CHECKER.check(call, ONE_SET_OF_BOOKS, _filled(question, slots))
            assert isinstance(verdict, CheckedQuery), verdict
            assert verdict.warnings == ()


@pytest.mark.parametrize(("question", "sql"), _cases("accept.txt"))
def test_what_is_right_runs(question: str, sql: str) -> None:
    verdict = CHECKER.check(
        parse_call({"tool": "executeSqlSafe", "sql": sql}), ONE_SET_OF_BOOKS, question
    )
    assert isinstance(verdict, CheckedQuery), verdict


@pytest.mark.parametrize(("code", "question", "sql"), _cases("reject.txt"))
def test_what_is_wrong_is_refused_for_the_right_reason(code: str, question: str, sql: str) -> None:
    verdict = CHECKER.check(
        parse_call({"tool": "executeSqlSafe", "sql": sql}), ONE_SET_OF_BOOKS, question
    )
    assert isinstance(verdict, Refusal)
    assert code in {violation.code for violation in verdict.violations}


def test_who_sees_several_clients_must_say_which() -> None:
    call = {
        "tool": "queryTable",
        "tableName": "TrusteeDataAccountBalance",
        "fields": ["closingBalance"],
        "filters": [{"field": "periodYear", "value": 2025}, {"field": "periodMonth", "value": 0}],
    }
    verdict = CHECKER.check(parse_call(call), ALL_CLIENTS)
    assert isinstance(verdict, Refusal)
    assert verdict.primary.field == "mandateId"
    assert isinstance(CHECKER.check(parse_call(call), ONE_SET_OF_BOOKS), CheckedQuery)


@pytest.mark.parametrize(
    "pattern",
    [each for each in ONTOLOGY.canonical_patterns if "sql" in each.pattern],
    ids=lambda each: each.intent,
)
def test_every_statement_of_a_pattern_finds_rows(pattern: CanonicalQueryPattern, duck: Any) -> None:
    slots = {slot.name: slot.examples[0] for slot in pattern.slots}
    assert duck.execute(_filled(pattern.pattern["sql"], slots)).fetchall()
