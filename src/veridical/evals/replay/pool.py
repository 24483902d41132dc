"""Replays many recorded runs on several cores, in order."""

import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path

from veridical.evals.execution.inputs import EvalInputs
from veridical.evals.execution.plan import Planned
from veridical.evals.replay.recorded_inputs import recorded_inputs
from veridical.evals.replay.replay import Replay, replay_settings
from veridical.evals.scoring.scored_run import ScoredRun
from veridical.evals.storage.folder import RunFolder

_WORTH_A_POOL = 400
"""Fewer runs are replayed before another process has started."""
_CHUNK = 50


@dataclass(frozen=True, slots=True)
class Recorded:
    """Recorded runs, and the questions they are scored with now."""

    source: Path
    gold: tuple[str, ...]
    data: Path | None = None
    """Where the ACME data is, for questions about it."""

    @property
    def ground(self) -> EvalInputs:
        """The questions, and where they were asked, without the database."""
        return _opened(self).ground


def replayed(
    recorded: Recorded, planned: Sequence[Planned], processes: int = 1
) -> Iterator[ScoredRun]:
    """The runs, judged anew, in their order."""
    if processes == 1 or len(planned) < _WORTH_A_POOL:
        yield from _opened(recorded).replay.runs(planned)
        return
    chunks = [planned[at : at + _CHUNK] for at in range(0, len(planned), _CHUNK)]
    with ProcessPoolExecutor(processes, get_context("spawn"), _leave_interrupts_alone) as pool:
        for runs in pool.map(_replay, [recorded] * len(chunks), chunks):
            yield from runs


def _leave_interrupts_alone() -> None:
    """A terminal interrupts all processes; the one that started the others ends them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _replay(recorded: Recorded, planned: Sequence[Planned]) -> list[ScoredRun]:
    return list(_opened(recorded).replay.runs(planned))


@dataclass(frozen=True, slots=True)
class _Opened:
    ground: EvalInputs
    replay: Replay


@cache
def _opened(recorded: Recorded) -> _Opened:
    """Opened once in each process."""
    source = RunFolder(recorded.source)
    ground = recorded_inputs(recorded.gold, source.schema(), recorded.data, source.dialect())
    settings = replay_settings(source.setup())
    return _Opened(ground, Replay(source, ground.stage, source.truths(), settings))
