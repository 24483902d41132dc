"""Calls in one line: a SQL statement; a table, what is shown, and the conditions; or what is to be
computed, behind an equals sign."""

import re
from typing import Any

_AGGREGATE = re.compile(r"(?P<function>\w+)\((?P<field>\w*)\)")
_CONDITION = re.compile(r"(\w+)(>=|<=|=|~|>|<)(.+)")


def written_call(text: str) -> tuple[str, dict[str, Any]]:
    """The tool and its arguments."""
    if text.startswith("= "):
        return "calculate", {"expression": text.removeprefix("= ")}
    if text.startswith(("SELECT", "WITH")):
        return "executeSqlSafe", {"sql": re.sub(r"\b(?=[A-Z]\w+[a-z]\b)", "TrusteeData", text)}
    table, shown, *conditions = text.split()
    call: dict[str, Any] = {
        "tableName": f"TrusteeData{table}",
        "filters": [_condition(each) for each in conditions if not each.startswith("by:")],
    }
    aggregate = _AGGREGATE.fullmatch(shown)
    if aggregate is None:
        return "queryTable", {**call, "fields": shown.split(",")}
    groups = [each.removeprefix("by:") for each in conditions if each.startswith("by:")]
    call |= {"aggregate": aggregate["function"], "groupBy": groups}
    return "aggregateTable", {**call, "field": aggregate["field"] or None}


def _condition(text: str) -> dict[str, Any]:
    found = _CONDITION.fullmatch(text)
    assert found, text
    field, op, value = found.groups()
    numeric = field.startswith("period") or field.endswith("Date")
    values = [int(each) if numeric else each for each in value.split("..")]
    if len(values) == 2:
        return {"field": field, "op": "between", "value": values}
    return {"field": field, "op": "like" if op == "~" else op, "value": values[0]}
