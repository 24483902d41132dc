"""The profile of a simulated model: the rate of each mistake in each mode."""

import json
import tomllib
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError

from veridical.contracts.wire import Wire
from veridical.evals.modes.mode import ModeName
from veridical.evals.simulated.mistake import Mistake
from veridical.ontology.errors import LoadError

Rate = Annotated[float, Field(ge=0, le=1)]
ByMode = dict[ModeName, Rate]
_SEED = "#"
_REMEMBERED = 16
"""Each run opens its model anew."""


class Profile(Wire):
    """A simulated model. In a mode that is not named it never errs, and repairs whatever it can."""

    name: str
    source: str = ""
    """Where the rates come from."""
    seed: int = 0
    mistakes: dict[Mistake, ByMode] = Field(default_factory=dict[Mistake, ByMode])
    repairs: ByMode = Field(default_factory=ByMode)
    """How often a refused call is mended."""
    rewrites: ByMode = Field(default_factory=ByMode)
    """How often a blocked answer is written anew from the results."""

    def rate(self, mistake: Mistake, mode: ModeName) -> float:
        """How often the mistake is made in this mode, where it can be made."""
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
