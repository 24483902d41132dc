"""What ``init`` costs on a large database, and until its first verified answer without a model."""

import asyncio
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

import duckdb

from veridical.answering.flow import answer
from veridical.contracts.caller import WHOLE, Caller, scope_of
from veridical.contracts.language import Language
from veridical.contracts.question import Question
from veridical.engines.duckdb import open_duckdb
from veridical.host.runtime import open_runtime
from veridical.host.settings import FeatureSettings, RuntimeSettings
from veridical.onboarding.budget import Budget
from veridical.onboarding.look import Look, look_at
from veridical.onboarding.project import address_of, drafted, write_project
from veridical.ontology.filling import filled
from veridical.ontology.model import OntologyDescriptor
from veridical.ontology.pack import Pack

TABLES, ROWS = 100, 10_000_000
GROWTH = (25, 50, 100, 200)
_GROWTH_ROWS = 2_000
_BUDGET = Budget()
_UNHURRIED = Budget(seconds=600)
"""So that what is counted does not depend on the machine."""
_HEADERS = 10
"""Each tenth table is a list that the nine behind it point to."""


def generate(path: Path, tables: int, rows: int) -> None:
    """Tables of amounts, dates, pointers and lists; every tenth is what the others point to."""
    each = rows // tables
    with closing(duckdb.connect(str(path))) as connection:
        for number in range(tables):
            head = number - number % _HEADERS
            connection.execute(
                _header(number, each) if number == head else _fact(number, head, each)
            )


def _header(number: int, rows: int) -> str:
    return f"""CREATE TABLE customer_{number} AS SELECT i AS id, 'Name ' || i AS name,
        ['CHF', 'EUR', 'USD'][1 + i % 3] AS currency, ['gold', 'silver', 'none'][1 + i % 3] AS tier,
        DATE '2020-01-01' + CAST(i % 1500 AS INTEGER) AS joined_on, i % 7 = 0 AS deleted
        FROM range({rows}) t(i)"""


def _fact(number: int, head: int, rows: int) -> str:
    return f"""CREATE TABLE order_{number} AS SELECT i AS id,
        (i * 7919) % {rows} AS customer_{head}_id,
        DATE '2022-01-01' + CAST(i % 1000 AS INTEGER) AS ordered_on,
        1640995200 + (i * 37) % 90000000 AS created_at,
        ['open', 'paid', 'void'][1 + i % 3] AS status, 1 + i % 9 AS quantity,
        round(1 + (i * 31 % 5000) / 7.0, 2) AS unit_price,
        round((1 + i % 9) * round(1 + (i * 31 % 5000) / 7.0, 2), 2) AS amount,
        ['CHF', 'EUR'][1 + i % 2] AS currency FROM range({rows}) t(i)"""


def large(tables: int = TABLES, rows: int = ROWS, budget: Budget = _BUDGET) -> dict[str, Any]:
    """Seconds for the files of a large database, and for its first answer.

    On a machine that does other work, the processor's seconds say more than the clock's.
    """
    with TemporaryDirectory() as place:
        path = Path(place) / "large.duckdb"
        generate(path, tables, rows)
        started, worked = perf_counter(), process_time()
        look, ontology = _init(path, Path(place) / "project", budget)
        init_s, init_cpu_s = perf_counter() - started, process_time() - worked
        text = asyncio.run(_first_answer(path, ontology))
        return {
            "tables": tables,
            "rows": rows,
            "init_s": round(init_s, 2),
            "init_cpu_s": round(init_cpu_s, 2),
            "first_answer_s": round(perf_counter() - started, 2) if text else None,
            "uncounted": look.uncounted,
            "proposals": len(look.proposals),
        }


def growth(sizes: Iterable[int] = GROWTH) -> dict[str, Any]:
    """Seconds of the processor by number of tables, and how much more a table costs among many than
    among few: the clock's seconds depend on what else the machine does."""
    seconds: dict[int, float] = {}
    for tables in sizes:
        with TemporaryDirectory() as place:
            path = Path(place) / "many.duckdb"
            generate(path, tables, tables * _GROWTH_ROWS)
            started = process_time()
            _init(path, Path(place) / "project", _UNHURRIED)
            seconds[tables] = round(process_time() - started, 2)
    first, last = min(seconds), max(seconds)
    ratio = (seconds[last] / last) / (seconds[first] / first)
    return {"seconds_by_tables": seconds, "growth_per_table": round(ratio, 2)}


def _init(path: Path, project: Path, budget: Budget = _BUDGET) -> tuple[Look, OntologyDescriptor]:
    with closing(open_duckdb(path)) as database:
        look = look_at(database, project, budget, lambda _done, _of: None)
        address = address_of(str(path))
        schema = database.reflect()
        ontology = drafted(address.name, look, schema, database.dialect)
        write_project(project, address, ontology, database.dialect, Language.EN)
    return look, ontology


async def _first_answer(path: Path, ontology: OntologyDescriptor) -> str:
    """The answer to the first known question; empty where it was not verified."""
    name = ontology.feature_code
    pattern = ontology.canonical_patterns[0]
    values = {slot.name: slot.examples[0] for slot in pattern.slots}
    question = filled(pattern.questions["en"][0], values)
    with closing(open_duckdb(path)) as database:
        pack = Pack(name, ontology, database.reflect())
    settings = RuntimeSettings(
        features=(FeatureSettings(name=name, database=str(path)),), packs={name: pack}
    )
    async with open_runtime(settings) as runtime:
        caller = Caller(scope=scope_of({}, WHOLE))
        given = await answer(Question(text=question), runtime.session(name, caller))
    return given.text if given.kind == "pattern" else ""
