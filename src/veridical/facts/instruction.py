"""What a model is told that writes an answer in facts."""

from functools import cache
from importlib.resources import files


@cache
def facts_instruction() -> str:
    """The form of the answer, as it goes into a prompt."""
    return files("veridical.facts").joinpath("instruction.md").read_text("utf-8")
