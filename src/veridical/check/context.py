"""What the rules know beside the facts: who asks, for what purpose, on which engine."""

from dataclasses import dataclass, field

from veridical.check.dialects import Dialect
from veridical.check.facts import Facts
from veridical.check.fixed_columns import FixedColumns
from veridical.contracts.caller import Caller
from veridical.ontology.catalog import Catalog


@dataclass(slots=True)
class Context:
    """One check under way."""

    facts: Facts
    catalog: Catalog
    caller: Caller
    dialect: Dialect
    purposes: frozenset[str] = frozenset()
    question: str = ""
    strict_names: bool = False
    """What a column's name says blocks, instead of warning."""
    _settled: FixedColumns | None = field(default=None, init=False)

    @property
    def settled(self) -> FixedColumns:
        """Which columns of which uses can have one value only; worked out when first asked."""
        if self._settled is None:
            self._settled = FixedColumns.of(self.facts, self.caller.scope)
        return self._settled
