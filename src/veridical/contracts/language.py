"""The languages a user may ask in, and text that exists in several of them."""

from collections.abc import Mapping
from enum import StrEnum


class Language(StrEnum):
    """The supported languages."""

    DE = "de"
    EN = "en"
    ZH = "zh"


Text = str | Mapping[Language, str]
"""Text is one string, or one string per language."""


def in_language(text: Text, language: Language) -> str:
    """The text in this language; English, then any other, when it has none."""
    if isinstance(text, str):
        return text
    found = text.get(language) or text.get(Language.EN)
    return found if found is not None else next(iter(text.values()), "")
