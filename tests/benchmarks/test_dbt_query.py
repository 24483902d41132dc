import pytest

from benchmarks.dbt_query import StatementError, parse_statement
from veridical.contracts.call import MetricCall


def test_a_call_is_read_whole() -> None:
    statement = parse_statement(
        """select * from {{ semantic_layer.query(
            metrics=['revenue', Metric('orders')],
            group_by=[Dimension('metric_time').grain('month'), 'customer__segment'],
            where="{{ Dimension('order__status') }} = 'paid'",
            order_by=['-revenue', Dimension('customer__segment')],
            limit=10) }}"""
    )
    (found,) = statement.calls
    assert found.call == MetricCall(
        metrics=("revenue", "orders"),
        group_by=("metric_time__month", "customer__segment"),
        where=("{{ Dimension('order__status') }} = 'paid'",),
        order_by=("-revenue", "customer__segment"),
        limit=10,
    )
    assert statement.missing_columns == ()


def test_one_name_needs_no_list() -> None:
    (found,) = parse_statement(
        "select * from {{ semantic_layer.query(metrics='a', group_by='b__c') }}"
    ).calls
    assert (found.call.metrics, found.call.group_by) == (("a",), ("b__c",))


@pytest.mark.parametrize(
    ("sql", "missing"),
    [
        ("select revenue from {q}", ()),
        ("select REVENUE, Customer__Segment from {q} where revenue > 1", ()),
        ("select metric_time__day from {q}", ()),
        ("with q as (select * from {q}) select avg(revenue / 2) as r from q order by r", ()),
        ("select profit from {q}", ("PROFIT",)),
        ("with q as (select revenue from {q}) select customer__segment from q",
         ("CUSTOMER__SEGMENT",)),
        ("select t.revenue from {q} as t join {q} as u on t.x = u.revenue", ("X",)),
    ],
)  # fmt: skip
def test_the_sql_around_may_only_ask_for_what_comes_back(
    sql: str, missing: tuple[str, ...]
) -> None:
    query = (
        "{{ semantic_layer.query(metrics=['revenue'], "
        "group_by=['customer__segment', 'metric_time']) }}"
    )
    found = parse_statement(sql.replace("{q}", query)).missing_columns
    assert tuple(name.rpartition(".")[2].upper() for name in found) == missing


CALL = "{{ semantic_layer.query(metrics=['a']) }}"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I can't answer that",
        "select 1",
        f"{CALL} is what I would ask",
        f"select * from {CALL} Wait, let me think again. That isn't right.",
        f"select * from {CALL} and so on and on",
        f"select * from {CALL}; select 1",
        f"delete from {CALL}",
        "select * from {{ semantic_layer.query(metrics=['a') }}",
        "select * from {{ semantic_layer.query(metrics=['a'])",
        "select * from {{ semantic_layer.query(metrics=[Metric('a') / Metric('b')]) }}",
        "select * from {{ semantic_layer.query(metrics=['a'], having='x') }}",
        "select * from {{ semantic_layer.query(['a']) }}",
        "select * from {{ semantic_layer.query(metrics=['a'], where=1) }}",
        "select * from {{ semantic_layer.query(metrics=['a'], limit=0) }}",
        "select * from {{ semantic_layer.query(metrics=['a'], limit=1+1) }}",
        "select * from {{ other.query(metrics=['a']) }}",
        "select * from {{ open('/etc/passwd').read() }}",
    ],
)
def test_what_is_no_statement_is_refused(text: str) -> None:
    with pytest.raises(StatementError):
        parse_statement(text)
