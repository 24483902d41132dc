"""Terminal input and output: lines of input with a history, and a progress bar."""

import logging
import os
import signal
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from veridical.cli.error_reporting import Terminal
from veridical.trace.redact import redact_logs

_MOST_REMEMBERED = 1000


def is_terminal() -> bool:
    """True if input comes from a terminal, so that the user can reply."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def next_line(prompt: str) -> str | None:
    """The next line; none at the end of the input, or when it is interrupted."""
    if not sys.stdin.isatty():
        line = sys.stdin.readline()
        return line.strip() if line else None
    with _interruptible():
        try:
            return input(prompt).strip()
        except (EOFError, KeyboardInterrupt):
            return None


@contextmanager
def remembered() -> Generator[None]:
    """Keeps a history of input for the arrow keys, across sessions."""
    if not is_terminal():
        yield
        return
    # Not there on every system; without it lines are typed anew.
    with suppress(ImportError):
        import readline

        path = _history()
        with suppress(OSError):
            readline.read_history_file(path)
        readline.set_history_length(_MOST_REMEMBERED)
        try:
            yield
        finally:
            with suppress(OSError):
                path.parent.mkdir(parents=True, exist_ok=True)
                path.touch(mode=0o600)
                readline.write_history_file(path)
        return
    yield


def _history() -> Path:
    state = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
    return Path(state).expanduser() / "veridical" / "chat_history"


@contextmanager
def _interruptible() -> Generator[None]:
    """While an event loop runs, an interrupt only cancels it; here it must end the waiting."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def counting(title: str) -> Generator[Callable[[int, int], None]]:
    """A bar under this title, moved by the number that is done and the number of all."""
    with counted_bar() as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def counted_bar() -> Progress:
    """A bar that tells how many of how many are done, and how long the rest will take.

    Without a terminal, as in a build, it writes nothing.
    """
    terminal = Terminal(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=terminal,
        disable=not terminal.is_terminal,
        transient=True,
    )


_FORM = "%(asctime)s %(levelname)s %(name)s %(message)s"


def log_to_terminal(level: int = logging.INFO) -> None:
    """Log Veridical from this level on, and other libraries from warnings on."""
    logging.basicConfig(level=logging.WARNING, format=_FORM)
    logging.getLogger("veridical").setLevel(level)
    redact_logs()
