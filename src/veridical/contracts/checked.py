"""A query that passed the check: the engine takes nothing else, only ``check/`` makes one."""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from sqlglot import exp

from veridical.contracts.call import Call
from veridical.contracts.caller import Caller
from veridical.contracts.violation import Violation


class Seal:
    """The token that ``check/`` puts on what it passed."""

    __slots__ = ()


SEAL: Final = Seal()
"""Only ``check/checker.py`` may import this (a test proves it)."""


@dataclass(frozen=True)
class CheckedQuery:
    """A call, the caller it was checked for, and what the engine needs to run it.

    ``tree`` is the statement with every name resolved: each base table carries its canonical name
    in ``node.meta["table"]``, and each column is spelled as the schema spells it. Structured calls
    have no tree; the engine writes their SQL. ``columns`` lists, for each base table, the columns
    that the caller may see.
    """

    seal: Seal
    call: Call
    caller: Caller
    ontology_hash: str
    columns: dict[str, tuple[str, ...]]
    tree: exp.Query | None = None
    warnings: tuple[Violation, ...] = ()
    shadowed: tuple[Violation, ...] = ()
    """What rules on trial would have said; counted, never shown."""

    def __post_init__(self) -> None:
        if self.seal is not SEAL:
            raise TypeError("a CheckedQuery is made by veridical.check only")

    @cached_property
    def query_hash(self) -> str:
        """The same call by any caller has the same hash."""
        return hashlib.sha256(self.call.model_dump_json(by_alias=True).encode()).hexdigest()
