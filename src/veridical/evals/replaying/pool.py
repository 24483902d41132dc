"""Many recorded runs replayed on several cores, in their order."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path

from veridical.evals.gold.case import GoldSet
from veridical.evals.judging.judged import Judged
from veridical.evals.kept.folder import RunFolder
from veridical.evals.replaying.replay import Replay, replay_settings
from veridical.evals.replaying.sealed import SealedStage, sealed_stage
from veridical.evals.running.plan import Planned, load_golds
from veridical.ontology.pack import load_pack

_WORTH_A_POOL = 400
"""Fewer runs are replayed before another process has started."""
_CHUNK = 50


@dataclass(frozen=True, slots=True)
class Recorded:
    """Where runs were recorded, and with which questions they are judged now."""

    source: Path
    gold: tuple[str, ...]

    @property
    def golds(self) -> tuple[GoldSet, ...]:
        """The questions."""
        return _golds(self.gold)

    @property
    def stage(self) -> SealedStage:
        """Where they were asked, without the database."""
        return _opened(self).stage


def replayed(
    recorded: Recorded, planned: Sequence[Planned], processes: int = 1
) -> Iterator[Judged]:
    """The runs, judged anew, in their order."""
    if processes == 1 or len(planned) < _WORTH_A_POOL:
        yield from _opened(recorded).replay.runs(planned)
        return
    chunks = [planned[at : at + _CHUNK] for at in range(0, len(planned), _CHUNK)]
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        for runs in pool.map(_replay, [recorded] * len(chunks), chunks):
            yield from runs


def _replay(recorded: Recorded, planned: Sequence[Planned]) -> list[Judged]:
    return list(_opened(recorded).replay.runs(planned))


@dataclass(frozen=True, slots=True)
class _Opened:
    stage: SealedStage
    replay: Replay


@cache
def _golds(sources: tuple[str, ...]) -> tuple[GoldSet, ...]:
    return load_golds(sources)


@cache
def _opened(recorded: Recorded) -> _Opened:
    """Opened once in each process."""
    source = RunFolder(recorded.source)
    stage = sealed_stage(load_pack(recorded.golds[0].feature), source.schema())
    settings = replay_settings(source.setup())
    return _Opened(stage, Replay(source, stage, source.truths(), settings))
