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
    wanted: int
    """Words of the question that the candidate has, and all of them."""

    def reason(self, language: Language) -> str:
        """The score's reason, for people."""
        return message("search.heuristic_reason", language, matched=self.matched, asked=self.wanted)


def heuristic_scores(
    candidates: Sequence[SearchCandidate], context: ScoringContext
) -> dict[str, HeuristicScore]:
    """The score of each candidate by the words of the question that it has."""
    words = tokens(context.question)
    titles = {each.id: words & tokens(each.title) for each in candidates}
    matched = {each.id: words & tokens_of_both(each.title, each.snippet) for each in candidates}
    weights = _weights(words, list(matched.values()))
    whole = sum(weights.values()) or 1.0
    scores: dict[str, HeuristicScore] = {}
    for name, own in matched.items():
        anywhere = sum(weights[word] for word in sorted(own)) / whole
        in_title = sum(weights[word] for word in sorted(titles[name])) / whole
        score = _WHOLE * min(1.0, _ANYWHERE * anywhere + _IN_TITLE * in_title)
        scores[name] = HeuristicScore(round(score, _DIGITS), len(own), len(words))
    return scores


def _weights(words: frozenset[str], matched: Sequence[frozenset[str]]) -> dict[str, float]:
    """By rarity; in a fixed order, so that sums never depend on that of the input."""
    counts = {word: sum(word in own for own in matched) for word in sorted(words)}
    return {word: math.log1p(len(matched) / (1 + count)) for word, count in counts.items()}
