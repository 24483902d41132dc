"""Answers that ask for as much work as they can."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.facts.shops import shops
from veridical.contracts.language import Language
from veridical.facts.answer import state_answer

_ROWS = 2000
_MOST_FACTS = 60
"""More facts than an answer may have are refused at once."""
Work = Callable[[], object]


def hostile_answers(size: int, seed: int) -> Iterator[tuple[str, Work]]:
    """Each with its name; of about this many signs."""
    tables = shops(_ROWS, seed)

    def stated(answer: Any) -> Work:
        return lambda: state_answer(answer, tables, "How many orders?", Language.EN)

    for name, text in _texts(size).items():
        for place in ("where", "measure", "rows", "sort", "limit"):
            fact = {"say": "check" if place == "limit" else "list", place: text}
            yield f"{name} as {place}", stated({"facts": {"a": fact}, "answer": "{a}"})
    for name, fact in _FACTS.items():
        count = min(_MOST_FACTS, size // len(json.dumps(fact)))
        facts = {f"f{at}": fact for at in range(count)}
        slots = " ".join(f"{{{each}}}" for each in facts)
        yield f"many {name}", stated({"facts": facts, "answer": slots})
    for name, prose in _prose(size).items():
        facts = {"a": {"say": "top", "measure": "orders"}}
        yield name, stated({"facts": facts, "answer": prose})
    for name, text in {"brackets": "[" * size, "objects": '{"a":' * (size // 5)}.items():
        yield f"JSON of {name}", stated(text)


def _texts(size: int) -> dict[str, str]:
    return {
        "brackets": "(" * size,
        "nots": "not " * (size // 4) + "late",
        "sum": "orders" + " + orders" * (size // 9),
        "or": " or ".join(["orders > 1"] * (size // 14)),
        "in": "shop in (" + ", ".join(["'x'"] * (size // 5)) + ")",
        "spaces": "orders" + " " * size + "> 1",
        "quotes": "'" * size,
        "open quote": "shop = '" + "a" * size,
        "digits": "orders > " + "9" * size,
        "grouped digits": "orders > " + "1,111" * (size // 5),
        "letters": "x" * size,
        "percent signs": "orders > 5" + "%" * size,
    }


_FACTS: dict[str, dict[str, Any]] = {
    "lists": {"say": "list", "measure": "revenue_eur", "sort": "-orders"},
    "conditions": {"say": "count", "where": " or ".join(["contains(shop, '1')"] * 80)},
    "sums": {"say": "list", "measure": " + ".join(["orders"] * 60)},
    "names": {"say": "value", "measure": "orders", "rows": ["no such shop"] * 40},
    "tables": {"say": "table"},
    "groups": {"say": "total", "measure": "orders", "by": ["shop", "due"]},
    "joins": {"say": "list", "from": "r1", "join": {"with": "r1", "on": "shop=shop"}},
}


def _prose(size: int) -> dict[str, str]:
    return {
        "slots": "{a.row} " * (size // 8),
        "slots of nothing": "{b.c.d:9} " * (size // 10),
        "open braces": "{" * size,
        "sentences": "It rose. " * (size // 9),
        "one sentence": "more and less " * (size // 14),
        "digits in prose": "1,234.5 " * (size // 8),
        "one number": "9" * size,
        "dates in prose": "1 May 2025 " * (size // 11),
        "stars": "*" * size,
        "line ends": "\n" * size,
        "names in prose": "Shop 17 " * (size // 8),
        "no spaces": "a" * size,
    }
