"""The commands of ``veridical`` as the command line itself knows them."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import typer

from veridical.cli.main import app

_DEFAULTS = {"gate": "check"}
"""Groups that take an argument of this command where no command is named."""


def unknown_in(words: Sequence[str]) -> str | None:
    """The first word after ``veridical`` that names no command or no option; none if all do."""
    command: Any = _whole()
    for word in words:
        if word.startswith("--"):
            if word.partition("=")[0] not in _options(command):
                return word
        elif hasattr(command, "commands"):
            found = command.commands.get(word) or command.commands.get(_DEFAULTS.get(command.name))
            if found is None:
                return word
            command = found
    return None if not hasattr(command, "commands") or "--version" in words else "…"


def _options(command: Any) -> set[str]:
    named = (name for each in command.params for name in (*each.opts, *each.secondary_opts))
    return {*named, "--help"}


@cache
def _whole() -> object:
    return typer.main.get_command(app)
