"""From verdicts to figures: per half, kind, rule and language, each judge beside the others."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from benchmarks.answer_gate.judges import OURS, Judgement
from benchmarks.answer_gate.sample import Half, Sample

Figures = dict[str, Any]
HALVES: tuple[Half, Half] = ("held_out", "read")


@dataclass(frozen=True, slots=True)
class Outcome:
    """One answer and what each judge said."""

    half: Half
    kind: str
    language: str
    good: bool
    judgements: Mapping[str, Judgement]


def outcome_of(sample: Sample, judgements: Mapping[str, Judgement]) -> Outcome:
    """The sample without its evidence, which is large."""
    return Outcome(sample.half, sample.kind, sample.language, sample.good, judgements)


def rates(outcomes: Sequence[Outcome], judge: str) -> Figures:
    """How one judge did. Blocking a wrong answer is what counts as found."""
    good = [each.judgements[judge] for each in outcomes if each.good]
    bad = [each.judgements[judge] for each in outcomes if not each.good]
    false = sum(each.blocked for each in good)
    caught = sum(each.blocked for each in bad)
    precision, recall = share(caught, caught + false), share(caught, len(bad))
    return {
        "good": len(good),
        "wrong": len(bad),
        "false_blocks": false,
        "passed": len(bad) - caught,
        "false_block": share(false, len(good)),
        "fabricated_pass": share(len(bad) - caught, len(bad)),
        "caught": recall,
        "precision": precision,
        "recall": recall,
        "f1": harmonic(precision, recall),
        "p50_us": round(median(each.microseconds for each in (*good, *bad)), 1),
    }


def share(part: float, whole: float) -> float | None:
    """A ratio with four decimals; nothing of nothing is not known."""
    return round(part / whole, 4) if whole else None


def harmonic(precision: float | None, recall: float | None) -> float | None:
    """F1."""
    if not precision or not recall:
        return None
    return round(2 * precision * recall / (precision + recall), 4)


def of_set(outcomes: Sequence[Outcome]) -> Figures:
    """All figures of one set, the held-out half first."""
    figures: Figures = {}
    for half in HALVES:
        held = [each for each in outcomes if each.half == half]
        if held:
            figures[half] = {
                "judges": _by_judge(held),
                "by_kind": _by(held, lambda each: each.kind),
                "by_language": _by(held, lambda each: each.language[:2]),
                "by_locale": _by(held, lambda each: each.language),
                "by_rule": by_rule(held),
            }
    return figures


def _by_judge(outcomes: Sequence[Outcome]) -> Figures:
    return {judge: rates(outcomes, judge) for judge in outcomes[0].judgements}


def _by(outcomes: Iterable[Outcome], facet: Callable[[Outcome], str]) -> Figures:
    groups: defaultdict[str, list[Outcome]] = defaultdict(list)
    for each in outcomes:
        groups[facet(each)].append(each)
    return {name: _by_judge(held) for name, held in sorted(groups.items())}


def by_rule(outcomes: Sequence[Outcome]) -> Figures:
    """For each rule of the gate: what it blocked, and how much of that was wrong."""
    wrong = sum(not each.good for each in outcomes)
    fired: defaultdict[str, list[bool]] = defaultdict(list)
    for each in outcomes:
        for code in each.judgements[OURS].reasons:
            fired[code].append(not each.good)
    return {
        code: {
            "false_blocks": len(hits) - sum(hits),
            "caught": sum(hits),
            "precision": share(sum(hits), len(hits)),
            "recall": share(sum(hits), wrong),
        }
        for code, hits in sorted(fired.items())
    }
