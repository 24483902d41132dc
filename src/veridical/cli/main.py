"""``veridical``: the root command, and the others by name: only the one that was typed is imported.

The lines of help stand here too, so that listing the commands imports none of them.
"""

import gc
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, wraps
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group

from veridical.contracts.language import Language

_LISTING = "veridical.cli.listing"


FRONT = "Start here"
"""The panel of the commands that a user needs first."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A command's module, help line and attribute."""

    module: str
    help: str
    name: str = "app"


_PANELS: Mapping[str, Mapping[str, Listed]] = {
    FRONT: {
        "demo": Listed(
            "serve",
            "Try it out on sample data, in the browser: no key, no model, no internet needed.",
            "demo",
        ),
        "init": Listed(
            "init", "Profile a database and draft its ontology, settings and questions.", "init"
        ),
        "review": Listed(
            "review",
            "Walk through open decisions: each with what was counted, and what goes wrong without"
            " it.",
            "review",
        ),
        "ask": Listed(
            "ask",
            'Ask a question about the data and get a verified answer, or an honest "I can\'t say".',
            "ask",
        ),
        "check": Listed(
            "check",
            "Check one call. Exit code 0: it may run; 1: refused; 2: invalid command.",
            "check",
        ),
        "gate": Listed(
            "gate", "Hold an answer against its evidence; report what was held back wrongly."
        ),
        "serve": Listed(
            "serve",
            "Answer over HTTP, as veridical.toml says, until asked to stop: SIGTERM or Ctrl+C.",
            "serve",
        ),
    },
    "Questions and answers": {
        "chat": Listed(
            "ask", 'Ask one question after another; "and 2023?" refers to the one before.', "chat"
        ),
        "mcp": Listed(
            "serve",
            "Serve the Model Context Protocol on standard input and output until the input ends.",
            "mcp",
        ),
        "verify": Listed(
            "verify",
            "Verify a signed answer, offline. Exit code 0: valid; 1: not; 2: invalid command.",
            "verify",
        ),
        "runs": Listed("runs", "List the runs; tell the story of one."),
        "search": Listed("search", "Ingest documents and search them."),
        "skill": Listed("skill", "List, show, check skills; tell which one fits."),
    },
    "Knowledge and quality": {
        "engines": Listed(
            "engines",
            "List the engines: addresses, dialect, and whether tests run on a real one or on none.",
            "engines",
        ),
        "ontology": Listed("ontology", "Lint, print, compare an ontology."),
        "import": Listed(
            "semantic_models",
            "Read another tool's semantic model, and say what was lost and what is not protected.",
            "import_command",
        ),
        "export": Listed(
            "semantic_models",
            "Write an ontology as another tool's semantic model, and say what has no place there.",
            "export_command",
        ),
        "eval": Listed("eval", "Ask gold questions; compare and report."),
        "gold": Listed("gold", "Turn asked questions into gold questions."),
        "requirements": Listed("requirements", "Review requirements."),
    },
    "Operation": {
        "worker": Listed("serve", "Answer runs on the features of veridical.toml.", "worker"),
        "db": Listed("own_database", "Upgrade and check Veridical's own database."),
        "inbox": Listed("inbox", "See what waits for a person, and decide it."),
        "key": Listed("tenancy", "Make, list and revoke API keys; end sessions.", "key_app"),
        "tenant": Listed("tenancy", "Make, change and disable tenants.", "tenant_app"),
    },
}
COMMANDS = {name: each for panel in _PANELS.values() for name, each in panel.items()}
PANEL_OF = {name: title for title, panel in _PANELS.items() for name in panel}


class LazyCommands(TyperGroup):
    """The root command. Its subcommands are loaded when one of them is used."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.commands: Any = _Loaded()

    def list_commands(self, ctx: Any) -> list[str]:
        """Their names, those that one needs first in front."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of this name; while they are listed, its line of help alone."""
        if cmd_name not in COMMANDS:
            return None
        if ctx.meta.get(_LISTING):
            return TyperCommand(
                cmd_name, help=COMMANDS[cmd_name].help, rich_help_panel=PANEL_OF[cmd_name]
            )
        return loaded(cmd_name)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Lists the commands without loading them."""
        ctx.meta[_LISTING] = True
        super().format_help(ctx, formatter)


class _Loaded(Mapping[str, Any]):
    """The commands by name, each imported when it is looked up."""

    def __getitem__(self, name: str) -> Any:
        return loaded(name)

    def __contains__(self, name: object) -> bool:
        return name in COMMANDS

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


@cache
def loaded(name: str) -> Any:
    """The command of this name, imported. Raises ``KeyError``."""
    listed = COMMANDS[name]
    found = getattr(import_module(f"veridical.cli.{listed.module}"), listed.name)
    alone = typer.Typer()
    if isinstance(found, typer.Typer):
        alone.add_typer(found, name=name, rich_help_panel=PANEL_OF[name])
    else:
        alone.command(name, rich_help_panel=PANEL_OF[name])(found)
    command = get_group(alone).commands[name]
    for each in (command, *getattr(command, "commands", {}).values()):
        each.callback = each.callback and _reporting(each.callback)
    return command


def _reporting(callback: Callable[..., Any]) -> Callable[..., Any]:
    """The command with its errors reported in one sentence, in the language that it was given."""
    from veridical.cli.error_reporting import reported_errors

    @wraps(callback)
    def run(*positional: Any, **given: Any) -> Any:
        with reported_errors(Language(given.get("language") or Language.EN)):
            return callback(*positional, **given)

    return run


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
