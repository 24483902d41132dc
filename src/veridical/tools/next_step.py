"""Hints of refused calls: the caller's own tool that shows the available names."""

from collections.abc import Collection
from typing import Any

from veridical.contracts.language import Language
from veridical.contracts.result import ToolResult
from veridical.contracts.violation import Code
from veridical.messages import message
from veridical.messages.hints import HINT_LENGTH
from veridical.tools.describe import DESCRIBE
from veridical.tools.files import ANALYZE_DATAFRAME, INSPECT_FILE

_BROWSE = "browseTable"
_SHOWN_BY: dict[str, tuple[str, tuple[str, ...]]] = {
    Code.FIELD_NOT_FOUND: ("see_fields", (DESCRIBE, _BROWSE)),
    Code.TABLE_NOT_FOUND: ("see_tables", (DESCRIBE,)),
    Code.FUNCTION_NOT_ALLOWED: ("see_functions", (DESCRIBE,)),
    Code.VALUE_UNKNOWN: ("see_values", (DESCRIBE, _BROWSE)),
}


_IN_FILES = frozenset({"see_fields", "see_values"})


def with_next_step(
    result: ToolResult, called: str, offered: Collection[str], prefix: str, language: Language
) -> ToolResult:
    """The result with a pointer in each hint that has room for it. Only offered tools are named,
    under the caller's names for them."""
    details = result.error_details
    if result.success or not details or called == DESCRIBE:
        return result
    files = called == ANALYZE_DATAFRAME

    def pointed(finding: dict[str, Any]) -> dict[str, Any]:
        key, shown_by = _SHOWN_BY.get(finding.get("code", ""), ("", ()))
        shown_by = (INSPECT_FILE,) if key in _IN_FILES and files else shown_by
        tool = next((each for each in shown_by if each in offered), None)
        if tool is None or finding.get("suggestion"):
            return finding
        longer = finding["hint"] + message(f"tools.{key}", language, tool=f"{prefix}{tool}")
        return finding if len(longer) > HINT_LENGTH else {**finding, "hint": longer}

    with_pointers = pointed(details)
    if "others" in details:
        with_pointers = {**with_pointers, "others": [pointed(each) for each in details["others"]]}
    if with_pointers == details:
        return result
    error = f"{with_pointers['code']}: {with_pointers['hint']}"
    return result.model_copy(update={"error": error, "error_details": with_pointers})
