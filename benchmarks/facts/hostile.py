"""Answers that ask for as much work as they can."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.facts.evidence import shops
from veridical.contracts.language import Language
from veridical.evidence.table import EvidenceTable
from veridical.facts.arguments import read_arguments
from veridical.facts.forms.registry import evaluate
from veridical.facts.kernel.frame import frames_of
from veridical.facts.kernel.value import FactError
from veridical.facts.sentence import Sentences
from veridical.facts.wording import Wording

_ROWS = 2000
_MOST_FACTS = 60
"""More facts than an answer may have are refused at once."""
Work = Callable[[], object]


def hostile_answers(size: int, seed: int) -> Iterator[tuple[str, Work]]:
    """The facts of each, with its name; of about this many signs."""
    tables = shops(_ROWS, seed)

    def stated(facts: dict[str, Any]) -> Work:
        return lambda: _stated(tables, facts)

    for name, text in _texts(size).items():
        for place in ("where", "measure", "rows", "sort", "limit"):
            fact = {"say": "check" if place == "limit" else "list", place: text}
            yield f"{name} as {place}", stated({"a": fact})
    for name, fact in _FACTS.items():
        count = min(_MOST_FACTS, size // len(json.dumps(fact)))
        yield f"many {name}", stated({f"f{at}": fact for at in range(count)})


def _stated(tables: tuple[EvidenceTable, ...], facts: dict[str, Any]) -> None:
    """All of them read, computed and worded, as far as they can be."""
    frames = frames_of(tables)
    sentences = Sentences(Language.EN, Wording(Language.EN, frames))
    for each in facts.values():
        try:
            sentences.of(evaluate(read_arguments(each), frames))
        except FactError:
            continue


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
    "conditions": {"say": "count", "where": " or ".join(["contains(shop, '1')"] * 40)},
    "sums": {"say": "list", "measure": " + ".join(["orders"] * 40)},
    "names": {"say": "value", "measure": "orders", "rows": ["no such shop"] * 40},
    "tables": {"say": "table"},
    "groups": {"say": "total", "measure": "orders", "by": ["shop", "due"]},
    "joins": {"say": "list", "from": "r1", "join": {"with": "r1", "on": "shop=shop"}},
}
