from veridical.console.constraint_effect import effect_of
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
    found = effect_of(PACK.ontology, PACK.schema, number, [_gold(sql)])
    (change,) = found.changes
    assert change.statement == "trap"
    assert set(change.after) < set(change.before)
    assert (found.looked, found.left) == (2, 0)


def test_a_constraint_on_other_tables_changes_nothing() -> None:
    number = _number(ConstraintRule.SEMI_ADDITIVE_OVER, "*Balance")
    sql = 'SELECT COUNT(*) FROM "TrusteeDataAccount"'
    assert effect_of(PACK.ontology, PACK.schema, number, [_gold(sql)]).changes == ()
