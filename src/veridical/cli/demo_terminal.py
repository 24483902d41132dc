"""The demo on a terminal: one question; the obvious call is refused, the right one runs."""

import json
from dataclasses import dataclass, replace
from typing import Any, LiteralString

import psycopg

from veridical.answering.feature import open_feature
from veridical.cli.error_reporting import out
from veridical.contracts.language import Language
from veridical.contracts.result import ToolResult
from veridical.engines import Postgres
from veridical.messages import message
from veridical.ontology.pack import Pack, load_pack
from veridical.sample.books import load_sample
from veridical.sample.caller import sample_caller
from veridical.sample.postgres import local_postgres

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
    """Values that the demo reads from the database directly, bypassing the check."""

    tenants: int
    tenant: tuple[str, str]
    year: int
    unchecked: str


def play_on_terminal(language: Language) -> None:
    """Play the demo on a throwaway server."""
    pack = load_pack("trustee")
    with out.status(message("cli.demo_start", language)), local_postgres() as server:
        sample = load_sample(pack, server)
        facts = _facts(sample.url)
        database = sample.database()
        try:
            _play(pack, database, facts, sample.rows, language)
        finally:
            database.close()


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


def _play(pack: Pack, database: Postgres, facts: Facts, rows: int, language: Language) -> None:
    feature = open_feature(pack, database)
    caller = replace(sample_caller(pack, *facts.tenant), language=language)
    toolbox = feature.toolbox(caller)
    tell = out.print
    tell(
        message(
            "cli.demo_loaded",
            language,
            rows=rows,
            tables=len(feature.schema.tables),
            tenants=facts.tenants,
            tenant=facts.tenant[0],
        ),
        style="dim",
    )
    question = message("cli.demo_question", language, year=facts.year)
    tell(f"\n{question}\n", style="bold")
    tell(message("cli.demo_first", language))
    _show(_OBVIOUS, toolbox.call("aggregateTable", _OBVIOUS, question), language)
    tell(f"{message('cli.demo_without', language)} [red]{facts.unchecked}[/red]\n", markup=True)
    right = _corrected(facts.year)
    tell(message("cli.demo_then", language))
    _show(right, toolbox.call("aggregateTable", right, question), language)


def _corrected(year: int) -> dict[str, Any]:
    period = [
        {"field": "periodYear", "op": "=", "value": year},
        {"field": "periodMonth", "op": "=", "value": 0},
    ]
    return {**_OBVIOUS, "filters": [_BANK, *period], "groupBy": ["currency"]}


def _show(arguments: dict[str, Any], result: ToolResult, language: Language) -> None:
    called = f"  aggregateTable {json.dumps(arguments)}"
    out.print(called, style="cyan")
    if not result.success:
        out.print(f"  ✗ {result.error}", style="bold red")
        details = result.error_details or {}
        for other in details.get("others", ()):
            text = f"    {other['code']}: {other['hint']}"
            out.print(text, style="red")
        return
    for row in result.data["rows"]:
        text = f"  ✓ {'  '.join(map(str, row))}"
        out.print(text, style="bold green")
    if result.receipt is not None:
        text = message(
            "cli.demo_receipt",
            language,
            call_id=result.receipt.call_id,
            rows=result.receipt.row_count,
            hash=result.receipt.ontology_hash,
        )
        out.print(f"  {text}", style="dim")
