"""The message catalogue: all texts that people and models read, in every supported language.

One file per stage, one table per message, one line per language. A missing key, language or
placeholder is a developer's mistake and raises.
"""

import tomllib
from functools import cache
from importlib.resources import files
from string import Formatter


def message(key: str, language: str, **values: object) -> str:
    """The message ``stage.name`` in this language, with its placeholders filled."""
    stage, _, name = key.partition(".")
    return _catalogue(stage)[name][language].format(**values)


@cache
def message_pieces(key: str, language: str) -> tuple[tuple[str, str], ...]:
    """The same message before it is filled: words, and the name of the placeholder behind them."""
    stage, _, name = key.partition(".")
    pieces = Formatter().parse(_catalogue(stage)[name][language])
    return tuple((words, placeholder or "") for words, placeholder, _, _ in pieces)


@cache
def _catalogue(stage: str) -> dict[str, dict[str, str]]:
    return tomllib.loads(files("veridical.messages").joinpath(f"{stage}.toml").read_text("utf-8"))
