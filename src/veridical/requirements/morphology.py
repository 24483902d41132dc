"""Forms of words: lemmas from simplemma's lists, and German participles and infinitives."""

from functools import cache
from threading import Lock

from simplemma import is_known, lemmatize

from veridical.requirements.clauses import Sets

_loaded: dict[str, str] = {}
_loading = Lock()


@cache
def lemma(word: str, language: str) -> str:
    """The form of a word that a dictionary lists, in lower case."""
    return lemmatize(word, lang=_dictionary(language)).lower()


@cache
def is_word_of(word: str, language: str) -> bool:
    """True if the dictionary of a language has the word, in any of its forms."""
    return is_known(word, lang=_dictionary(language))


@cache
def is_compound_of(word: str, language: str) -> bool:
    """True if a word that no dictionary has is made of two words of a language."""
    return any(
        is_word_of(head, language) and is_word_of(word[cut:], language)
        for cut in range(_PART, len(word) - _PART + 1)
        for head in (word[:cut], word[:cut].removesuffix("s"))
    )


def _dictionary(language: str) -> str:
    """The code of a language, its dictionary loaded. That takes seconds: threads that begin at once
    wait for one load, and a member of an enumeration would be loaded beside its plain text."""
    if language not in _loaded:
        with _loading:
            if language not in _loaded:
                code = str(language)
                is_known(code, lang=code)
                _loaded[code] = code
    return _loaded[language]


_PART = 4
"""Letters of the shortest part of a compound that is looked up."""
_COMPARATIVE = ("er", "ere", "eren", "erer", "eres", "erem")
_PLAIN = str.maketrans("äöü", "aou")


@cache
def is_comparative(word: str) -> bool:
    """True if a German adjective is in its comparative; "schneller" may also be an inflection."""
    stems = {word[: -len(each)].translate(_PLAIN) for each in _COMPARATIVE if word.endswith(each)}
    base = lemma(word, "de")
    if base == word:  # a compound that no dictionary has is judged by its last part
        return not is_word_of(word, "de") and any(
            is_word_of(word[cut:], "de") and is_comparative(word[cut:])
            for cut in range(_PART, len(word) - _PART)
        )
    if base.startswith("un") or base.endswith("iert"):
        return False  # "unbefugter" and "exponierter" are never compared
    base = base.translate(_PLAIN)
    contracted = f"{base[:-2]}{base[-1]}" if base.endswith(("el", "er")) else base
    return not stems.isdisjoint((base, contracted, base.removesuffix("e")))


def is_infinitive(word: str) -> bool:
    """True if a German word, written with a small letter, is a verb in its infinitive."""
    return word.endswith("n") and word.islower() and len(word) > 3 and lemma(word, "de") == word


def is_participle(word: str, sets: Sets) -> bool:
    """True if a German word is a participle as it stands beside "werden"."""
    if not word.islower() or word in sets["no_participles"] or len(word) < 5:
        return False
    if word in sets["strong_participles"] or word.endswith("iert"):
        return True
    if not word.endswith(("t", "en")):
        return False
    return _has_ge(word, sets) or (word.endswith("t") and _begins_inseparably(word, sets))


def is_passive(word: str, sets: Sets) -> bool:
    """True if a German word right before "werden" is a participle: there "verladen" is one too."""
    return is_participle(word, sets) or (
        word.endswith("en")
        and word.islower()
        and word not in sets["no_participles"]
        and _begins_inseparably(word, sets)
    )


def _has_ge(word: str, sets: Sets) -> bool:
    """gespeichert, angezeigt, abgerufen."""
    stems = [
        word,
        *(word[len(each) :] for each in sets["participle_prefixes"] if word.startswith(each)),
    ]
    return any(stem.startswith("ge") and len(stem) > 5 for stem in stems) and not (
        word.endswith("en") and is_infinitive(word)
    )


def _begins_inseparably(word: str, sets: Sets) -> bool:
    """verschlüsselt, erfasst, bereitgestellt."""
    return any(
        word.startswith(each) and len(word) > len(each) + 3 for each in sets["inseparable"]
    ) or any(
        word.startswith(first) and word[len(first) :].startswith(second)
        for first in sets["participle_prefixes"]
        for second in ("be", "ver", "er")
    )


def is_zu_infinitive(word: str, sets: Sets) -> bool:
    """True if a German word has its "zu" inside: auszudrucken."""
    return word.endswith("n") and any(
        word.startswith(f"{prefix}zu") and len(word) > len(prefix) + 4
        for prefix in sets["zu_prefixes"]
    )
