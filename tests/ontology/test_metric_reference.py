import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.ontology.metric_reference import (
    Reference,
    ReferenceKind,
    ReferenceSyntaxError,
    parse_reference,
    templates,
)


@pytest.mark.parametrize(
    ("text", "item"),
    [
        ("order__status", "order__status"),
        (" orders.status ", "orders__status"),
        ("Dimension('order__status')", "order__status"),
        ('Dimension("metric_time").grain("MONTH")', "metric_time__month"),
        ("TimeDimension('metric_time', 'week')", "metric_time__week"),
        ("TimeDimension('a__b', time_granularity_name='day')", "a__b__day"),
        ("Dimension('metric_time').date_part('dow')", "metric_time__extract_dow"),
        ("Dimension('b__c', entity_path=['a'])", "a__b__c"),
        ("Entity('order')", "order"),
    ],
)
def test_every_spelling_names_the_item(text: str, item: str) -> None:
    assert parse_reference(text).item == item


def test_order_and_alias_are_read() -> None:
    assert parse_reference("-revenue").descending
    found = parse_reference("Metric('revenue').descending(True)")
    assert (found.kind, found.name, found.descending) == (ReferenceKind.METRIC, "revenue", True)
    assert parse_reference("Metric('revenue').alias('r')").alias == "r"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "order status",
        "Metric('a') / Metric('b')",
        "(Metric('a') / Metric('b')).alias('c')",
        "Metric('a').sum()",
        "Dimension()",
        "Dimension('a', 'b')",
        "Dimension(1)",
        "__import__('os').system('ls')",
        "lambda: 1",
        "Dimension('a').grain(month)",
        "((((",
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ReferenceSyntaxError):
        parse_reference(text)


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        found = parse_reference(text)
    except ReferenceSyntaxError:
        return
    assert isinstance(found, Reference)


def test_templates_are_found_where_they_stand() -> None:
    text = "{{ Dimension('a__b') }} = 1 AND {{Entity('c')}} IS NULL"
    found = list(templates(text))
    assert [reference.name for _, reference in found] == ["a__b", "c"]
    assert [text[start:end] for (start, end), _ in found] == [
        "{{ Dimension('a__b') }}",
        "{{Entity('c')}}",
    ]
