"""The instruction for models on how to write an answer in facts."""

from functools import cache
from importlib.resources import files


@cache
def instruction() -> str:
    """The instruction for the prompt."""
    return files("veridical.facts").joinpath("instruction.md").read_text("utf-8")
