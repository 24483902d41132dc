"""What each stage of the scoring gains and costs, on the project's own judged set.

    python -m benchmarks.search.stages --json

Quality is nDCG@10, also counting every copy after the first as nothing (``novel``). Beside it:
hosts and copies among the first ten, pages that no longer hold (``outdated``), kinds of source in
``top_k``, and the processor time for one question. No model scores: what one adds depends on it.
"""

import argparse
import gc
import json
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import mean, median
from time import perf_counter, process_time

from benchmarks.search.ndcg import discounted
from benchmarks.search.own.collection import NOW, Page, Question, collection
from benchmarks.search.own.retrieval import candidates_for
from veridical.contracts.search_candidate import LegRank, SearchCandidate
from veridical.contracts.search_context import ScoringContext
from veridical.contracts.search_result import HybridResult
from veridical.search.score.address import address
from veridical.search.score.model_outcome import ModelScores
from veridical.search.score.ranking import RankingScope, StoreState, rank, shortlist
from veridical.search.score.settings import ScoreSettings, Stage

DEPTH = 100
"""Pages of each leg."""
FIRST = 10
MEASURED = (
    Stage.PREFILTER,
    Stage.MMR,
    Stage.BONUS,
    Stage.FRESHNESS,
    Stage.REDUNDANCY,
    Stage.DIVERSITY,
)
MANY = 200
"""Candidates of the measurement of time."""
_DIGITS = 4

Figures = dict[str, float]


@dataclass(frozen=True, slots=True)
class Variant:
    """One set of settings under its name."""

    name: str
    settings: ScoreSettings


def variants() -> list[Variant]:
    """All stages, each one less, none, each alone, and other weights of MMR."""
    everything = frozenset(MEASURED)
    found = [Variant("all", _settings(())), Variant("none", _settings(everything))]
    found += [Variant(f"without {stage}", _settings((stage,))) for stage in MEASURED]
    found += [Variant(f"only {stage}", _settings(everything - {stage})) for stage in MEASURED]
    return found + [
        Variant(f"mmr_lambda {weight}", _settings((), mmr_lambda=weight))
        for weight in (0.3, 0.5, 0.9, 1.0)
    ]


def measure(variant: Variant, questions: Sequence[Question]) -> Figures:
    """The mean of every figure over these questions."""
    pages = {page.id: page for page in collection().pages}
    rows = [_question_figures(variant, question, pages) for question in questions]
    return {
        name: round((median if name == "cpu_ms" else mean)(row[name] for row in rows), _DIGITS)
        for name in rows[0]
    }


def score_time(rounds: int = 40, *, new_words: bool = False) -> Figures:
    """Milliseconds for a shortlist and ranking of 200 candidates that were never seen before.

    Their words were, as those of a language are; with ``new_words`` not one word between spaces
    was, as if every question were the first of a process.
    """
    wall: list[float] = []
    cpu: list[float] = []
    draw = random.Random(1)
    settings = ScoreSettings()
    context = ScoringContext(
        question=collection().questions[0].text,
        preferred_sources=("rules.agency.gov",),
        disallowed_sources=("wiki://drafts", "portal.example.com"),
    )
    for number in range(rounds):
        found = _many(number, draw, _ending(number) if new_words else "")
        gc.collect()
        started, used = perf_counter(), process_time()
        _scored(found, context, settings)
        wall.append((perf_counter() - started) * 1000)
        cpu.append((process_time() - used) * 1000)
    return {
        "candidates": MANY,
        "p50_ms": round(median(wall), 2),
        "least_ms": round(min(wall), 2),
        "p50_cpu_ms": round(median(cpu), 2),
    }


def _settings(off: Iterable[Stage], mmr_lambda: float | None = None) -> ScoreSettings:
    if mmr_lambda is None:
        return ScoreSettings(off=frozenset(off))
    return ScoreSettings(off=frozenset(off), mmr_lambda=mmr_lambda)


def _question_figures(variant: Variant, question: Question, pages: dict[str, Page]) -> Figures:
    found = candidates_for(question.text, DEPTH)
    context = ScoringContext(question=question.text)
    started = process_time()
    result = _scored(found, context, variant.settings)
    spent = (process_time() - started) * 1000
    first = [pages[each.candidate_id] for each in result.ranked[:FIRST]]
    held = len(first) or 1
    return {
        "ndcg": _ndcg(first, question, lambda page: page.id),
        "novel_ndcg": _ndcg(first, question, lambda page: page.origin),
        "hosts": float(len({address(page.url).host for page in first})),
        "copies": held - len({page.origin for page in first}),
        "outdated": sum(page.outdated for page in first),
        "outdated_in_top_k": sum(pages[each.candidate_id].outdated for each in result.top_k),
        "buckets": float(len(result.flags.debug.fusion.diversity_buckets)),
        "cpu_ms": spent,
    }


def _scored(
    found: Sequence[SearchCandidate], context: ScoringContext, settings: ScoreSettings
) -> HybridResult:
    scope = RankingScope(context, settings, NOW, collection().questions[0].language)
    return rank(shortlist(found, scope), ModelScores({}), StoreState({}), scope)


def _ndcg(first: Sequence[Page], question: Question, same: Callable[[Page], str]) -> float:
    """With the grades as gains, and only for the first of those that are the same."""
    pages = {page.id: page for page in collection().pages}
    ideal: dict[str, int] = {}
    for name, grade in question.grades.items():
        key = same(pages[name])
        ideal[key] = max(grade, ideal.get(key, 0))
    seen: set[str] = set()
    gained: list[int] = []
    for page in first:
        gained.append(0 if same(page) in seen else question.grades.get(page.id, 0))
        seen.add(same(page))
    return discounted(gained) / discounted(sorted(ideal.values(), reverse=True)[:FIRST])


def _ending(number: int) -> str:
    """Letters that make every word one of this round alone."""
    return "qx" + "".join(chr(ord("a") + int(digit)) for digit in str(number))


def _many(number: int, draw: random.Random, ending: str = "") -> list[SearchCandidate]:
    """Pages of the set, each with a word of its own so that no text is remembered."""
    chosen = draw.sample(collection().pages, MANY)
    vector = draw.sample(range(1, MANY + 1), MANY)
    return [
        SearchCandidate(
            id=page.id,
            title=page.title,
            snippet=f"{page.text} ".replace(" ", f"{ending} ") + f"{number}-{place}",
            url=page.url,
            detected_date=page.date,
            legs={"lexical": LegRank(rank=place), "vector": LegRank(rank=vector[place - 1])},
        )
        for place, page in enumerate(chosen, 1)
    ]


def report(questions: Sequence[Question]) -> dict[str, object]:
    """All figures, by variant."""
    found = {each.name: measure(each, questions) for each in variants()}
    return {
        "pages": len(collection().pages),
        "questions": len(questions),
        "variants": found,
        "score_time": score_time(),
        "score_time_new_words": score_time(new_words=True),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--language", help="only questions in this language: de, en or zh")
    options = parser.parse_args(arguments)
    asked = [
        question
        for question in collection().questions
        if options.language in (None, question.language)
    ]
    figures = report(asked)
    if options.json:
        print(json.dumps(figures, indent=2))
        return
    print(f"{figures['pages']} pages, {figures['questions']} questions")
    by_variant: dict[str, Figures] = figures["variants"]  # pyright: ignore[reportAssignmentType]
    print(" " * 22, *(f"{name:>17}" for name in next(iter(by_variant.values()))))
    for name, row in by_variant.items():
        print(f"{name:<22}", *(f"{value:>17.3f}" for value in row.values()))
    print(figures["score_time"])
    print("no word seen before:", figures["score_time_new_words"])


if __name__ == "__main__":
    main()
