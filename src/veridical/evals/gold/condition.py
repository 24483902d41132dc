"""A condition of a good call, as a gold file writes it: ``periodYear=2025``."""

import re
from typing import NamedTuple

_WRITTEN = re.compile(
    r"\s*(?P<field>\w+)\s*"
    r"(?:(?P<null>is\s+(?:not\s+)?null)"
    r"|between\s+(?P<low>\S+)\s+and\s+(?P<high>\S+)"
    r"|(?P<op><=|>=|!=|<>|=|<|>|(?<=\s)like(?=\s)|(?<=\s)in(?=\s))\s*(?P<values>.+?))\s*",
    re.IGNORECASE,
)
_SPELLED = {"<>": "!=", "in": "="}


class Condition(NamedTuple):
    """A field, an operator, and exactly the values it is compared with."""

    field: str
    op: str
    """One of ``= != < <= > >= like between``, or ``is null`` and ``is not null``."""
    values: tuple[str, ...] = ()


def read_condition(text: str) -> Condition:
    """The condition in ``field op value``, with a bar between several values.

    Raises ``ValueError``: what nobody can read would never be met, whatever a run does.
    """
    read = _WRITTEN.fullmatch(text)
    if read is None:
        raise ValueError(f"{text!r} is no condition: write it as periodYear=2025")
    field = read["field"]
    if read["null"]:
        return Condition(field, " ".join(read["null"].lower().split()))
    if read["low"]:
        return Condition(field, "between", (read["low"], read["high"]))
    op = read["op"].lower()
    values = tuple(each.strip() for each in read["values"].split("|"))
    if not all(values) or (len(values) > 1 and op not in ("=", "in")):
        raise ValueError(f"{text!r} is no condition: only = takes several values")
    return Condition(field, _SPELLED.get(op, op), values)
