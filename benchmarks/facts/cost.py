"""What facts cost: over few rows, over many, and where a hostile answer asks for as much work as it
can."""

import json
import statistics
import time
from collections.abc import Iterable, Iterator
from typing import Any

from benchmarks.data import data_beside
from benchmarks.facts.evidence import shops
from benchmarks.facts.random_facts import Size
from veridical.contracts.language import Language
from veridical.evidence import moment
from veridical.evidence.table import EvidenceTable
from veridical.facts.arguments import read_arguments
from veridical.facts.forms.registry import evaluate
from veridical.facts.kernel import frame, parse
from veridical.facts.kernel.value import FactError
from veridical.facts.sentence import Sentences
from veridical.facts.wording import Wording

_FEW, _MANY, _HOSTILE_ROWS = 50, 10_000, 2_000
_MOST_FACTS = 60
"""More facts than an answer may have are refused at once."""
_DATA = data_beside(__file__)
_FACTS: list[dict[str, Any]] = _DATA["facts"]
_HOSTILE_FACTS: dict[str, dict[str, Any]] = {
    "lists": {"say": "list", "measure": "revenue_eur", "sort": "-orders"},
    "conditions": {"say": "count", "where": " or ".join(["contains(shop, '1')"] * 40)},
    "sums": {"say": "list", "measure": " + ".join(["orders"] * 40)},
    "names": {"say": "value", "measure": "orders", "rows": ["no such shop"] * 40},
    "tables": {"say": "table"},
    "groups": {"say": "total", "measure": "orders", "by": ["shop", "due"]},
    "joins": {"say": "list", "from": "r1", "join": {"with": "r1", "on": "shop=shop"}},
}


def run(size: Size, seed: int) -> dict[str, Any]:
    """Milliseconds of processor time of an answer's facts, and of the worst hostile answer."""
    found: dict[str, Any] = {}
    for name, rows in (("few", _FEW), ("many", _MANY)):
        tables = shops(rows, seed)
        times = [_seconds(tables, _FACTS) for _ in range(size.rounds)]
        found[f"{name}_rows"] = rows
        found[f"{name}_p95_ms"] = round(1000 * _p95(times), 2)
    tables = shops(_HOSTILE_ROWS, seed)
    worst = {name: _seconds(tables, facts) for name, facts in _hostile_answers(size.hostile)}
    slowest = max(worst, key=worst.__getitem__)
    return found | {
        "facts_of_an_answer": len(_FACTS),
        "hostile_answers": len(worst),
        "hostile_max_ms": round(1000 * worst[slowest], 1),
        "hostile_slowest": slowest,
    }


def _p95(times: list[float]) -> float:
    return statistics.quantiles(times, n=20)[-1] if len(times) > 1 else times[0]


def _seconds(tables: tuple[EvidenceTable, ...], facts: Iterable[dict[str, Any]]) -> float:
    """What the exact sentences of an answer's facts take, nothing of it known from before; what
    can't be stated is refused."""
    parse.forget()
    moment.forget()
    start = time.process_time()
    frames = frame.frames_of(tables)
    sentences = Sentences(Language.EN, Wording(Language.EN, frames))
    for each in facts:
        try:
            sentences.of(evaluate(read_arguments(each), frames))
        except FactError:
            continue
    return time.process_time() - start


def _hostile_answers(size: int) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The facts of each, with its name; of about this many signs."""
    for name, text in _texts(size).items():
        for place in ("where", "measure", "rows", "sort", "limit"):
            say = "check" if place == "limit" else "list"
            yield f"{name} as {place}", [{"say": say, place: text}]
    for name, fact in _HOSTILE_FACTS.items():
        yield f"many {name}", [fact] * min(_MOST_FACTS, size // len(json.dumps(fact)))


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
