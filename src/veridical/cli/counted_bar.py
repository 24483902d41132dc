"""The progress bar of work that is counted: on standard error, and gone when the work is done."""

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from veridical.cli.error_reporting import Terminal


def counted_bar() -> Progress:
    """A bar that tells how many of how many are done, and how long the rest will take.

    Where nobody sees it, as in a build, it writes nothing.
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
