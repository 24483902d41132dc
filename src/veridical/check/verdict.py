"""A verdict in the shape of a tool's result: what whoever only wants to know gets."""

from veridical.contracts.checked import CheckedQuery
from veridical.contracts.result import ToolResult, refused
from veridical.contracts.violation import Refusal


def as_result(verdict: CheckedQuery | Refusal) -> ToolResult:
    """What would run and what it reads, or why it must not."""
    if isinstance(verdict, Refusal):
        return refused(verdict)
    told = {
        "queryHash": verdict.query_hash,
        "ontologyHash": verdict.ontology_hash,
        "tables": sorted(verdict.columns),
    }
    return ToolResult(success=True, data=told, warnings=verdict.warnings)
