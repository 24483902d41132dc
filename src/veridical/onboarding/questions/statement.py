"""The statements of known questions: a figure of one table, divided, filtered, at a time."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlglot import exp

from veridical.contracts.schema import ValueType
from veridical.onboarding.questions.dimension import Dimension
from veridical.onboarding.questions.subject import Figure, Subject, Time

COUNT = "count"
"""The name of a number of rows in a result."""
_YEAR, _MONTH, _DAY = "{year}", "{month}", "{day}"
_OWN, _FAR, _OTHER = "t", "p", "o"
_END_OF_DAY = "T23:59:59.999"


@dataclass(frozen=True)
class Statement:
    """A figure as SQL. Each method returns a narrower or a divided one."""

    subject: Subject
    dialect: str
    filters: tuple[str, ...] = ()
    groups: tuple[tuple[str, str], ...] = ()
    """Expressions, with their names in the result."""
    keys: tuple[str, ...] = ()
    """What is grouped by as well, and not shown."""
    join: str = ""
    tail: str = ""

    def sql(self) -> str:
        """The text of the statement."""
        subject = self.subject
        groups = self.groups
        unit = subject.unit
        for each in (*subject.split, *((unit,) if unit else ())):
            if all(name != each for _, name in groups):
                groups = (*groups, (self.own(each), each))
        shown = [f"{made} AS {self.name(name)}" for made, name in groups]
        by = [*self.keys, *(made for made, _ in groups)]
        place = f"{self.name(subject.table.name)} AS {_OWN}{self.join}"
        parts = [f"SELECT {', '.join((*shown, self._figure()))} FROM {place}"]
        if self.filters:
            parts.append(f"WHERE {' AND '.join(self.filters)}")
        if by:
            parts.append(f"GROUP BY {', '.join(by)}")
        return " ".join(filter(None, (*parts, self.tail)))

    def figure(self) -> str:
        """The figure, without a name."""
        subject = self.subject
        if subject.figure is Figure.COUNT:
            return "COUNT(*)"
        function = "AVG" if subject.figure is Figure.MEAN else "SUM"
        return f"{function}({self.own(subject.measure)})"

    def _figure(self) -> str:
        return f"{self.figure()} AS {self.name(self.subject.measure or COUNT)}"

    def where(self, *conditions: str) -> "Statement":
        """The statement with more conditions."""
        return replace(self, filters=(*self.filters, *conditions))

    def by(self, dimension: Dimension) -> "Statement":
        """The figure for each value of a dimension."""
        if dimension.parent:
            kind = "LEFT JOIN" if dimension.optional else "JOIN"
            far = self.far(dimension.key)
            met = f"{self.own(dimension.column)} = {far}"
            join = f" {kind} {self.name(dimension.parent)} AS {_FAR} ON {met}"
            shown = tuple((self.far(each), each) for each in dimension.shown)
            return replace(self, join=join, groups=(*self.groups, *shown), keys=(far,))
        columns = dimension.shown or (dimension.column,)
        return replace(self, groups=(*self.groups, *((self.own(each), each) for each in columns)))

    def top(self) -> "Statement":
        """The largest ones first, and no more than wanted."""
        return replace(self, tail=f"ORDER BY {self.figure()} DESC LIMIT {{limit}}")

    def in_year(self) -> "Statement":
        """Of the rows of a year."""
        day, last = self.own(self.subject.day), f"{_YEAR}-12-31"
        end = last if self._has_days() else last + _END_OF_DAY
        return self.where(f"{day} >= '{_YEAR}-01-01'", f"{day} <= '{end}'")

    def in_month(self) -> "Statement":
        """Of the rows of a month of a year."""
        return self.in_year().where(f"{self._month_number()} = {_MONTH}")

    def months(self) -> "Statement":
        """The figure for each month."""
        if not self._is_text:
            return self._each((self._month_number(), "month"))
        return self._each((f"SUBSTR({self.own(self.subject.day)}, 1, 7)", "month"))

    def years(self) -> "Statement":
        """The figure for each year."""
        day = self.own(self.subject.day)
        text = f"SUBSTR({day}, 1, 4)"
        return self._each((text if self._is_text else f"EXTRACT(YEAR FROM {day})", "year"))

    def now(self) -> "Statement":
        """The state at the last date with rows, or of what holds today."""
        return self._at("")

    def dated(self) -> "Statement":
        """The figure beside the date that it is of."""
        subject = self.subject
        if subject.time is not Time.STANDS or subject.reports:
            return self
        return replace(self, groups=((self.own(subject.day), subject.day), *self.groups))

    def at_day(self) -> "Statement":
        """The state that held at the end of a day."""
        return self._at(f"'{_DAY}'")

    def month_ends(self) -> "Statement":
        """The states at the last date of each month of a year."""
        day = self.subject.day
        months = f"SUBSTR({self._other(day)}, 1, 7)"
        if not self._is_text:
            months = f"EXTRACT(MONTH FROM {self._other(day)})"
        within = self._year_of_other()
        dates = f"SELECT MAX({self._other(day)}) FROM {self._others()} WHERE {within}"
        chosen = f"{self.own(day)} IN ({dates} GROUP BY {months})"
        return self.where(chosen)._each((self.own(day), day))

    def own(self, column: str) -> str:
        """A column of the table itself."""
        return f"{_OWN}.{self.name(column)}"

    def far(self, column: str) -> str:
        """A column of the parent that it is joined with."""
        return f"{_FAR}.{self.name(column)}"

    def name(self, text: str) -> str:
        """A name as the dialect quotes it."""
        return exp.to_identifier(text, quoted=True).sql(self.dialect)

    @property
    def _is_text(self) -> bool:
        """True if days are compared and cut as text."""
        return self.subject.is_text or self.dialect == "sqlite"

    def _each(self, group: tuple[str, str]) -> "Statement":
        return replace(self, groups=(group, *self.groups), tail=f"ORDER BY {group[0]}")

    def _month_number(self) -> str:
        day = self.own(self.subject.day)
        if self._is_text:
            return f"CAST(SUBSTR({day}, 6, 2) AS INTEGER)"
        return f"EXTRACT(MONTH FROM {day})"

    def _has_days(self) -> bool:
        """True if its days have no time of day."""
        column = self.subject.table.by_name[self.subject.day]
        return column.type is ValueType.DATE or all(
            len(str(end)) <= len("2025-01-31") for end in (column.low, column.high)
        )

    def _at(self, day: str) -> "Statement":
        subject = self.subject
        if subject.time is Time.HOLDS:
            held = day or self._today()
            end = self.own(subject.end)
            return self.where(
                f"{self.own(subject.day)} <= {held}", f"({end} IS NULL OR {end} >= {held})"
            )
        met = [f"{self._other(each)} = {self.own(each)}" for each in subject.reports]
        met += [f"{self._other(subject.day)} <= {day}"] if day else []
        within = f" WHERE {' AND '.join(met)}" if met else ""
        last = f"SELECT MAX({self._other(subject.day)}) FROM {self._others()}{within}"
        return self.where(f"{self.own(subject.day)} = ({last})")

    def _today(self) -> str:
        today = exp.CurrentDate()
        as_text = self.subject.is_text and self.dialect != "sqlite"
        return (exp.cast(today, "text") if as_text else today).sql(self.dialect)

    def _other(self, column: str) -> str:
        return f"{_OTHER}.{self.name(column)}"

    def _others(self) -> str:
        return f"{self.name(self.subject.table.name)} AS {_OTHER}"

    def _year_of_other(self) -> str:
        day = self._other(self.subject.day)
        return f"{day} >= '{_YEAR}-01-01' AND {day} <= '{_YEAR}-12-31'"


def condition(statement: Statement, filter_: dict[str, Any]) -> str:
    """A filter as SQL."""
    name = statement.own(filter_["field"])
    if filter_["op"] == "is null":
        return f"{name} IS NULL"
    written = exp.convert(filter_["value"]).sql(statement.dialect)
    return f"{name} {'<>' if filter_['op'] == '!=' else filter_['op']} {written}"


def filtered(statement: Statement, filters: Sequence[dict[str, Any]]) -> Statement:
    """The statement of the rows that these filters keep."""
    return statement.where(*(condition(statement, each) for each in filters))
