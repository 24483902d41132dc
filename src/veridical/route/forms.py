"""The forms of requests that need general knowledge only: what is X, how do you say X in French.

A form has a topic. Here it is judged by its shape; whether it belongs to the business, or the
request to the user's own data, is judged before.
"""

import re
from enum import StrEnum

from veridical.late_pattern import late_pattern
from veridical.ontology.terms import fold
from veridical.route.request_text import RequestText
from veridical.route.request_words import REQUEST_WORDS, any_of, folded_words
from veridical.word_file import word_file


class Form(StrEnum):
    """The kind of knowledge that is requested."""

    KNOWLEDGE = "knowledge"
    TRANSLATION = "translation"
    CHAT = "chat"


_WRITING = word_file("veridical.route", "forms.toml")
_TONGUES = folded_words(_WRITING["tongues"])
PLACES = _TONGUES | folded_words(_WRITING["lands"])
"""Languages, countries and peoples."""
_LISTS = {
    "‹heads›": any_of(folded_words(_WRITING["heads"])),
    "‹lingo›": f"(?:{any_of(_TONGUES)})",
    "‹place›": f"(?:{any_of(PLACES)})",
}


def _pattern(written: str) -> re.Pattern[str]:
    folded = fold(written.replace("\n", "")).replace("(?p<", "(?P<")
    for name, listed in _LISTS.items():
        folded = folded.replace(name, listed)
    return late_pattern(folded)


_LEAD, _TAIL = _pattern(_WRITING["lead"]), _pattern(_WRITING["tail"])
_BARE = tuple(_pattern(each) for each in _WRITING["bare"])
_OF = _pattern(_WRITING["of"])
_DEFINITE, _FACT = _pattern(_WRITING["definite"]), _pattern(_WRITING["fact"])
_TRANSLATE, _DETERMINED = _pattern(_WRITING["translate"]), _pattern(_WRITING["determined"])
_SAY, _SPEAK = _pattern(_WRITING["say"]), _pattern(_WRITING["speak"])
_LITERAL, _TRANSLATED = _pattern(_WRITING["literal"]), _pattern(_WRITING["translated"])
_FUN, _LETTERS, _LOOKUP = (_pattern(_WRITING[name]) for name in ("fun", "letters", "lookup"))
FUN_CUES = folded_words(_WRITING["fun_cues"])
"""Every request for fun has one of these words."""
LITERAL_CUES = folded_words(_WRITING["literal_cues"])
"""Every request for a literal wording has one of these words."""
_MEANING_CUES, _FACT_CUES = (folded_words(_WRITING[f"{name}_cues"]) for name in ("meaning", "fact"))
_MEANING_WORDS = REQUEST_WORDS.fillers | _MEANING_CUES | folded_words(_WRITING["meaning_words"])
_FACT_WORDS = REQUEST_WORDS.fillers | _FACT_CUES | folded_words(_WRITING["fact_words"])
_FUN_WORDS = _FACT_WORDS | folded_words(_WRITING["fun_words"])
_JOINING = folded_words(_WRITING["joining"])
_LONGEST_TOPIC = 4

_HAN: dict[str, str] = _WRITING["han"]
_HAN_TONGUE = f"(?:{any_of(_HAN['tongues'].split())})"
_HAN_KNOWLEDGE = late_pattern(_HAN["knowledge"].replace("\n", "").replace("‹x›", _HAN["topic"]))
_HAN_TRANSLATION = late_pattern(_HAN["translation"].replace("‹lingo›", _HAN_TONGUE))
_HAN_DETERMINED = late_pattern(_HAN["determined"])


def form_of(request: RequestText) -> Form | None:
    """The form of a request; None if it has no known one."""
    body = _body(request)
    if _is_translation(body):
        return Form.TRANSLATION
    if _FACT.search(body) and _is_about(request.words, _FACT_CUES, _FACT_WORDS):
        return Form.CHAT
    if _asks_meaning(body):
        return Form.KNOWLEDGE
    if _is_about(request.words, _MEANING_CUES, _MEANING_WORDS) and not _DEFINITE.search(body):
        return Form.KNOWLEDGE
    return _han_form_of(request.squeezed) if request.is_chinese else None


def literal_form_of(request: RequestText) -> Form | None:
    """The form of "how do you say X in French", where X is text and asks for nothing."""
    if LITERAL_CUES.isdisjoint(request.word_set):
        return None
    body = _body(request)
    own = not REQUEST_WORDS.affairs.isdisjoint(request.word_set)
    if _LETTERS.fullmatch(body) or (not own and _LOOKUP.fullmatch(body)):
        return Form.KNOWLEDGE
    if _LITERAL.fullmatch(body):
        return Form.TRANSLATION
    return Form.TRANSLATION if not own and _TRANSLATED.fullmatch(body) else None


def is_for_fun(request: RequestText) -> bool:
    """True for a joke or a curious fact about anything but the user's own affairs."""
    if FUN_CUES.isdisjoint(request.word_set) or not REQUEST_WORDS.affairs.isdisjoint(
        request.word_set
    ):
        return False
    return _FUN.search(request.text) is not None and _is_about(request.words, FUN_CUES, _FUN_WORDS)


def _body(request: RequestText) -> str:
    """The request without courtesies and "can you tell me" before and behind it."""
    lead = _LEAD.match(request.text)
    return _TAIL.sub("", request.text[lead.end() :] if lead else request.text)


def _is_translation(body: str) -> bool:
    if _TRANSLATE.search(body):
        return not _DETERMINED.search(body)
    return bool(_SAY.search(body)) and not _SPEAK.search(body)


def _asks_meaning(body: str) -> bool:
    found = _OF.fullmatch(body)
    if found:
        return _is_topic(found["topic"], may_have_article=True)
    matches = (form.fullmatch(body) for form in _BARE)
    return any(_is_topic(match["topic"], may_have_article=False) for match in matches if match)


def _is_topic(topic: str, may_have_article: bool) -> bool:
    """True for a few words of content; an article refers to a known thing, which is no topic."""
    words = topic.split()
    if may_have_article and words[0] in _JOINING:
        words = words[1:]
    if not 0 < len(words) <= _LONGEST_TOPIC + may_have_article or words[0] in _JOINING:
        return False
    inner = [word for word in words if word not in _JOINING]
    return not any(word in REQUEST_WORDS.fillers or not word.isalpha() for word in inner)


def _is_about(words: tuple[str, ...], cues: frozenset[str], known: frozenset[str]) -> bool:
    if cues.isdisjoint(words):
        return False
    topic = [word for word in words if word not in known]
    return 0 < len(topic) <= _LONGEST_TOPIC and all(word.isalpha() for word in topic)


def _han_form_of(text: str) -> Form | None:
    if _HAN_TRANSLATION.search(text):
        return None if _HAN_DETERMINED.search(text) else Form.TRANSLATION
    return Form.KNOWLEDGE if _HAN_KNOWLEDGE.fullmatch(text) else None
