"""The lists behind the pack as plain files: the chart of accounts, trades, names."""

import csv
import tomllib
from importlib.resources import files
from typing import Any


def table(name: str) -> list[dict[str, str]]:
    """The rows of a CSV file, by column name."""
    return list(csv.DictReader(text(f"{name}.csv").splitlines()))


def lists(name: str) -> dict[str, Any]:
    """The content of a TOML file."""
    return tomllib.loads(text(f"{name}.toml"))


def text(file: str) -> str:
    """The content of a file."""
    return files(__name__).joinpath(file).read_text("utf-8")
