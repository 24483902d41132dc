"""What a model is told about how to write an answer in facts."""

from functools import cache
from importlib.resources import files


@cache
def instruction() -> str:
    """As it goes into the prompt."""
    return files("veridical.facts").joinpath("instruction.md").read_text("utf-8")
