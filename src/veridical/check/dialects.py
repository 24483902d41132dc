"""Differences between the SQL engines that rules depend on."""

from dataclasses import dataclass

from veridical.contracts.language import Language
from veridical.messages import message


@dataclass(frozen=True, slots=True)
class Dialect:
    """The traits of one engine."""

    name: str
    title: str
    """Its name for people."""
    strict_types: bool = True
    """A text column can't be compared with a number."""
    strict_groups: bool = True
    """A column beside an aggregate must be grouped by."""
    alias_in_where: bool = False
    """WHERE and HAVING may use the aliases of the SELECT list."""
    alias_in_select: bool = False
    """The SELECT list may use its own earlier aliases."""
    forward_joins: bool = False
    """ON may name a table that is joined later."""
    correlated_from: bool = True
    """A sub-query in FROM sees the query around its SELECT."""
    quoted_text: bool = False
    """A double-quoted name that is no column is taken for text."""
    exact_quotes: bool = False
    """A quoted name is found in its exact spelling only."""
    whole_division: bool = False
    """Whole numbers divide to a whole number: 1 / 2 is 0."""
    values_column: str = "column{1}"
    """The name of a column of VALUES: ``{0}`` counts from 0, ``{1}`` from 1."""


class UnknownDialectError(ValueError):
    """A dialect that the check does not know."""

    def __init__(self, name: str) -> None:
        self._name = name
        super().__init__(self.message(Language.EN))

    def message(self, language: Language) -> str:
        """The dialects that there are, and the nearest of them."""
        known = ", ".join(sorted(DIALECTS))
        return message("check.unknown_dialect", language, name=repr(self._name[:40]), known=known)


DIALECTS: dict[str, Dialect] = {
    dialect.name: dialect
    for dialect in (
        Dialect("postgres", "PostgreSQL", exact_quotes=True, whole_division=True),
        Dialect(
            "duckdb", "DuckDB", alias_in_where=True, alias_in_select=True, values_column="col{0}"
        ),
        Dialect("snowflake", "Snowflake", alias_in_where=True, alias_in_select=True),
        Dialect("bigquery", "BigQuery", correlated_from=False),
        Dialect(
            "clickhouse",
            "ClickHouse",
            alias_in_where=True,
            alias_in_select=True,
            correlated_from=False,
        ),
        Dialect("mysql", "MySQL", strict_types=False, alias_in_where=True, correlated_from=False),
        Dialect(
            "sqlite",
            "SQLite",
            strict_types=False,
            strict_groups=False,
            alias_in_where=True,
            forward_joins=True,
            correlated_from=False,
            quoted_text=True,
            whole_division=True,
        ),
        Dialect("spark", "Spark", correlated_from=False, values_column="col{1}"),
    )
}


def dialect_named(name: str) -> Dialect:
    """The traits of this engine. Raises ``UnknownDialectError``: rules that hold for another engine
    would let through what this one does otherwise."""
    found = DIALECTS.get(name)
    if found is None:
        raise UnknownDialectError(name)
    return found
