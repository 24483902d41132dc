import pytest

from veridical.ontology.metric_condition import ConditionSyntaxError, parse_condition
from veridical.ontology.metric_reference import ReferenceSyntaxError


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("{{ Dimension('a__b') }} = 1", ["a__b"]),
        ("{{ TimeDimension('metric_time', 'day') }} >= '2024-01-01'", ["metric_time__day"]),
        ("{{ Dimension('a__b') }} IN ('x', 'y') AND a__c IS NOT NULL", ["a__b", "a__c"]),
        ("a.b = 'x' OR lower(a.b) = 'y'", ["a__b"]),
        ("1 = 1", []),
    ],
)
def test_all_names_are_found(text: str, items: list[str]) -> None:
    assert [reference.item for reference in parse_condition(text).references] == items


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a =",
        "a = 1; DROP TABLE t",
        "a = 1 ORDER BY b",
        "a = 1 GROUP BY b",
        "a = 1 UNION SELECT 2",
        "a IN (SELECT b FROM t)",
        "EXISTS (SELECT 1 FROM t)",
        "a = 'it's'",
        "a = 1 LIMIT 5",
    ],
)
def test_more_or_less_than_one_condition_is_refused(text: str) -> None:
    with pytest.raises(ConditionSyntaxError):
        parse_condition(text)


def test_a_template_that_names_nothing_is_refused() -> None:
    with pytest.raises(ReferenceSyntaxError):
        parse_condition("{{ today() }} = 1")
