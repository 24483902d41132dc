"""Evaluation modes: each adds one component to the one before."""

from dataclasses import dataclass
from enum import StrEnum

from veridical.ontology.context import ContextKind


class ModeName(StrEnum):
    """Names of the modes."""

    BASELINE = "baseline"
    """tools and the bare schema: what the database rejects comes back as the database says it"""
    HINTS = "hints"
    """and the same knowledge as free text in the prompt"""
    VALIDATOR = "validator"
    """and the check of each call against the live schema with repairs; no answer before a result"""
    ONTOLOGY = "ontology"
    """the ontology instead of the text: in prompt, tool schemas and check"""
    FULL = "full"
    """and the answer gate"""
    PRODUCT = "product"
    """and the ways that need no model: what a user of Veridical gets"""


@dataclass(frozen=True, slots=True)
class EvalMode:
    """The components that are active in a mode."""

    name: ModeName
    context: ContextKind
    checked: bool
    gated: bool
    routed: bool = False
    """True if known questions are answered without a model."""


MODES: dict[ModeName, EvalMode] = {
    mode.name: mode
    for mode in (
        EvalMode(ModeName.BASELINE, ContextKind.SCHEMA, checked=False, gated=False),
        EvalMode(ModeName.HINTS, ContextKind.HINTS, checked=False, gated=False),
        EvalMode(ModeName.VALIDATOR, ContextKind.HINTS, checked=True, gated=False),
        EvalMode(ModeName.ONTOLOGY, ContextKind.ONTOLOGY, checked=True, gated=False),
        EvalMode(ModeName.FULL, ContextKind.ONTOLOGY, checked=True, gated=True),
        EvalMode(ModeName.PRODUCT, ContextKind.ONTOLOGY, checked=True, gated=True, routed=True),
    )
}
ABLATION = (
    ModeName.BASELINE,
    ModeName.HINTS,
    ModeName.VALIDATOR,
    ModeName.ONTOLOGY,
    ModeName.FULL,
)
"""The modes in which a model answers every question."""
