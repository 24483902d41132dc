"""How long people have to decide, and when they are warned."""

import os
import tomllib
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Annotated

from pydantic import Field

from veridical.agent.settings import SETTINGS_FILE
from veridical.contracts.person import ItemKind
from veridical.contracts.wire import Wire

TABLE = "inbox"
"""The table of ``veridical.toml``."""
PREFIX = "VERIDICAL_INBOX_"

Hours = Annotated[float, Field(gt=0, le=10_000)]
_EARLIEST_WARNING = 0.25
"""The share of the time that is left at most when a person is warned."""


class Deadlines(Wire):
    """In hours, for each kind of question; the database's clock counts them."""

    evidence: Hours = 24
    clarification: Hours = 24
    call: Hours = 24
    warning: Hours = 2
    """Before the end, and never before three quarters of the time are over."""

    def ends(self, kind: ItemKind) -> timedelta:
        """How long after the question its time is over."""
        return timedelta(hours=getattr(self, kind.value))

    def warns(self, kind: ItemKind) -> timedelta:
        """How long after the question a warning is due."""
        whole = self.ends(kind)
        return whole - min(timedelta(hours=self.warning), whole * _EARLIEST_WARNING)


DEADLINES = Deadlines()


def read_deadlines(
    path: Path = SETTINGS_FILE, environment: Mapping[str, str] = os.environ
) -> Deadlines:
    """The hours of ``[inbox]`` in this file, where it exists; the environment wins.

    Raises ``pydantic.ValidationError``.
    """
    told = tomllib.loads(path.read_text("utf-8")).get(TABLE, {}) if path.is_file() else {}
    named = {name: environment.get(f"{PREFIX}{name.upper()}") for name in Deadlines.model_fields}
    return Deadlines.model_validate(told | {name: said for name, said in named.items() if said})
