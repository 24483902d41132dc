"""A query that passed the check: the engine takes nothing else, only ``check/`` makes one."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal

from sqlglot import exp

from veridical.contracts.call import Call
from veridical.contracts.caller import Caller
from veridical.contracts.lineage import Lineage
from veridical.contracts.statement import Bound, ParamStyle, Statement
from veridical.contracts.violation import Violation, as_feedback


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
    """The findings of rules on trial; counted, never shown."""
    write: "Callable[[CheckedQuery, ParamStyle | None], Statement] | None" = field(
        default=None, repr=False, compare=False
    )
    """Writes the statement below, for the dialect that it was checked in."""
    trace: Callable[[], Lineage] | None = field(default=None, repr=False, compare=False)
    """Works out the lineage below."""

    def __post_init__(self) -> None:
        if self.seal is not SEAL:
            raise TypeError("a CheckedQuery is made by veridical.check only")

    def __bool__(self) -> Literal[True]:
        """True, so that ``if checker.check(call):`` means what it says, to a type checker too."""
        return True

    @property
    def ok(self) -> Literal[True]:
        """True: it may run."""
        return True

    @property
    def feedback(self) -> str:
        """All warnings for the author of the query, beside its rows; empty without any."""
        return as_feedback(*self.warnings)

    @property
    def sql(self) -> str:
        """The statement to run, with the caller's scope in it; never the call as written."""
        return self._statement.sql

    @property
    def parameters(self) -> tuple[Bound, ...]:
        """The values to bind beside ``sql``, in order."""
        return self._statement.parameters

    def statement(self, style: ParamStyle | str | None = None) -> Statement:
        """``sql`` and ``parameters`` for a driver: ``dollar``, ``qmark``, ``format``, ``pyformat``
        or ``named``; by default what the usual driver of the dialect takes.

        Raises an error whose text is safe to show where there is no SQL that the scope could be
        written into, as for metrics.
        """
        if self.write is None:
            raise TypeError("only a query that a Checker passed has a statement")
        return self.write(self, ParamStyle(style) if style else None)

    @cached_property
    def _statement(self) -> Statement:
        return self.statement()

    @cached_property
    def lineage(self) -> Lineage | None:
        """The origin of the result's cells; none for a structured call, which has no literals."""
        return self.trace() if self.trace is not None else None

    @cached_property
    def query_hash(self) -> str:
        """The same call by any caller has the same hash."""
        return hashlib.sha256(self.call.model_dump_json(by_alias=True).encode()).hexdigest()
