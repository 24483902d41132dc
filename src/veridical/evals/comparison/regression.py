"""Regression test against a baseline: a drop counts when it is both large and significant."""

from collections.abc import Sequence
from enum import StrEnum

from veridical.contracts.language import Language
from veridical.contracts.wire import Wire
from veridical.evals.comparison.baseline import Baseline
from veridical.evals.comparison.compare import (
    Comparison,
    Measure,
    compare_together,
    modes_of,
    outcomes_of,
)
from veridical.evals.comparison.statistics import ALPHA, cases_needed, visible_difference
from veridical.evals.modes.mode import ModeName
from veridical.evals.scoring.record import Outcome, RunRecord
from veridical.evals.storage.setup import RunHeader
from veridical.messages import message

_RANKS = (Outcome.CORRECT, Outcome.REFUSED, Outcome.WRONG)
_COMPARED_HEADERS = ("gold", "model", "simulated", "repeats")


class Ruling(StrEnum):
    """The result of a comparison with the baseline."""

    PASSES = "passes"
    """the drop is not larger than allowed"""
    UNCLEAR = "unclear"
    """larger than allowed, and as well chance: the adjusted p is not below 0.05"""
    DROP = "drop"
    """larger than allowed, and the exact test says p < 0.05, adjusted for the number of modes"""
    NOTHING = "nothing"
    """no attempt of the baseline was made again, so nothing was compared"""


class Judgement(Wire):
    """One mode by one measure, against the baseline."""

    mode: ModeName
    ruling: Ruling
    max_drop: float
    comparison: Comparison
    visible: float | None
    """The smallest drop that so many cases show with a power of 80 %."""
    target: float | None
    """A drop that these cases don't show: the allowed one, or half of the smallest visible one."""
    cases_needed: int | None
    """About how many cases would show it."""
    exact: bool = False
    """True for a difference without chance in it."""

    @property
    def passes(self) -> bool:
        """True when a release may go on. Comparing nothing does not pass."""
        return self.ruling in (Ruling.PASSES, Ruling.UNCLEAR)


def judge_drop(
    records: Sequence[RunRecord], baseline: Baseline, max_drop: float, *, exact: bool = False
) -> tuple[Judgement, ...]:
    """Every mode that run and baseline share, by what is correct and by what is not wrong.

    A mode drops when its share fell by more than ``max_drop`` (0.02 for two points) *and* the
    two-sided exact test against the baseline says p < 0.05, adjusted for the number of modes. Where
    they share no mode, nothing was compared, and that does not pass.

    ``exact`` is for runs without chance, such as replays: any drop beyond ``max_drop`` is one, and
    an attempt of the baseline that was not made again counts as wrong.
    """
    run = modes_of(records)
    judged = [mode for mode in run if mode in baseline.outcomes] or run or baseline.outcomes
    if exact:
        judged = list(baseline.outcomes) or list(run)
    pairs = [(outcomes_of(records, mode), baseline.of_mode(mode)) for mode in judged]
    if exact:
        pairs = [(dict.fromkeys(then, Outcome.WRONG) | now, then) for now, then in pairs]
    compared = {of: compare_together(pairs, of) for of in Measure}
    return tuple(
        _judge(mode, compared[of][place], max_drop, exact=exact)
        for place, mode in enumerate(judged)
        for of in Measure
    )


def worse_attempts(records: Sequence[RunRecord], baseline: Baseline) -> tuple[str, ...]:
    """Each attempt of the baseline that ended worse, as ``full q01 0: correct, now wrong``."""
    worse: list[str] = []
    for mode in baseline.outcomes:
        now = outcomes_of(records, mode)
        for (case, repeat), then in baseline.of_mode(mode).items():
            ended = now.get((case, repeat))
            if ended is None or _RANKS.index(ended) > _RANKS.index(then):
                worse.append(f"{mode} {case} {repeat}: {then}, now {ended or 'not made'}")
    return tuple(worse)


def _judge(mode: ModeName, comparison: Comparison, max_drop: float, *, exact: bool) -> Judgement:
    discordance = comparison.discordance
    if comparison.effect is None or comparison.p_adjusted is None or discordance is None:
        return Judgement(
            mode=mode,
            ruling=Ruling.NOTHING,
            max_drop=max_drop,
            comparison=comparison,
            visible=None,
            target=None,
            cases_needed=None,
        )
    seen_in = discordance, comparison.repeats, comparison.design_effect, comparison.tested
    visible = visible_difference(comparison.cases, *seen_in)
    seen = 1.0 if visible is None else visible
    target = max_drop if 0 < max_drop < seen else seen / 2
    return Judgement(
        mode=mode,
        ruling=_ruling(-comparison.effect, 0.0 if exact else comparison.p_adjusted, max_drop),
        max_drop=max_drop,
        comparison=comparison,
        visible=visible,
        target=target,
        cases_needed=cases_needed(target, *seen_in),
        exact=exact,
    )


def _ruling(drop: float, p: float, max_drop: float) -> Ruling:
    if drop <= max_drop:
        return Ruling.PASSES
    return Ruling.DROP if p < ALPHA else Ruling.UNCLEAR


def judgement_text(judgement: Judgement, language: Language = Language.EN) -> str:
    """The judgement in words: how large, how sure, and what it would take to see less."""
    comparison = judgement.comparison
    values = {
        "mode": judgement.mode,
        "measure": message(f"regression.{_key(comparison.of)}", language),
    }
    if judgement.ruling is Ruling.NOTHING:
        return message("regression.ruling_nothing", language, **values)
    values |= {
        "ruling": message(f"regression.ruling_{judgement.ruling}", language),
        "effect": _points(comparison.effect),
        "low": _points(comparison.low),
        "high": _points(comparison.high),
        "p": _p(comparison, language),
        "cases": str(comparison.cases),
        "pairs": str(comparison.pairs),
        "allowed": f"{judgement.max_drop * 100:g}",
    }
    if judgement.exact:
        return message("regression.judged_exactly", language, **values)
    sentences = [message("regression.judged", language, **values)]
    if judgement.visible is not None:
        sentences.append(message("regression.visible", language, visible=_size(judgement.visible)))
    if judgement.cases_needed is not None and judgement.target is not None:
        needed = {"target": _size(judgement.target), "needed": str(judgement.cases_needed)}
        sentences.append(message("regression.needed", language, **needed))
    if comparison.unpaired:
        sentences.append(message("regression.unpaired", language, count=comparison.unpaired))
    return ("" if language is Language.ZH else " ").join(sentences)


def differences(header: RunHeader, baseline: RunHeader) -> tuple[str, ...]:
    """The other differences between two runs, as ``model: a, before b``."""
    pairs = ((name, getattr(header, name), getattr(baseline, name)) for name in _COMPARED_HEADERS)
    return tuple(f"{name}: {now}, before {then}" for name, now, then in pairs if now != then)


def _key(of: Measure) -> str:
    return "measure_correct" if of is Measure.CORRECT else "measure_not_wrong"


def _p(comparison: Comparison, language: Language) -> str:
    p = f"{comparison.p_adjusted:.2g}"
    if comparison.tested == 1:
        return p
    return message("regression.adjusted", language, p=p, modes=comparison.tested)


def _points(value: float | None) -> str:
    return "–" if value is None else f"{value * 100:+.1f}"


def _size(value: float) -> str:
    return f"{value * 100:.1f}"
