"""What a question counts, in three languages, and what it is about, by the words of purposes."""

import pytest

from veridical.check.question import (
    counted_in,
    index_purposes,
    is_counted,
    names_whole,
    place_of,
    purposes_of,
)
from veridical.ontology.model import Purpose

INDEX = index_purposes(
    (
        Purpose(name="result", keywords={"de": ("Umsatz", "Umsätze"), "en": ("revenue",)}),
        Purpose(
            name="turnover",
            keywords={"de": ("Umsatz im Soll",), "en": ("debit total", "VAT"), "zh": ("发生额",)},
        ),
    )
)


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
    ("question", "distinct"),
    [
        ("How many different customers ordered?", True),
        ("Wie viele unterschiedliche Kunden?", True),
        ("有多少不同客户下过订单？", True),
        ("How many customers ordered different things?", False),
        ("How many customers ordered?", False),
    ],
)
def test_each_once_is_wanted(question: str, distinct: bool) -> None:
    assert counted_in(question).distinct is distinct


def test_a_name_of_two_words_is_counted_by_both() -> None:
    assert names_whole(counted_in("How many order lines?"), "order_lines")
    assert not names_whole(counted_in("How many customers?"), "campaign_customers")


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


@pytest.mark.parametrize(
    ("question", "purposes"),
    [
        ("Wie hoch war der Umsatz im Soll?", {"result", "turnover"}),
        ("Nenne die Umsätze im Soll und im Haben.", {"result", "turnover"}),
        ("Was sind die Umsätzen im  Soll?", {"result", "turnover"}),
        ("What were the debit totals?", {"turnover"}),
        ("What is the VAT?", {"turnover"}),
        ("本年的发生额是多少？", {"turnover"}),
        ("Wie hoch war der Umsatz im Solljahr?", {"result", "turnover"}),
        ("Wie hoch war der Umsatz, den wir im Soll-Ist-Vergleich sehen?", {"result"}),
        ("What is on the private account?", set()),
        ("How much is the total debit?", set()),
        ("", set()),
    ],
)
def test_a_phrase_may_be_inflected_and_a_short_word_stands_alone(
    question: str, purposes: set[str]
) -> None:
    assert purposes_of(INDEX, question) == purposes
