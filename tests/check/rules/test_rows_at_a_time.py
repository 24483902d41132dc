"""States, versions and units: what tells times and kinds apart is right, what mixes them is not."""

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
from veridical.ontology.model import Constraint, ConstraintRule, OntologyDescriptor

FOLDER = Path(__file__).parent / "rows_at_a_time"
TEXT, WHOLE, NUMBER = ValueType.TEXT, ValueType.INTEGER, ValueType.NUMBER


def _demand(place: str, rule: ConstraintRule, *fields: str, by: str = "") -> Constraint:
    return Constraint(applies_to=place, rule=rule, fields=fields, settled_by=(by,) if by else ())


RULE = ConstraintRule
ONTOLOGY = OntologyDescriptor(
    feature_code="meters",
    entities=(
        entity("meter", ("id",), id=WHOLE, kind=TEXT, unit=TEXT, capacity=NUMBER),
        entity("reading", ("id",), id=WHOLE, meter_id=WHOLE, read_on=TEXT, level=NUMBER),
        entity("used", ("meter_id", "month"), meter_id=WHOLE, month=WHOLE, amount=NUMBER),
        entity("price", ("kind", "since"), kind=TEXT, since=TEXT, until=TEXT, unit_price=NUMBER),
        entity(
            "bill",
            ("id",),
            id=WHOLE,
            kind=TEXT,
            billed_on=TEXT,
            unit=TEXT,
            quantity=NUMBER,
            unit_price=NUMBER,
        ),
        entity("owner", ("owner_id",), owner_id=TEXT, currency=TEXT),
        entity("account", ("owner_id", "number"), owner_id=TEXT, number=WHOLE, held=NUMBER),
        entity("tariff", ("plan", "version"), plan=TEXT, version=WHOLE, since=TEXT, fee=NUMBER),
        entity("quality", ("lot",), lot=WHOLE, avg_protein=NUMBER, weight=NUMBER, void=TEXT),
    ),
    relations=(
        belongs("reading", "meter", "meter_id=id"),
        belongs("used", "meter", "meter_id=id"),
        belongs("account", "owner", "owner_id"),
    ),
    constraints=(
        _demand("reading.level", RULE.SEMI_ADDITIVE_OVER, "read_on"),
        _demand("reading", RULE.REQUIRES_FILTER_ON, "read_on"),
        _demand("price", RULE.REQUIRES_FILTER_ON, "until", by="since"),
        _demand("used.amount", RULE.SAME_UNIT, "meter.unit", by="meter.kind"),
        _demand("bill.quantity", RULE.SAME_UNIT, "unit"),
        Constraint(applies_to="bill.unit_price", rule=RULE.NEVER_SUM),
        _demand("account", RULE.REQUIRES_FILTER_ON, "owner_id"),
        Constraint(
            applies_to="tariff",
            rule=RULE.REQUIRES_FILTER_ON,
            fields=("since",),
            settled_by=("since", "version"),
        ),
        _demand("quality", RULE.REQUIRES_FILTER_ON, "void"),
        Constraint(applies_to="quality.void", rule=RULE.ALLOWED_VALUES, values=("", "X")),
        Constraint(applies_to="quality.avg_protein", rule=RULE.NEVER_SUM),
    ),
)
CHECKER = Checker(compile_catalog(None, ONTOLOGY), "sqlite")


@pytest.mark.parametrize("sql", cases(FOLDER / "accept.txt"))
def test_what_is_right_passes(sql: str) -> None:
    assert_passes(CHECKER, sql)


@pytest.mark.parametrize("case", cases(FOLDER / "reject.txt"))
def test_what_is_wrong_is_refused(case: str) -> None:
    assert_refused(CHECKER, case)


def test_readings_that_are_only_counted_warn() -> None:
    verdict = CHECKER.check(SqlCall(sql="SELECT COUNT(*) FROM reading"))
    assert isinstance(verdict, CheckedQuery)
    assert [each.code for each in verdict.warnings] == [Code.MISSING_REQUIRED_FILTER]


def test_a_mean_of_what_is_a_mean_by_its_name_warns() -> None:
    verdict = CHECKER.check(SqlCall(sql="SELECT AVG(avg_protein) FROM quality WHERE void = ''"))
    assert isinstance(verdict, CheckedQuery)
    assert [each.code for each in verdict.warnings] == [Code.MEAN_OF_MEANS]


def test_the_kind_of_thing_may_say_a_unit_that_nobody_declared() -> None:
    loose = [
        each.model_copy(update={"settled_by": ()}) if each.rule is RULE.SAME_UNIT else each
        for each in ONTOLOGY.constraints
    ]
    ontology = ONTOLOGY.model_copy(update={"constraints": tuple(loose)})
    checker = Checker(compile_catalog(None, ontology), "sqlite")
    chosen = "SELECT SUM(u.amount) FROM used u JOIN meter m ON m.id = u.meter_id WHERE m.kind = 'x'"
    verdict = checker.check(SqlCall(sql=chosen))
    assert isinstance(verdict, CheckedQuery)
    assert [each.code for each in verdict.warnings] == [Code.MIXED_UNITS]
