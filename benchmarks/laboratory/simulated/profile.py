"""The profile of a simulated model: the kinds of mistakes, and the rate of each in each mode."""

import json
import tomllib
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError

from veridical.contracts.wire import Wire
from veridical.evals.modes.mode import ModeName
from veridical.ontology.errors import LoadError


class Mistake(StrEnum):
    """One kind of mistake. Its rate is that among the runs in which it can be made."""

    WRONG_PERIOD_ROW = "wrongPeriodRow"
    """a month's row instead of the year's, or the other way round"""
    WRONG_YEAR = "wrongYear"
    WRONG_KIND = "wrongKind"
    """another account, or another value of a closed list"""
    TURNOVER_FOR_BALANCE = "turnoverForBalance"
    SUMMED_BALANCE = "summedBalance"
    """a balance added up over months"""
    MIXED_CURRENCIES = "mixedCurrencies"
    INVENTED_COLUMN = "inventedColumn"
    INVENTED_TABLE = "inventedTable"
    ISO_DATE = "isoDate"
    """an ISO date against seconds since 1970"""
    MISSING_FILTER = "missingFilter"
    TRAPPED = "trapped"
    """the call that the question tempts to"""
    WRONG_FIGURE = "wrongFigure"
    SCALED_FIGURE = "scaledFigure"
    """rounded too coarsely, or in thousands without a note"""
    SWAPPED_LABEL = "swappedLabel"
    PLACEHOLDER_LIST = "placeholderList"
    INCOMPLETE_LIST = "incompleteList"
    MISREPORTED_EMPTINESS = "misreportedEmptiness"
    """rows reported as nothing, or nothing reported as a figure"""
    ANSWERS_AFTER_ERROR = "answersAfterError"
    ANSWERS_WITHOUT_CALL = "answersWithoutCall"
    REPEATS_CALL = "repeatsCall"
    GIVES_UP = "givesUp"


CALL_MISTAKES = (
    Mistake.WRONG_PERIOD_ROW,
    Mistake.WRONG_YEAR,
    Mistake.WRONG_KIND,
    Mistake.TURNOVER_FOR_BALANCE,
    Mistake.SUMMED_BALANCE,
    Mistake.MIXED_CURRENCIES,
    Mistake.INVENTED_COLUMN,
    Mistake.INVENTED_TABLE,
    Mistake.ISO_DATE,
    Mistake.MISSING_FILTER,
    Mistake.TRAPPED,
)
"""Mistakes in calls: the check may refuse them."""
SENTENCE_MISTAKES = (
    Mistake.WRONG_FIGURE,
    Mistake.SCALED_FIGURE,
    Mistake.SWAPPED_LABEL,
    Mistake.PLACEHOLDER_LIST,
    Mistake.INCOMPLETE_LIST,
    Mistake.MISREPORTED_EMPTINESS,
)
"""Mistakes in the answer: the gate may block them."""
HABITS = tuple(each for each in Mistake if each not in CALL_MISTAKES + SENTENCE_MISTAKES)
"""In how the run goes."""


Rate = Annotated[float, Field(ge=0, le=1)]
ByMode = dict[ModeName, Rate]
_SEED = "#"
_REMEMBERED = 16
"""Each run opens its own model."""


class Profile(Wire):
    """A simulated model. In a mode that is not named it never errs, and repairs all it can."""

    name: str
    source: str = ""
    """The origin of the rates."""
    seed: int = 0
    mistakes: dict[Mistake, ByMode] = Field(default_factory=dict[Mistake, ByMode])
    repairs: ByMode = Field(default_factory=ByMode)
    """The rate at which a refused call is repaired."""
    rewrites: ByMode = Field(default_factory=ByMode)
    """The rate at which a blocked answer is rewritten from the results."""

    def rate(self, mistake: Mistake, mode: ModeName) -> float:
        """The rate of the mistake in this mode, where it can be made."""
        return self.mistakes.get(mistake, {}).get(mode, 0.0)


@lru_cache(_REMEMBERED)
def load_profile(name: str) -> Profile:
    """A built-in profile, or that of a JSON or TOML file; ``NAME#3`` draws from seed 3.

    Raises ``LoadError``.
    """
    plain, _, seed = name.partition(_SEED)
    try:
        profile = Profile.model_validate(_read(plain))
        return profile.model_copy(update={"seed": int(seed)}) if seed else profile
    except (OSError, ValueError, ValidationError) as error:
        raise LoadError(f"the simulated model {name!r} can't be read: {error}") from error


def _read(name: str) -> Any:
    if name.endswith(".json"):
        return json.loads(Path(name).read_text("utf-8"))
    if name.endswith(".toml"):
        return tomllib.loads(Path(name).read_text("utf-8"))
    built_in = files(__package__ or "").joinpath("profiles", f"{name}.toml")
    return tomllib.loads(built_in.read_text("utf-8"))
