"""Plain questions to databases as ``init`` finds them, without a model and without a decision.

    python -m benchmarks.plain_questions --data DIR [--half read|unread] [--misses] --json

Each of four databases is drafted, untouched by anybody, and asked fifteen questions in three
languages. ``right`` are those whose rows are the figures of a statement that was written before
the first was answered; ``wrong`` those with any other row. The rest should name the nearest known
question, and what of the question that one leaves out: ``offered`` and ``says_what_is_left_out``.
Half of the questions, chosen by their hash, were never looked at while the drafts were written:
``unread``. The last line printed is one JSON object.
"""

import asyncio
import hashlib
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.command import command, show
from veridical.agent.settings import AgentSettings
from veridical.answering.flow import answer
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.caller import WHOLE, Caller, scope_of
from veridical.contracts.language import Language
from veridical.contracts.question import Question
from veridical.engines.sqlite import Sqlite
from veridical.host.runtime import open_runtime
from veridical.host.settings import FeatureSettings, RuntimeSettings
from veridical.messages import message
from veridical.onboarding.budget import Budget
from veridical.onboarding.look import look_at
from veridical.onboarding.project import ONTOLOGY, address_of, drafted, write_project
from veridical.testing.cases import by_language

FOLDER = Path(__file__).parent
PLACES = {"company": "company/company.sqlite"}
"""The file of a database, if it is not one of the onboarding set."""
HALVES = ("read", "unread")
_CENT = 0.005


@dataclass(frozen=True)
class Case:
    """A question to a database, with the rows that are right."""

    database: str
    language: Language
    question: str
    sql: str

    @property
    def half(self) -> str:
        """The half that its hash puts it in."""
        return HALVES[hashlib.sha256(self.question.encode()).digest()[0] % 2]


@dataclass(frozen=True)
class Outcome:
    """The verdict on one answer."""

    case: Case
    kind: str
    """``right``, ``wrong``, ``offered`` or ``nothing``."""
    text: str
    names_gap: bool
    """True if the offer names a word of the question that it leaves out."""


def cases(database: str) -> Iterator[Case]:
    """The questions to one database."""
    for language, line in by_language(FOLDER / f"{database}.txt"):
        question, _, sql = line.partition(" => ")
        yield Case(database, language, question, sql)


def path_of(database: str, data: Path) -> Path:
    """The file of a database below the folder of all data."""
    return data / PLACES.get(database, f"onboarding_dbs/db/{database}.sqlite")


def is_right(found: Iterable[tuple[Any, ...]], expected: Iterable[tuple[Any, ...]]) -> bool:
    """True if each expected row is one of those found, with nothing left over.

    A row may have more columns than expected, such as the key beside a name.
    """
    left = list(found)
    for row in expected:
        same = next((each for each in left if _has(each, row)), None)
        if same is None:
            return False
        left.remove(same)
    return not left


def _has(found: tuple[Any, ...], expected: tuple[Any, ...]) -> bool:
    return all(any(_same(cell, value) for cell in found) for value in expected)


def _same(cell: Any, value: Any) -> bool:
    if isinstance(value, int | float):
        return _is_number(cell) and abs(float(cell) - value) <= _CENT
    return cell == value or (value is not None and str(cell) == str(value))


def _is_number(cell: Any) -> bool:
    try:
        float(cell)
    except (TypeError, ValueError):
        return False
    return True


def draft(path: Path, folder: Path) -> None:
    """The project that ``init`` writes for a database."""
    with closing(Sqlite(path)) as database:
        schema = database.reflect()
        look = look_at(database, folder, Budget(), lambda _done, _of: None)
        ontology = drafted(path.stem, look, schema, database.dialect)
        write_project(folder, address_of(str(path)), ontology, database.dialect, Language.EN)


async def answers(path: Path, folder: Path, chosen: list[Case]) -> list[Answer]:
    """The answers of a drafted project, without a model."""
    feature = FeatureSettings(name="data", ontology=folder / ONTOLOGY, database=str(path))
    settings = RuntimeSettings(features=(feature,), agent=AgentSettings(model=""))
    found: list[Answer] = []
    async with open_runtime(settings) as runtime:
        for case in chosen:
            caller = Caller(scope_of({}, WHOLE), language=case.language)
            session = runtime.session("data", caller)
            found.append(await answer(Question(text=case.question, feature="data"), session))
    return found


def judged(case: Case, given: Answer, path: Path) -> Outcome:
    """The verdict on an answer, by the rows of the case's own statement."""
    if given.kind is not AnswerKind.PATTERN:
        kind = "offered" if given.suggested_answers else "nothing"
        return Outcome(case, kind, given.text, _gap_mark(case.language) in given.text)
    with closing(sqlite3.connect(path)) as connection:
        expected = connection.execute(case.sql).fetchall()
    rows = [tuple(row) for source in given.sources for row in source.rows]
    kind = "right" if is_right(rows, expected) else "wrong"
    return Outcome(case, kind, given.text, names_gap=False)


def _gap_mark(language: Language) -> str:
    """The words that come before what an offer leaves out."""
    return message("flow.leaves_out", language, question="", words="\0").split("\0")[0].strip()


def outcomes(database: str, data: Path, half: str) -> list[Outcome]:
    """The verdicts on all questions to one database, or on one half of them."""
    path = path_of(database, data)
    chosen = [case for case in cases(database) if half in ("", case.half)]
    with TemporaryDirectory() as place:
        draft(path, Path(place))
        given = asyncio.run(answers(path, Path(place), chosen))
    return [judged(case, each, path) for case, each in zip(chosen, given, strict=True)]


def main() -> None:
    """Print the figures; with ``--misses``, each question of the half that may be read."""
    parser = command(__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder with the databases")
    parser.add_argument("--half", choices=HALVES, default="")
    parser.add_argument("--only", default="", help="one database")
    parser.add_argument("--misses", action="store_true")
    options = parser.parse_args()
    names = sorted(each.stem for each in FOLDER.glob("*.txt") if options.only in ("", each.stem))
    found = [each for name in names for each in outcomes(name, options.data, options.half)]
    if options.misses:
        for each in found:
            if each.case.half == HALVES[0]:
                print(f"{each.kind:8} {each.case.database}: {each.case.question}\n    {each.text}")
    show(_figures(found), options, must_be_zero=("wrong",))


def _figures(found: list[Outcome]) -> dict[str, Any]:
    left = [each for each in found if each.kind in ("offered", "nothing")]
    by_language = Counter(each.case.language.value for each in found if each.kind == "right")
    by_database = Counter(each.case.database for each in found if each.kind == "right")
    by_half = Counter(each.case.half for each in found if each.kind == "right")
    return {
        "questions": len(found),
        "right": sum(each.kind == "right" for each in found),
        "wrong": sum(each.kind == "wrong" for each in found),
        "offered": sum(each.kind == "offered" for each in left),
        "says_what_is_left_out": sum(each.names_gap for each in left),
        "right_by_language": dict(by_language),
        "right_by_database": dict(by_database),
        "right_by_half": dict(by_half),
    }


if __name__ == "__main__":
    main()
