"""Slots that print what is left over, in a sentence that does not say so."""

from collections.abc import Iterator, Mapping

from veridical.facts.fact import Fact
from veridical.facts.prose.finding import Code, Finding, Level
from veridical.facts.prose.sentences import Sentence
from veridical.facts.prose.vocabulary import Vocabulary

_LEFT_OVER = frozenset({"rest", "left", "others"})
_OF = frozenset({"count", "which", "list", "share", "missing"})


def check(sentence: Sentence, facts: Mapping[str, Fact], words: Vocabulary) -> Iterator[Finding]:
    """A mark where nothing in the words stands for the others."""
    for piece in sentence.pieces:
        fact = facts.get(piece.fact)
        if fact is None or fact.form not in _OF or piece.path not in _LEFT_OVER:
            continue
        if words.others.search(sentence.words) is None:
            yield Finding(
                Code.COMPLEMENT, Level.MARKED, piece.text, piece.start, piece.end, piece.path
            )
