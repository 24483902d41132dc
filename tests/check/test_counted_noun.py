"""What a question counts, in three languages, and the table that is called so."""

import pytest

from veridical.check.counted_noun import counted_in, is_counted, place_of


@pytest.mark.parametrize(
    ("question", "table"),
    [
        ("How many customers placed an order?", "customers"),
        ("How many active customers placed an order?", "Customer"),
        ("What is the number of distinct patients with a test?", "tbl_patient"),
        ("Among the users in Bern, how many users wrote a post?", "users"),
        ("riders with a ride", "Rider"),
        ("number of cities with a store", "city"),
        ("Wie viele Fälle hatten Leistungen?", "fall"),
        ("Zahl der Verträge mit Zahlung", "vertrag"),
        ("Bei wie vielen Touren fehlte etwas?", "tour"),
        ("Anzahl Kunden mit Bestellung", "KUNDE"),
        ("有多少客户下过订单？", "客户"),
        ("有多少个活跃客户下过订单？", "客户"),
    ],
)
def test_a_table_is_called_by_what_is_counted(question: str, table: str) -> None:
    assert is_counted(counted_in(question), table)


@pytest.mark.parametrize(
    ("question", "table"),
    [
        ("How many orders did each customer place?", "customers"),
        ("Which customer has the most number of orders?", "customer"),
        ("How many degrees are there? List the departments.", "departments"),
        ("riders with a ride", "Ride"),
        ("Show the names of customers with two orders", "customer"),
        ("Wie viele Leistungen je Fall?", "fall"),
        ("每个客户有多少订单？", "客户"),
        ("", "customer"),
    ],
)
def test_another_one_is_not(question: str, table: str) -> None:
    assert not is_counted(counted_in(question), table)


def test_what_comes_first_is_counted() -> None:
    counted = counted_in("How many lots attracted web bids?")
    lot, bid = place_of(counted, "lot"), place_of(counted, "bid")
    assert lot is not None
    assert bid is not None
    assert lot < bid
