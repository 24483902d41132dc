"""Whether a run made the calls that a good run makes, and none that it must not make."""

import re
from collections.abc import Iterator

from veridical.contracts.trace import AgentTrace, ToolCalled
from veridical.evals.gold.case import ToolPattern

_CONDITION = re.compile(r"\s*(\w+)\s*(=|like|between|in|<=|>=|<|>)\s*(.+?)\s*", re.IGNORECASE)


def is_compliant(pattern: ToolPattern | None, trace: AgentTrace) -> bool | None:
    """Whether a call that succeeded is the expected one; none where none is expected."""
    if pattern is None:
        return None
    return any(_fits(pattern, call) for call in _succeeded(trace))


def forbidden_used(forbidden: tuple[str, ...], trace: AgentTrace) -> tuple[str, ...]:
    """The forbidden tools that were called with success, each once."""
    used = {call.tool for call in _succeeded(trace)}
    return tuple(sorted(used & set(forbidden)))


def _succeeded(trace: AgentTrace) -> Iterator[ToolCalled]:
    for event in trace.events:
        if isinstance(event, ToolCalled) and event.success:
            yield event


def _fits(pattern: ToolPattern, call: ToolCalled) -> bool:
    if call.tool not in pattern.tool.split("|"):
        return False
    sql = _plain(call.receipt.sql if call.receipt else "")
    if pattern.table_name and pattern.table_name.casefold() not in sql:
        return False
    return all(_holds(condition, sql) for condition in pattern.required_filters)


def _holds(condition: str, sql: str) -> bool:
    """Whether the executed statement has this condition, be it as ``=`` or as one of several."""
    read = _CONDITION.fullmatch(condition)
    if read is None:
        return False
    field, op, value = (part.casefold() for part in read.groups())
    wanted = re.escape(value)
    if op == "=":
        return bool(re.search(rf"\b{field}\s*(?:=|in)\s*\(?[^()]*?(?<!\w){wanted}(?!\w)", sql))
    if op == "like":
        begins = re.escape(value.rstrip("%"))
        return bool(
            re.search(rf"\b{field}\s+i?like\s+{wanted}", sql)
            or re.search(rf"\b{field}\s*(?:=|in|between|>=)\s*\(?\s*{begins}", sql)
        )
    return bool(re.search(rf"\b{field}\s*{re.escape(op)}\s*{wanted}", sql))


def _plain(sql: str) -> str:
    """The statement without quotes, in lower case, with single spaces."""
    return " ".join(sql.replace('"', "").replace("'", "").casefold().split())
