"""Whether an answer names somebody or something that acts, in its first clause.

A bare name is believed. A longer clause has to have a role, or a noun that no preposition governs:
"after the print run" names nobody.
"""

from collections.abc import Iterator

from veridical.requirements.lexicon import word_file
from veridical.requirements.morphology import is_infinitive, is_participle, lemma
from veridical.requirements.rules.obligation import is_role
from veridical.requirements.tokens import Tokens, read

_BARE = 2
"""The most words of a bare name, beside its article."""
_BACK = 3
"""Words before a noun among which its preposition stands."""
_ENDS = frozenset(".,;:()–!")


def first_clause(tokens: Tokens) -> Tokens:
    """The words up to the first mark, after an interjection: what follows is an aside."""
    fillers = word_file(tokens.language)["answers"]["interjections"]
    start = 0
    while tokens.low(start) in fillers or tokens.low(start) in _ENDS:
        start += 1
    ends = (at for at in range(start, len(tokens.all)) if tokens.low(at) in _ENDS)
    end = next(ends, len(tokens.all))
    if start >= end:
        return tokens
    text = tokens.text[tokens.all[start].start : tokens.all[end - 1].end]
    return read(text, tokens.language)


def names_actor(clause: Tokens) -> bool:
    """True if the clause names a role, a person or a part of the system."""
    if any(is_role(clause, clause.low(at)) for at in _nouns(clause)):
        return True
    words = [
        at
        for at, token in enumerate(clause.all)
        if token.is_word and not clause.is_in("determiners", at)
    ]
    if len(words) <= _BARE:
        return bool(words) and not _in(clause, "places", words[0])
    return any(not _is_governed(clause, at) for at in _nouns(clause))


def _nouns(clause: Tokens) -> Iterator[int]:
    """The places of nouns; in English of those behind a determiner, and of roles."""
    for at, token in enumerate(clause.all):
        if clause.language == "de":
            opens = at == 0 and (
                is_infinitive(lemma(token.text, "de"))
                or is_participle(token.low, clause.words.sets)
            )
            if clause.is_noun(at) and not opens:
                yield at
        elif is_role(clause, token.low) or (
            clause.is_in("determiners", at - 1) and not clause.is_in("determiners", at)
        ):
            yield at


def _is_governed(clause: Tokens, place: int) -> bool:
    """True if the noun belongs to a preposition other than one of an agent."""
    for before in range(place - 1, max(-1, place - 1 - _BACK), -1):
        if _in(clause, "agents", before):
            return False
        if clause.is_in("prepositions", before):
            return True
    return False


def _in(clause: Tokens, name: str, place: int) -> bool:
    return clause.low(place) in word_file(clause.language)["answers"][name]
