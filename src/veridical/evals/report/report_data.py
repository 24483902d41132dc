"""The data of a report: computed once here, rendered elsewhere."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from veridical.contracts.trace import AgentTrace
from veridical.evals.comparison.compare import ModeComparison, compare_modes, modes_of
from veridical.evals.comparison.metrics import (
    GROUPINGS,
    Breakdown,
    ModeMetrics,
    breakdown,
    measure_modes,
)
from veridical.evals.comparison.regression import Judgement
from veridical.evals.modes.mode import ModeName
from veridical.evals.scoring.record import RunRecord
from veridical.evals.storage.setup import RunHeader

_ORDER = {mode: number for number, mode in enumerate(ModeName)}


@dataclass(frozen=True, slots=True)
class CaseRuns:
    """One gold question and all its runs, by mode and repeat."""

    case: str
    question: str
    runs: Mapping[ModeName, tuple[RunRecord, ...]]


@dataclass(frozen=True, slots=True)
class Report:
    """The metrics, comparisons and traces of an evaluation."""

    header: RunHeader
    records: tuple[RunRecord, ...]
    modes: tuple[ModeName, ...]
    metrics: tuple[ModeMetrics, ...]
    comparisons: tuple[ModeComparison, ...]
    cases: tuple[CaseRuns, ...]
    breakdowns: Mapping[str, Breakdown]
    """The outcomes by language, difficulty and so on."""
    failure_codes: Mapping[str, Mapping[ModeName, int]]
    """The count of each code in each mode, the most frequent first."""
    judgements: tuple[Judgement, ...]
    traces: Mapping[str, AgentTrace]

    def titled(self, title: str) -> str:
        """The title of a table or chart: figures of a simulated model always say so."""
        return f"{title} (simulated)" if self.header.simulated else title

    @property
    def about(self) -> str:
        """The subject of the figures in one line."""
        header = self.header
        return f"{header.gold} · {header.model_label} · {header.cases} questions × {header.repeats}"


def build_report(
    header: RunHeader,
    records: Iterable[RunRecord],
    traces: Mapping[str, AgentTrace] | None = None,
    judgements: Iterable[Judgement] = (),
) -> Report:
    """Compute the report; the order of the records doesn't matter."""
    ordered = sorted(records, key=_place)
    return Report(
        header=header,
        records=tuple(ordered),
        modes=modes_of(ordered),
        metrics=measure_modes(ordered),
        comparisons=compare_modes(ordered),
        cases=_cases(ordered),
        breakdowns={name: breakdown(ordered, by) for name, by in GROUPINGS.items()},
        failure_codes=_failure_codes(ordered),
        judgements=tuple(judgements),
        traces=traces or {},
    )


def _place(record: RunRecord) -> tuple[str, int, int]:
    return record.key.case, _ORDER[record.key.mode], record.key.repeat


def _cases(ordered: Iterable[RunRecord]) -> tuple[CaseRuns, ...]:
    grouped: defaultdict[str, defaultdict[ModeName, list[RunRecord]]]
    grouped = defaultdict(lambda: defaultdict(list))
    for record in ordered:
        grouped[record.key.case][record.key.mode].append(record)
    return tuple(_case(case, by_mode) for case, by_mode in grouped.items())


def _case(case: str, by_mode: Mapping[ModeName, list[RunRecord]]) -> CaseRuns:
    runs = {mode: tuple(records) for mode, records in by_mode.items()}
    first = min((run for each in runs.values() for run in each), key=lambda run: run.key.repeat)
    return CaseRuns(case, first.question, runs)


def _failure_codes(ordered: Iterable[RunRecord]) -> dict[str, dict[ModeName, int]]:
    counted: defaultdict[str, Counter[ModeName]] = defaultdict(Counter)
    for record in ordered:
        for code in record.failure_codes:
            counted[code][record.key.mode] += 1
    by_total = sorted(counted, key=lambda code: (-counted[code].total(), code))
    return {code: dict(counted[code]) for code in by_total}
