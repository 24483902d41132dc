"""The progress bar of work that is counted: on standard error, and gone when the work is done."""

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from veridical.cli.error_reporting import Terminal


def counted_bar() -> Progress:
    """A bar that tells how many of how many are done, and how long the rest will take."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Terminal(stderr=True),
        transient=True,
    )
