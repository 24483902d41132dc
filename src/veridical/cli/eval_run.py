"""Implementation of ``veridical eval run``: makes or replays runs, reports, compares with a
baseline."""

import asyncio
import signal
import sys
import threading
from collections.abc import Callable, Coroutine, Generator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import typer

from veridical.agent.provider import ModelNotConfiguredError
from veridical.agent.settings import AgentSettings, read_settings
from veridical.cli.error_reporting import REFUSED, UsageError, err, out
from veridical.cli.eval_replay import RunRequest, replay_gold
from veridical.cli.eval_report import RunProgress, write_run_report
from veridical.contracts.language import Language
from veridical.evals.comparison.baseline import (
    Baseline,
    BaselineError,
    as_baseline,
    read_baseline,
    write_baseline,
)
from veridical.evals.comparison.regression import (
    Judgement,
    differences,
    judge_drop,
    judgement_text,
    worse_attempts,
)
from veridical.evals.execution.eval_run import EvalPlan, ModelAwayError, make_runs
from veridical.evals.execution.inputs import EvalInputs, open_inputs
from veridical.evals.execution.replay import ReadInputs, recorded_inputs
from veridical.evals.gold.case import Timeouts
from veridical.evals.modes.mode import ABLATION, ModeName
from veridical.evals.storage.folder import RunFolder
from veridical.host.settings import read_runtime_settings
from veridical.messages import message
from veridical.sample.folder import sample_folder

INTERRUPTED = 130
_GOLD = ("pack:trustee",)
Result = TypeVar("Result")
OpenInputs = Callable[[tuple[str, ...]], AbstractContextManager[EvalInputs]]


def run_gold(
    request: RunRequest,
    opened: OpenInputs | None = None,
    recorded: ReadInputs = recorded_inputs,
) -> int:
    """Make the runs and report on them; the exit code says whether they finished and met the
    baseline. A laboratory hands in its own environments and models: ``opened`` for runs,
    ``recorded`` for replays."""
    language = request.language
    modes = _modes(request.modes, language)
    before = _baseline(request)
    if request.model.startswith(REPLAY):
        ended = replay_gold(Path(request.model.removeprefix(REPLAY)), request, modes, recorded)
    else:
        ended = _make(request, modes or ABLATION, opened or _opened(request))
    if not ended:
        return INTERRUPTED
    judgements = _judged(request, before)
    write_run_report(request.out, request.out, language, judgements)
    for worse in _worse(request, before):
        out.print(worse, highlight=False, markup=False)
    for judgement in judgements:
        out.print(judgement_text(judgement, language), highlight=False, markup=False)
    return 0 if all(judgement.passes for judgement in judgements) else REFUSED


def _opened(request: RunRequest) -> OpenInputs:
    return lambda sources: open_inputs(sources, sample_folder(), request.database, request.ontology)


def _make(request: RunRequest, modes: tuple[ModeName, ...], opened: OpenInputs) -> bool:
    """Make the runs; false when they were interrupted, which the next start makes up for."""
    language = request.language
    eval_plan = EvalPlan(
        modes=modes,
        repeats=request.repeats,
        limit=request.limit,
        seeds=request.seeds,
        timeouts=Timeouts(factor=request.timeout_factor),
        concurrency=request.concurrency,
        cache=request.cache,
    )
    settings = _settings(request.model)
    if not settings.model and set(modes) != {ModeName.PRODUCT}:
        raise UsageError(message("evals.no_model", language))
    folder = RunFolder(request.out)
    sources = request.gold or _own_gold() or _GOLD
    try:
        with (
            interruptible(),
            folder.locked(),
            opened(sources) as ground,
            RunProgress(language) as progress,
        ):
            making = make_runs(eval_plan, ground, settings, folder, progress.begin, progress.see)
            made = run_until_stopped(making)
    except ModelNotConfiguredError as error:
        raise UsageError(error.message(language)) from error
    except ModelAwayError as error:
        raise UsageError(message("evals.model_away", language, out=request.out)) from error
    except (KeyboardInterrupt, asyncio.CancelledError):
        err.print(message("evals.interrupted", language, out=request.out), style="yellow")
        return False
    if made.away:
        err.print(message("evals.some_away", language, count=made.away), style="yellow")
    return True


@contextmanager
def interruptible() -> Generator[None]:
    """Treats SIGTERM as an interrupt, so that what was started is stopped first."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def run_until_stopped(work: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine; an interrupt or SIGTERM cancels it, so that it cleans up."""

    async def watched() -> Result:
        task = asyncio.current_task()
        if task is not None and sys.platform != "win32":
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        return await work

    return asyncio.run(watched())


def _baseline(request: RunRequest) -> Baseline | None:
    """The baseline to compare with, read before hours are spent on the runs."""
    saved = request.save_baseline
    if saved is not None and not saved.parent.is_dir():
        raise UsageError(message("evals.no_folder", request.language, folder=saved.parent))
    if request.baseline is None:
        return None
    try:
        return read_baseline(request.baseline)
    except BaselineError as error:
        raise UsageError(str(error)) from error


def _worse(request: RunRequest, before: Baseline | None) -> Sequence[str]:
    """With ``exact``, the attempts that ended worse than in the baseline."""
    if before is None or not request.exact:
        return ()
    return worse_attempts(RunFolder(request.out).results.read(), before)


def _judged(request: RunRequest, before: Baseline | None) -> Sequence[Judgement]:
    """The comparison with the baseline; afterwards the runs may be saved as the next one."""
    folder = RunFolder(request.out)
    header, records = folder.setup().header, folder.results.read()
    found: Sequence[Judgement] = ()
    if before is not None:
        for what in differences(header, before.header):
            err.print(message("evals.differs", request.language, what=what), style="yellow")
        found = judge_drop(records, before, request.max_drop, exact=request.exact)
    if request.save_baseline is not None:
        write_baseline(request.save_baseline, as_baseline(header, records))
    return found


def _own_gold() -> tuple[str, ...]:
    """The gold questions that the only feature of ``veridical.toml`` names."""
    features = read_runtime_settings().features
    return (str(features[0].gold),) if len(features) == 1 and features[0].gold else ()


def _settings(model: str) -> AgentSettings:
    """The configured ones, for answers that come as a whole."""
    settings = read_settings().model_copy(update={"stream": False})
    return settings.model_copy(update={"model": model}) if model else settings


def _modes(named: str, language: Language) -> tuple[ModeName, ...]:
    names = [name.strip() for name in named.split(",")] if named else []
    unknown = sorted(set(names) - set(ModeName))
    if unknown:
        known = ", ".join(ModeName)
        raise UsageError(
            message("evals.unknown_mode", language, name=", ".join(unknown), known=known)
        )
    return tuple(ModeName(name) for name in names)


REPLAY = "replay:"
_TYPED = "COMMANDLINE"
_OF_A_MODEL = frozenset(
    {"repeats", "seeds", "timeout_factor", "concurrency", "cache", "no_cache",
     "database", "ontology"}
)  # fmt: skip
"""A replay asks no model: what was recorded says how often, in what words and how fast."""


def given(context: typer.Context) -> frozenset[str]:
    """The options that were given explicitly."""
    sources = {name: context.get_parameter_source(name) for name in context.params}
    return frozenset(name for name, source in sources.items() if source and source.name == _TYPED)


def refuse_ignored(typed: frozenset[str], model: str, language: Language) -> None:
    """Raises ``UsageError`` for options that have no effect beside the others."""
    if model.startswith(REPLAY):
        _refuse(typed & _OF_A_MODEL, f"--model {REPLAY}…", language)
    if "no_cache" in typed:
        _refuse(typed & {"cache"}, "--no-cache", language)
    if "baseline" not in typed:
        alone = typed & {"max_drop", "exact"}
        if alone:
            raise UsageError(message("evals.needs_baseline", language, options=_named(alone)))


def _refuse(ignored: frozenset[str], beside: str, language: Language) -> None:
    if ignored:
        text = message("evals.ignored", language, options=_named(ignored), beside=beside)
        raise UsageError(text)


def _named(options: frozenset[str]) -> str:
    return ", ".join(f"--{name.replace('_', '-')}" for name in sorted(options))
