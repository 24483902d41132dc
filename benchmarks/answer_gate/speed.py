"""How long one answer takes, beside ``figured`` on the same rows.

Answers of four to eight claims over 50 and over 10,000 rows of four columns, every row and every
answer different from the last. "Cold" is everything from the texts to the proof: claims, evidence,
bindings, rules. "Prepared" leaves out reading the rows, which the engine does once, when a result
is recorded, however many drafts of an answer are then checked against it. Both programs run in
turns, and medians are kept. Times are those of the processor, so that other programs on the
machine don't count.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import process_time
from typing import Any

import figured

from veridical import gate
from veridical.gate.evidence.exhibit import Exhibit

FEW, MANY = 50, 10_000
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


@dataclass(frozen=True, slots=True)
class Case:
    """An answer and its rows, in the form that each program reads."""

    answer: str
    exhibit: Exhibit
    rows: list[dict[str, Any]]


def measure(rounds: int = 400) -> dict[str, float]:
    """The figures of this benchmark, by name; times in milliseconds."""
    few, many = cases(FEW, rounds), cases(MANY, 12)
    for case in few[:20]:
        _cold(case)
    ours, theirs = _in_turns(few, _cold, _figured)
    ours_many, theirs_many = _in_turns(many, _cold, _figured)
    prepared_few = _prepared(few, 1)
    prepared_many = _prepared(many, 20)
    return {
        "speed_ratio": ours / theirs,
        "growth_10k": prepared_many / prepared_few,
        "cold_ms_50": ours * 1e3,
        "figured_ms_50": theirs * 1e3,
        "prepared_ms_50": prepared_few * 1e3,
        "prepared_ms_10k": prepared_many * 1e3,
        "prepare_ms_10k": median(_timed(_prepare, case) for case in many) * 1e3,
        "cold_ms_10k": ours_many * 1e3,
        "figured_ms_10k": theirs_many * 1e3,
    }


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


def _cold(case: Case) -> None:
    gate.check(case.answer, [case.exhibit])


def _figured(case: Case) -> None:
    figured.trace(case.answer, case.rows)


def _prepare(case: Case) -> Any:
    return gate.prepare([case.exhibit]).build()


def _prepared(chosen: list[Case], again: int) -> float:
    times: list[float] = []
    for case in chosen:
        evidence = _prepare(case)
        times += [_timed(gate.check, case.answer, evidence) for _ in range(again)]
    return median(times)


def _in_turns(
    chosen: list[Case], one: Callable[[Case], None], other: Callable[[Case], None]
) -> tuple[float, float]:
    times = [(_timed(one, case), _timed(other, case)) for case in chosen]
    return median(first for first, _ in times), median(second for _, second in times)


def _timed(run: Callable[..., Any], *given: Any) -> float:
    begin = process_time()
    run(*given)
    return process_time() - begin


if __name__ == "__main__":
    for figure, value in measure().items():
        print(f"{figure:18} {value:10.4f}")
