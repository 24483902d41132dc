"""What a model is told about how to quote and cite."""

from functools import cache
from importlib.resources import files


@cache
def citing_instruction() -> str:
    """What a model that answers from chunks is to be told: how to quote and how to cite."""
    return files("veridical.gate.quotations").joinpath("instruction.md").read_text("utf-8")
