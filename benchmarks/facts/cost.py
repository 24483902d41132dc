"""What facts cost: over few rows, over many, and where a hostile answer asks for the most."""

import statistics
import time
from collections.abc import Callable
from typing import Any

from benchmarks.data import data_beside
from benchmarks.facts.evidence import shops
from benchmarks.facts.hostile import hostile_answers
from benchmarks.facts.random_facts import Size
from veridical.contracts.language import Language
from veridical.evidence.table import EvidenceTable
from veridical.facts.arguments import read_arguments
from veridical.facts.forms.registry import evaluate
from veridical.facts.kernel import frame, parse
from veridical.facts.sentence import Sentences
from veridical.facts.wording import Wording

_FEW, _MANY = 50, 10_000
_DATA = data_beside(__file__)
_FACTS: list[dict[str, Any]] = _DATA["facts"]


def run(size: Size, seed: int) -> dict[str, Any]:
    """Milliseconds of processor time of an answer's facts, and of the worst hostile answer."""
    found: dict[str, Any] = {}
    for name, rows in (("few", _FEW), ("many", _MANY)):
        tables = shops(rows, seed)
        times = [_timed(lambda tables=tables: _stated(tables, _FACTS)) for _ in range(size.rounds)]
        found[f"{name}_rows"] = rows
        found[f"{name}_p95_ms"] = round(1000 * _p95(times), 2)
    worst = {name: _timed(work) for name, work in hostile_answers(size.hostile, seed)}
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
    start = time.process_time()
    work()
    return time.process_time() - start


def _stated(tables: tuple[EvidenceTable, ...], facts: list[dict[str, Any]]) -> list[str]:
    """The exact sentences of an answer's facts, nothing of it known from before."""
    frames = frame.frames_of(tables)
    sentences = Sentences(Language.EN, Wording(Language.EN, frames))
    return [sentences.of(evaluate(read_arguments(each), frames)) for each in facts]
