"""What the pattern path answers without a model, and whether it is ever wrong.

Every question is matched, checked and run on PostgreSQL under row-level security. A paraphrase is
answered when the rows are those that the bookings give; it is wrong when they are not, whatever
the reason. A near miss is wrong as soon as it is answered at all. ``held_out`` are the figures of
the questions that were written before the matcher and never looked at to tune it.
"""

import shlex
import statistics
from collections import Counter, defaultdict
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from itertools import islice
from pathlib import Path
from time import perf_counter_ns
from typing import Any

import psycopg

from benchmarks.command import command, show
from benchmarks.pattern_truth import Ledger, Slots, ledger_of, truth
from veridical import Caller, Checker, Language, Scope, Toolbox, compile_catalog
from veridical.agent.results import as_source
from veridical.answering.grounds import exhibits_of
from veridical.contracts.facts_answer import Show
from veridical.contracts.question import Question
from veridical.contracts.result import RanAs, ToolResult, ToolRun
from veridical.contracts.violation import Mode
from veridical.engines import Engine, Postgres, install_row_level_security
from veridical.evidence.read import typed_tables
from veridical.gate.evidence.source import meaning_of
from veridical.gate.facts_verdict import JudgedFacts, check_facts
from veridical.gate.policy import DEFAULT
from veridical.gate.rules.gate_facts import GateFacts
from veridical.ontology.pack import load_pack
from veridical.packs.trustee.books import build_books
from veridical.packs.trustee.load import load_postgres
from veridical.route.patterns import PatternMatch, index_patterns, match_pattern
from veridical.route.render import known_question
from veridical.sample.postgres import LocalPostgres, local_postgres
from veridical.testing.cases import by_language

FOLDER = Path(__file__).parent / "pattern_questions"
PARAPHRASES = ("seen", "held_out")
TODAY = date(2026, 1, 20)
MANDATE, INSTANCE = "m-001", "m-001-a"
_ROLE = "pattern_reader"
_STEP, _CHANGED_STEP = 5, 97
"""A smoke run takes one of so many questions, and of so many changed ones."""


@dataclass(frozen=True)
class Case:
    """One question and what a person reads in it; a near miss has no intent."""

    file: str
    language: Language
    question: str
    intent: str
    slots: Slots


@dataclass(frozen=True)
class Outcome:
    """What became of a question."""

    case: Case
    kind: str
    """``answered``, ``wrong``, or ``left`` to the agent."""
    elapsed_ms: float
    detail: str = ""
    blocked: tuple[str, ...] = ()
    """Why the answer gate would hold it back: it never should, the host composed it."""


def read_cases(name: str) -> Iterator[Case]:
    """The cases of one file, by the language sections in it."""
    for language, line in by_language(FOLDER / f"{name}.txt"):
        question, _, expected = line.partition(" => ")
        intent, *slots = shlex.split(expected) if name in PARAPHRASES else [""]
        yield Case(name, language, question, intent, dict(each.split("=") for each in slots))


def changed_questions() -> Iterator[Case]:
    """Every paraphrase with a word before or behind it that makes it another question."""
    words: defaultdict[Language, list[str]] = defaultdict(list)
    for case in read_cases("changing_words"):
        words[case.language].append(case.question)
    for case in (each for name in PARAPHRASES for each in read_cases(name)):
        asked = case.question.rstrip("?？.。")
        for word in words[case.language]:
            for question in (f"{word} {asked}", f"{asked} {word}"):
                yield replace(case, question=question)


class Session:
    """Matches a question, runs its call and writes the answer."""

    def __init__(self, url: str, ledger: Ledger) -> None:
        pack = load_pack("trustee")
        scope = Scope(
            {"mandateId": (MANDATE,), "featureInstanceId": (INSTANCE,)}, pack.shared_tables
        )
        self.database = Postgres(url, role=_ROLE, connections=1)
        catalog = compile_catalog(pack.schema, pack.ontology)
        engine = Engine(self.database, catalog, shared=pack.shared_tables)
        self._toolboxes = {
            language: Toolbox(Checker(catalog), engine, Caller(scope=scope, language=language))
            for language in Language
        }
        self._index = index_patterns(pack.ontology)
        self._meaning = meaning_of(pack.ontology, catalog)
        self._ledger = ledger

    def would_answer(self, case: Case) -> bool:
        """True when a pattern takes the question."""
        return isinstance(
            match_pattern(case.question, self._index, case.language, TODAY), PatternMatch
        )

    def ask(self, case: Case) -> Outcome:
        """One question from its text to the text of its answer."""
        start = perf_counter_ns()
        match = match_pattern(case.question, self._index, case.language, TODAY)
        if not isinstance(match, PatternMatch):
            return Outcome(case, "left", _since(start), type(match).__name__)
        toolbox = self._toolboxes[case.language]
        result = toolbox.call(match.tool, match.arguments, case.question)
        if not result.success or result.receipt is None:
            return Outcome(case, "left", _since(start), result.error or "")
        columns, rows = result.data["columns"], result.data["rows"]
        judged = self._judged(case, match, result)
        text = judged.written.text
        elapsed = _since(start)
        if not case.intent:
            return Outcome(case, "wrong", elapsed, f"{match.intent} {match.slots}: {text}")
        if "LARGEST" in case.intent:  # equal amounts may come in any order
            rows = [[row[columns.index("totalAmount")]] for row in rows]
        right = _alike(rows, truth(self._ledger, case.intent, case.slots))
        kind = "answered" if right else "wrong"
        held = tuple(each.hint for each in judged.proof.findings if each.mode is Mode.BLOCK)
        return Outcome(case, kind, elapsed, text, held)

    def _judged(self, case: Case, match: PatternMatch, result: ToolResult) -> JudgedFacts:
        known = known_question(match, case.language)
        ran = RanAs(tool=match.tool, arguments=match.arguments, known=known)
        source = as_source("", {}, result.model_copy(update={"ran_as": ran}))
        if source is None:
            raise LookupError(case.question)
        exhibits = exhibits_of((source,), Question(text=case.question), self._meaning)
        facts = GateFacts(
            text="",
            exhibits=exhibits,
            policy=DEFAULT,
            question=case.question,
            runs=(ToolRun(tool=match.tool, success=True),),
        )
        return check_facts(
            None, typed_tables(exhibits), facts, Show.EXACT, lambda _: (), case.language
        )


def _since(start: int) -> float:
    return (perf_counter_ns() - start) / 1e6


def _alike(rows: Iterable[Iterable[Any]], expected: Iterable[Iterable[Any]]) -> bool:
    """The same rows in any order; values are compared exactly, columns by what they hold."""
    return Counter(map(_signature, rows)) == Counter(map(_signature, expected))


def _signature(row: Iterable[Any]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(map(_value, row)))


def _value(value: Any) -> tuple[str, str]:
    if isinstance(value, int | float | Decimal):
        return "number", f"{Decimal(str(value)).normalize():f}"
    return "text", str(value)


def run(*, smoke: bool = False) -> dict[str, Any]:
    """All figures, or those of a small part of every file."""
    changed = list(changed_questions())[:: _CHANGED_STEP if smoke else 1]
    with local_postgres() as server, opened(server) as session:
        outcomes = ask_all(session, _STEP if smoke else 1)
        answered = [case for case in changed if session.would_answer(case)]
    figures = _figures(outcomes)
    figures["changed"] = len(changed)
    figures["changed_answered"] = len(answered)
    figures["wrong"] += len(answered)
    figures["wrong_cases"] += [case.question for case in answered]
    return figures


@contextmanager
def opened(server: LocalPostgres) -> Generator[Session]:
    """A session over the small books on this server."""
    books = build_books("small")
    url = server.create_database("patterns")
    load_postgres(books, url)
    pack = load_pack("trustee")
    readable = {**pack.tenant_columns, **dict.fromkeys(pack.shared_tables, ())}
    with psycopg.connect(url, autocommit=True) as owner:
        install_row_level_security(owner, readable, _ROLE)
    session = Session(url, ledger_of(books, INSTANCE))
    yield session
    session.database.close()


def ask_all(session: Session, step: int = 1) -> list[Outcome]:
    """What became of every question, or of every so many of each file."""
    files = (*PARAPHRASES, "near_misses")
    cases = [case for name in files for case in islice(read_cases(name), 0, None, step)]
    session.ask(cases[0])  # the first connection is not the question's cost
    return [session.ask(case) for case in cases]


def _figures(outcomes: list[Outcome]) -> dict[str, Any]:
    asked = [each for each in outcomes if each.case.intent]
    near = [each for each in outcomes if not each.case.intent]
    answered = [each for each in asked if each.kind == "answered"]
    times = sorted(each.elapsed_ms for each in answered)
    by_language: defaultdict[str, list[Outcome]] = defaultdict(list)
    for each in asked:
        by_language[each.case.language].append(each)
    return {
        "wrong": sum(each.kind == "wrong" for each in outcomes),
        "answered": _share(asked),
        "paraphrases": len(asked),
        "near_misses": len(near),
        "near_misses_answered": sum(each.kind == "wrong" for each in near),
        "held_out": {
            "paraphrases": sum(each.case.file == "held_out" for each in asked),
            "answered": _share(each for each in asked if each.case.file == "held_out"),
            "wrong": sum(each.kind == "wrong" for each in asked if each.case.file == "held_out"),
        },
        "by_language": {name: _share(held) for name, held in by_language.items()},
        "gate_blocked": sum(bool(each.blocked) for each in asked),
        "p50_ms": round(statistics.median(times), 2),
        "p95_ms": round(times[int(len(times) * 0.95)], 2),
        "blocked_cases": [
            f"{e.case.question} | {e.detail} | {e.blocked}" for e in asked if e.blocked
        ],
        "wrong_cases": [f"{e.case.question} | {e.detail}" for e in outcomes if e.kind == "wrong"],
    }


def _share(outcomes: Iterable[Outcome]) -> float:
    kinds = [each.kind == "answered" for each in outcomes]
    return round(sum(kinds) / len(kinds), 3)


if __name__ == "__main__":
    arguments = command(__doc__, smoke="a small part of everything").parse_args()
    show(run(smoke=arguments.smoke), arguments)
