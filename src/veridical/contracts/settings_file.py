"""The file with everybody's settings, each part in a table of its own."""

import tomllib
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


class UnknownSettingError(Exception):
    """A name in the file that belongs to no part of the settings."""

    def __init__(
        self, path: Path, names: list[str], known: frozenset[str] = TABLES | AGENT
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
    """All that the file says; nothing where there is none. Raises ``UnknownSettingError``."""
    found = tomllib.loads(path.read_text("utf-8")) if path.is_file() else {}
    if unknown := found.keys() - TABLES - AGENT:
        raise UnknownSettingError(path, sorted(unknown))
    return found


def table(path: Path, name: str) -> Any:
    """What the file says under this name; none where there is no such file or name."""
    return contents(path).get(name)
