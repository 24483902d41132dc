"""A search for inputs that make check, gate, facts or route crash, slow or hungry.

Fragments are repeated to 10 and to 100 kilobytes; the slowest are mutated further.
"""

import logging
import random
import re
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from time import process_time
from typing import Any

from benchmarks.cost_cases import trustee_caller, trustee_checker
from veridical import gate
from veridical.contracts.call import SqlCall
from veridical.contracts.language import Language
from veridical.evidence.read import read_tables
from veridical.facts.record import report_answer
from veridical.ontology.pack import load_pack
from veridical.reading.language import language_of
from veridical.route.fast import fast_path
from veridical.route.pattern_index import index_patterns
from veridical.route.patterns import match_pattern
from veridical.route.vocabulary import compile_vocabulary

SMALL, LARGE = 10_000, 100_000
_SEEDS = (
    "1 ", "1 → ", "1万2亿", "\n", "\r\n", "1-2 ", "The shop sold many shoes. ", "1",
    "9" * 400, "Shoes sold 523 units, Jackets 921. ", "- Shoes: 523\n", "| 1 | Shoes |\n",
    "31.12.2024 ", "`a` ", "2024-12-31, ", '"', "„a", "(", "[", "{", "5 % ", "a: ",
    "5 kg ", "Anna Meier ", "A ", "三百", "张三、", "**a** ", "a@", "a.b-",
    "http://a.b/c ", "1 + 1 = 2; ", "from 1 to 2 ", "1,", "1.", "100 000 ", "Q1 ", "1/2 ",
    "8:00 ", "AG ", "Herr A ", "1e5 ", "１，", "1\u200b", "# a\n", "<b>2</b>,", "&#50;",
    "{a.value} ", "sum(units) + ", "units > 1 and ",
    "$1{,}840$ ", "SELECT ", "x IN (1), ", "WITH a AS (SELECT concat(x, x) AS x FROM b), ",
    "NOT ", "- ", "((((", "'", "[1,", '{"a": ', "[[1], ", '{"category": "Shoes", "units": 523}, ',
    '{"columns": ["a"], "rows": [[', "9" * 309 + " ", "1e400 ", "NaN ", "亿", "\ud7ff",
    "„", "5 k1\u200bg ", "亿１", "张三、张三、a@", "- Shoes三百 52\n",
)  # fmt: skip
_ROWS = [{"category": "Jackets", "units": 921}, {"category": "Shoes", "units": 523}]
_FACTS = {"a": {"say": "top", "measure": "units"}}
_ANSWER = "Shoes sold 523 units in 2024, 5 % more than Jackets."
_FEWEST_SECONDS = 0.005
"""Below it a ratio of times tells nothing."""

_AGAIN = 3

Judge = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Target:
    """What is searched: how a text becomes an input, and who judges it. Only judging is timed."""

    judge: Judge
    shape: Callable[[str], Any] = str


@dataclass
class _Found:
    """The worst that was met on one target."""

    crashes: list[str] = field(default_factory=list[str])
    inputs: int = 0
    slowest: tuple[float, str] = (0.0, "")
    growth: tuple[float, str] = (0.0, "")
    hungriest: tuple[float, str] = (0.0, "")

    def as_figures(self) -> dict[str, Any]:
        """As they are printed."""
        return {
            "inputs": self.inputs,
            "crashes": len(self.crashes),
            "slowest_ms": round(self.slowest[0] * 1000, 1),
            "growth": round(self.growth[0], 2),
            "hungriest_mb": round(self.hungriest[0], 1),
            "worst": {
                "slowest": self.slowest[1],
                "growth": self.growth[1],
                "hungriest": self.hungriest[1],
                "crashes": self.crashes[:5],
            },
        }


def search(*, smoke: bool = False, seed: int = 1) -> dict[str, Any]:
    """The worst of every target, and over all of them."""
    targets = _targets()
    figures = {name: _worst(target, smoke, seed).as_figures() for name, target in targets.items()}
    return {
        "inputs": sum(each["inputs"] for each in figures.values()),
        "crashes": sum(each["crashes"] for each in figures.values()),
        **{
            name: max(each[name] for each in figures.values())
            for name in ("slowest_ms", "growth", "hungriest_mb")
        },
        "targets": figures,
    }


def _targets() -> dict[str, Target]:
    checker, caller = trustee_checker(), trustee_caller()
    ontology = load_pack("trustee").ontology
    patterns, vocabulary = index_patterns(ontology), compile_vocabulary(ontology)
    day, tables = date(2026, 1, 15), read_tables(_ROWS)

    def route(text: str) -> Any:
        language = language_of(text, Language.EN)
        return fast_path(text, vocabulary, language) or match_pattern(text, patterns, language, day)

    def evidence(given: Any) -> Any:
        return gate.check(_ANSWER, given)

    def facts(given: Any) -> Any:
        return report_answer(given, tables, "How many?", Language.EN)

    return {
        "check": Target(lambda text: checker.check(SqlCall(sql=text), caller, "Saldo?")),
        "gate": Target(lambda text: gate.check(text, _ROWS, question="How many?")),
        "gate_question": Target(lambda text: gate.check(_ANSWER, _ROWS, question=text)),
        "gate_evidence": Target(evidence),
        "gate_cells": Target(evidence, lambda text: [{"units": each} for each in text.split()]),
        "gate_keys": Target(evidence, lambda text: dict.fromkeys(text.split(), 523)),
        "gate_nested": Target(evidence, _nested),
        "facts": Target(facts),
        "facts_prose": Target(facts, lambda text: {"facts": _FACTS, "answer": text}),
        "facts_measure": Target(facts, lambda text: _stating(measure=text)),
        "facts_where": Target(facts, lambda text: _stating(where=text)),
        "route": Target(route),
    }


def _stating(**arguments: str) -> Any:
    return {"facts": {"a": {"say": "count", **arguments}}, "answer": "{a}"}


def _nested(text: str) -> Any:
    """Brackets of a text as lists within lists, and what stands between them as their values."""
    levels: list[list[Any]] = [[]]
    for at, word in enumerate(re.split(r"([\[({])", text)):
        if at % 2:
            levels.append([])
            levels[-2].append(levels[-1] if word != "{" else {"category": levels[-1]})
        elif word:
            levels[-1].append(int(word) if word.isdecimal() and len(word) < 4000 else word)
    return levels[0]


def _worst(target: Target, smoke: bool, seed: int) -> _Found:
    chance, found = random.Random(seed), _Found()
    unforeseen = logging.Handler(logging.ERROR)
    unforeseen.emit = lambda record: found.crashes.append(record.getMessage()[:200])
    loggers = [logging.getLogger(f"veridical.{name}") for name in ("check", "gate")]
    for logger in loggers:
        logger.addHandler(unforeseen)
    target.judge(target.shape(_ANSWER))  # what is loaded at the first use is not what is measured
    ranked = [
        (_tried(target, fragment, found), fragment) for fragment in _SEEDS[:: 18 if smoke else 1]
    ]
    for _ in range(1 if smoke else 10):
        ranked = sorted(ranked, reverse=True)[: 2 if smoke else 8]
        ranked += [
            (_tried(target, changed, found), changed)
            for _, fragment in list(ranked)
            for changed in [mutated(fragment, chance.choice(_SEEDS), chance)]
        ]
    for _, fragment in ranked[: 1 if smoke else 4]:
        found.hungriest = max(found.hungriest, (_memory(target, fragment), fragment[:60]))
    for logger in loggers:
        logger.removeHandler(unforeseen)
    return found


def mutated(fragment: str, other: str, chance: random.Random) -> str:
    """The fragment with one change: longer by the other one, or a sign shorter."""
    at = chance.randint(0, len(fragment))
    match chance.randint(0, 3):
        case 0:
            return fragment + other
        case 1:
            return fragment[:at] + other + fragment[at:]
        case 2:
            return (fragment[:at] + fragment[at + 1 :]) or other
        case _:
            return fragment * 2 + other


def _tried(target: Target, fragment: str, found: _Found) -> float:
    """The time at the larger size, which the search climbs on."""
    small = _seconds(target, fragment, SMALL, found)
    large = _seconds(target, fragment, LARGE, found)
    found.slowest = max(found.slowest, (small, fragment[:60]), (large, fragment[:60]))
    if large > _FEWEST_SECONDS * 15 and _ratio(small, large) > found.growth[0]:
        # Either may be the machine's doing: the worst is looked at again.
        again = [
            min(_seconds(target, fragment, size, found) for _ in range(_AGAIN))
            for size in (SMALL, LARGE)
        ]
        ratio = _ratio(min(small, again[0]), min(large, again[1]))
        found.growth = max(found.growth, (ratio, fragment[:60]))
    return large


def _ratio(small: float, large: float) -> float:
    return large / max(small, _FEWEST_SECONDS)


def _seconds(target: Target, fragment: str, size: int, found: _Found) -> float:
    given = target.shape((fragment * (size // len(fragment) + 1))[:size])
    found.inputs += 1
    best = float("inf")
    for _ in range(2):
        start = process_time()
        try:
            target.judge(given)
        except Exception as error:
            found.crashes.append(f"{type(error).__name__}: {fragment[:60]}")
        best = min(best, process_time() - start)
        if best <= found.slowest[0]:  # only what would be the worst is worth a second look
            break
    return best


def _memory(target: Target, fragment: str) -> float:
    given = target.shape((fragment * (SMALL // len(fragment) + 1))[:SMALL])
    tracemalloc.start()
    with suppress(Exception):  # counted where its time was taken
        target.judge(given)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak / 1e6
