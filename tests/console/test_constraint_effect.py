from veridical.console.constraint_effect import (
    Effect,
    effect_of,
    gold_statements,
    without_constraint,
)
from veridical.contracts.language import Language
from veridical.evals.gold.case import Case, Expected, GoldSet, Oracle
from veridical.ontology.model import ConstraintRule
from veridical.ontology.pack import load_pack

PACK = load_pack("trustee")


def _number(rule: ConstraintRule, field: str) -> int:
    return next(
        place
        for place, each in enumerate(PACK.ontology.constraints)
        if each.rule is rule and each.applies_to == field
    )


def _effect(number: int, gold: GoldSet) -> Effect:
    known = gold_statements(PACK.ontology, PACK.schema, [gold])
    after = without_constraint(PACK.ontology, number)
    return effect_of(PACK.ontology, after, PACK.schema, known)


def _gold(sql: str) -> GoldSet:
    case = Case(
        id="one",
        question="?",
        language=Language.EN,
        expected=Expected.REFUSE,
        truth=Oracle(sql='SELECT "label" FROM "TrusteeDataAccount"'),
        wrong_if=Oracle(sql=sql),
    )
    return GoldSet(name="own", feature="trustee", today="2026-03-15", cases=(case,))


def test_the_trap_passes_without_the_constraint_that_refuses_it() -> None:
    sql = 'SELECT SUM("closingBalance") FROM "TrusteeDataAccountBalance"'
    number = _number(ConstraintRule.SEMI_ADDITIVE_OVER, "*Balance")
    found = _effect(number, _gold(sql))
    (change,) = found.changes
    assert change.statement.name == "trap"
    assert set(change.after) < set(change.before)
    assert (found.looked, found.left) == (2, 0)


def test_a_constraint_on_other_tables_changes_nothing() -> None:
    number = _number(ConstraintRule.SEMI_ADDITIVE_OVER, "*Balance")
    sql = 'SELECT COUNT(*) FROM "TrusteeDataAccount"'
    assert _effect(number, _gold(sql)).changes == ()
