"""Pairs of a plausible wrong statement and its right twin: are they told apart?

    python -m benchmarks.onboarding.traps --traps FILE [--dbs FOLDER] [--ontologies FOLDER]
                                          [--gold FOLDER] --json

FILE has a pair a line: ``id``, ``db``, ``kind``, ``question``, ``wrong``, ``right``. Its databases
are ``DB.sqlite`` beside it, in FOLDER or in ``FOLDER/db``. A pair is told apart when the wrong
statement is refused or warned about and nothing at all is said of its twin: with the schema alone;
under the ontology that ``init`` mines, untouched and with every proposal confirmed; and under one
by hand, ``DB.yaml`` or ``DB.json`` of the folder given, or what the labels beside the database
declare. The gold queries measure the other side: what is said of right statements. The last line
printed is one JSON object.
"""

import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.command import command, show
from benchmarks.data import read_lines
from benchmarks.onboarding import gold
from benchmarks.onboarding.confirmed import confirmed_ontology
from benchmarks.onboarding.mined import Mined, mined
from benchmarks.onboarding.sqlsure_beside import NAME, beside, version
from veridical.check.checker import Checker
from veridical.contracts.call import SqlCall
from veridical.contracts.schema import Schema
from veridical.contracts.violation import Refusal
from veridical.engines.sqlite import Sqlite
from veridical.ontology.compile import compile_catalog
from veridical.ontology.model import OntologyDescriptor

Judge = Callable[[str, str], tuple[bool, bool]]
"""From a statement and its question: is it blocked, is anything said of it."""
_Ontologies = dict[str, OntologyDescriptor | None]


class Pair(NamedTuple):
    """A wrong statement and its right twin."""

    id: str
    database: str
    kind: str
    question: str
    wrong: str
    right: str


def pairs(path: Path) -> list[Pair]:
    """All pairs of a file."""
    return [
        Pair(row["id"], row["db"], row["kind"], row["question"], row["wrong"], row["right"])
        for row in read_lines(path)
    ]


def database_of(name: str, traps: Path, folder: Path | None) -> Path:
    """The file of a database. Raises ``FileNotFoundError``."""
    beside_it = [traps.parent, traps.parent.parent / "onboarding_dbs" / "db"]
    given = [folder, folder / "db"] if folder is not None else []
    for place in (*given, *beside_it):
        path = place / f"{name}.sqlite"
        if path.is_file():
            return path
    raise FileNotFoundError(f"{name}.sqlite, which {traps.name} speaks of")


def told_apart(found: list[Pair], judges: dict[str, Judge]) -> dict[str, Any]:
    """How many pairs are told apart, by kind, and how many right twins are blocked."""
    counts: Counter[str] = Counter()
    kinds: dict[str, Counter[str]] = {}
    seconds = 0.0
    missed: list[str] = []
    for pair in found:
        judge = judges[pair.database]
        judge(pair.right, pair.question)  # the first statement of a process loads its grammar
        started = time.process_time()
        wrong_blocked, wrong_told = judge(pair.wrong, pair.question)
        right_blocked, right_told = judge(pair.right, pair.question)
        seconds += time.process_time() - started
        apart = wrong_told and not right_told
        counts["apart"] += apart
        counts["caught"] += wrong_told
        counts["blocked_apart"] += wrong_blocked and not right_blocked
        counts["right_blocked"] += right_blocked
        counts["right_told"] += right_told
        kinds.setdefault(pair.kind, Counter())["told_apart" if apart else "missed"] += 1
        if not apart:
            missed.append(pair.id)
    return {
        "told_apart": round(counts["apart"] / len(found), 4) if found else None,
        "wrong_caught": counts["caught"],
        "wrong_blocked_right_not": counts["blocked_apart"],
        "right_blocked": counts["right_blocked"],
        "right_flagged": counts["right_told"],
        "ms_each": round(seconds * 1000 / (2 * len(found)), 3) if found else None,
        "missed": missed,
        "kinds": {kind: dict(each) for kind, each in sorted(kinds.items())},
    }


def our_judge(schema: Schema, ontology: OntologyDescriptor | None) -> Judge:
    """The check over one database."""
    checker = Checker(compile_catalog(schema, ontology), "sqlite")

    def judge(sql: str, question: str) -> tuple[bool, bool]:
        verdict = checker.check(SqlCall(sql=sql), question=question)
        blocked = isinstance(verdict, Refusal)
        return blocked, blocked or bool(verdict.warnings)

    return judge


def their_judge(schema: Schema, ontology: OntologyDescriptor | None) -> Judge | None:
    """The other package over one database; None where it is not installed."""
    other = beside(schema, ontology)
    return None if other is None else lambda sql, question: other.verdict(sql)


def run(traps: Path, folder: Path | None, ontologies: Path | None) -> dict[str, Any]:
    """All figures over the pairs of one file."""
    found = pairs(traps)
    paths = {name: database_of(name, traps, folder) for name in {each.database for each in found}}
    schemas = {name: _schema(path) for name, path in paths.items()}
    looked = {name: _mined(path) for name, path in paths.items()}
    known: dict[str, _Ontologies] = {
        "schema_alone": dict.fromkeys(paths),
        "untouched": {name: each.untouched() for name, each in looked.items()},
        "confirmed": {name: each.confirmed() for name, each in looked.items()},
        "by_hand": {
            name: confirmed_ontology(path, ontologies, looked[name].look.tables)
            for name, path in paths.items()
        },
    }
    figures = {
        title: told_apart(found, {name: our_judge(schemas[name], each[name]) for name in paths})
        for title, each in known.items()
    }
    return {
        "traps_total": len(found),
        "traps_told_apart_schema_alone": figures["schema_alone"]["told_apart"],
        "traps_told_apart_untouched": figures["untouched"]["told_apart"],
        "traps_told_apart": figures["confirmed"]["told_apart"],
        "traps_told_apart_by_hand": figures["by_hand"]["told_apart"],
        "traps_right_blocked": sum(each["right_blocked"] for each in figures.values()),
        "traps_without_hand": sorted(name for name, each in known["by_hand"].items() if not each),
        **{f"traps_{title}": each for title, each in figures.items()},
        f"traps_{NAME}": _theirs(found, schemas, known),
    }


def _theirs(
    found: list[Pair], schemas: dict[str, Schema], ontologies: dict[str, _Ontologies]
) -> dict[str, Any] | None:
    figures: dict[str, Any] = {}
    for title, known in ontologies.items():
        judges = {name: their_judge(each, known.get(name)) for name, each in schemas.items()}
        present = {name: judge for name, judge in judges.items() if judge is not None}
        if len(present) < len(judges):
            return None
        figures[title] = told_apart(found, present)
    return {"version": version(), **figures}


def gold_beside(folder: Path) -> dict[str, Any] | None:
    """What the other package says of the gold queries, and how long it takes."""
    checks = {name: beside(schema) for name, schema in gold.schemas(folder).items()}
    present = {name: each for name, each in checks.items() if each is not None}
    if len(present) < len(checks):
        return None
    counts: Counter[str] = Counter()
    started = time.process_time()
    for query in gold.queries(folder):
        blocked, told = present[query.database].verdict(query.sql)
        counts["total"] += not query.known_bad
        counts["blocked"] += blocked and not query.known_bad
        counts["flagged"] += told and not query.known_bad
        counts["known_bad_told"] += told and query.known_bad
    seconds = time.process_time() - started
    return {
        "blocked": counts["blocked"],
        "blocked_share": round(counts["blocked"] / counts["total"], 5),
        "flagged_share": round(counts["flagged"] / counts["total"], 5),
        "known_bad_told": counts["known_bad_told"],
        "seconds": round(seconds, 2),
    }


def main() -> None:
    """Print the figures."""
    parser = command(__doc__)
    parser.add_argument("--traps", type=Path, required=True, help="file of pairs")
    parser.add_argument("--dbs", type=Path, help="folder of the databases")
    parser.add_argument("--ontologies", type=Path, help="folder of confirmed ontologies")
    parser.add_argument("--gold", type=Path, help="folder of the gold queries")
    options = parser.parse_args()
    figures = run(options.traps, options.dbs, options.ontologies)
    if options.gold is not None:
        started = time.process_time()
        figures |= gold.run(options.gold)
        figures["gold_seconds"] = round(time.process_time() - started, 2)
        figures[f"gold_{NAME}"] = gold_beside(options.gold)
    show(figures, options)


def _mined(path: Path) -> Mined:
    with closing(Sqlite(path)) as database:
        return mined(path.stem, database)


def _schema(path: Path) -> Schema:
    with closing(Sqlite(path)) as database:
        return database.reflect()


if __name__ == "__main__":
    main()
