"""What a shorter prompt leaves out: tokens against what the right call of a gold question needs.

    python -m benchmarks.prompt_budget --json

For each budget, over the gold questions whose right table is known: how many tokens the prompt
takes, and of how many questions it tells all tables of the right call, and, where the question is a
canonical one, that call itself; and of how many all that the owner says of these tables and of the
rules on them (``words_told``). No model is asked: a model can't use what it was not told, but
being told is not yet being right. ``needed`` is the smallest budget that tells all that the largest
one does, ``rules_tokens`` what the rules before it take. The last line printed is one JSON object.
"""

import datetime as dt
import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from benchmarks.command import command, show
from veridical.agent.prompt import compose_instructions
from veridical.check.dialects import dialect_named
from veridical.check.from_sql import facts_of_sql
from veridical.contracts.call import SqlCall, parse_call
from veridical.contracts.language import Language, in_language
from veridical.evals.comparison.statistics import proportion
from veridical.evals.gold.case import Case, GoldSet
from veridical.evals.gold.load import load_gold
from veridical.ontology.compile import compile_catalog
from veridical.ontology.pack import load_pack
from veridical.ontology.prompt import DEFAULT_BUDGET, compile_prompt
from veridical.ontology.slice import index_ontology
from veridical.ontology.tokens import estimate_tokens
from veridical.route.pattern_index import index_patterns
from veridical.route.patterns import PatternMatch, match_pattern

BUDGETS = (600, 1000, 1700, 2000, 2500, 3000, 4000, 6000)
_PACK = load_pack("trustee")
_INDEX = index_ontology(_PACK.ontology)
_PATTERNS = index_patterns(_PACK.ontology)
_OF_TABLE = {each.table: each.name for each in _PACK.ontology.entities if each.table}
_CATALOG = compile_catalog(_PACK.schema, _PACK.ontology)


@dataclass(frozen=True, slots=True)
class Needed:
    """What a prompt must tell for one question."""

    question: str
    language: Language
    entities: frozenset[str]
    intent: str | None
    """The canonical question that it is, where it is one."""


def needed() -> tuple[Needed, ...]:
    """What each gold question needs whose right table is known."""
    return tuple(
        found
        for gold in load_gold(f"pack:{_PACK.name}")
        for case in gold.cases
        for found in _needed(case, gold)
    )


def _needed(case: Case, gold: GoldSet) -> Iterator[Needed]:
    today = dt.date.fromisoformat(gold.today)
    match = None if case.thread else match_pattern(case.question, _PATTERNS, case.language, today)
    intent = match.intent if isinstance(match, PatternMatch) else None
    pattern = case.expected_tool_pattern
    tables = {pattern.table_name} if pattern else set[str]()
    if isinstance(match, PatternMatch):
        tables |= _tables(match)
    entities = frozenset(_OF_TABLE[each] for each in tables if each in _OF_TABLE)
    if entities:
        yield Needed(case.question, case.language, entities, intent)


def _tables(match: PatternMatch) -> set[str]:
    """The tables that the call of a canonical question reads."""
    call = parse_call({**match.arguments, "tool": match.tool})
    if not isinstance(call, SqlCall):
        return {match.arguments["tableName"]}
    facts = facts_of_sql(call.sql, _CATALOG, dialect_named("postgres")).facts
    return {use.table.name for use in facts.uses}


def told(budget: int, questions: tuple[Needed, ...]) -> dict[str, Any]:
    """What a prompt of this budget tells, sliced to each question."""
    blocks = [
        compile_prompt(_PACK.ontology, each.language, budget, each.question, _INDEX)
        for each in questions
    ]
    tables = [
        each.entities.isdisjoint(block.left_out)
        for each, block in zip(questions, blocks, strict=True)
    ]
    calls = [
        each.intent not in block.left_out
        for each, block in zip(questions, blocks, strict=True)
        if each.intent is not None
    ]
    words = [
        all(words in block.text for words in _words(each))
        for each, block in zip(questions, blocks, strict=True)
    ]
    return {
        "budget": budget,
        "tokens_mean": round(statistics.fmean(block.tokens for block in blocks)),
        "table_told": _share(tables),
        "call_told": _share(calls),
        "words_told": _share(words),
    }


def _words(needed: Needed) -> Iterator[str]:
    """What the owner says of the tables that a question needs, and of the rules on them."""
    for name in needed.entities:
        entity = _INDEX.entities[name]
        rules = (each.message for each in _INDEX.constraints.get(name, ()))
        for text in (entity.description, *entity.invariants, *rules):
            yield in_language(text, needed.language).rstrip(".。")


def _share(held: list[bool]) -> dict[str, Any]:
    found = proportion(sum(held), len(held))
    interval = [round(each or 0.0, 4) for each in (found.low, found.high)]
    return {"count": found.count, "of": found.of, "interval": interval}


def figures() -> dict[str, Any]:
    """All figures."""
    questions = needed()
    rows = [told(budget, questions) for budget in BUDGETS]
    most = rows[-1]
    enough = next(
        row["budget"]
        for row in rows
        if all(row[what]["count"] >= most[what]["count"] for what in ("table_told", "call_told"))
    )
    rules = {each.value: estimate_tokens(compose_instructions(each)) for each in Language}
    return {
        "questions": len(questions),
        "budgets": rows,
        "needed": enough,
        "default": DEFAULT_BUDGET,
        "rules_tokens": rules,
    }


def main() -> None:
    """Print the figures; the last line is one JSON object."""
    options = command(__doc__).parse_args()
    show(figures(), options)


if __name__ == "__main__":
    main()
