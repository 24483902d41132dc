"""Validation errors in our own words, without the values that were sent."""

from collections.abc import Iterable, Mapping
from typing import Any

from veridical.contracts.language import Language
from veridical.messages import message
from veridical.server.problem import Fault

_MOST = 20
_LONGEST_PART = 60
_HINTS: Mapping[str, str] = {
    "missing": "problem.fault_missing",
    "extra_forbidden": "problem.fault_unknown",
    "string_too_long": "problem.fault_too_long",
    "too_long": "problem.fault_too_long",
    "string_too_short": "problem.fault_too_short",
    "too_short": "problem.fault_too_short",
    "greater_than": "problem.fault_range",
    "greater_than_equal": "problem.fault_range",
    "less_than": "problem.fault_range",
    "less_than_equal": "problem.fault_range",
    "string_pattern_mismatch": "problem.fault_pattern",
    "enum": "problem.fault_choice",
    "literal_error": "problem.fault_choice",
    "union_tag_invalid": "problem.fault_choice",
    "union_tag_not_found": "problem.fault_missing",
    "json_invalid": "problem.fault_json",
}
_IN_WORDS_OF_THE_CONTRACT = frozenset(
    {
        "coverage_dimension",
        "coverage_score",
        "custom_facet_score",
        "detected_date",
        "min_diversity_buckets",
        "question",
        "results",
        "scoring_context",
    }
)
"""Errors whose texts clients match on; none of them repeats a value."""
_OF_TYPES = ("_type", "_parsing", "_from_float", "string_unicode", "is_instance_of")


def request_faults(errors: Iterable[Mapping[str, Any]], language: Language) -> tuple[Fault, ...]:
    """The first of these errors of pydantic; the values that were sent are not repeated."""
    return tuple(
        Fault(where=_where(error["loc"]), hint=_hint(error, language))
        for error, _ in zip(errors, range(_MOST), strict=False)
    )


def _hint(error: Mapping[str, Any], language: Language) -> str:
    if error["type"] in _IN_WORDS_OF_THE_CONTRACT:
        return str(error["msg"])
    return message(_key(error["type"]), language)


def _key(kind: str) -> str:
    if kind in _HINTS:
        return _HINTS[kind]
    if any(part in kind for part in _OF_TYPES):
        return "problem.fault_type"
    return "problem.fault_other"


def _where(place: Iterable[object]) -> str:
    """A name that was sent may hold anything, also what can't be written as UTF-8."""
    text = "/".join(str(part)[:_LONGEST_PART] for part in place)
    return text.encode("utf-8", "replace").decode()
