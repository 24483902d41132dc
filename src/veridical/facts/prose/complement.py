"""Slots that print the remainder, in a sentence that does not mention it."""

from collections.abc import Iterator, Mapping

from veridical.facts.fact import Fact
from veridical.facts.prose.finding import Code, Level, ProseFinding
from veridical.facts.prose.sentences import Sentence
from veridical.facts.prose.vocabulary import Vocabulary

_LEFT_OVER = frozenset({"rest", "left", "others"})
_OF = frozenset({"count", "which", "list", "share", "missing"})


def check(
    sentence: Sentence, facts: Mapping[str, Fact], words: Vocabulary
) -> Iterator[ProseFinding]:
    """A mark if no word of the sentence stands for the others."""
    for piece in sentence.pieces:
        fact = facts.get(piece.fact)
        if fact is None or fact.form not in _OF or piece.path not in _LEFT_OVER:
            continue
        if words.others.search(sentence.words) is None and not _is_half(fact, piece.path):
            yield ProseFinding(
                Code.COMPLEMENT, Level.MARKED, piece.text, piece.start, piece.end, piece.path
            )


def _is_half(fact: Fact, path: str) -> bool:
    """True if what is left over is as much as the part itself."""
    part, left = fact.parts.get("n"), fact.parts.get(path)
    if part is None or left is None or part.value is None or left.value is None:
        return False
    return part.value.value == left.value.value
