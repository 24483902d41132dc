"""What a model is told about how to write a referenced answer."""

from functools import cache
from importlib.resources import files


def instruction() -> str:
    """For answers in text, as it goes into the prompt."""
    return _read("instruction.md")


def json_instruction() -> str:
    """For answers in parts."""
    return _read("instruction_json.md")


@cache
def _read(name: str) -> str:
    return files("veridical.gate.references").joinpath(name).read_text("utf-8")
