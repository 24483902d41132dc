import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.check.metric_call import metric_violations
from veridical.contracts.call import MetricCall
from veridical.contracts.language import Language
from veridical.contracts.violation import Code
from veridical.ontology.importers import import_ontology
from veridical.ontology.metrics import MetricGraph

CASES = Path(__file__).parent / "metric_calls"
SHOP = Path(__file__).parents[1] / "ontology/importers/models/dbt_legacy.yml"
GRAPH = MetricGraph(import_ontology(SHOP).ontology)


def lines(name: str) -> list[str]:
    text = (CASES / name).read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def call(text: str) -> MetricCall:
    return MetricCall.model_validate(json.loads(text))


@pytest.mark.parametrize("line", lines("accept.txt"))
def test_must_accept(line: str) -> None:
    assert metric_violations(call(line), GRAPH, Language.EN) == []


@pytest.mark.parametrize("line", lines("reject.txt"))
def test_must_reject(line: str) -> None:
    code, field, suggestion, text = line.split(" | ", 3)
    first = metric_violations(call(text), GRAPH, Language.EN)[0]
    found = (first.code.value, first.field or "-", first.suggestion or "-")
    assert found == (code, field, suggestion)


def test_all_findings_come_at_once_and_each_once() -> None:
    asked = MetricCall(
        metrics=("revenue", "profit", "profit"),
        group_by=("order__statu", "order__statu"),
        where=("order__status =",),
        order_by=("nothing",),
    )
    found = metric_violations(asked, GRAPH, Language.EN)
    assert [(each.code, each.field) for each in found] == [
        (Code.METRIC_NOT_FOUND, "profit"),
        (Code.UNREACHABLE_DIMENSION, "order__statu"),
        (Code.SYNTAX_ERROR, "order__status ="),
        (Code.UNREACHABLE_DIMENSION, "nothing"),
    ]


def test_an_unknown_metric_alone_raises_no_doubts_about_dimensions() -> None:
    asked = MetricCall(metrics=("profit",), group_by=("whatever__it_is",))
    assert [each.code for each in metric_violations(asked, GRAPH, Language.EN)] == [
        Code.METRIC_NOT_FOUND
    ]


@pytest.mark.parametrize("language", Language)
def test_hints_fit_in_every_language_however_long_the_names(language: Language) -> None:
    long = "customer__" + "very_" * 40 + "long"
    asked = MetricCall(
        metrics=("revenue", long),
        group_by=(long, "order__day__second", "is it"),
        where=("{{ " + long + "() }}", "= ="),
        order_by=(long,),
    )
    for violation in metric_violations(asked, GRAPH, language):
        assert 0 < len(violation.hint) <= 80


name = st.text(st.characters(codec="utf-8"), max_size=40)


@given(st.builds(MetricCall, metrics=st.tuples(name), group_by=st.tuples(name),
                 where=st.tuples(name), order_by=st.tuples(name)))  # fmt: skip
def test_no_text_breaks_the_check(asked: MetricCall) -> None:
    for violation in metric_violations(asked, GRAPH, Language.ZH):
        assert len(violation.hint) <= 80
