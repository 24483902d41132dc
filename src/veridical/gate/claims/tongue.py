"""The language of an answer at a glance: enough to know how it writes numbers and nouns."""

from veridical.contracts.language import Language

_GERMAN = (" der ", " die ", " und ", " ist ", " im ", " von ", " sind ", " ein", "ü", "ä", "ß")
_ENGLISH = (" the ", " of ", " and ", " is ", " was ", " were ", "The ", " for ")


def tongue(text: str, language: Language | None = None) -> Language | None:
    """The language that is known or that small words give away; none when in doubt."""
    if language is not None:
        return language
    german, english = speaks_german(text), speaks_english(text)
    if german == english:
        return None
    return Language.DE if german else Language.EN


def speaks_german(text: str) -> bool:
    """True when German words or letters are in the text."""
    return any(hint in text for hint in _GERMAN)


def speaks_english(text: str) -> bool:
    """True when English small words are in the text."""
    return any(hint in text for hint in _ENGLISH)
