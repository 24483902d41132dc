"""Reads one table of the settings file, merged with the environment, which overrides the file.

Apart from ``settings_file`` because pydantic-settings comes with an extra, and the core reads the
file without it.
"""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from pydantic_settings import BaseSettings, EnvSettingsSource

from veridical.contracts.settings_file import over, table

Settings = TypeVar("Settings", bound=BaseSettings)

_NOTHING: Mapping[str, Any] = MappingProxyType({})


def merged_table(kind: type[BaseSettings], path: Path, name: str) -> dict[str, Any]:
    """The table of the file, merged with the environment, which overrides it."""
    return with_environment(kind, table(path, name) or {})


def with_environment(kind: type[BaseSettings], settings: dict[str, Any]) -> dict[str, Any]:
    """The settings of a file, overridden by the environment."""
    return over(settings, EnvSettingsSource(kind)())


def read_table(
    kind: type[Settings], path: Path, name: str, given: Mapping[str, Any] = _NOTHING
) -> Settings:
    """The settings of a table and of the environment; what is given wins over both."""
    return kind(**{**merged_table(kind, path, name), **given})
