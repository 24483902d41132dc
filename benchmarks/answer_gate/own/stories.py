"""The types of questions of the own set, and the stories of each."""

from collections.abc import Iterator, Mapping
from itertools import product
from random import Random

from benchmarks.answer_gate.own.asked_books import TENANTS
from benchmarks.answer_gate.own.balances import (
    balance_at_date,
    balance_by_month,
    bank_balances,
    mandates,
    shares,
    turnover_by_month,
    year_on_year,
)
from benchmarks.answer_gate.own.computed import calculation, exchange, margin, vat
from benchmarks.answer_gate.own.items import list_suppliers, none_items, open_items, top_customers
from benchmarks.answer_gate.own.journal import counts, empty, postings, truncated, unknown
from benchmarks.answer_gate.own.making import YEARS, Maker
from benchmarks.answer_gate.own.story import Story
from veridical.contracts.result import Emptiness

_ROUNDS = 3
"""Most types draw a month or an account, so that the same books give several stories."""


def stories(kind: str, seed: int = 1) -> Iterator[Story]:
    """All stories of a type, in an order that looks like chance and is always the same."""
    chance = Random(f"{seed}/{kind}")
    places = list(product(TENANTS, YEARS))
    chance.shuffle(places)
    for tenant, year in places * _ROUNDS:
        story = MAKERS[kind](tenant, year, chance)
        if story is not None:
            yield story


MAKERS: Mapping[str, Maker] = {
    "turnover_by_month": turnover_by_month,
    "balance_at_date": balance_at_date,
    "bank_balances": bank_balances,
    "balance_by_month": balance_by_month,
    "debtors": open_items("receivable", "debtors"),
    "creditors": open_items("payable", "creditors"),
    "vat": vat,
    "top_customers": top_customers,
    "year_on_year": year_on_year,
    "shares": shares,
    "counts": counts,
    "list_suppliers": list_suppliers,
    "postings": postings,
    "none_postings": empty("none_postings", Emptiness.NO_MATCH),
    "none_items": none_items,
    "forbidden": empty("forbidden", Emptiness.NOT_PERMITTED),
    "unknown": unknown,
    "truncated": truncated,
    "mandates": mandates,
    "calculation": calculation,
    "margin": margin,
    "exchange": exchange,
}
"""By type of question."""
