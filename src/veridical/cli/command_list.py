"""The commands by name, each with the module that has it: only the one that was typed is imported.

The lines of help stand here too, so that listing the commands imports none of them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group

_LISTING = "veridical.cli.listing"


@dataclass(frozen=True, slots=True)
class Listed:
    """Where a command is, and what the list of all commands says of it."""

    module: str
    name: str
    help: str


COMMANDS: Mapping[str, Listed] = {
    "demo": Listed(
        "demo",
        "demo",
        "Try it out on sample data, in the browser: no key, no model, no internet needed.",
    ),
    "init": Listed(
        "init", "init", "Profile a database and draft its ontology, settings and questions."
    ),
    "review": Listed(
        "review",
        "review",
        "Walk through open decisions: each with what was counted, and what goes wrong without it.",
    ),
    "check": Listed(
        "check", "check", "Check one call. Exit code 0: it may run; 1: refused; 2: invalid command."
    ),
    "ask": Listed(
        "ask",
        "ask",
        'Ask a question about the data and get a verified answer, or an honest "I can\'t say".',
    ),
    "chat": Listed(
        "ask", "chat", 'Ask one question after another; "and 2023?" refers to the one before.'
    ),
    "mcp": Listed(
        "mcp",
        "mcp",
        "Serve the Model Context Protocol on standard input and output until the input ends.",
    ),
    "serve": Listed(
        "serve",
        "serve",
        "Answer over HTTP, as veridical.toml says, until asked to stop: SIGTERM or Ctrl+C.",
    ),
    "worker": Listed("worker", "worker", "Answer runs on the features of veridical.toml."),
    "engines": Listed(
        "engines",
        "engines",
        "List the engines: addresses, dialect, and whether tests run on a real one or on none.",
    ),
    "db": Listed("database", "app", "Upgrade and check Veridical's own database."),
    "eval": Listed("eval", "app", "Ask gold questions; compare and report."),
    "gate": Listed(
        "gate", "app", "Hold an answer against its evidence; report what was held back wrongly."
    ),
    "gold": Listed("gold", "app", "Turn asked questions into gold questions."),
    "inbox": Listed("inbox", "app", "See what waits for a person, and decide it."),
    "key": Listed("key", "app", "Make, list and revoke API keys; end sessions."),
    "ontology": Listed("ontology", "app", "Lint, print, compare, import an ontology."),
    "requirements": Listed("requirements", "app", "Review requirements."),
    "runs": Listed("runs", "app", "List the runs; tell the story of one."),
    "search": Listed("search", "app", "Ingest documents and search them."),
    "skill": Listed("skill", "app", "List, show, check skills; tell which one fits."),
    "tenant": Listed("tenant", "app", "Make, change and disable tenants."),
}


class LazyCommands(TyperGroup):
    """The root command. Its subcommands are loaded when one of them is used."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.commands: Any = _Loaded()

    def list_commands(self, ctx: Any) -> list[str]:
        """Their names, in the order in which one needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of this name; while they are listed, its line of help alone."""
        if cmd_name not in COMMANDS:
            return None
        if ctx.meta.get(_LISTING):
            return TyperCommand(cmd_name, help=COMMANDS[cmd_name].help)
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
        alone.add_typer(found, name=name)
    else:
        alone.command(name)(found)
    return get_group(alone).commands[name]
