"""A verdict in the shape of a tool's result: what whoever only wants to know gets."""

from typing import Any

from veridical.contracts.call import MetricCall
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.result import ToolResult, refused
from veridical.contracts.violation import Refusal


def as_result(verdict: CheckedQuery | Refusal) -> ToolResult:
    """What would run and what it reads, or why it must not."""
    if isinstance(verdict, Refusal):
        return refused(verdict)
    told: dict[str, Any] = {
        "queryHash": verdict.query_hash,
        "ontologyHash": verdict.ontology_hash,
        "tables": sorted(verdict.columns),
    }
    if not isinstance(verdict.call, MetricCall):
        told |= {"sql": verdict.sql, "parameters": list(verdict.parameters)}
    return ToolResult(success=True, data=told, warnings=verdict.warnings)
