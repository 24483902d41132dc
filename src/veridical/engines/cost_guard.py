"""Stops a statement that would read more than its budget, and names a cheaper question."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from veridical.contracts.checked import CheckedQuery
from veridical.contracts.cost import Cost, CostBudget
from veridical.contracts.statement import Statement
from veridical.engines.conditions import Condition
from veridical.engines.database import Database
from veridical.engines.estimate import CostEstimate, Estimates
from veridical.engines.limits import Fetched, Limits
from veridical.engines.receipt import is_time
from veridical.messages import message
from veridical.messages.hints import hint
from veridical.ontology.catalog import Catalog
from veridical.ontology.model import Role
from veridical.statement.errors import EngineError, Problem

_log = logging.getLogger("veridical.engines")
_MEGABYTE = 1_000_000
_TERABYTE = 10**12
_WHOLE_FROM = 10
_DIGITS = 2
"""An estimate is no more exact than that."""


@dataclass(frozen=True, slots=True)
class Excess:
    """A limit that an estimate is over."""

    unit: str
    found: float
    most: float

    def text(self, figure: float, language: str) -> str:
        """A figure in its unit."""
        unit = "row" if self.unit == "rows" and figure == 1 else self.unit
        return message(f"limits.cost_{unit}", language, figure=_figure(figure))


@dataclass(frozen=True, slots=True)
class Advice:
    """The cheaper question: a message, with the field that it names."""

    name: str
    field: str = ""

    def text(self, language: str) -> str:
        """What to do next."""
        return hint(
            f"engine.{self.name}", language, **({"field": self.field} if self.field else {})
        )


class OverBudgetError(EngineError):
    """A statement that was not run: it would read more than its budget."""

    def __init__(self, excess: Excess, advice: Advice, *, shows_estimate: bool) -> None:
        self._excess = excess
        self._advice = advice
        self._shows_estimate = shows_estimate
        super().__init__(Problem.OVER_COST_BUDGET)

    def message(self, language: str = "en") -> str:
        """The budget, the estimate where it may be shown, and the cheaper question."""
        excess = self._excess
        values = {"most": excess.text(excess.most, language)}
        name = "over_budget"
        if self._shows_estimate:
            name, values["found"] = "over_budget_by", excess.text(_rounded(excess.found), language)
        return f"{hint(f'engine.{name}', language, **values)} {self._advice.text(language)}"


@dataclass(frozen=True, slots=True)
class CostGuard:
    """The budget of one statement on one database."""

    database: Database
    limits: Limits
    budget: CostBudget
    catalog: Catalog

    def estimate(
        self, statement: Statement, checked: CheckedQuery, conditions: Sequence[Condition]
    ) -> CostEstimate | None:
        """What the statement would read; none without a budget, or where the database can't say.

        Raises ``OverBudgetError``. What else goes wrong never stops a statement.
        """
        if not self.budget.is_set or not isinstance(self.database, Estimates):
            return None
        try:
            found = self.database.estimate(statement, checked.caller.scope, self.limits)
        except EngineError as error:
            _log.warning("no estimate of the cost: %s", error.problem)
            return None
        except (LookupError, TypeError, ValueError):  # a plan that another version writes otherwise
            _log.exception("a plan can't be read: no estimate of the cost")
            return None
        excess = excess_of(found, self.budget) if found is not None else None
        if found is None or excess is None:
            return found
        _log.info("over the budget: %s %s of %s", excess.found, excess.unit, excess.most)
        advice = self._advice(found, checked, conditions)
        raise OverBudgetError(excess, advice, shows_estimate=not checked.caller.scope.allowed)

    def recorded(
        self, estimate: CostEstimate | None, fetched: Fetched, checked: CheckedQuery
    ) -> Cost | None:
        """What the receipt keeps. Nothing for a member of a tenant: it counts the rows of all."""
        if not self.budget.is_set or checked.caller.scope.allowed:
            return None
        return Cost(
            rows_estimated=estimate.rows_read if estimate else None,
            bytes_estimated=estimate.bytes_read if estimate else None,
            rows_read=fetched.rows_read,
            bytes_read=fetched.bytes_read,
        )

    def _advice(
        self, estimate: CostEstimate, checked: CheckedQuery, conditions: Sequence[Condition]
    ) -> Advice:
        """A period of the largest table that has a time field, else of the next one."""
        limited = {(each.column.table, each.column.name) for each in conditions}
        for table in sorted(checked.columns, key=lambda name: self._rank(name, estimate)):
            times = self._times(table, checked.columns)
            shorter = next((each for each in times if (table, each) in limited), None)
            if shorter is not None:
                return Advice("choose_shorter_period", f"{table}.{shorter}")
            if times:
                return Advice("choose_period", f"{table}.{times[0]}")
        return Advice("choose_less")

    def _rank(self, table: str, estimate: CostEstimate) -> int:
        card = self.catalog.tables[table]
        own = card.place(self.database.namespace)[-1]
        return estimate.tables.index(own) if own in estimate.tables else len(estimate.tables)

    def _times(self, table: str, visible: Mapping[str, Sequence[str]]) -> list[str]:
        """The visible time fields of a table, those that its owner named so first."""
        card = self.catalog.tables[table]
        columns = [card.columns[name] for name in visible[table] if name in card.columns]
        times = [column for column in columns if is_time(column)]
        return [each.name for each in sorted(times, key=lambda each: each.role is not Role.TIME)]


def excess_of(estimate: CostEstimate, budget: CostBudget) -> Excess | None:
    """The first limit that the estimate is over: rows, bytes, money."""
    rows, size, price = estimate.rows_read, estimate.bytes_read, budget.price_per_terabyte
    if budget.most_rows_read is not None and rows > budget.most_rows_read:
        return Excess("rows", rows, budget.most_rows_read)
    if size is None:
        return None
    if budget.most_bytes_read is not None and size > budget.most_bytes_read:
        return Excess("bytes", size / _MEGABYTE, budget.most_bytes_read / _MEGABYTE)
    if budget.most_money is not None and price is not None:
        money = size / _TERABYTE * price
        if money > budget.most_money:
            return Excess("money", money, budget.most_money)
    return None


def _rounded(figure: float) -> float:
    return float(f"{figure:.{_DIGITS}g}")


def _figure(figure: float) -> str:
    """A whole figure in groups that every language reads; a small one with its decimals."""
    whole = figure >= _WHOLE_FROM or figure == int(figure)
    return f"{figure:,.0f}".replace(",", "\N{NARROW NO-BREAK SPACE}") if whole else f"{figure:.2g}"
