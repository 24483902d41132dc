"""``veridical demo``: one question; the obvious call is refused, the right one runs."""

import json
from dataclasses import dataclass
from importlib import import_module
from typing import Any, LiteralString

import psycopg

from veridical.check.checker import Checker
from veridical.cli.friendly import out
from veridical.contracts.caller import Caller, Scope
from veridical.contracts.language import Language
from veridical.contracts.result import ToolResult
from veridical.engine import Engine, Postgres, install_row_level_security
from veridical.messages import say
from veridical.ontology.compile import compile_catalog
from veridical.ontology.pack import Pack, load_pack
from veridical.testing.postgres import local_postgres
from veridical.tools.toolbox import Toolbox

_READER = "veridical_reader"
_BANK = {"field": "accountNumber", "op": "like", "value": "102%"}
_OBVIOUS = {
    "tableName": "TrusteeDataAccountBalance",
    "aggregate": "sum",
    "field": "closingBalance",
    "filters": [_BANK],
}
_TENANTS: LiteralString = (
    'SELECT DISTINCT "mandateId", "featureInstanceId" '
    'FROM "TrusteeDataAccountBalance" ORDER BY 1, 2'
)
_LAST_YEAR: LiteralString = 'SELECT max("periodYear") FROM "TrusteeDataAccountBalance"'
_UNCHECKED: LiteralString = (
    'SELECT sum("closingBalance") FROM "TrusteeDataAccountBalance" '
    'WHERE "accountNumber" LIKE \'102%%\' AND "mandateId" = %s AND "featureInstanceId" = %s'
)


@dataclass(frozen=True, slots=True)
class Facts:
    """What the demo looks up in the database by itself, past the check."""

    tenants: int
    tenant: tuple[str, str]
    year: int
    unchecked: str


def run_demo(language: Language) -> None:
    """Play the demo on a throwaway server."""
    pack = load_pack("trustee")
    with out.status(say("cli.demo_start", language)), local_postgres() as server:
        url = server.create_database("demo")
        rows = _load(pack, url)
        facts = _facts(url)
        _protect(pack, url)
        database = Postgres(url, role=_READER)
        try:
            _play(pack, database, facts, rows, language)
        finally:
            database.close()


def _load(pack: Pack, url: str) -> int:
    module, _, function = pack.sample_data.partition(":")
    return getattr(import_module(module), function)("small", url)


def _facts(url: str) -> Facts:
    with psycopg.connect(url) as connection:
        tenants = connection.execute(_TENANTS).fetchall()
        mandate, instance = tenants[0]
        year = connection.execute(_LAST_YEAR).fetchone()
        unchecked = connection.execute(_UNCHECKED, (mandate, instance)).fetchone()
    return Facts(
        len(tenants),
        (mandate, instance),
        year[0] if year else 0,
        str(unchecked[0]) if unchecked else "",
    )


def _protect(pack: Pack, url: str) -> None:
    shared = dict.fromkeys(pack.shared_tables, ())
    with psycopg.connect(url) as connection:
        install_row_level_security(connection, {**pack.tenant_columns, **shared}, _READER)


def _play(pack: Pack, database: Postgres, facts: Facts, rows: int, language: Language) -> None:
    schema = database.reflect()
    catalog = compile_catalog(schema, pack.ontology)
    mandate, instance = facts.tenant
    scope = Scope({"mandateId": (mandate,), "featureInstanceId": (instance,)}, pack.shared_tables)
    engine = Engine(database, catalog, shared=pack.shared_tables)
    toolbox = Toolbox(Checker(catalog), engine, Caller(scope=scope, language=language))
    tell = out.print
    tell(
        say(
            "cli.demo_loaded",
            language,
            rows=rows,
            tables=len(schema.tables),
            tenants=facts.tenants,
            tenant=mandate,
        ),
        style="dim",
        highlight=False,
    )
    question = say("cli.demo_question", language, year=facts.year)
    tell(f"\n[bold]{question}[/bold]\n")
    tell(say("cli.demo_first", language))
    _show(_OBVIOUS, toolbox.call("aggregateTable", _OBVIOUS, question), language)
    tell(f"{say('cli.demo_without', language)} [red]{facts.unchecked}[/red]\n")
    right = _corrected(facts.year)
    tell(say("cli.demo_then", language))
    _show(right, toolbox.call("aggregateTable", right, question), language)


def _corrected(year: int) -> dict[str, Any]:
    period = [
        {"field": "periodYear", "op": "=", "value": year},
        {"field": "periodMonth", "op": "=", "value": 0},
    ]
    return {**_OBVIOUS, "filters": [_BANK, *period], "groupBy": ["currency"]}


def _show(arguments: dict[str, Any], result: ToolResult, language: Language) -> None:
    out.print(f"  aggregateTable {json.dumps(arguments)}", style="cyan", highlight=False)
    if not result.success:
        out.print(f"  [bold red]✗ {result.error}[/bold red]", highlight=False)
        details = result.error_details or {}
        for other in details.get("others", ()):
            out.print(f"  [red]  {other['code']}: {other['hint']}[/red]", highlight=False)
        return
    for row in result.data["rows"]:
        out.print(f"  [bold green]✓ {'  '.join(map(str, row))}[/bold green]", highlight=False)
    if result.receipt is not None:
        told = say(
            "cli.demo_receipt",
            language,
            call_id=result.receipt.call_id,
            rows=result.receipt.row_count,
            hash=result.receipt.ontology_hash,
        )
        out.print(f"  {told}", style="dim", highlight=False)
