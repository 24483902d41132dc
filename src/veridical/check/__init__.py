"""The check: what a query does (facts), what is wrong with it (rules), how to mend it (repair).

The names below are public, beside ``veridical.Checker``: what is checked, against which catalog,
and what comes of it. Each is loaded when it is first used.
"""

from typing import TYPE_CHECKING

from veridical.contracts.extras import lazy_names

if TYPE_CHECKING:
    from veridical.contracts.call import SqlCall, parse_call
    from veridical.contracts.caller import Permissions
    from veridical.contracts.checked import CheckedQuery
    from veridical.contracts.schema import Column, Schema, Table, ValueType
    from veridical.contracts.violation import Refusal, Violation
    from veridical.ontology.compile import compile_catalog

__all__ = [
    "CheckedQuery",
    "Column",
    "Permissions",
    "Refusal",
    "Schema",
    "SqlCall",
    "Table",
    "ValueType",
    "Violation",
    "compile_catalog",
    "parse_call",
]

_HOMES = {
    "veridical.contracts.call": "SqlCall parse_call",
    "veridical.contracts.caller": "Permissions",
    "veridical.contracts.checked": "CheckedQuery",
    "veridical.contracts.schema": "Column Schema Table ValueType",
    "veridical.contracts.violation": "Refusal Violation",
    "veridical.ontology.compile": "compile_catalog",
}

if not TYPE_CHECKING:  # a type checker is to report a name that there is not
    __getattr__ = lazy_names(__name__, _HOMES)
