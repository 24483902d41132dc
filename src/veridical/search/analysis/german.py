"""German: Snowball stems, and both ends of long words, by which compounds meet their parts.

A question about "Schutz der Daten" must find "Datenschutz". A compound begins with its modifier
and ends with its head, so the first letters and the last letters of every word are terms as well:
two terms a word instead of the half dozen of n-grams, and no dictionary that knows no trade.
"""

from collections.abc import Iterable
from functools import lru_cache

from veridical.contracts.language import Language
from veridical.search.analysis.analyser import Analyser
from veridical.search.analysis.stemming import stem
from veridical.search.analysis.words import folded, stop_words, words_of

_EDGE = 5
"""Letters. Shorter edges are shared by words that have nothing to do with each other."""
_BEGINS, _ENDS = "^", "$"
"""No word has these characters, so an edge is never taken for a word."""
_PLAIN = str.maketrans({"ä": "a", "ö": "o", "ü": "u", "ß": "ss"})


def _split(text: str) -> tuple[Iterable[str], int]:
    stopped = stop_words(Language.DE)
    words = [word for word in words_of(folded(text)) if word not in stopped]
    return [term for word in words for term in _terms(word)], len(words)


@lru_cache(maxsize=200_000)
def _terms(word: str) -> tuple[str, ...]:
    plain, root = word.translate(_PLAIN), stem(Language.DE, word).translate(_PLAIN)
    begins = (_BEGINS + plain[:_EDGE],) if len(plain) >= _EDGE else ()
    ends = (_ENDS + root[-_EDGE:],) if len(root) >= _EDGE else ()
    return (root, *begins, *ends)


GERMAN = Analyser(Language.DE, "de-1", _split)
