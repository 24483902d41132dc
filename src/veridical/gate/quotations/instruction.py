"""The instruction for models on how to quote and cite."""

from functools import cache
from importlib.resources import files


@cache
def citing_instruction() -> str:
    """The instruction for a model that answers from chunks: how to quote and how to cite."""
    return files("veridical.gate.quotations").joinpath("instruction.md").read_text("utf-8")
