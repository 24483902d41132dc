"""A refusal is settled where the call and its correction return the same rows, and nowhere else."""

import asyncio
import json
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.tools.contested_shop import ONTOLOGY, REFUSED, member, open_shop, write_shop
from veridical.agent.results import as_prompt, as_source
from veridical.agent.tool_call import ToolCall, call_tool, tool_called
from veridical.check.checker import ALWAYS_BLOCKING, DEFAULT_MODES, Checker
from veridical.check.contested import ABOUT_FIGURES
from veridical.contracts.language import Language
from veridical.contracts.result import ToolResult
from veridical.contracts.step import Action, Json, recorded
from veridical.contracts.violation import Code, Mode
from veridical.engines import Engine
from veridical.engines.limits import Limits
from veridical.engines.sqlite import Sqlite
from veridical.ontology.compile import compile_catalog
from veridical.ontology.ontology_file import ontology_from
from veridical.tools.toolbox import Toolbox, names_of_call


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sqlite]:
    found = Sqlite(write_shop(tmp_path_factory.mktemp("shop") / "shop.sqlite"))
    yield found
    found.close()


WARNING = {Code.MISSING_REQUIRED_FILTER: Mode.WARN}


def toolbox_of(
    database: Sqlite,
    org: int = 1,
    limits: Limits | None = None,
    text: str = ONTOLOGY,
    modes: Mapping[Code, Mode] = DEFAULT_MODES,
) -> Toolbox:
    catalog = compile_catalog(database.reflect(), ontology_from(text, "shop"))
    engine = Engine(database, catalog, limits=limits)
    return Toolbox(Checker(catalog, "sqlite", modes), engine, member(org))


def call(toolbox: Toolbox, sql: str, **more: Any) -> ToolResult:
    return toolbox.call("executeSqlSafe", {"sql": sql, **more})


def cases() -> Iterator[tuple[bool, str]]:
    path = Path(__file__).parent / "cases" / "contested.txt"
    for line in path.read_text("utf-8").splitlines():
        mark, _, sql = line.partition(" | ")
        if sql and not mark.startswith("#"):
            yield mark == "+", sql


@pytest.mark.parametrize(("settled", "sql"), list(cases()))
def test_rows_settle_a_refusal_or_it_stays(database: Sqlite, settled: bool, sql: str) -> None:
    toolbox = toolbox_of(database)
    result, plain = call(toolbox, sql), call(replace(toolbox, settles=False), sql)
    assert not plain.success
    if not settled:
        assert result == plain
        return
    assert result.success
    assert result.settled is not None
    assert result.receipt is not None
    (found,) = result.warnings
    assert found.mode is Mode.WARN
    assert found.code == (plain.error_details or {})["code"]


def test_equal_rows_drop_a_warning(database: Sqlite) -> None:
    toolbox = toolbox_of(database, modes=WARNING)
    result = call(toolbox, REFUSED)
    assert (result.data["rows"], result.warnings) == ([[30]], ())
    assert result.settled is not None
    assert result.settled.doubted
    assert result.settled.rules == ("COUNTS_ONLY · sale · state <> 'void'",)
    assert "void" in result.settled.receipt.sql
    plain = call(replace(toolbox, settles=False), REFUSED)
    assert [each.code for each in plain.warnings] == [Code.MISSING_REQUIRED_FILTER]
    assert plain.settled is None


def test_other_rows_leave_the_warning(database: Sqlite) -> None:
    toolbox = toolbox_of(database, modes=WARNING)
    sql = "SELECT SUM(amount) FROM sale WHERE year = 2023"
    result = call(toolbox, sql)
    assert result == call(replace(toolbox, settles=False), sql).model_copy(
        update={"receipt": result.receipt}
    )
    assert [each.code for each in result.warnings] == [Code.MISSING_REQUIRED_FILTER]


def test_a_doubted_call_names_what_its_correction_reads(database: Sqlite) -> None:
    text = ONTOLOGY.replace("state <> 'void'", "state <> 'void' AND clerk.team = 'one'")
    toolbox = toolbox_of(database, text=text, modes=WARNING)
    named = names_of_call(toolbox, "executeSqlSafe", {"sql": REFUSED})
    assert named == ("executeSqlSafe", "sale", "clerk")


def test_the_record_names_the_rule_and_both_statements(database: Sqlite) -> None:
    result = call(toolbox_of(database), REFUSED)
    assert result.data["rows"] == [[30]]
    assert result.settled is not None
    assert result.receipt is not None
    assert result.settled.rules == ("COUNTS_ONLY · sale · state <> 'void'",)
    assert "void" in result.settled.receipt.sql
    assert "void" not in result.receipt.sql
    assert as_source("executeSqlSafe", {"sql": REFUSED}, result) is not None


def test_a_model_reads_that_it_was_checked(database: Sqlite) -> None:
    shown = as_prompt(call(toolbox_of(database), REFUSED), Language.EN)
    assert "what this rule protects from changes nothing here" in shown
    assert '"settled"' not in shown
    assert "COUNTS_ONLY" not in shown


def test_structured_calls_are_settled_as_well(database: Sqlite) -> None:
    arguments = {
        "tableName": "sale",
        "aggregate": "sum",
        "field": "amount",
        "filters": [{"field": "year", "op": "=", "value": 2024}],
    }
    result = toolbox_of(database).call("aggregateTable", arguments)
    assert result.settled is not None
    assert result.data["rows"] == [[30]]


def test_each_tenant_has_rows_of_its_own(database: Sqlite) -> None:
    assert call(toolbox_of(database, 1), REFUSED).settled is not None
    other = call(toolbox_of(database, 2), REFUSED)
    assert not other.success
    assert other.data is None


def test_rows_that_were_cut_off_settle_nothing(database: Sqlite) -> None:
    sql = "SELECT kind, SUM(amount) FROM sale WHERE year = 2024 GROUP BY kind ORDER BY kind"
    assert call(toolbox_of(database), sql).settled is not None
    assert not call(toolbox_of(database), sql, limit=1).success
    assert not call(toolbox_of(database, limits=Limits(rows=1)), sql).success


def test_both_statements_have_the_time_of_one(database: Sqlite) -> None:
    limits = Limits(statement_ms=1)
    toolbox = toolbox_of(database, limits=limits)
    assert call(toolbox, REFUSED) == call(replace(toolbox, settles=False), REFUSED)


def test_a_condition_on_what_the_caller_may_not_see_stays(database: Sqlite) -> None:
    text = ONTOLOGY.replace("state <> 'void'", "note <> 'theirs'")
    assert not call(toolbox_of(database, text=text), REFUSED).success


def test_rows_that_do_not_count_are_no_secret(database: Sqlite) -> None:
    listed = call(toolbox_of(database), "SELECT id FROM sale WHERE year = 2023 ORDER BY id")
    assert (listed.data["rows"], listed.settled) == ([[3], [4], [5]], None)


def test_what_is_kept_is_not_settled_by_the_rows_of_a_day(tmp_path: Path) -> None:
    shop = open_shop(tmp_path / "shop.sqlite")
    asked = {"ask": {"question": "TOTAL"}}
    result = shop.toolbox(member(1), known_questions=True).call("knownQuestion", asked)
    assert (result.success, result.settled) == (False, None)
    shop.engine.database.close()


def test_an_approval_names_what_both_statements_read(database: Sqlite) -> None:
    text = ONTOLOGY.replace("state <> 'void'", "state <> 'void' AND clerk.team = 'one'")
    toolbox = toolbox_of(database, text=text)
    named = names_of_call(toolbox, "executeSqlSafe", {"sql": REFUSED})
    assert named == ("executeSqlSafe", "sale", "clerk")
    assert (
        names_of_call(replace(toolbox, settles=False), "executeSqlSafe", {"sql": REFUSED}) is None
    )


def test_a_replayed_run_reads_what_was_recorded(tmp_path: Path) -> None:
    path = write_shop(tmp_path / "shop.sqlite")
    kept: dict[str, Json] = {}

    async def step(name: str, action: Action) -> Json:
        if name not in kept:
            kept[name] = json.loads(json.dumps(await action()))
        return kept[name]

    database = Sqlite(path)
    toolbox = toolbox_of(database)
    ask = partial(call_tool, toolbox.call, "executeSqlSafe", {"sql": REFUSED})
    first = asyncio.run(recorded(step, "call", ask, ToolCall))
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE sale SET state = 'void' WHERE org = 1")
    again = asyncio.run(recorded(step, "call", ask, ToolCall))
    assert again == first
    assert first.result.settled is not None
    assert tool_called("executeSqlSafe", again).settled == first.result.settled
    assert not call(toolbox, REFUSED).success
    database.close()


def test_only_rules_about_figures_are_settled() -> None:
    assert ABOUT_FIGURES.isdisjoint(ALWAYS_BLOCKING)
    assert Code.WRONG_TABLE_FOR_PURPOSE not in ABOUT_FIGURES
