"""Heuristic scores from the words alone: for when no model scores, and for candidates without legs.

A word of the question counts by how few of the candidates have it, so that small words and the
words of the whole subject hardly matter; a word in the title counts more.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from veridical.contracts.language import Language
from veridical.contracts.search_candidate import SearchCandidate
from veridical.contracts.search_context import ScoringContext
from veridical.messages import message
from veridical.search.score.tokens import tokens, tokens_of_both

_IN_TITLE, _ANYWHERE = 0.3, 0.7
_WHOLE = 100
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class HeuristicScore:
    """A score with what it rests on."""

    score: float
    """From 0 to 100."""
    matched: int
    asked: int
    """Words of the question that the candidate has, and all of them."""

    def reason(self, language: Language) -> str:
        """The score's reason, for people."""
        return message("search.heuristic_reason", language, matched=self.matched, asked=self.asked)


def heuristic_scores(
    candidates: Sequence[SearchCandidate], context: ScoringContext
) -> dict[str, HeuristicScore]:
    """For each candidate how much of the question it speaks of."""
    asked = tokens(context.question)
    titles = {each.id: asked & tokens(each.title) for each in candidates}
    held = {each.id: asked & tokens_of_both(each.title, each.snippet) for each in candidates}
    weights = _weights(asked, list(held.values()))
    whole = sum(weights.values()) or 1.0
    scores: dict[str, HeuristicScore] = {}
    for name, words in held.items():
        anywhere = sum(weights[word] for word in sorted(words)) / whole
        in_title = sum(weights[word] for word in sorted(titles[name])) / whole
        score = _WHOLE * min(1.0, _ANYWHERE * anywhere + _IN_TITLE * in_title)
        scores[name] = HeuristicScore(round(score, _DIGITS), len(words), len(asked))
    return scores


def _weights(asked: frozenset[str], held: Sequence[frozenset[str]]) -> dict[str, float]:
    """By rarity; in a fixed order, so that sums never depend on that of the input."""
    counts = {word: sum(word in words for words in held) for word in sorted(asked)}
    return {word: math.log1p(len(held) / (1 + count)) for word, count in counts.items()}
