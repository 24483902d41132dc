"""The plan of an evaluation: its runs, in the order that keeps a server's prompt cache warm."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from veridical.evals.gold.case import Case, GoldSet
from veridical.evals.gold.load import load_gold
from veridical.evals.modes.mode import ModeName
from veridical.evals.scoring.record import RunKey
from veridical.ontology.errors import LoadError

_SHORT = 16


@dataclass(frozen=True, slots=True)
class Planned:
    """One planned run: a case of a set, in a mode, with its repeat number."""

    key: RunKey
    case: Case
    gold: GoldSet
    question: str
    """The words in which this repeat asks."""


def load_golds(sources: Iterable[str]) -> tuple[GoldSet, ...]:
    """The sets of all sources. Raises ``LoadError`` where they don't fit into one run."""
    sets = tuple(gold for source in sources for gold in load_gold(source))
    features = sorted({gold.feature for gold in sets})
    if len(features) > 1:
        raise LoadError(f"one run asks about one feature, these sets about {', '.join(features)}")
    ids = [case.id for gold in sets for case in gold.cases]
    twice = sorted({each for each in ids if ids.count(each) > 1})
    if twice:
        raise LoadError(f"cases that are named twice: {', '.join(twice)}")
    return sets


def plan(
    golds: Sequence[GoldSet],
    modes: Sequence[ModeName],
    repeats: int = 1,
    *,
    limit: int | None = None,
    same_words: bool = False,
) -> tuple[Planned, ...]:
    """Every case in every mode, mode by mode, and within a mode repeat by repeat.

    A repeat asks in the next words of its case; with ``same_words`` it is the model that varies.
    ``limit`` takes the first cases only.
    """
    chosen = [(case, gold) for gold in golds for case in gold.cases][:limit]
    by_language = sorted(chosen, key=lambda each: each[0].language)  # it decides the prompt's words
    return tuple(
        Planned(
            RunKey(case=case.id, mode=mode, repeat=repeat),
            case,
            gold,
            case.phrasing(0 if same_words else repeat),
        )
        for mode in dict.fromkeys(modes)
        for repeat in range(repeats)
        for case, gold in by_language
    )


def gold_hash(golds: Iterable[GoldSet]) -> str:
    """The hash of the questions and expectations, independent of their files."""
    dumped = [gold.model_dump(mode="json") for gold in golds]
    text = json.dumps(dumped, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:_SHORT]
