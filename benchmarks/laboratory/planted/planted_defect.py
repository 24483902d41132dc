"""A planted defect: a gold question, and a scripted model that makes one known mistake with it."""

from importlib.resources import files
from typing import Any

import yaml
from pydantic import Field

from veridical.contracts.proof import GateCode
from veridical.contracts.violation import Code
from veridical.contracts.wire import Wire
from veridical.evals.gold.case import Case, GoldSet

_FILES = ("check.yaml", "gate.yaml", "documents.yaml")


class PlantedCall(Wire):
    """One call of the scripted model."""

    tool: str
    arguments: dict[str, Any] = Field(default_factory=dict[str, Any])


class PlantedDefect(Wire):
    """One mistake, and the rule that must catch it.

    In texts, ``{column}`` stands for the first row of the last result that came back,
    ``{all_column}`` for all rows, ``{rows}`` for their number, ``{chunk_1}`` for the id of the
    first passage that came back.
    """

    rule: Code | GateCode
    case: Case
    calls: tuple[PlantedCall, ...] = ()
    """The calls before the answer; where the mistake is in a call, it is in one of these."""
    repair: tuple[PlantedCall, ...] = ()
    """The calls instead, after the rule has refused."""
    answer: str
    """The model's answer; where the mistake is in the answer, it is here."""
    empty: str = ""
    """The answer to an empty result; the same where empty."""
    heeded: str = ""
    """The answer after a refusal by the check; the same where empty."""
    again: str = ""
    """The answer after a block by the gate; the same again where empty."""
    required_tools: tuple[str, ...] = ()
    """The tools that the gate's policy requires after one of the calls."""
    knowing: tuple[str, ...] = ()
    """Columns, as ``table.column``, of which the check knows all values."""
    bare: bool = False
    """True if the check knows the schema alone, without an ontology."""
    stale: bool = False
    """True if the data is older than its host allows."""


class PlantedDefects(GoldSet):
    """All planted defects of one file; their cases form a gold set."""

    documents: bool = False
    """True if its runs search documents, which a stage must have."""
    plants: tuple[PlantedDefect, ...]


def load_plants() -> tuple[PlantedDefects, ...]:
    """All planted defects."""
    return tuple(_read(name) for name in _FILES)


def _read(name: str) -> PlantedDefects:
    content = yaml.safe_load(files(__package__ or "").joinpath(name).read_text("utf-8"))
    cases = [each["case"] for each in content["plants"]]
    return PlantedDefects.model_validate({**content, "cases": cases})
