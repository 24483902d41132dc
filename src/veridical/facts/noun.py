"""The noun for rows in the sentences of a language: their owner's, else entries."""

from collections.abc import Mapping
from typing import Any

from veridical.contracts.language import Language
from veridical.facts.printing import language_data
from veridical.ontology.printed import Noun


def noun_words(language: Language, nouns: Mapping[Language, Noun]) -> dict[str, str]:
    """The forms of a noun by the places of templates. A noun without a gender, in a language
    where it matters, is ignored."""
    data: dict[str, Any] = language_data(language)["noun"]
    genders: dict[str, dict[str, str]] = data.get("gender", {})
    own = nouns.get(language)
    if own is not None and genders and own.gender is None:
        own = None
    noun = own or Noun.model_validate(data["default"])
    many = noun.many or noun.one
    is_dative = many.endswith(tuple(data.get("dative_ends", ()))) or "dative" not in data
    return {
        "one": noun.one,
        "many": many,
        "things": noun.one or data.get("things", ""),
        "accusative": noun.accusative or noun.one,
        "dative": many if is_dative else many + data["dative"],
        "counter": noun.counter or data.get("counter", ""),
        **genders.get(noun.gender or "", {}),
    }
