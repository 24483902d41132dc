"""How long one answer takes, beside ``figured`` on the same rows.

Answers of four to eight claims over 50 and over 10,000 rows of four columns, every row and every
answer different from the last. "Cold" is everything from the texts to the proof: claims, evidence,
bindings, rules. "Prepared" leaves out reading the rows, which ``gate.prepare`` does once for
however many drafts of an answer are then checked against them.

What is compared runs in turns on the same case, after the same warm-up, and whoever begins changes
from round to round; medians are kept. Ratios are those of the processor's time, so that other
programs on the machine don't count; the time on the wall stands beside.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from time import perf_counter, process_time
from typing import Any, NamedTuple

import figured

from benchmarks.answer_gate.judges import Check
from veridical import gate
from veridical.gate.evidence.exhibit import Exhibit

Run = Callable[[], Any]
FEW, MANY = 50, 10_000
_LARGE, _WARM_UP = 12, 20
_LARGE_SIZE = 100_000
"""Characters of an answer, or of its evidence."""
_COLUMNS = ("customer", "city", "revenue", "cost")
_FIRST = (
    "Alpen",
    "Berg",
    "Dorf",
    "Feld",
    "Grund",
    "Hof",
    "Insel",
    "Kern",
    "Licht",
    "Markt",
    "Nord",
)
_SECOND = ("bau", "holz", "glas", "druck", "moto", "textil", "papier", "optik", "reise", "sport")
_CITIES = ("Basel", "Bern", "Chur", "Genf", "Luzern", "Olten", "Thun", "Wil", "Zug", "Zürich")
_WAYS = (
    "{a} in {ca} had revenue of CHF {ra} and costs of CHF {ka}. {b} reached CHF {rb} at costs of "
    "CHF {kb}.",
    "Revenue by customer:\n- {a}: {ra}\n- {b}: {rb}\n- {c}: {rc}\n- {d}: {rd}\n\nThe costs of {a} "
    "were {ka}.",
    "| Customer | City | Revenue | Cost |\n|---|---|---:|---:|\n| {a} | {ca} | {ra} | {ka} |\n"
    "| {b} | {cb} | {rb} | {kb} |\n| {c} | {cc} | {rc} | {kc} |",
    "{a} and {b} had revenues of {ra} and {rb}; together that is {sum}. {c} spent {kc}.",
)


class Time(NamedTuple):
    """How long a run took, in seconds."""

    processor: float
    wall: float


@dataclass(frozen=True, slots=True)
class Case:
    """An answer and its rows, in the form that each program reads."""

    answer: str
    exhibit: Exhibit
    rows: list[dict[str, Any]]


def measure(rounds: int = 400, check: Check = gate.check) -> dict[str, float]:
    """The figures of this benchmark, by name; times in milliseconds."""
    few, many = cases(FEW, rounds), cases(MANY, _LARGE)

    def judge(case: Case) -> None:
        check(case.answer, [case.exhibit])

    def on_prepared(case: Case) -> Run:
        evidence = _prepare(case)
        return lambda: check(case.answer, evidence)

    cold, theirs = _in_turns([(_on(judge, case), _on(_figured, case)) for case in few])
    cold_many, theirs_many = _in_turns([(_on(judge, case), _on(_figured, case)) for case in many])
    prepare_many = median(_timed(_on(_prepare, case)).processor for case in many)
    turns = [(on_prepared(one), on_prepared(other)) for one, other in zip(few, many, strict=False)]
    prepared, prepared_many = _in_turns(turns * max(1, rounds // _LARGE))
    return {
        "speed_ratio": cold.processor / theirs.processor,
        "growth_10k": prepared_many.processor / prepared.processor,
        "speed_ratio_wall": cold.wall / theirs.wall,
        "growth_10k_wall": prepared_many.wall / prepared.wall,
        "cold_ms_50": cold.processor * 1e3,
        "figured_ms_50": theirs.processor * 1e3,
        "prepared_ms_50": prepared.processor * 1e3,
        "prepared_ms_10k": prepared_many.processor * 1e3,
        "prepare_ms_10k": prepare_many * 1e3,
        "cold_ms_10k": cold_many.processor * 1e3,
        "figured_ms_10k": theirs_many.processor * 1e3,
        "answer_100k_ms": _longest(check, *_long_answer()) * 1e3,
        "evidence_100k_ms": _longest(check, *_long_evidence()) * 1e3,
    }


def _longest(check: Check, answer: str, exhibit: Exhibit) -> float:
    """The processor's time for one large case, cold, whatever its verdict."""
    return _timed(lambda: check(answer, [exhibit])).processor


def _long_answer() -> tuple[str, Exhibit]:
    """An answer that says true things about 50 rows until it has 100,000 characters."""
    made = cases(FEW, 1)[0]
    told = [
        f"{customer} in {city} had revenue of {revenue:,.2f} and costs of {cost:,.2f}."
        for customer, city, revenue, cost in made.exhibit.rows
    ]
    many = _LARGE_SIZE // len("\n".join(told))
    return "\n".join(told * many)[:_LARGE_SIZE], made.exhibit


def _long_evidence() -> tuple[str, Exhibit]:
    """Rows of 100,000 characters, and an answer of some sentences about them."""
    made = next(
        case
        for rows in range(FEW, MANY, FEW)
        if len(str((case := cases(rows, 1)[0]).rows)) >= _LARGE_SIZE
    )
    return made.answer, made.exhibit


def cases(rows: int, many: int, seed: int = 7) -> list[Case]:
    """Made-up tables with a true answer each."""
    chance = random.Random(seed)
    return [_case(rows, chance, _WAYS[at % len(_WAYS)]) for at in range(many)]


def _case(many: int, chance: random.Random, way: str) -> Case:
    rows = tuple(
        (
            f"{chance.choice(_FIRST)}{chance.choice(_SECOND)} {at} AG",
            chance.choice(_CITIES),
            round(chance.uniform(1_000, 900_000), 2),
            round(chance.uniform(500, 600_000), 2),
        )
        for at in range(many)
    )
    said: dict[str, Any] = {}
    for name, row in zip("abcd", chance.sample(rows, 4), strict=True):
        customer, city, revenue, cost = row
        said |= {name: customer, f"c{name}": city}
        said |= {f"r{name}": f"{revenue:,.2f}", f"k{name}": f"{cost:,.2f}"}
        said[f"v{name}"] = revenue
    said["sum"] = f"{said['va'] + said['vb']:,.2f}"
    dictionaries: list[dict[str, Any]] = [dict(zip(_COLUMNS, row, strict=True)) for row in rows]
    return Case(way.format(**said), Exhibit("sales", _COLUMNS, rows), dictionaries)


def _figured(case: Case) -> None:
    figured.trace(case.answer, case.rows)


def _prepare(case: Case) -> Any:
    return gate.prepare([case.exhibit]).build()


def _on(run: Callable[[Case], Any], case: Case) -> Run:
    return lambda: run(case)


def _in_turns(pairs: Sequence[tuple[Run, Run]]) -> tuple[Time, Time]:
    """The medians of both, each pair run in turns, the other one first every second time."""
    for one, other in pairs[:_WARM_UP]:
        one()
        other()
    first: list[Time] = []
    second: list[Time] = []
    for at, (one, other) in enumerate(pairs):
        if at % 2:
            second.append(_timed(other))
            first.append(_timed(one))
        else:
            first.append(_timed(one))
            second.append(_timed(other))
    return _median(first), _median(second)


def _timed(run: Run) -> Time:
    processor, wall = process_time(), perf_counter()
    run()
    return Time(process_time() - processor, perf_counter() - wall)


def _median(times: Sequence[Time]) -> Time:
    return Time(median(each.processor for each in times), median(each.wall for each in times))


if __name__ == "__main__":
    for figure, value in measure().items():
        print(f"{figure:18} {value:10.4f}")
