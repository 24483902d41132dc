"""Conditions, aggregates and columns of other results."""

import pytest

from tests.facts.shops import frames
from veridical.facts.kernel.evaluate import EvaluationScope, evaluate, truths
from veridical.facts.kernel.parse import read_condition, read_measure
from veridical.facts.kernel.value import FactError, Reason, Value, Vector


def _scope(result: str = "r1") -> EvaluationScope:
    known = frames()
    return EvaluationScope(known[result], known[result].members, known)


def _found(text: str, result: str = "r1") -> list[object] | object:
    scope = _scope(result)
    measure = read_measure(text, scope.frame.columns, tuple(scope.others))
    found = evaluate(measure.expression, scope)
    return list(found.values) if isinstance(found, Vector) else found.value if found else None


@pytest.mark.parametrize(
    ("condition", "flags"),
    [
        ("late", [True, False, None, False]),
        ("not late", [False, True, None, True]),
        ("late and orders > 20", [True, False, None, False]),
        ("late and orders > 30", [True, False, False, False]),
        ("late or orders > 20", [True, True, True, False]),
        ("not (late and orders > 30)", [False, True, True, True]),
        ("revenue_eur is null", [False, False, True, False]),
        ("not (revenue_eur is not null)", [False, False, True, False]),
        ("revenue_eur > 500", [True, True, None, False]),
        ("not (revenue_eur > 500)", [False, False, None, True]),
        ("revenue_eur not in (900)", [True, False, None, True]),
        ("region != 'a'", [False, True, False, None]),
        ("revenue_eur = '900'", [False, True, None, False]),
        ("margin_pct > 12", [True, True, False, True]),
        ("margin_pct > 12%", [True, True, False, True]),
        ("opened = '2024-03'", [True, True, False, None]),
        ("opened > '2024-03'", [False, False, False, None]),
        ("opened >= '2024-03-20'", [False, True, False, None]),
        ("opened < 2024", [False, False, True, None]),
        ("year(opened) = 2023", [False, False, True, None]),
        ("month(opened) = 3", [True, True, False, None]),
        ("contains(shop, 'TH')", [True, True, False, False]),
        ("orders / (orders - 10) > 1", [True, True, True, None]),
    ],
)
def test_an_empty_cell_leaves_a_condition_open(condition: str, flags: list[bool | None]) -> None:
    scope = _scope()
    tree = read_condition(condition, scope.frame.columns, tuple(scope.others))
    assert truths(tree, scope) == flags


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        ("sum(orders)", 100.0),
        ("count(late)", 1.0),
        ("count(revenue_eur)", 3.0),
        ("count()", 4.0),
        ("distinct(region)", 2.0),
        ("sum(orders, region = 'A')", 65.0),
        ("sum(r2.people)", 16.0),
        ("count(r2.people > 3)", 2.0),
        ("wavg(r2.people, r2.orders)", 2.8),
        ("r4.target", 60.0),
        ("r2['North'].people", 8.0),
        ("max(opened) - min(opened)", 140 * 86_400.0),
        ("sum(revenue_eur) / 0", None),
        ("max(r6.qty)", None),
    ],
)
def test_an_aggregate_is_over_the_rows_of_its_result(measure: str, value: object) -> None:
    assert _found(measure) == value


@pytest.mark.parametrize("measure", ["orders - r2.orders", "r2.people", "orders / r2.people"])
def test_rows_of_two_results_do_not_meet_by_their_places(measure: str) -> None:
    with pytest.raises(FactError) as caught:
        _found(measure)
    assert caught.value.reason is Reason.SEVERAL_ROWS


@pytest.mark.parametrize(
    ("measure", "reason"),
    [
        ("sum(margin_pct)", Reason.NOT_ADDITIVE),
        ("sum(revenue_eur / orders)", Reason.NOT_ADDITIVE),
        ("sum(orders + 1)", Reason.NOT_ADDITIVE),
        ("revenue_eur + orders", Reason.DIMENSIONS),
        ("orders / revenue_eur", Reason.DIMENSIONS),
        ("abs(shop)", Reason.NOT_A_FIGURE),
        ("shop * 2", Reason.NOT_A_FIGURE),
        ("sum(shop)", Reason.NOT_A_FIGURE),
        ("year(shop)", Reason.NOT_A_FIGURE),
        ("wavg(margin_pct, revenue_eur, orders)", Reason.SYNTAX),
    ],
)
def test_what_means_nothing_is_refused(measure: str, reason: Reason) -> None:
    with pytest.raises(FactError) as caught:
        _found(measure)
    assert caught.value.reason is reason


def test_dimensions_are_checked_whatever_the_cells_are() -> None:
    scope = _scope()
    tree = read_measure("orders / revenue_eur", scope.frame.columns, ()).expression
    with pytest.raises(FactError):
        evaluate(tree, scope.of(()))


@pytest.mark.parametrize(
    ("measure", "value"), [("sum(-orders)", -100.0), ("sum(orders * 2)", 200.0),
                           ("sum(orders / 4)", 25.0), ("sum(orders * margin_pct)", 24.46)],
)  # fmt: skip
def test_what_adds_up_does_so_times_a_constant_or_a_rate(measure: str, value: float) -> None:
    assert _found(measure) == pytest.approx(value)


def test_a_balance_adds_up_over_things_but_not_over_time() -> None:
    assert isinstance(_scope("r3").frame.whole(1), Vector)
    with pytest.raises(FactError):
        _found("sum(stock)", "r3")
    scope = _scope("r3")
    tree = read_measure("sum(stock)", scope.frame.columns, ()).expression
    one = evaluate(tree, scope.of((0,)))
    assert isinstance(one, Value)
    assert one.value == 80.0
