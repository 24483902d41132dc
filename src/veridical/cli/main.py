"""``veridical``: the root command."""

import gc
import sys
from typing import Annotated

import typer

from veridical.cli.command_list import LazyCommands

# What a command imports is never garbage: looking for some in between only costs time.
gc.set_threshold(50_000)

app = typer.Typer(
    name="veridical",
    cls=LazyCommands,
    help="The trust layer between language models and business data.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version  # takes longer to load than all the rest

        typer.echo(f"veridical {version('veridical')}")
        raise typer.Exit


@app.callback()
def main(
    context: typer.Context,
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """The trust layer between language models and business data."""
    # So that MODULE:NAME is found in the folder of the command: last, to hide nothing installed.
    sys.path.append("")
    context.call_on_close(lambda: sys.path.remove(""))
