"""The view of an eval report: modes with intervals, cost against accuracy, the matrix of
questions and wordings, and the trend over releases."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from veridical.console.eval_shelf import StoredEval
from veridical.console.plot import Measured
from veridical.contracts.language import Language
from veridical.evals.comparison.compare import Outcomes
from veridical.evals.comparison.metrics import ModeMetrics, OutcomeShares
from veridical.evals.comparison.statistics import Proportion
from veridical.evals.modes.mode import ModeName
from veridical.evals.report.number_format import MARKS, UNKNOWN, amount, dollars, seconds
from veridical.evals.scoring.record import Outcome
from veridical.messages import message

PAGE = 100
"""Questions of the matrix on one page."""
_NUMBERS = {mode: number for number, mode in enumerate(ModeName, 1)}
_MOODS = {Outcome.CORRECT: "good", Outcome.REFUSED: "open", Outcome.WRONG: "bad"}


class Which(StrEnum):
    """The filter of the matrix."""

    ALL = "all"
    IMPERFECT = "imperfect"
    WRONG = "wrong"
    UNEVEN = "uneven"


@dataclass(frozen=True, slots=True)
class ModeRow:
    """One mode of a report."""

    mode: ModeName
    attempts: int
    shares: OutcomeShares
    tokens: str
    cost: str
    latency: str


@dataclass(frozen=True, slots=True)
class Cell:
    """The outcome of one attempt."""

    outcome: Outcome
    mood: str
    sign: str
    wording: str
    """The wording of the question."""


@dataclass(frozen=True, slots=True)
class CaseRow:
    """One question with the outcomes of each mode."""

    case: str
    question: str
    cells: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class CostUnit:
    """The unit of cost: dollars where all prices are known, tokens otherwise."""

    name: str
    in_dollars: bool


def mode_name(mode: ModeName, language: Language) -> str:
    """A mode in words."""
    return message(f"quality.mode_{mode}", language)


def mode_rows(report: StoredEval) -> tuple[ModeRow, ...]:
    """The modes with their intervals and what they cost."""
    return tuple(_mode_row(report, mode) for mode in report.modes)


def _mode_row(report: StoredEval, mode: ModeName) -> ModeRow:
    shares, known = report.shares(mode), report.metrics.get(mode)
    return ModeRow(
        mode=mode,
        attempts=shares.correct.of,
        shares=shares,
        tokens=amount(known.avg_tokens) if known else UNKNOWN,
        cost=dollars(_dollars(known)) if known else UNKNOWN,
        latency=f"{seconds(known.latency_p50_ms)} – {seconds(known.latency_p95_ms)}"
        if known
        else UNKNOWN,
    )


@dataclass(frozen=True, slots=True)
class Verdict:
    """A report in a sentence: what the checks change."""

    of: int
    correct: int
    wrong: int
    wrong_alone: int | None
    """Wrong answers of the model alone; None where it was not measured."""
    of_alone: int


def verdict_of(report: StoredEval) -> Verdict | None:
    """The fullest mode beside the model alone."""
    full = max(report.modes, key=list(ModeName).index, default=None)
    if full is None or full is ModeName.BASELINE:
        return None
    shares = report.shares(full)
    alone = report.shares(ModeName.BASELINE) if ModeName.BASELINE in report.modes else None
    return Verdict(
        of=shares.correct.of,
        correct=shares.correct.count,
        wrong=shares.wrong.count,
        wrong_alone=alone.wrong.count if alone else None,
        of_alone=alone.wrong.of if alone else 0,
    )


def cost_points(report: StoredEval, language: Language) -> tuple[CostUnit, tuple[Measured, ...]]:
    """Accuracy against the cost of a run, for the modes whose cost is known."""
    known = [report.metrics[mode] for mode in report.modes if mode in report.metrics]
    priced = [_dollars(each) for each in known]
    in_dollars = bool(known) and all(priced)
    points = [
        _point(
            mode_name(each.mode, language),
            each.mode,
            x or 0.0,
            dollars(x) if in_dollars else amount(x),
            each.outcomes.correct,
        )
        for each, price in zip(known, priced, strict=True)
        for x in (price if in_dollars else each.avg_tokens,)
        if x is not None
    ]
    name = "cost_dollars" if in_dollars else "cost_tokens"
    return CostUnit(name, in_dollars), tuple(each for each in points if each is not None)


def trend_points(reports: Sequence[StoredEval], language: Language) -> tuple[Measured, ...]:
    """Accuracy of each mode over reports, the oldest first."""
    found = [
        _point(
            mode_name(mode, language),
            mode,
            place,
            _label(report, language),
            report.shares(mode).correct,
        )
        for place, report in enumerate(reports)
        for mode in report.modes
    ]
    return tuple(each for each in found if each is not None)


def matrix_of(report: StoredEval, which: Which = Which.ALL) -> tuple[CaseRow, ...]:
    """Every question of this kind, in every mode and wording."""
    by_mode = [_by_case(report.outcomes.of_mode(mode)) for mode in report.modes]
    cases = sorted({case for by_case in by_mode for case in by_case})
    rows = (_case_row(case, by_mode, report.wordings.get(case, ())) for case in cases)
    return tuple(row for row in rows if _is(row, which))


def _by_case(outcomes: Outcomes) -> dict[str, list[tuple[int, Outcome]]]:
    by_case: dict[str, list[tuple[int, Outcome]]] = {}
    for (case, repeat), outcome in outcomes.items():
        by_case.setdefault(case, []).append((repeat, outcome))
    return by_case


def _case_row(
    case: str, by_mode: Sequence[dict[str, list[tuple[int, Outcome]]]], worded: Sequence[str]
) -> CaseRow:
    cells = tuple(
        tuple(
            Cell(outcome, _MOODS[outcome], MARKS[outcome], _at(worded, repeat))
            for repeat, outcome in by_case.get(case, ())
        )
        for by_case in by_mode
    )
    return CaseRow(case, _at(worded, 0), cells)


def _is(row: CaseRow, which: Which) -> bool:
    ended = [tuple(cell.outcome for cell in cells) for cells in row.cells]
    seen = {outcome for outcomes in ended for outcome in outcomes}
    match which:
        case Which.ALL:
            return True
        case Which.IMPERFECT:
            return seen != {Outcome.CORRECT}
        case Which.WRONG:
            return Outcome.WRONG in seen
        case Which.UNEVEN:
            return len(set(ended)) > 1


def _at(worded: Sequence[str], repeat: int) -> str:
    return worded[repeat] if repeat < len(worded) else ""


def _label(report: StoredEval, language: Language) -> str:
    at = datetime.fromtimestamp(report.at, UTC)
    day = message("quality.short_day", language, day=at.day, month=at.month)
    return f"{report.header.version} · {day}"


def _dollars(known: ModeMetrics) -> float | None:
    """Of one run."""
    return None if known.cost is None or not known.n else known.cost / known.n


def _point(name: str, mode: ModeName, x: float, label: str, share: Proportion) -> Measured | None:
    if share.share is None or share.low is None or share.high is None:
        return None
    return Measured(name, _NUMBERS[mode], x, label, share.share, share.low, share.high)
