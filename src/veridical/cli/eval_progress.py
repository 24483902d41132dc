"""Progress of an evaluation: a bar on a terminal, lines in a file."""

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from veridical.cli.error_reporting import err
from veridical.contracts.language import Language
from veridical.evals.scoring.record import Outcome, ScoredRun
from veridical.messages import message

_WHOLE_RUN = 7 * 24 * 3600.0
"""The remaining time is estimated from all runs so far."""
_STYLES = {Outcome.CORRECT: "green", Outcome.REFUSED: "yellow", Outcome.WRONG: "red"}


class RunProgress:
    """Counts the runs as they end."""

    def __init__(self, language: Language, console: Console = err, *, quiet: bool = False) -> None:
        """A quiet one writes no lines where there is no terminal for the bar."""
        self._language = language
        self._lines = not (quiet or console.is_terminal)
        self._console = console
        self._counts = dict.fromkeys(Outcome, 0)
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=console,
            disable=not console.is_terminal,
            speed_estimate_period=_WHOLE_RUN,
        )
        self._task = self._bar.add_task("", total=None)

    def __enter__(self) -> Self:
        """Show the bar."""
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leave the last state on the screen."""
        self._bar.stop()

    def begin(self, before: int, left: int) -> None:
        """Set the number of runs."""
        self._bar.reset(self._task, total=left, description=self._described())
        if before:
            text = message("evals.goes_on", self._language, before=before, left=left)
            self._console.print(text, style="dim")

    def see(self, judged: ScoredRun) -> None:
        """Count one finished run."""
        record = judged.record
        self._counts[record.score.outcome] += 1
        self._bar.update(self._task, advance=1, description=self._described())
        if self._lines:
            seconds = record.counters.elapsed_ms / 1000
            key = record.key
            line = f"{key.mode} {key.case} {key.repeat} {record.score.outcome} {seconds:.1f} s"
            self._console.print(f"{line} {record.detail}".rstrip(), highlight=False, markup=False)

    def _described(self) -> str:
        return " ".join(
            f"[{style}]{self._label(outcome)} {self._counts[outcome]}[/{style}]"
            for outcome, style in _STYLES.items()
        )

    def _label(self, outcome: Outcome) -> str:
        return message(f"evals.{outcome}", self._language)
