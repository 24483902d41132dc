"""``veridical``: the root command with all subcommands."""

import sys
from importlib.metadata import version
from typing import Annotated

import typer

from veridical.cli import (
    database,
    gate,
    gold,
    inbox,
    key,
    ontology,
    requirements,
    runs,
    search,
    skill,
    tenant,
)
from veridical.cli import eval as evaluate
from veridical.cli.ask import ask, chat
from veridical.cli.check import check
from veridical.cli.engines import engines
from veridical.cli.error_reporting import reported_errors
from veridical.cli.init import init
from veridical.cli.mcp import mcp
from veridical.cli.review import review
from veridical.cli.serve import serve
from veridical.cli.worker import worker
from veridical.contracts.extras import require
from veridical.contracts.language import Language

app = typer.Typer(
    name="veridical",
    help="The trust layer between language models and business data.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
app.command()(init)
app.command()(review)
app.command()(check)
app.command()(ask)
app.command()(chat)
app.command()(mcp)
app.command()(serve)
app.command()(worker)
app.command()(engines)
app.add_typer(database.app, name="db")
app.add_typer(evaluate.app, name="eval")
app.add_typer(gate.app, name="gate")
app.add_typer(gold.app, name="gold")
app.add_typer(inbox.app, name="inbox")
app.add_typer(key.app, name="key")
app.add_typer(ontology.app, name="ontology")
app.add_typer(requirements.app, name="requirements")
app.add_typer(runs.app, name="runs")
app.add_typer(search.app, name="search")
app.add_typer(skill.app, name="skill")
app.add_typer(tenant.app, name="tenant")


@app.command()
def demo(
    language: Annotated[Language, typer.Option(help="The language of the texts.")] = Language.EN,
) -> None:
    """Start a local PostgreSQL with small books; watch a call be refused, corrected and run."""
    with reported_errors(language):
        require("engine", "local")
        from veridical.cli.demo import run_demo

        run_demo(language)


def _show_version(wanted: bool) -> None:
    if wanted:
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
