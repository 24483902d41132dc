"""The names of tables and columns in questions, in three languages: ``qty_on_hand`` is 库存."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice, product
from typing import Any

from veridical.contracts.language import Language
from veridical.onboarding.names import singular, words_of
from veridical.onboarding.nouns import Noun, column_noun, table_noun
from veridical.ontology.model import Words
from veridical.word_file import word_file

_REMEMBERED = 4096
_MOST = 24
"""Phrases for one name and language."""
_LINKS = ("", "s", "n", "en")
_JOINED = ("ung", "heit", "keit", "schaft", "ion", "tät")
"""Endings of German nouns that are always joined to the next with an s."""
_BLANK = {Language.EN: " ", Language.DE: " ", Language.ZH: ""}
_Term = dict[str, list[str]]


@dataclass(frozen=True)
class Name:
    """One name in a question: as it is shown, and all phrases that mean it."""

    shown: dict[Language, str]
    phrases: dict[Language, tuple[str, ...]]
    is_notion: bool = False
    """True if it is one notion of the vocabulary, not several put together word by word."""

    @property
    def words(self) -> Words:
        """The phrases as a pattern has them."""
        return {language.value: found for language, found in self.phrases.items()}


@lru_cache(_REMEMBERED)
def table_name(name: str) -> Name:
    """The name of a table's rows, in the plural where it is shown."""
    return _named(name, table_noun(name), several=True)


@lru_cache(_REMEMBERED)
def column_name(name: str) -> Name:
    """The name of a column's values."""
    return _named(name, column_noun(name), several=False)


@lru_cache(_REMEMBERED)
def group_name(name: str) -> Name:
    """The name of what a column divides by, in the plural where it is shown."""
    return _named(name, column_noun(name), several=True)


@lru_cache(_REMEMBERED)
def head_name(name: str) -> Name | None:
    """The last notion of a name of several, alone: the country of ``ship_country``."""
    parts = list(_segments(_meaningful(words_of(column_noun(name).one))))
    if len(parts) < 2 or not isinstance(parts[-1], dict):
        return None
    return Name({}, {each: tuple(_choices(parts[-1], each)) for each in Language})


def merged(*names: Name | None) -> Words:
    """Any of these names."""
    found = [each for each in names if each is not None]
    return {
        language.value: tuple(
            dict.fromkeys(phrase for each in found for phrase in each.phrases[language])
        )
        for language in Language
    }


def notion(key: str) -> Words:
    """The phrases for a notion by language."""
    return {language: tuple(words) for language, words in _file()[key].items()}


def day_words(column: str) -> Words:
    """The words by which a question names the day in a column: placed, for ``order_date``."""
    found = _file()["days"].get(day_kind(column), {})
    return {language.value: tuple(found.get(language.value, ())) for language in Language}


def day_kind(column: str) -> str:
    """What happens to a row on the day in this column; empty for any other day."""
    words = set(words_of(column))
    days: dict[str, dict[str, list[str]]] = _file()["days"]
    return next((kind for kind, each in days.items() if not words.isdisjoint(each["columns"])), "")


def day_rank(kind: str) -> int:
    """The place of a kind of day: less is more likely the day of a row."""
    return list(_file()["days"]).index(kind)


@cache
def listed_words(key: str) -> frozenset[str]:
    """The words of a list, in any language."""
    return frozenset(_file()[key]["words"])


def _named(name: str, noun: Noun, *, several: bool) -> Name:
    words = words_of(noun.one) or (name,)
    meaningful = _meaningful(words)
    parts = list(_segments(meaningful))
    raw = dict.fromkeys((name, " ".join(words_of(name)) or name, noun.one, noun.many))
    known = all(isinstance(each, dict) for each in parts)
    shown: dict[Language, str] = {}
    phrases: dict[Language, tuple[str, ...]] = {}
    for language in Language:
        made = tuple(islice(_phrases(parts, language), _MOST))
        plain = noun.plural_in(language) if several else noun.one
        kept = not known or (language is Language.EN and meaningful == words)
        shown[language] = plain if kept else _shown(parts, language, several=several)
        phrases[language] = tuple(dict.fromkeys((*raw, *made)))
    return Name(shown, phrases, is_notion=known and len(parts) == 1)


def _shown(parts: Sequence[_Term | str], language: Language, *, several: bool) -> str:
    """The first wording, of which the last noun is in the plural for several."""
    *before, last = [_choices(each, language) for each in parts]
    end = last[0]
    if several and language is Language.EN:
        end = next(iter(_plural(end)), end)
    elif language is Language.DE:
        end = last[1] if several and len(last) > 1 else end
        return _compound((*(each[0] for each in before), end), "")
    return _BLANK[language].join((*(each[0] for each in before), end))


def _meaningful(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words that say what it is."""
    silent = set(_file()["silent"]["words"])
    return tuple(each for each in words if each not in silent) or words


def _segments(words: Sequence[str]) -> Iterator[_Term | str]:
    """The notions of a name, the longest first; a word that is none stays as it is."""
    at = 0
    terms = _terms()
    while at < len(words):
        for stop in range(len(words), at, -1):
            part = tuple(words[at:stop])
            found = terms.get(part) or terms.get((*part[:-1], singular(part[-1])))
            if found is not None:
                yield found
                at = stop
                break
        else:
            yield words[at]
            at += 1


def _phrases(parts: Sequence[_Term | str], language: Language) -> Iterator[str]:
    choices = [_choices(each, language) for each in parts]
    for chosen in product(*choices):
        yield _BLANK[language].join(chosen)
    if language is Language.DE and len(choices) > 1:
        for chosen in product(*choices):
            yield from (_compound(chosen, link) for link in _LINKS)


def _choices(part: _Term | str, language: Language) -> list[str]:
    if isinstance(part, str):
        return [part]
    found = part[language.value]
    if language is not Language.EN:
        return found
    return [form for each in found for form in (each, *_plural(each))]


def _plural(phrase: str) -> Iterable[str]:
    noun = table_noun(phrase)
    return (noun.many,) if noun.is_countable and noun.many != phrase else ()


def _compound(words: Sequence[str], link: str) -> str:
    made, *rest = words
    for each in rest:
        made += (link or "s" * made.endswith(_JOINED)) + each.casefold()
    return made


@cache
def _terms() -> dict[tuple[str, ...], _Term]:
    """The notions by the words of each of their names."""
    found: dict[tuple[str, ...], _Term] = {}
    for term in _file()["terms"].values():
        for names in term.values():
            for name in names:
                found.setdefault(words_of(name), term)
    return found


def _file() -> dict[str, Any]:
    return word_file("veridical.onboarding", "display_names.toml")
