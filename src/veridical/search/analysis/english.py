"""English: Snowball stems of the words that are not stop words."""

import re
from collections.abc import Iterable

from veridical.contracts.language import Language
from veridical.search.analysis.analyser import Analyser
from veridical.search.analysis.stemming import stems
from veridical.search.analysis.words import folded, stop_words, words_of

_POSSESSIVE = re.compile(r"['’]s\b")


def _split(text: str) -> tuple[Iterable[str], int]:
    stopped = stop_words(Language.EN)
    words = words_of(_POSSESSIVE.sub("", folded(text)))
    kept = [word for word in words if word not in stopped]
    return stems(Language.EN, kept), len(kept)


ENGLISH = Analyser(Language.EN, "en-1", _split)
