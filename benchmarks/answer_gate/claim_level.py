"""The sets that are measured claim by claim, and the speed: each half beside the other.

The package ``figured`` judges the same texts where it is installed: what it calls ungrounded counts
as said to be wrong.
"""

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks.answer_gate import quintd as quintd_set
from benchmarks.answer_gate import rotowire as rotowire_set
from benchmarks.answer_gate import tau as tau_set
from benchmarks.answer_gate.figures import HALVES, Figures, share
from benchmarks.answer_gate.judges import Check, result_sets
from benchmarks.answer_gate.sample import Half, half_of
from veridical.contracts.proof import ClaimKind, Proof, ProvenClaim, Standing, Verdict
from veridical.gate.evidence.exhibit import Exhibit
from veridical.gate.evidence.structured import record_in


def has_figured() -> bool:
    """True when the package is there to compare with."""
    return find_spec("figured") is not None


def by_figured(text: str, exhibits: tuple[Exhibit, ...]) -> Proof:
    """The package's verdict in the gate's words: only the figures that it could not trace."""
    found = [_untraced(each) for each in _report(text, exhibits).results if _is_untraced(each)]
    return Proof(verdict=Verdict.BLOCK if found else Verdict.PASS, claims=tuple(found))


def _report(text: str, exhibits: tuple[Exhibit, ...]) -> Any:
    results = [each for exhibit in exhibits for each in result_sets(_material(exhibit))]
    return import_module("figured").trace(text, results=results)


def _material(exhibit: Exhibit) -> Any:
    if exhibit.rows:
        return [dict(zip(exhibit.columns, row, strict=True)) for row in exhibit.rows]
    if exhibit.record is not None:
        return exhibit.record
    if exhibit.rows:
        return [dict(zip(exhibit.columns, row, strict=True)) for row in exhibit.rows]
    return record_in(exhibit.text) or exhibit.text


def _is_untraced(result: Any) -> bool:
    return result.status == "ungrounded"


def _untraced(result: Any) -> ProvenClaim:
    figure = result.figure
    return ProvenClaim(
        kind=ClaimKind.NUMBER,
        text=figure.literal,
        start=figure.start,
        end=figure.end,
        standing=Standing.UNGROUNDED,
    )


def quintd(data: Path, check: Check) -> Figures:
    """Precision and recall number by number, beside GPT-4's."""
    ours = quintd_set.number_level(data, check)
    theirs = quintd_set.number_level(data, by_figured) if has_figured() else {}
    named: Figures = {}
    for half, suffix in _SUFFIXES.items():
        for rate in ("precision", "recall"):
            found = ours[f"{half}:all"]
            named[f"quintd_{rate}{suffix}"] = found[f"any_gate_{rate}"]
            named[f"quintd_{rate}_gpt4{suffix}"] = found[f"any_gpt4_{rate}"]
            if theirs:
                named[f"quintd_{rate}_figured{suffix}"] = theirs[f"{half}:all"][f"any_gate_{rate}"]
    return {"named": named, "ours": ours, "figured": theirs}


def rotowire(data: Path, check: Check) -> Figures:
    """Precision and recall on the errors that people found in game reports, kind by kind."""
    ours = rotowire_set.token_level(data, check)
    theirs = rotowire_set.token_level(data, by_figured) if has_figured() else {}
    named: Figures = {}
    for half, suffix in _SUFFIXES.items():
        for name, value in ours[half].items():
            named[f"rotowire_{name}{suffix}"] = value
            if theirs:
                named[f"rotowire_{name}_figured{suffix}"] = theirs[half][name]
    return {"named": named, "ours": ours, "figured": theirs}


def tau(data: Path, check: Check) -> Figures:
    """The share of amounts of money flagged in runs that reached their goal."""
    named: Figures = {}
    halves: Figures = {}
    for half, suffix in _SUFFIXES.items():
        found = halves[half] = tau_set.measure(data, half, check)
        named |= {f"{name}{suffix}": each for name, each in found.items() if _is_figure(each)}
        if has_figured():
            named[f"tau_money_flagged_passed_figured{suffix}"] = _money_by_figured(data, half)
    return {"named": named, **halves}


def _is_figure(value: Any) -> bool:
    return not isinstance(value, Mapping)


def _money_by_figured(data: Path, half: Half) -> float | None:
    runs = [run for run in tau_set.load(data) if half_of(str(run["task_id"])) == half]
    money = flagged = 0
    for turn in tau_set.turns(runs):
        if turn.passed:
            for result in _report(turn.text, turn.exhibits).results:
                money += result.figure.is_currency
                flagged += result.figure.is_currency and _is_untraced(result)
    return share(flagged, money)


def speed(rounds: int, check: Check) -> Figures:
    """What one answer takes beside the package, and how that grows with the evidence."""
    if not has_figured():
        return {}
    found = import_module("benchmarks.answer_gate.speed").measure(rounds, check)
    return {name: round(value, 3) for name, value in found.items()}


_SUFFIXES: dict[Half, str] = dict(zip(HALVES, ("", "_read"), strict=True))
