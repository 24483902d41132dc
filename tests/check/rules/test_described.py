"""What an ontology says of shops: names within a company, ratios, units, pointers, times."""

from pathlib import Path

import pytest

from tests.check.rules.describing import (
    assert_passes,
    assert_refused,
    belongs,
    cases,
    entity,
)
from veridical.check.checker import Checker
from veridical.contracts.call import SqlCall
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.schema import ValueType
from veridical.contracts.violation import Code
from veridical.ontology.compile import compile_catalog
from veridical.ontology.model import Constraint, ConstraintRule, Encoding, OntologyDescriptor

FOLDER = Path(__file__).parent / "described"
TEXT, WHOLE, NUMBER = ValueType.TEXT, ValueType.INTEGER, ValueType.NUMBER
RULE = ConstraintRule
SALE = entity(
    "sale",
    ("id",),
    id=WHOLE,
    shop_id=WHOLE,
    agent_id=WHOLE,
    void=TEXT,
    currency=TEXT,
    amount=NUMBER,
)
ONTOLOGY = OntologyDescriptor(
    feature_code="shops",
    entities=(
        entity("shop", ("id",), id=WHOLE, company_id=TEXT, currency=TEXT),
        entity("agent", ("id",), id=WHOLE, label=TEXT),
        SALE.model_copy(
            update={
                "fields": tuple(
                    each.model_copy(update={"optional": True}) if each.name == "agent_id" else each
                    for each in SALE.fields
                )
            }
        ),
        entity("rent", ("id",), id=WHOLE, shop_id=WHOLE, cost=NUMBER),
        entity("ledger", ("company_id", "number"), company_id=TEXT, number=WHOLE, held=NUMBER),
        entity("note", ("company_id", "number"), company_id=TEXT, number=WHOLE, kind=TEXT),
        entity("lot", ("id",), id=WHOLE, good=NUMBER, made=NUMBER, share=NUMBER, fat_pct=NUMBER),
        entity("load", ("sector", "year"), sector=TEXT, year=WHOLE, energy=NUMBER),
        entity(
            "job",
            ("id",),
            id=WHOLE,
            began=WHOLE,
            ended=WHOLE,
            in_ms=WHOLE,
            out_ms=WHOLE,
            wire_ref=WHOLE,
        ),
        entity("rate", ("day", "currency"), day=TEXT, currency=TEXT, to_eur=NUMBER),
        entity("parcel", ("id",), id=WHOLE, unit=TEXT, weight=NUMBER),
        entity("visit", ("id",), id=WHOLE, shop_id=WHOLE, day=TEXT),
    ),
    relations=(
        belongs("sale", "shop", "shop_id=id"),
        belongs("sale", "agent", "agent_id=id"),
        belongs("rent", "shop", "shop_id=id"),
        belongs("visit", "shop", "shop_id=id"),
    ),
    constraints=(
        Constraint(
            applies_to="ledger",
            rule=RULE.REQUIRES_FILTER_ON,
            fields=("company_id",),
            where_read=("number",),
        ),
        Constraint(applies_to="sale", rule=RULE.REQUIRES_FILTER_ON, fields=("void",)),
        Constraint(applies_to="sale.void", rule=RULE.ALLOWED_VALUES, values=("N", "X")),
        Constraint(applies_to="sale.amount", rule=RULE.SAME_UNIT, fields=("currency",)),
        Constraint(applies_to="parcel.weight", rule=RULE.SAME_UNIT, fields=("unit",)),
        Constraint(applies_to="rent.cost", rule=RULE.SAME_UNIT, fields=("shop.currency",)),
        Constraint(applies_to="lot.share", rule=RULE.NEVER_SUM, fields=("good", "made")),
        Constraint(applies_to="lot.fat_pct", rule=RULE.NEVER_SUM),
        Constraint(applies_to="rate.to_eur", rule=RULE.NEVER_SUM),
        Constraint(applies_to="job.wire_ref", rule=RULE.NEVER_AGGREGATE),
        Constraint(
            applies_to="load.energy",
            rule=RULE.ONE_LEVEL,
            fields=("sector",),
            levels={"total": ("ALL",), "parts": ("A", "B")},
        ),
        *(
            Constraint(applies_to=f"job.{name}", rule=RULE.TYPE_MISMATCH_GUARD, encoding=encoding)
            for names, encoding in (
                (("began", "ended"), Encoding.YYYYMMDD),
                (("in_ms", "out_ms"), Encoding.UNIX_MILLISECONDS),
            )
            for name in names
        ),
    ),
)
CHECKER = Checker(compile_catalog(None, ONTOLOGY), "sqlite")


@pytest.mark.parametrize("sql", cases(FOLDER / "accept.txt"))
def test_what_is_right_passes(sql: str) -> None:
    assert_passes(CHECKER, sql)


@pytest.mark.parametrize("case", cases(FOLDER / "reject.txt"))
def test_what_is_wrong_is_refused(case: str) -> None:
    assert_refused(CHECKER, case)


@pytest.mark.parametrize("case", cases(FOLDER / "warn.txt"))
def test_what_is_likely_wrong_warns(case: str) -> None:
    code, _, sql = (part.strip() for part in case.partition("|"))
    verdict = CHECKER.check(SqlCall(sql=sql))
    assert isinstance(verdict, CheckedQuery), verdict
    assert Code(code) in {each.code for each in verdict.warnings}


def test_a_pointer_to_what_the_question_counts_is_counted_once() -> None:
    counted = "SELECT COUNT(shop_id) FROM visit"
    verdict = CHECKER.check(SqlCall(sql=counted), question="In how many shops were we?")
    assert [each.code for each in verdict.warnings] == [Code.REPEATED_COUNT]
    for question in ("How many visits were there?", ""):
        assert CHECKER.check(SqlCall(sql=counted), question=question).warnings == ()
