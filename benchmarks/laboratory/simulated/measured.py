"""Measures a profile from real runs: each mistake at its observed rate."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from benchmarks.laboratory.simulated.call_mistakes import with_mistake
from benchmarks.laboratory.simulated.observed import Observed, mistakes_in
from benchmarks.laboratory.simulated.profile import CALL_MISTAKES, ByMode, Mistake, Profile
from benchmarks.laboratory.simulated.solution import Solution, finder_of, trap_of
from veridical.contracts.trace import AgentTrace
from veridical.evals.gold.case import Case, GoldSet
from veridical.evals.gold.oracle import CaseTruth
from veridical.evals.modes.environment import EvalEnvironment
from veridical.evals.modes.mode import ModeName
from veridical.evals.scoring.record import RunRecord
from veridical.ontology.catalog import Catalog

_DIGITS = 4


def profile_from(
    name: str,
    records: Iterable[RunRecord],
    traces: Mapping[str, AgentTrace],
    golds: Sequence[GoldSet],
    truths: Mapping[str, CaseTruth],
    stage: EvalEnvironment,
) -> Profile:
    """The simulated model that errs as these runs did, mode by mode.

    A rate is that among the runs in which the mistake can be made. Runs whose trace is not there,
    or whose case is in none of the sets, are left out.
    """
    runs = list(_observed(records, traces, golds, truths, stage))
    made: Counter[tuple[Mistake, ModeName]] = Counter()
    possible: Counter[tuple[Mistake, ModeName]] = Counter()
    catalog = stage.known.checker.catalog
    for run in runs:
        mode, found = run.record.key.mode, mistakes_in(run, stage.known.checker)
        made.update((kind, mode) for kind in found)
        can = (kind for kind in Mistake if kind in found or _can_be_made(kind, run, catalog))
        possible.update((kind, mode) for kind in can)
    mistakes: dict[Mistake, ByMode] = {}
    for (kind, mode), count in sorted(made.items()):
        mistakes.setdefault(kind, {})[mode] = round(count / possible[kind, mode], _DIGITS)
    return Profile(
        name=name,
        source=f"{len(runs)} runs that were made and judged",
        mistakes=mistakes,
        repairs=_shares((run.record.key.mode, run.repaired) for run in runs),
        rewrites=_shares((run.record.key.mode, run.rewritten) for run in runs),
    )


def _observed(
    records: Iterable[RunRecord],
    traces: Mapping[str, AgentTrace],
    golds: Sequence[GoldSet],
    truths: Mapping[str, CaseTruth],
    stage: EvalEnvironment,
) -> Iterable[Observed]:
    homes: dict[str, tuple[Case, GoldSet]] = {
        case.id: (case, gold) for gold in golds for case in gold.cases
    }
    finder = finder_of(stage)
    for record in records:
        trace, home = traces.get(record.trace_id), homes.get(record.key.case)
        if trace is not None and home is not None:
            case, gold = home
            yield Observed(record, trace, case, finder.solution(case, gold, truths[case.id]))


def _can_be_made(kind: Mistake, run: Observed, catalog: Catalog) -> bool:
    if kind is Mistake.ANSWERS_AFTER_ERROR:
        return run.repaired is not None
    if kind is Mistake.TRAPPED:
        return trap_of(run.case) is not None
    if kind in CALL_MISTAKES:
        return _applies(kind, run.solution, catalog)
    return True


def _applies(kind: Mistake, solution: Solution | None, catalog: Catalog) -> bool:
    tree = solution.tree if solution else None
    return tree is not None and with_mistake(kind, tree, catalog) is not None


def _shares(outcomes: Iterable[tuple[ModeName, bool | None]]) -> ByMode:
    """The share of successes by mode, over the runs that had an occasion."""
    tried: Counter[ModeName] = Counter()
    worked: Counter[ModeName] = Counter()
    for mode, outcome in outcomes:
        if outcome is not None:
            tried[mode] += 1
            worked[mode] += outcome
    return {mode: round(worked[mode] / count, _DIGITS) for mode, count in sorted(tried.items())}
