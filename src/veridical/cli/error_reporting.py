"""Reports errors as one sentence and an exit code: 1 for a refusal, 2 for a usage error."""

import os
import re
import tomllib
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import Any

import typer
from pydantic import BaseModel, ValidationError
from rich.console import Console
from rich.markup import escape
from rich.text import Text

from veridical.check.dialects import UnknownDialectError
from veridical.contracts.extras import MissingExtraError, named_when_missing
from veridical.contracts.language import Language
from veridical.contracts.settings_file import UnknownSettingError
from veridical.messages import message
from veridical.ontology.errors import LoadError

REFUSED = 1
MISTAKE = 2
DEBUG = "VERIDICAL_DEBUG"

_EXPLAINED_ERRORS = (LoadError, MissingExtraError, UnknownDialectError, UnknownSettingError)
"""Errors whose message says in any language what would be right."""
_UNPRINTABLE = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


class Terminal(Console):
    """A console that shows texts as they are, without control sequences: colours come from styles,
    and from markup where a call asks for it."""

    def print(self, *objects: Any, **options: Any) -> None:
        """``print`` with every text escaped."""
        texts = [printable(each) if isinstance(each, str) else each for each in objects]
        if any(isinstance(each, str) for each in objects):
            options.setdefault("markup", False)
        options.setdefault("highlight", False)
        super().print(*texts, **options)


out = Terminal()
err = Terminal(stderr=True)


def print_models(found: Iterable[BaseModel]) -> None:
    """Print a list of values as JSON, as it is on the wire."""
    out.print_json(data=[each.model_dump(mode="json", by_alias=True) for each in found])


class UsageError(ValueError):
    """The command can't be carried out as given; the text says what would work."""


@contextmanager
def reported_errors(language: Language) -> Generator[None]:
    """Runs a command, and reports any error in one sentence."""
    try:
        with named_when_missing():
            yield
    except typer.Exit:
        raise
    except UsageError as error:
        _tell(f"[red]✗[/red] {escape(str(error))}")
        raise typer.Exit(MISTAKE) from error
    except _EXPLAINED_ERRORS as error:
        _tell(f"[red]✗[/red] {escape(error.message(language))}")
        raise typer.Exit(MISTAKE) from error
    except tomllib.TOMLDecodeError as error:
        err.print(f"✗ {message('cli.no_toml', language, reason=error)}", style="red")
        raise typer.Exit(MISTAKE) from error
    except Exception as error:
        if os.environ.get(DEBUG):
            raise
        err.print(message("cli.bug", language, kind=type(error).__name__), style="red")
        raise typer.Exit(MISTAKE) from error


def _tell(text: str) -> None:
    """Print on one line however long, so that a command in it can be copied."""
    err.print(text, markup=True, soft_wrap=True)


def mistaken_setting(error: ValidationError, language: Language) -> UsageError:
    """The first invalid setting, without its value, which may be a secret."""
    first = error.errors(include_input=False)[0]
    if "." in first["type"]:  # the key of a message: it has words in every language
        return UsageError(message(first["type"], language))
    place = ".".join(map(str, first["loc"])) or "-"
    return UsageError(message("cli.bad_setting", language, place=place, reason=first["msg"]))


def printable(text: str) -> str:
    """Text from outside, without control and bidirectional characters."""
    return _UNPRINTABLE.sub("�", text)


def as_cell(value: object) -> Text:
    """A value from outside for a table: shown literally, never as markup."""
    return Text("" if value is None else printable(str(value)))
