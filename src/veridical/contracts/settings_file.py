"""The settings file, with a table for each part."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from veridical.contracts.language import Language
from veridical.messages import message

SETTINGS_FILE = Path("veridical.toml")

TABLES = frozenset(
    {"features", "gate", "oidc", "requirements", "runs", "search", "server", "skills"}
)
AGENT = frozenset(
    {
        "answer_form",
        "api_key",
        "base_url",
        "budget",
        "evidence_first",
        "known_questions",
        "max_output_tokens",
        "max_retries",
        "model",
        "prices",
        "prompt_tokens",
        "stable_prompt",
        "stream",
        "temperature",
        "timeout_seconds",
        "tool_choice_required",
        "tools",
    }
)
"""The settings of the agent stand outside of any table, or in tables of their own."""
PRESET = "preset"
"""Names a preset, or a list of them."""


@dataclass(frozen=True, slots=True)
class Preset:
    """Settings that fit one use together."""

    purpose: str
    sets: dict[str, Any]
    """As the file would say it."""


@cache
def presets() -> Mapping[str, Preset]:
    """The presets by name."""
    text = files("veridical.contracts").joinpath("presets.toml").read_text("utf-8")
    return {name: Preset(**each) for name, each in tomllib.loads(text).items()}


class UnknownSettingError(Exception):
    """A name in the file that belongs to no part of the settings."""

    def __init__(
        self, path: Path, names: list[str], known: frozenset[str] = TABLES | AGENT | {PRESET}
    ) -> None:
        self._path = path
        self._names = names
        self._known = known
        super().__init__(self.message(Language.EN))

    def message(self, language: Language) -> str:
        """The names and the file, and what could stand there."""
        names, known = ", ".join(self._names), ", ".join(sorted(self._known))
        return message("cli.unknown_setting", language, path=self._path, names=names, known=known)


def contents(path: Path) -> dict[str, Any]:
    """The content of the file over what its presets set; empty where there is no file. Raises
    ``UnknownSettingError``."""
    found = tomllib.loads(path.read_text("utf-8")) if path.is_file() else {}
    if unknown := found.keys() - TABLES - AGENT - {PRESET}:
        raise UnknownSettingError(path, sorted(unknown))
    return with_presets(found, path)


def with_presets(settings: dict[str, Any], path: Path) -> dict[str, Any]:
    """The settings of a file, merged over the presets that it names. Raises
    ``UnknownSettingError``."""
    named = settings.get(PRESET, [])
    names = [str(each) for each in (named if isinstance(named, list) else [named])]
    if unknown := [name for name in names if name not in presets()]:
        raise UnknownSettingError(
            path, [f"{PRESET} {each}" for each in unknown], frozenset(presets())
        )
    merged: dict[str, Any] = {}
    for name in names:
        merged = over(merged, presets()[name].sets)
    return over(merged, {name: value for name, value in settings.items() if name != PRESET})


def over(base: dict[str, Any], winner: dict[str, Any]) -> dict[str, Any]:
    """Both merged, down to their innermost tables."""
    merged = {**base, **winner}
    for name in base.keys() & winner.keys():
        if isinstance(base[name], dict) and isinstance(winner[name], dict):
            merged[name] = over(base[name], winner[name])
    return merged


def table(path: Path, name: str) -> Any:
    """The file's value for this name; none where there is no such file or name."""
    return contents(path).get(name)
