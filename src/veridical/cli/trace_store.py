"""The place of the traces, as commands name it."""

import os
import re
from collections.abc import Generator
from contextlib import contextmanager
from typing import Annotated

import typer

from veridical.cli.error_reporting import UsageError, err
from veridical.contracts.language import Language
from veridical.messages import message
from veridical.trace.address import VARIABLE, open_traces, traces_address
from veridical.trace.recorder import StoreError, TraceStore

TraceStoreOption = Annotated[
    str | None,
    typer.Option("--store", help=f"A folder or postgresql://…; else what {VARIABLE} says."),
]


@contextmanager
def opened_traces(store: str | None, language: Language) -> Generator[TraceStore]:
    """The traces of a folder or database, closed when the block ends."""

    def note(place: str) -> None:
        err.print(message("runs.unreadable", language, place=place), style="yellow")

    try:
        traces = open_traces(store or traces_address(os.environ), note)
        try:
            yield traces
        finally:
            traces.close()
    except StoreError as error:
        raise UsageError(str(error)) from error


def shown_store(store: str | None) -> str:
    """The address of the traces, without credentials."""
    return re.sub(r"(?<=://)[^/@]*@", "", store or traces_address(os.environ))
