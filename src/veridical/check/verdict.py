"""Verdicts in words: each problem as a violation, and a verdict as a tool's result."""

from typing import Any

from veridical.check.facts import Problem
from veridical.contracts.call import MetricCall
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.language import Language, in_language
from veridical.contracts.result import ToolResult, refused
from veridical.contracts.violation import Mode, Refusal, Violation
from veridical.messages import message
from veridical.messages.hints import fitted, leading_sentences


def as_result(verdict: CheckedQuery | Refusal) -> ToolResult:
    """The statement and its tables, or the refusal."""
    if isinstance(verdict, Refusal):
        return refused(verdict)
    data: dict[str, Any] = {
        "queryHash": verdict.query_hash,
        "ontologyHash": verdict.ontology_hash,
        "tables": sorted(verdict.columns),
    }
    if not isinstance(verdict.call, MetricCall):
        data |= {"sql": verdict.sql, "parameters": list(verdict.parameters)}
    return ToolResult(success=True, data=data, warnings=verdict.warnings)


def worded(problem: Problem, mode: Mode, language: Language, dialect: str = "SQL") -> Violation:
    """The violation that a person or a model reads; ``dialect`` is the name of the SQL."""
    return Violation(
        code=problem.code,
        field=problem.field,
        suggestion=problem.suggestion,
        hint=_hint(problem, language, dialect),
        mode=mode,
        rule=problem.rule,
    )


def _hint(problem: Problem, language: Language, dialect: str) -> str:
    own = leading_sentences(in_language(problem.text, language)) if problem.text else ""
    if own:
        return own
    variant = f"_{problem.message}" if problem.message else ""
    key = f"check.{problem.code}{variant}"
    values = {"name": problem.field, "suggestion": problem.suggestion or "", **dict(problem.values)}

    def write(texts: dict[str, str]) -> str:
        suggestion = texts["suggestion"]
        did_you_mean = (
            message("check.did_you_mean", language, suggestion=suggestion) if suggestion else ""
        )
        return message(key, language, did_you_mean=did_you_mean, dialect=dialect, **texts)

    return fitted(write, values)
