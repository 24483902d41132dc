"""Random facts, computed by the host and again by a database: none may differ."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlglot import expressions as sql

from benchmarks.facts.arguments import FORMS, Author
from benchmarks.facts.database import Database
from benchmarks.facts.evidence import random_evidence, wild_evidence
from benchmarks.facts.measure_sql import read
from benchmarks.facts.printed import misprinted
from benchmarks.facts.recompute import Recomputation
from veridical.contracts.language import Language
from veridical.evidence.column import Additivity
from veridical.evidence.read import read_tables
from veridical.evidence.table import EvidenceTable
from veridical.facts.arguments import read_arguments
from veridical.facts.forms.registry import evaluate
from veridical.facts.kernel.frame import frames_of
from veridical.facts.kernel.value import FactError
from veridical.facts.sentence import Sentences
from veridical.facts.wording import Wording


@dataclass(frozen=True, slots=True)
class Size:
    """Amounts of work."""

    facts: int
    evidences: int
    rounds: int
    """Of facts over few rows and over many."""
    hostile: int
    """Signs of a hostile answer."""


FULL = Size(facts=20_000, evidences=400, rounds=60, hostile=100_000)
SMOKE = Size(facts=600, evidences=30, rounds=5, hostile=100_000)


_SHOWN = 12


def run(size: Size, seed: int, data: Path | None) -> dict[str, Any]:
    """How many facts differ, and which were refused for what."""
    wild = wild_evidence(data) if data is not None else []
    found = Tally()
    number = 0
    while found.facts < size.facts or number < size.evidences:
        at = random.Random(f"{seed} {number}")
        mine = number % 2 == 0 or not wild
        evidence = random_evidence(at) if mine else wild[number // 2 % len(wild)]
        _one_evidence(at, read_tables(evidence), size.facts // size.evidences + 1, found)
        number += 1
    return found.figures | {"evidences": number, "wild_evidences": min(len(wild), number // 2)}


class Tally:
    """What came of the facts."""

    def __init__(self) -> None:
        self.facts = 0
        self.false = 0
        self.misprinted = 0
        self.wrongly_refused = 0
        self.crashed = 0
        self.accepted: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.examples: list[str] = []

    def tell(self, kind: str, arguments: Any, told: Any) -> None:
        """Keeps an example of something that must not be."""
        setattr(self, kind, getattr(self, kind) + 1)
        if len(self.examples) < _SHOWN:
            self.examples.append(f"{kind}: {arguments}: {told}")

    @property
    def figures(self) -> dict[str, Any]:
        """The figures of this part."""
        return {
            "facts": self.facts, "accepted": sum(self.accepted.values()), "host_false": self.false,
            "misprinted": self.misprinted, "wrongly_refused": self.wrongly_refused,
            "crashed": self.crashed, "forms": dict(self.accepted),
            "refused": dict(self.refused.most_common()), "examples": self.examples,
        }  # fmt: skip


def _one_evidence(
    at: random.Random, tables: tuple[EvidenceTable, ...], count: int, tally: Tally
) -> None:
    author = Author(at, tables)
    if author.has_nothing:
        return
    database = Database(tables)
    again = Recomputation(database)
    frames = frames_of(tables)
    language = at.choice(list(Language))
    sentences = Sentences(language, Wording(language, frames))
    for _ in range(count):
        arguments = author.fact(at.choice(FORMS))
        tally.facts += 1
        try:
            fact = evaluate(read_arguments(arguments), frames)
            sentence = sentences.of(fact, fact.parts)
        except FactError as error:
            tally.refused[error.reason.value] += 1
            if is_wrong(error.reason.value, arguments, tables):
                tally.tell("wrongly_refused", arguments, error)
            continue
        except Exception as error:  # whatever it is, it must not be raised
            tally.tell("crashed", arguments, repr(error))
            continue
        tally.accepted[fact.form] += 1
        if differences := again.differences(fact.claim, fact.parts):
            tally.tell("false", arguments, differences)
        if wrong := misprinted(sentence, fact, arguments, tables):
            tally.tell("misprinted", arguments, wrong)
    database.close()


def is_wrong(reason: str, arguments: Mapping[str, Any], tables: Sequence[EvidenceTable]) -> bool:
    """A sum of amounts that was refused as one of rates; a column that is there but was not
    found."""
    if reason == "notAdditive":
        return not _has_rates(arguments, tables)
    if reason == "noColumn":
        return not arguments.get("join") and not _names_others(arguments, tables)
    return False


def _texts(arguments: Mapping[str, Any]) -> list[str]:
    found: list[str] = []
    for name in ("measure", "measures", "a", "b", "part", "whole", "columns", "limit"):
        value = arguments.get(name, ())
        found += [value] if isinstance(value, str) else list(value)
    return [each.partition(" as ")[0] for each in found]


def _has_rates(arguments: Mapping[str, Any], tables: Sequence[EvidenceTable]) -> bool:
    """Whether a measure has a column that may never or not always be summed, or arithmetic."""
    named = {each.name.casefold(): each for table in tables for each in table.columns}
    names = list(arguments.get("among", ()))
    for text in _texts(arguments):
        tree = read(text)
        if any(True for _ in tree.find_all(sql.Div, sql.Add, sql.Sub, sql.Anonymous)):
            return True
        names += [each.name for each in tree.find_all(sql.Column)]
    columns = [named[name.casefold()] for name in names if name.casefold() in named]
    return any(each.additivity is not Additivity.FULL for each in columns)


def _names_others(arguments: Mapping[str, Any], tables: Sequence[EvidenceTable]) -> bool:
    """Whether something is named that the result has not."""
    table = next(each for each in tables if each.name == arguments["from"])
    own = {each.name.casefold() for each in table.columns}
    texts = _texts(arguments)
    texts += [text for text in (arguments.get("where", ""), _sorting(arguments)) if text]
    names = [each.name for text in texts for each in read(text).find_all(sql.Column)
             if not each.table and not isinstance(each.parent, sql.Bracket)]  # fmt: skip
    if arguments.get("among"):
        return True
    grouped = bool(arguments.get("by")) and bool(arguments.get("sort"))
    return grouped or any(name.casefold() not in own for name in names)


def _sorting(arguments: Mapping[str, Any]) -> str:
    text = str(arguments.get("sort", "")).strip().lstrip("-")
    return text.removesuffix(" desc").removesuffix(" asc")
