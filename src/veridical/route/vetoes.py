"""The signs that a request may be about data: any of them closes the fast path."""

from veridical.contracts.language import Language
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import fold
from veridical.reading.punctuation import CORNERS
from veridical.route.forms import FUN_CUES, LITERAL_CUES, PLACES
from veridical.route.request_text import RequestText, words_of
from veridical.route.request_words import REQUEST_WORDS

_QUOTED = late_pattern(
    r"\"[^\"]*\"?|“[^”]*”?|„[^“”]*[“”]?|«[^»]*»?"
    rf"|{CORNERS[0]}[^{CORNERS[1]}]*{CORNERS[1]}?"
    r"|(?<!\w)'[^']*'(?!\w)|(?<!\w)‘[^’]*’(?!\w)"
)
_DIGIT = late_pattern(r"\d")
_DATA_SIGN = late_pattern(r"\b[Ww]e['’]|[_@#$€£¥%<>{}\[\]|\\]|\w\.\w|(?<=[a-z])[A-Z]")
_NAME = late_pattern(r"(?<=[a-z,] )[A-Z][a-z]+")
_CAPITAL_OF = late_pattern(r"\bcapital of\b")


def is_surely_vetoed(request: RequestText) -> bool:
    """True for a word of data that no quotation mark, no "how do you say" and no joke excuses."""
    return (
        not REQUEST_WORDS.veto.isdisjoint(request.word_set)
        and LITERAL_CUES.isdisjoint(request.word_set)
        and FUN_CUES.isdisjoint(request.word_set)
        and not _QUOTED.search(request.request)
    )


def is_vetoed(request: RequestText, language: Language) -> bool:
    """True for any sign of data, of an action, of the speaker's own affairs.

    Of a quoted text only the digits count, which may be a code.
    """
    if _DIGIT.search(request.request):
        return True
    unquoted = _QUOTED.sub(" ", request.request)
    if _DATA_SIGN.search(unquoted) or (language is Language.EN and _names_someone(unquoted)):
        return True
    words = request.words if unquoted == request.request else words_of(unquoted)
    return (
        not REQUEST_WORDS.veto.isdisjoint(words)
        or REQUEST_WORDS.han_veto.search("".join(words)) is not None
    )


def _names_someone(text: str) -> bool:
    """In English a capital within a sentence is a name, and a name may be one of a customer."""
    return not _CAPITAL_OF.search(text) and any(
        fold(name) not in PLACES for name in _NAME.findall(text)
    )
