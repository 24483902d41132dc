"""The small Trustee books in DuckDB, asked through the checked tools as an agent would ask them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import duckdb

from veridical import Caller, Checker, Scope, Toolbox, compile_catalog
from veridical.contracts.answer import Source
from veridical.engines import Engine
from veridical.engines.duckdb import DuckDb
from veridical.gate.evidence.exhibit import Exhibit
from veridical.gate.evidence.source import Meaning, exhibit_of, meaning_of
from veridical.ontology.pack import load_pack
from veridical.packs.trustee.books import build_books
from veridical.packs.trustee.load import load_duckdb

TENANTS = (
    ("m-001", "m-001-a"),
    ("m-001", "m-001-b"),
    ("m-002", "m-002-a"),
    ("m-003", "m-003-a"),
)
Tenant = tuple[str, str]


@dataclass(frozen=True)
class AskedBooks:
    """Runs calls for one caller and keeps what the host records of them."""

    toolbox: Toolbox
    meaning: Meaning

    def rows(self, sql: str, limit: int = 1000) -> Exhibit:
        """The result of one SQL statement."""
        return self._run("executeSqlSafe", {"sql": " ".join(sql.split()), "limit": limit})

    def query(
        self, table: str, fields: Iterable[str], filters: Mapping[str, Any], order: str = ""
    ) -> Exhibit:
        """Rows of one table; a pair is a range."""
        arguments: dict[str, Any] = {
            "tableName": f"TrusteeData{table}",
            "fields": list(fields),
            "filters": _filters(filters),
        }
        if order:
            arguments["orderBy"] = [{"field": order}]
        return self._run("queryTable", arguments)

    def total(
        self, table: str, field: str, filters: Mapping[str, Any], group: tuple[str, ...] = ()
    ) -> Exhibit:
        """A sum over rows of one table."""
        arguments = {
            "tableName": f"TrusteeData{table}",
            "aggregate": "sum",
            "field": field,
            "filters": _filters(filters),
            "groupBy": list(group),
        }
        return self._run("aggregateTable", arguments)

    def count(self, table: str, filters: Mapping[str, Any], group: tuple[str, ...]) -> Exhibit:
        """How many rows there are, by group."""
        arguments = {
            "tableName": f"TrusteeData{table}",
            "aggregate": "count",
            "filters": _filters(filters),
            "groupBy": list(group),
            "orderBy": [{"field": name} for name in group],
        }
        return self._run("aggregateTable", arguments)

    def calculate(self, expression: str) -> Exhibit:
        """A receipt of the calculator."""
        return self._run("calculate", {"expression": expression})

    def _run(self, tool: str, arguments: dict[str, Any]) -> Exhibit:
        result = self.toolbox.call(tool, arguments)
        if result.receipt is None:
            raise ValueError(f"{tool} {arguments}: {result.error}")
        data = result.data if tool != "calculate" else {"columns": (), "rows": ()}
        source = Source(
            tool=tool,
            arguments=arguments,
            columns=tuple(data["columns"]),
            rows=tuple(tuple(row) for row in data["rows"]),
            receipt=result.receipt,
        )
        return exhibit_of(source, self.meaning)


def _filters(given: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        {"field": name, "op": "between" if isinstance(value, tuple) else "=", "value": value}
        for name, value in given.items()
    ]


@cache
def _runtime() -> tuple[Engine, Checker, Meaning]:
    connection = duckdb.connect()
    connection.execute("ATTACH ':memory:' AS data")
    connection.execute("USE data")
    load_duckdb(build_books("small"), connection)
    connection.execute("USE memory")
    pack = load_pack("trustee")
    catalog = compile_catalog(pack.schema, pack.ontology)
    engine = Engine(DuckDb(connection), catalog, shared=pack.shared_tables)
    return engine, Checker(catalog), meaning_of(pack.ontology, catalog)


@cache
def books_of(tenants: tuple[Tenant, ...]) -> AskedBooks:
    """What somebody sees who may see these books."""
    engine, checker, meaning = _runtime()
    allowed = {
        "mandateId": tuple(dict.fromkeys(mandate for mandate, _ in tenants)),
        "featureInstanceId": tuple(instance for _, instance in tenants),
    }
    shared = load_pack("trustee").shared_tables
    return AskedBooks(Toolbox(checker, engine, Caller(scope=Scope(allowed, shared))), meaning)
