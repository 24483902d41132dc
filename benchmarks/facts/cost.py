"""What facts cost: over few rows, over many, and where a hostile answer asks for the most."""

import json
import random
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.facts.size import Size
from veridical.contracts.language import Language
from veridical.evidence.read import read_tables
from veridical.evidence.table import Table
from veridical.facts.arguments import read_arguments
from veridical.facts.forms.registry import evaluate
from veridical.facts.kernel import frame, parse
from veridical.facts.kernel.value import FactError
from veridical.facts.sentence import Sentences
from veridical.facts.wording import Wording

_FEW, _MANY = 50, 10_000
_FACTS: tuple[dict[str, Any], ...] = (
    {"say": "top", "measure": "revenue_eur", "n": 3},
    {"say": "bottom", "measure": "margin_pct", "where": "orders > 20"},
    {"say": "total", "measures": ["revenue_eur", "orders"], "where": "status = 'open'"},
    {"say": "total", "measure": "revenue_eur", "by": "region", "sort": "-revenue_eur"},
    {"say": "share", "measure": "revenue_eur", "where": "region = 'North'"},
    {"say": "share", "measure": "orders", "by": "region"},
    {"say": "count", "where": "due >= '2025-03' and due < '2025-06' and not late"},
    {"say": "which", "where": "revenue_eur / orders > 90 and contains(shop, '7')", "first": 5},
    {"say": "rank", "row": "Shop 17", "measure": "revenue_eur"},
    {"say": "compare", "rows": ["Shop 3", "Shop 4"], "measures": ["revenue_eur", "orders"]},
    {"say": "change", "measure": "orders", "over": "due"},
    {"say": "range", "measure": "revenue_eur - cost_eur as profit"},
    {"say": "check", "row": "Shop 9", "measure": "margin_pct", "is": "above",
     "limit": "avg(margin_pct)"},
    {"say": "table", "columns": ["shop", "revenue_eur / orders as basket"], "sort": "-basket",
     "first": 10},
)  # fmt: skip


def run(size: Size, seed: int) -> dict[str, Any]:
    """Milliseconds of an answer's facts, and seconds of the worst hostile answer."""
    found: dict[str, Any] = {}
    for name, rows in (("few", _FEW), ("many", _MANY)):
        tables = _tables(rows, seed)
        times = [_timed(lambda tables=tables: _stated(tables, _FACTS)) for _ in range(size.rounds)]
        found[f"{name}_rows"] = rows
        found[f"{name}_p95_ms"] = round(1000 * _p95(times), 2)
    worst = {name: _timed(work) for name, work in _hostile(size.hostile, seed)}
    slowest = max(worst, key=worst.__getitem__)
    return found | {
        "facts_of_an_answer": len(_FACTS),
        "hostile_answers": len(worst),
        "hostile_max_ms": round(1000 * worst[slowest], 1),
        "hostile_slowest": slowest,
    }


def _p95(times: list[float]) -> float:
    return statistics.quantiles(times, n=20)[-1] if len(times) > 1 else times[0]


def _timed(work: Callable[[], object]) -> float:
    parse.forget()
    frame.forget()
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _stated(tables: tuple[Table, ...], facts: tuple[dict[str, Any], ...]) -> list[str]:
    """The exact sentences of an answer's facts, nothing of it known from before."""
    frames = frame.frames_of(tables)
    sentences = Sentences(Language.EN, Wording(Language.EN, frames))
    return [sentences.of(evaluate(read_arguments(each), frames)) for each in facts]


def _tables(rows: int, seed: int) -> tuple[Table, ...]:
    at = random.Random(seed)
    regions, states = ("North", "South", "East", "West"), ("open", "closed")
    return read_tables([{"tool": "shops", "rows": [
        {"shop": f"Shop {each}", "region": at.choice(regions), "status": at.choice(states),
         "due": f"2025-{at.randint(1, 9):02d}-{at.randint(1, 28):02d}", "late": at.random() < 0.3,
         "orders": at.randint(1, 900), "revenue_eur": round(at.uniform(10, 9e4), 2),
         "cost_eur": round(at.uniform(10, 9e4), 2), "margin_pct": round(at.uniform(0, 60), 1)}
        for each in range(rows)
    ]}])  # fmt: skip


def _hostile(size: int, seed: int) -> Iterator[tuple[str, Callable[[], object]]]:
    """Answers of this many signs that ask for the most work that they can."""
    tables = _tables(2000, seed)
    texts = {
        "nested brackets": "(" * size,
        "nested nots": "not " * (size // 4) + "late",
        "long sum": "orders" + " + orders" * (size // 9),
        "long or": " or ".join(["orders > 1"] * (size // 14)),
        "long in": "shop in (" + ", ".join(["'x'"] * (size // 5)) + ")",
        "spaces": "orders" + " " * size + "> 1",
        "quotes": "'" * size,
        "open quote": "shop = '" + "a" * size,
        "digits": "orders > " + "9" * size,
        "grouped digits": "orders > " + "1,111" * (size // 5),
        "letters": "x" * size,
        "percent signs": "orders > 5" + "%" * size,
    }
    for name, text in texts.items():
        for place in ("where", "measure", "rows", "sort"):
            fact = {"say": "list", place: text}
            yield f"{name} as {place}", lambda fact=fact: _tried(tables, {"a": fact})
    longest = {
        "many facts": _many({"say": "list", "measure": "revenue_eur", "sort": "-orders"}, size),
        "many conditions": _many({"say": "count", "where": " or ".join(
            ["contains(shop, '1')"] * 80)}, size),
        "many names": _many({"say": "value", "rows": ["no such shop"] * 40}, size),
        "many tables": _many({"say": "table"}, size),
        "many groups": _many({"say": "total", "measure": "orders", "by": ["shop", "due"]}, size),
        "many joins": _many({"say": "list", "from": "r1",
                             "join": {"with": "r1", "on": "shop=shop"}}, size),
    }  # fmt: skip
    for name, facts in longest.items():
        yield name, lambda facts=facts: _tried(tables, facts)


def _many(fact: dict[str, Any], size: int) -> dict[str, Any]:
    return {f"f{at}": fact for at in range(size // len(json.dumps(fact)))}


def _tried(tables: tuple[Table, ...], facts: dict[str, Any]) -> None:
    frames = frame.frames_of(tables)
    sentences = Sentences(Language.EN, Wording(Language.EN, frames))
    for each in facts.values():
        try:
            sentences.of(evaluate(read_arguments(each), frames))
        except FactError:
            continue
