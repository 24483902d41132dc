"""The eval reports of an installation: folders that ``veridical eval run`` wrote, and baselines."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from veridical.evals.comparison.baseline import Baseline, BaselineError, as_baseline, read_baseline
from veridical.evals.comparison.metrics import (
    ModeMetrics,
    OutcomeShares,
    attempt_shares,
    measure_modes,
)
from veridical.evals.modes.mode import ModeName
from veridical.evals.scoring.record import RunRecord
from veridical.evals.storage.folder import RunFolder
from veridical.evals.storage.setup import RunHeader
from veridical.ontology.errors import LoadError

MOST = 60
"""The most reports that are read."""
_LARGEST = 64 * 1024 * 1024
_RESULTS, _BASELINE = "results.jsonl", "baseline.json"
_DEPTHS = ("", "*/", "*/*/")
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class StoredEval:
    """One report."""

    name: str
    """Its folder below that of all reports."""
    at: float
    """When it was written, in seconds since 1970."""
    outcomes: Baseline
    metrics: Mapping[ModeName, ModeMetrics]
    """Tokens, cost and time by mode; none where only a baseline was kept."""
    wordings: Mapping[str, tuple[str, ...]]
    """By question: its words in each repeat, where runs were kept."""

    @property
    def header(self) -> RunHeader:
        """The header of the run."""
        return self.outcomes.header

    @property
    def modes(self) -> tuple[ModeName, ...]:
        """The modes that were run, in their order."""
        return tuple(mode for mode in ModeName if mode in self.outcomes.outcomes)

    def shares(self, mode: ModeName) -> OutcomeShares:
        """The outcomes of a mode's attempts, with intervals."""
        return attempt_shares(self.outcomes.of_mode(mode))

    def is_comparable(self, other: "StoredEval") -> bool:
        """True if both fit into one trend: the same questions to the same model."""
        ours, theirs = self.header, other.header
        return (ours.gold, ours.model, ours.simulated) == (
            theirs.gold,
            theirs.model,
            theirs.simulated,
        )

    @property
    def place(self) -> tuple[tuple[int, ...], float, str]:
        """Its sort key in a trend: by release, then by time."""
        release = tuple(map(int, _NUMBER.findall(self.header.version)[:3]))
        return release, self.at, self.name


@dataclass(frozen=True, slots=True)
class Shelf:
    """The evaluations found in the folder."""

    reports: tuple[StoredEval, ...] = ()
    """The newest release and the newest first."""
    unreadable: tuple[str, ...] = ()

    def named(self, name: str) -> StoredEval | None:
        """The report of this name, else the first one."""
        first = self.reports[0] if self.reports else None
        return next((each for each in self.reports if each.name == name), first)

    def trend_of(self, report: StoredEval) -> tuple[StoredEval, ...]:
        """All that can be compared with this one, the oldest first."""
        alike = (each for each in self.reports if each.is_comparable(report))
        return tuple(sorted(alike, key=lambda each: each.place))


def shelf_of(folder: Path) -> Shelf:
    """The reports below this folder; those that did not change are not read again."""
    read: list[StoredEval] = []
    unreadable: list[str] = []
    for path in _found(folder):
        name = path.parent.relative_to(folder).as_posix()
        status = path.stat()
        try:
            read.append(_read(path, name, status.st_mtime_ns, status.st_size))
        except (LoadError, BaselineError, OSError):
            unreadable.append(name)
    read.sort(key=lambda each: each.place, reverse=True)
    return Shelf(tuple(read), tuple(sorted(unreadable)))


def _found(folder: Path) -> Sequence[Path]:
    """The newest files with outcomes; runs have more details than a baseline beside them."""
    runs = list(_files(folder, _RESULTS))
    with_runs = {path.parent for path in runs}
    alone = (path for path in _files(folder, _BASELINE) if path.parent not in with_runs)
    newest = sorted((*runs, *alone), key=lambda path: path.stat().st_mtime_ns, reverse=True)
    return newest[:MOST]


def _files(folder: Path, name: str) -> Iterator[Path]:
    for depth in _DEPTHS:
        for path in folder.glob(f"{depth}{name}"):
            if path.is_file() and path.stat().st_size <= _LARGEST:
                yield path


@lru_cache(2 * MOST)
def _read(path: Path, name: str, stamp: int, size: int) -> StoredEval:  # the key
    at = stamp / 1e9
    if path.name == _BASELINE:
        return StoredEval(name, at, read_baseline(path), {}, {})
    folder = RunFolder(path.parent)
    records = folder.results.read()
    if not records:
        raise LoadError(f"no runs in {path.parent} yet")
    return StoredEval(
        name=name,
        at=at,
        outcomes=as_baseline(folder.setup().header, records),
        metrics={each.mode: each for each in measure_modes(records)},
        wordings=_wordings(records),
    )


def _wordings(records: Sequence[RunRecord]) -> dict[str, tuple[str, ...]]:
    questions: dict[str, dict[int, str]] = {}
    for record in records:
        questions.setdefault(record.key.case, {})[record.key.repeat] = record.question
    return {
        case: tuple(by_repeat.get(repeat, "") for repeat in range(max(by_repeat) + 1))
        for case, by_repeat in questions.items()
    }
