"""What the check is worth to a small model: SQL with the page in the prompt, beside Veridical.

    python -m benchmarks.local_model medium 18080
    python -m benchmarks.company.models --db FOLDER [--ontology FILE] --out FILE
    python -m benchmarks.company.models --db FOLDER --recorded FILE... --json

Each question is asked once in each way. *bare*: the model sees the tables and ``dictionary.md`` and
writes a statement; what the database refuses goes back to it, twice at most. *veridical*: the model
sees the ontology, queries through the check, and the host answers from the rows. What is right is
decided by the rows: as many as the right statement returns, each with its values. FILE keeps a line
for each question, which ``--recorded`` counts again without a model: statements run anew.
"""

import argparse
import asyncio
import json
import re
import sqlite3
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from openai import AsyncOpenAI
from rich.progress import track

import veridical
from benchmarks.command import command, show
from benchmarks.company.set import DATABASE
from benchmarks.data import read_lines
from veridical.agent.answer_form import AnswerForm
from veridical.agent.budget import Budget
from veridical.agent.settings import AgentSettings
from veridical.contracts.answer import Source
from veridical.host.settings import FeatureSettings, RuntimeSettings

_MOST_ROWS = 1000
_ATTEMPTS = 3
_FENCED = re.compile(r"```(?:sql|sqlite)?\s*(.*?)```", re.DOTALL | re.IGNORECASE)
_BARE = """You write SQLite. The tables:

{tables}

The page of conventions:

{page}

Reply with one SELECT statement in a ```sql block and nothing else. Today is 31 October 2026."""
_STEPS, _LOOKS = 100_000, 200

Row = Sequence[Any]


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of a question in one way."""

    statement: str = ""
    """The last statement that ran; empty where there is no answer."""
    statements: int = 0
    tokens: int = 0
    seconds: float = 0.0


def main() -> None:
    """Ask, or count what was recorded."""
    parser = command(__doc__)
    parser.add_argument("--db", type=Path, required=True, help="the folder of a set")
    parser.add_argument("--ontology", type=Path, help="its ontology; without one, bare is asked")
    parser.add_argument("--url", default="http://127.0.0.1:18080/v1", help="of the model")
    parser.add_argument("--model", default="qwen2.5-coder-1.5b", help="its name in the record")
    parser.add_argument("--out", type=Path, help="where a line is kept for each question")
    parser.add_argument("--prompt-tokens", type=int, default=2500, help="of the ontology")
    parser.add_argument("--seconds", type=float, default=180.0, help="that a question may take")
    parser.add_argument("--recorded", type=Path, nargs="*", help="count these instead")
    options = parser.parse_args()
    if options.recorded:
        lines = [line for path in options.recorded for line in read_lines(path)]
        show(counted(options.db, lines), options)
    elif options.out is None:
        parser.error("--out or --recorded")
    else:
        asyncio.run(_asked(options))


async def _asked(options: argparse.Namespace) -> None:
    way = "veridical" if options.ontology else "bare"
    known = {line["id"] for line in read_lines(options.out)} if options.out.exists() else set()
    rows = read_lines(options.db / "questions.jsonl")
    questions = [row for row in rows if row["id"] not in known]
    with options.out.open("a", encoding="utf-8") as out:
        for row in track(questions, description=way):
            began = time.monotonic()
            ask = _through_veridical if options.ontology else _bare
            try:
                async with asyncio.timeout(options.seconds):
                    reply = await ask(row["question"], options)
            except TimeoutError:
                reply = Reply()
            kept = {
                "id": row["id"],
                "way": way,
                "model": options.model,
                "statement": reply.statement,
                "statements": reply.statements,
                "tokens": reply.tokens,
                "seconds": round(time.monotonic() - began, 1),
            }
            out.write(json.dumps(kept, ensure_ascii=False) + "\n")
            out.flush()


async def _bare(question: str, options: argparse.Namespace) -> Reply:
    with closing(sqlite3.connect(options.db / DATABASE)) as connection:
        found = connection.execute("SELECT sql FROM sqlite_master WHERE type IN ('table', 'view')")
        tables = "\n".join(text for (text,) in found if text)
    page = (options.db / "dictionary.md").read_text("utf-8")
    messages: list[Any] = [
        {"role": "system", "content": _BARE.format(tables=tables, page=page)},
        {"role": "user", "content": question},
    ]
    tokens = 0
    async with AsyncOpenAI(base_url=options.url, api_key="none", timeout=options.seconds) as model:
        for attempt in range(1, _ATTEMPTS + 1):
            given = await model.chat.completions.create(
                model=options.model, messages=messages, temperature=0, max_tokens=400
            )
            text = given.choices[0].message.content or ""
            tokens += given.usage.total_tokens if given.usage else 0
            fenced = _FENCED.search(text)
            statement = (fenced[1] if fenced else text).strip().rstrip(";")
            rows = rows_of(options.db, statement)
            if not isinstance(rows, str):
                return Reply(statement, attempt, tokens)
            messages += [
                {"role": "assistant", "content": text},
                {"role": "user", "content": f"The database says: {rows}. Write it anew."},
            ]
    return Reply("", _ATTEMPTS, tokens)


async def _through_veridical(question: str, options: argparse.Namespace) -> Reply:
    agent = AgentSettings(
        model=f"openai-compatible:{options.model}",
        base_url=options.url,
        timeout_seconds=options.seconds,
        tool_choice_required=True,
        answer_form=AnswerForm.ROWS,
        stable_prompt=True,
        prompt_tokens=options.prompt_tokens,
        tools=("executeSqlSafe",),
        budget=Budget(rounds=6, wall_seconds=options.seconds),
    )
    feature = FeatureSettings(
        name="company",
        database=f"sqlite:///{(options.db / DATABASE).resolve()}",
        ontology=options.ontology.resolve(),
    )
    settings = RuntimeSettings(agent=agent, features=(feature.for_readers(has_tenants=False),))
    async with veridical.open(settings) as client:
        answer = await client.ask(question)
    used = answer.usage
    statement = _statement(answer.sources) if answer.ok else ""
    return Reply(statement, used.tool_calls, used.input_tokens + used.output_tokens)


def _statement(sources: Sequence[Source]) -> str:
    """The statement behind the answer: the last that ran."""
    return next(
        (str(each.arguments["sql"]) for each in reversed(sources) if "sql" in each.arguments), ""
    )


def rows_of(folder: Path, statement: str) -> list[Row] | str:
    """What a statement returns, or why it doesn't."""
    looks = iter(range(_LOOKS))
    with closing(sqlite3.connect(f"file:{folder / DATABASE}?mode=ro", uri=True)) as connection:
        connection.set_progress_handler(lambda: next(looks, None) is None, _STEPS)
        try:
            return connection.execute(statement).fetchmany(_MOST_ROWS)
        except (sqlite3.Error, sqlite3.Warning) as error:
            return str(error)


def counted(folder: Path, lines: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Right, wrong and unknown in each way."""
    gold = {row["id"]: row for row in read_lines(folder / "gold.jsonl")}
    ways: dict[str, Any] = {}
    for way in sorted({line["way"] for line in lines}):
        mine = [line for line in lines if line["way"] == way]
        outcomes = Counter(_outcome(folder, gold[line["id"]], line["statement"]) for line in mine)
        ways[way] = {
            "questions": len(mine),
            **{name: outcomes[name] for name in ("right", "wrong", "unknown")},
            "statements_each": round(sum(line["statements"] for line in mine) / len(mine), 2),
            "tokens_each": round(sum(line["tokens"] for line in mine) / len(mine)),
        }
    return ways


def _outcome(folder: Path, gold: dict[str, Any], statement: str) -> str:
    if not statement:
        return "unknown"
    rows = rows_of(folder, statement)
    if isinstance(rows, str) or not rows:
        return "unknown"
    return "right" if is_same(rows, gold["result"], gold.get("tolerance") or 0) else "wrong"


def is_same(rows: Sequence[Row], wanted: Sequence[Row], tolerance: float) -> bool:
    """As many rows, and for each wanted one a row of its own with all its values."""
    left = list(rows)
    for row in wanted:
        found = next((each for each in left if _has_all(each, row, tolerance)), None)
        if found is None:
            return False
        left.remove(found)
    return not left


def _has_all(row: Row, wanted: Row, tolerance: float) -> bool:
    return all(any(_equals(each, value, tolerance) for each in row) for value in wanted)


def _equals(given: object, wanted: object, tolerance: float) -> bool:
    if isinstance(given, int | float) and isinstance(wanted, int | float):
        return abs(given - wanted) <= max(tolerance, abs(wanted) * 1e-4)
    return str(given) == str(wanted)


if __name__ == "__main__":
    main()
