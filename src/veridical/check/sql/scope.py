"""The names that one SELECT can see, and what stands behind them."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from sqlglot import exp

from veridical.check.dialects import Dialect
from veridical.check.facts import Block, Facts, Filters, Origin, Problem, Side, Term, Terms, Use
from veridical.contracts.input_budget import DEFAULT_BUDGET, Limit, OverBudgetError, keep_time
from veridical.contracts.schema import ValueType
from veridical.contracts.violation import Code
from veridical.ontology.catalog import Catalog, ColumnCard


def cte_key(identifier: exp.Expr, dialect: Dialect) -> str:
    """The name under which a CTE is kept and looked up."""
    if dialect.exact_quotes and identifier.args.get("quoted"):
        return identifier.name
    return identifier.name.lower() if dialect.exact_quotes else identifier.name.casefold()


_LOOK = 32
"""Steps after which the time is looked at."""
_MOST_STEPS = DEFAULT_BUDGET.statement_steps
_STEPS_TO_READ_AGAIN = _MOST_STEPS // 10
_PROBLEM = 100
"""The steps of one problem: each looks for what may have been meant."""
TWIN = "\0"
"""Marks the second source of one name, which can't be addressed."""


@dataclass(slots=True)
class Output:
    """One column that a query gives."""

    name: str
    quoted: bool
    terms: Terms = ()
    ranks: Filters = ()
    """The order columns of a row number, which keeping only rank 1 settles."""
    type: ValueType | None = None
    """The family of its values, if the schema or its expression gives it."""
    counts: bool = False
    """True when it is a number of rows."""
    single: bool = False
    """True when it comes from a query of one row: it has one value."""
    written: bool = False
    """True for a column of VALUES."""
    ratio: bool = False
    """True when it is one column divided by another, row by row."""


@dataclass(slots=True)
class Derived:
    """The output of a sub-query or a CTE: its columns, and how its rows relate to its sources."""

    outputs: list[Output]
    sides: tuple[Side, ...] = ()
    open: bool = False
    """True when not all columns are known: any name may be one."""
    single_row: bool = False
    merged: bool = False
    """True for a UNION that keeps equal rows only once, without a key of its rows."""
    by_name: dict[str, Output] = field(init=False)

    def __post_init__(self) -> None:
        self.by_name = {}
        for output in self.outputs:
            output.single = output.single or self.single_row
            self.by_name.setdefault(output.name.casefold(), output)

    def renamed(self, alias: exp.Expr | None) -> "Derived":
        """The same rows under the column names of ``AS t(a, b)``, where it has any."""
        names = alias.args.get("columns") if alias is not None else None
        if not names:
            return self
        taken = [
            replace(old, name=name.name, quoted=bool(name.args.get("quoted")))
            for name, old in zip(names, self.outputs, strict=False)
        ]
        fresh = [Output(name.name, False) for name in names[len(taken) :]]
        rest = self.outputs[len(taken) :]
        return replace(self, outputs=[*taken, *fresh, *rest])


@dataclass(slots=True)
class Cte:
    """A CTE: each mention of it is rows of its own, as if its query stood there."""

    derived: Derived
    again: Callable[[], Derived] | None = None
    """Reads its query once more; None for a recursive one."""
    mentioned: bool = False

    def mention(self, work: "Work") -> Derived:
        """What one more mention gives. The second one has uses of its own, unless the statement is
        so large that reading it again takes too long."""
        first, self.mentioned = not self.mentioned, True
        if first or self.again is None or work.steps > _STEPS_TO_READ_AGAIN:
            return self.derived
        return self.again()


Ctes = dict[str, Cte]


@dataclass(slots=True)
class Source:
    """One name in FROM: a base table's use, or a derived table."""

    alias: exp.Identifier
    use: Use | None = None
    derived: Derived | None = None

    def written(self) -> exp.Identifier | None:
        """Its name, to be put before a column; none for a function in FROM that has none."""
        if not self.alias.name:
            return None
        return exp.Identifier(this=self.alias.this, quoted=self.alias.args.get("quoted"))

    def find(self, folded: str) -> Output | None:
        """The column of this name."""
        if self.use is not None:
            card = self.use.table.folded.get(folded)
            return _base_output(self.use, card) if card else None
        return self.derived.by_name.get(folded) if self.derived else None

    @property
    def is_open(self) -> bool:
        """True when a name not found here may still exist here."""
        return self.use is None and (self.derived is None or self.derived.open)

    def outputs(self) -> list[Output]:
        """All columns, in order."""
        if self.use is not None:
            use = self.use
            return [_base_output(use, card) for card in use.table.columns.values()]
        return self.derived.outputs if self.derived else []


@dataclass(slots=True)
class Work:
    """The state of one reading of one statement."""

    catalog: Catalog
    dialect: Dialect
    facts: Facts = field(default_factory=Facts)
    resolved: dict[int, Output] = field(default_factory=dict)
    """The output behind each column node, by the node's identity."""
    outer: dict[int, int] = field(default_factory=dict)
    """The column nodes that belong to a query around theirs, and how many levels up."""
    double_quoted: frozenset[str] = frozenset()
    """The names that were written in double quotes."""
    crosses: bool = False
    """True when the statement has the word CROSS."""
    unnamed: int = 0
    """The number of derived tables without a name."""
    steps: int = 0
    looked: int = 0
    """At which step the time was last looked at."""
    queries: dict[int, tuple[Derived, frozenset[int]]] = field(default_factory=dict)
    """The output of each sub-query and its uses, by the node's identity: GROUP BY 1 reads it
    again."""

    def spend(self, steps: int = 1) -> None:
        """Raises ``OverBudgetError`` where a statement takes more steps than any should.

        Terms, outputs and sides can double with every CTE: their total counts.
        """
        self.steps += steps
        if self.steps > _MOST_STEPS:
            raise OverBudgetError(Limit.STEPS, _MOST_STEPS)
        if self.steps - self.looked >= _LOOK:
            self.looked = self.steps
            keep_time(now=True)

    def problem(
        self, code: Code, name: str, suggestion: str | None = None, message: str = "", **values: str
    ) -> None:
        """Note what made no sense."""
        self.spend(_PROBLEM)
        found = Problem(code, name, suggestion, message, tuple(values.items()))
        if found not in self.facts.problems:
            self.facts.problems.append(found)


@dataclass(slots=True)
class SelectScope:
    """One SELECT under way."""

    work: Work
    block: Block
    ctes: Ctes
    parent: "SelectScope | None" = None
    sources: dict[str, Source] = field(default_factory=dict)
    aliases: dict[str, exp.Expr] = field(default_factory=dict)
    """The SELECT list by alias."""
    merged: set[str] = field(default_factory=set)
    """Columns that USING or NATURAL made one."""
    bare: list[tuple[Output, exp.Column]] = field(default_factory=list)
    """Columns read outside of any aggregate where only grouped ones may be."""
    grouped: list[exp.Expr] = field(default_factory=list)
    """The expressions of GROUP BY; an ordinal or alias is the expression it stands for."""
    aggregates: int = 0
    shown_aggregates: int = 0
    """Those of the SELECT list and of HAVING."""


def _base_output(use: Use, card: ColumnCard) -> Output:
    return Output(card.name, True, (Term(Origin(use.id, card)),), type=card.type)
