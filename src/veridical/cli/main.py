"""``veridical``: the commands in one place."""

from importlib.metadata import version
from typing import Annotated

import typer

from veridical.cli import ontology
from veridical.cli.check import check

app = typer.Typer(
    name="veridical",
    help="The trust layer between language models and business data.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
app.command()(check)
app.add_typer(ontology.app, name="ontology")


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"veridical {version('veridical')}")
        raise typer.Exit


@app.callback()
def main(
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """The trust layer between language models and business data."""
