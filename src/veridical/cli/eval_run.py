"""What ``veridical eval run`` does: open model and books, make the runs, show how they ended."""

import asyncio
import signal
import sys
from collections.abc import Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from veridical.agent.provider import ModelNotConfiguredError
from veridical.agent.settings import AgentSettings, read_settings
from veridical.cli.asking import sample_folder
from veridical.cli.eval_progress import RunProgress
from veridical.cli.friendly import UsageError, err
from veridical.contracts.language import Language
from veridical.evals.folder import RunFolder
from veridical.evals.ground import open_ground
from veridical.evals.mode import ModeName
from veridical.evals.runner import ModelAwayError
from veridical.evals.session import Session, make_runs
from veridical.evals.timeouts import Timeouts
from veridical.messages import say

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What was typed."""

    gold: tuple[str, ...]
    modes: str
    repeats: int
    seeds: bool
    model: str
    out: Path
    data: Path | None
    timeout_factor: float
    concurrency: int
    limit: int | None
    cache: Path | None
    language: Language


def run_gold(request: RunRequest) -> bool:
    """Make the runs; false when they were interrupted, which the next start makes up for."""
    language = request.language
    session = Session(
        modes=_modes(request.modes, language),
        repeats=request.repeats,
        limit=request.limit,
        seeds=request.seeds,
        timeouts=Timeouts(factor=request.timeout_factor),
        concurrency=request.concurrency,
        cache=request.cache,
    )
    settings = _settings(request.model)
    folder = RunFolder(request.out)
    progress = RunProgress(language)
    try:
        with folder.held(), open_ground(request.gold, request.data, sample_folder()) as ground:
            if not settings.model and set(session.modes) != {ModeName.PRODUCT}:
                raise UsageError(say("evals.no_model", language))
            with progress:
                making = make_runs(session, ground, settings, folder, progress.begin, progress.see)
                made = run_until_stopped(making)
    except ModelNotConfiguredError as error:
        raise UsageError(error.message(language)) from error
    except ModelAwayError as error:
        raise UsageError(say("evals.model_away", language, out=request.out)) from error
    except (KeyboardInterrupt, asyncio.CancelledError):
        err.print(say("evals.interrupted", language, out=request.out), style="yellow")
        return False
    if made.away:
        err.print(say("evals.some_away", language, count=made.away), style="yellow")
    return True


def run_until_stopped(work: Coroutine[Any, Any, Result]) -> Result:
    """Run it; an interrupt or a polite end of the process cancels it, so that it cleans up."""

    async def watched() -> Result:
        task = asyncio.current_task()
        if task is not None and sys.platform != "win32":
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        return await work

    return asyncio.run(watched())


def _settings(model: str) -> AgentSettings:
    """The configured ones, for answers that come as a whole."""
    settings = read_settings().model_copy(update={"stream": False})
    return settings.model_copy(update={"model": model}) if model else settings


def _modes(told: str, language: Language) -> tuple[ModeName, ...]:
    names = [name.strip() for name in told.split(",") if name.strip()]
    unknown = sorted(set(names) - set(ModeName))
    if unknown or not names:
        known = ", ".join(ModeName)
        raise UsageError(say("evals.unknown_mode", language, name=", ".join(unknown), known=known))
    return tuple(ModeName(name) for name in names)
