"""What benchmarks read: the data beside a module, JSON lines, and the two halves of a set."""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def data_beside(module: str) -> dict[str, Any]:
    """The TOML file with the name of a module, given its ``__file__``."""
    return tomllib.loads(Path(module).with_suffix(".toml").read_text("utf-8"))


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file of JSON lines."""
    with path.open(encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines if line.strip())
