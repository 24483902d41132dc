"""Who decides about an answer: the gate, and for comparison the package ``figured``.

Both get the same answer and the same evidence, cold: reading the evidence is part of the time.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from time import perf_counter_ns
from typing import Any

from benchmarks.answer_gate.sample import Sample
from veridical.contracts.language import Language
from veridical.contracts.proof import Proof, Verdict
from veridical.contracts.violation import Mode

_FIGURE = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
OURS = "ours"


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether an answer was held back, why, and how long that took."""

    blocked: bool
    reasons: tuple[str, ...]
    """Codes of the rules, or the figures that were not traced."""
    microseconds: float
    details: tuple[str, ...] = ()


Judge = Callable[[Sample], Judgement]
Check = Callable[..., Proof]
"""``gate.check`` under some policy."""


def judges(check: Check) -> dict[str, Judge]:
    """By name. Without the package only the gate judges."""
    found: dict[str, Judge] = {OURS: lambda sample: ours(sample, check)}
    if find_spec("figured") is not None:
        found["figured"] = lambda sample: figured(sample)
        found["figured_all"] = lambda sample: figured(sample, derivations="all")
    return found


def ours(sample: Sample, check: Check) -> Judgement:
    """The gate under its default policy, with or without the lexicons of the sets' domains."""
    language = Language(sample.language[:2])
    started = perf_counter_ns()
    proof = check(sample.answer, sample.exhibits, question=sample.question, language=language)
    elapsed = (perf_counter_ns() - started) / 1000
    blocking = [finding for finding in proof.findings if finding.mode is Mode.BLOCK]
    return Judgement(
        proof.verdict is Verdict.BLOCK,
        tuple(dict.fromkeys(finding.code.value for finding in blocking)),
        elapsed,
        tuple(f"{each.code}: {each.claim!r} {each.hint} [{each.nearest}]" for each in blocking),
    )


def figured(sample: Sample, **options: Any) -> Judgement:
    """The package with its own defaults, or with all of its derivations."""
    trace = import_module("figured").trace
    results = list(result_sets(sample.rows))
    started = perf_counter_ns()
    report = trace(sample.answer, results=results, **options)
    elapsed = (perf_counter_ns() - started) / 1000
    return Judgement(not report.ok, tuple(report.ungrounded), elapsed)


def result_sets(rows: Any) -> Iterator[list[dict[str, Any]]]:
    """The evidence as lists of flat rows, which is what the package reads."""
    if isinstance(rows, str):
        yield [
            {str(at): float(found.replace(",", "")) for at, found in enumerate(figures)}
            for line in rows.splitlines()
            if (figures := _FIGURE.findall(line))
        ]
    elif isinstance(rows, Mapping):
        yield from _in_record(rows)
    elif isinstance(rows, list) and rows and isinstance(rows[0], Mapping):
        if all(_is_flat(row) for row in rows):
            yield rows
        else:
            for row in rows:
                yield from result_sets(row)
    elif isinstance(rows, list):
        for each in rows:
            yield from result_sets(each)


def _is_flat(row: Any) -> bool:
    return isinstance(row, Mapping) and not any(
        isinstance(value, Mapping | list) for value in row.values()
    )


def _in_record(record: Mapping[str, Any]) -> Iterator[list[dict[str, Any]]]:
    plain = {
        str(name): value for name, value in record.items() if not isinstance(value, Mapping | list)
    }
    if plain:
        yield [plain]
    for value in record.values():
        if isinstance(value, list) and value and not isinstance(value[0], Mapping | list):
            yield [{str(at): each} for at, each in enumerate(value)]
        elif isinstance(value, Mapping | list):
            yield from result_sets(value)
