"""Claims: what a fact comes to, in terms that somebody else can compute."""

from tests.facts.shops import said, stated


def test_a_row_is_compared_with_the_mean_of_all_not_with_its_own() -> None:
    fact = stated(say="compare", row="North", a="margin_pct", b="avg(margin_pct)")
    assert fact.claim.values == {"a": 12.5, "b": 37.525}


def test_a_row_is_a_share_of_all_rows() -> None:
    fact = stated(say="share", result="r1", row="North", part="orders", whole="sum(orders)")
    assert fact.claim.values["share"] == 0.4


def test_a_limit_that_is_a_mean_is_one_of_all_rows() -> None:
    above = stated(say="check", row="South", measure="margin_pct", op="above",
                   limit="avg(margin_pct)")  # fmt: skip
    assert above.claim.values["yes"] is False
    assert above.claim.shows >= {"below", "less", "no"}


def test_a_value_at_its_limit_is_neither_above_nor_below() -> None:
    fact = stated(say="check", result="r1", row="North", measure="orders", op="above", limit=40)
    assert "same" in fact.claim.shows
    assert not fact.claim.shows & {"above", "below", "more", "less"}


def test_first_asks_for_so_many_and_not_for_ties() -> None:
    fact = stated(say="top", result="r1", measure="orders", first=2)
    assert fact.template == "top.figure.many"
    assert fact.claim.values["rows"] == ["North", "South", "East"]


def test_the_latest_is_told_by_the_second() -> None:
    fact = stated(say="latest", result="r5", measure="ended_at")
    assert fact.claim.values["rows"] == ["two"]


def test_two_measures_of_one_name_keep_their_values() -> None:
    fact = stated(say="table", result="r1", by="region",
                  columns=["sum(orders) as n", "count() as n"])  # fmt: skip
    assert fact.claim.values["cells"] == [["A", 65, 2], ["B", 25, 1]]


def test_groups_are_called_by_what_they_are_groups_of() -> None:
    fact = stated(say="list", result="r1", by="late", measure="orders")
    assert fact.claim.values["rows"] == ["True", "False"]


def test_a_condition_is_said_where_rows_of_a_day_are_summed() -> None:
    text = said(say="change", measure="stock", over="month", where="cost_k_chf < 1.75")
    assert text == (
        "Stock rose from 80 (February 2025) to 120 (March 2025): up 40 (50%). This is about the "
        "2 of 3 entries where cost is below CHF 1,750."
    )


def test_an_empty_day_does_not_turn_time_around() -> None:
    fact = stated(say="change", result="r1", measure="orders", over="opened")
    assert fact.claim.values["start"] == "2023-11-01"
    assert fact.claim.values["end"] == "2024-03-20"


def test_amounts_in_thousands_are_printed_in_full() -> None:
    assert said(say="total", measure="cost_k_chf") == (
        "Over all 3 entries, the sum of cost is CHF 4,500."
    )


def test_a_count_times_a_rate_is_no_percentage() -> None:
    fact = stated(say="value", result="r1", row="South", measure="orders * margin_pct")
    assert fact.claim.values["measures"] == {"orders * margin_pct": [7.5]}
    assert said(say="value", result="r1", row="South", measure="orders * margin_pct").endswith(
        "is 7.5."
    )


def test_a_fact_names_the_cells_of_both_results_of_a_join() -> None:
    fact = stated(say="top", result="r1", measure="orders / people",
                  join={"with": "r2", "on": "shop=store"})  # fmt: skip
    cells = {touched.result: touched for touched in fact.cells}
    assert cells["r1"].rows == (0, 1)
    assert cells["r2"].rows == (1, 0)
    assert cells["r2"].columns == {"people"}


def test_groups_rest_on_the_rows_that_they_are_made_of() -> None:
    fact = stated(say="total", result="r1", measure="orders", by="region")
    assert [(each.result, each.rows) for each in fact.cells] == [("r1", (0, 1, 2, 3))]
