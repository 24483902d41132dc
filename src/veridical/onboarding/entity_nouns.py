"""The nouns for the rows of a table, drafted from its name: an invoice, Rechnungen, 发票."""

from functools import cache
from typing import Any, NamedTuple

from veridical.contracts.language import Language
from veridical.onboarding.labels import with_umlauts
from veridical.onboarding.names import singular
from veridical.onboarding.nouns import plural, table_noun
from veridical.ontology.printed import Gender, Noun, Nouns
from veridical.word_file import word_file


class _Thing(NamedTuple):
    """A common thing in three languages."""

    en: Noun
    de: Noun
    zh: Noun

    @property
    def all(self) -> Nouns:
        return {Language.DE: self.de, Language.EN: self.en, Language.ZH: self.zh}


def drafted_nouns(table: str) -> Nouns:
    """The nouns in every language for a common thing, else in that of the name; empty if it is no
    countable noun."""
    noun = table_noun(table)
    *before, last = noun.one.split()
    if not last.isascii():
        return _chinese(noun.one)
    thing = _things().get(singular(last))
    if thing is not None and not before:
        return thing.all
    german = None if thing else _german(with_umlauts(last))
    if german is not None:
        return german if not before else {}
    if not noun.is_countable:
        return {}
    return {Language.EN: Noun(one=noun.one, many=noun.many)}


def _german(word: str) -> Nouns | None:
    """A German noun, or a compound that ends with one."""
    for thing in _things().values():
        noun = thing.de
        for form in {noun.one.casefold(), noun.many.casefold()}:
            if word == form:
                return thing.all
            front = word.removesuffix(form)
            if front != word and len(front) > 2 and len(form) > 4 and form != thing.en.one:
                return {Language.DE: _compound(front, noun)}
    for ending in _loaded()["endings"]["german"]:
        one, gender, many = ending.split()
        for form in (many, one):
            front = word.removesuffix(form)
            if front != word and front:
                found = Noun(
                    one=(front + one).capitalize(),
                    many=(front + many).capitalize(),
                    gender=Gender(gender),
                )
                return {Language.DE: found}
    return None


def _compound(front: str, noun: Noun) -> Noun:
    forms = {
        name: (front + getattr(noun, name).casefold()).capitalize()
        for name in ("one", "many", "accusative")
        if getattr(noun, name)
    }
    return noun.model_copy(update=forms)


def _chinese(name: str) -> Nouns:
    for thing in _things().values():
        if name == thing.zh.one:
            return thing.all
        if name.endswith(thing.zh.one):
            return {Language.ZH: Noun(one=name, counter=thing.zh.counter)}
    return {Language.ZH: Noun(one=name)}


@cache
def _things() -> dict[str, _Thing]:
    return {name: _thing(name, texts) for name, texts in _loaded()["things"].items()}


def _thing(name: str, texts: dict[str, str]) -> _Thing:
    one, gender, many, *accusative = texts["de"].split()
    zh, counter = texts["zh"].split()
    return _Thing(
        Noun(one=name, many=plural(name)),
        Noun(one=one, many=many, gender=Gender(gender), accusative="".join(accusative)),
        Noun(one=zh, counter=counter),
    )


def _loaded() -> dict[str, Any]:
    return word_file("veridical.onboarding", "entity_nouns.toml")
