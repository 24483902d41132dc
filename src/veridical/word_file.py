"""Words of human languages: every package keeps its own in TOML files, read once."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def word_file(package: str, name: str = "words.toml") -> dict[str, Any]:
    """The words that a package keeps in a file."""
    return tomllib.loads(files(package).joinpath(name).read_text("utf-8"))
