"""The file with everybody's settings, each part in a table of its own."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from pydantic_settings import BaseSettings, EnvSettingsSource

SETTINGS_FILE = Path("veridical.toml")

Settings = TypeVar("Settings", bound=BaseSettings)

_NOTHING: Mapping[str, Any] = MappingProxyType({})


def table(path: Path, name: str) -> Any:
    """What the file says under this name; none where there is no such file or name."""
    return tomllib.loads(path.read_text("utf-8")).get(name) if path.is_file() else None


def told(kind: type[BaseSettings], path: Path, name: str) -> dict[str, Any]:
    """What a table of the file says, and the environment, which wins."""
    return _over(table(path, name) or {}, EnvSettingsSource(kind)())


def read_table(
    kind: type[Settings], path: Path, name: str, given: Mapping[str, Any] = _NOTHING
) -> Settings:
    """The settings of a table and of the environment; what is given wins over both."""
    return kind(**{**told(kind, path, name), **given})


def _over(said: dict[str, Any], winner: dict[str, Any]) -> dict[str, Any]:
    """Both, down to their innermost tables."""
    merged = {**said, **winner}
    for name in said.keys() & winner.keys():
        if isinstance(said[name], dict) and isinstance(winner[name], dict):
            merged[name] = _over(said[name], winner[name])
    return merged
