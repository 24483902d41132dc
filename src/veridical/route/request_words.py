"""The words that classify requests, read once from ``request_words.toml``."""

import re
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from typing import Any

from veridical.late_pattern import late_pattern
from veridical.ontology.terms import fold, stem
from veridical.word_file import word_file

_NEVER = late_pattern(r"(?!)")
_FOLLOWS = late_pattern(word_file("veridical.route")["talk"]["follows"])
MOST_STRANGERS = 2
_COURTESIES = frozenset({"greeting", "thanks", "farewell"})


@dataclass(frozen=True, slots=True)
class ChatKind:
    """A kind of request that is about nothing but the talk itself, such as a greeting.

    It is recognised when every word is one of its words, and it either has a phrase, or a topic
    together with an anchor. Beside a phrase that can mean nothing else, a few strangers may stand.
    """

    reason: str
    words: frozenset[str]
    questions: frozenset[str]
    anchors: frozenset[str]
    topics: frozenset[str]
    sure_topics: frozenset[str]
    phrases: re.Pattern[str]
    sure_phrases: re.Pattern[str]
    guards: re.Pattern[str]

    def content(self, words: frozenset[str]) -> frozenset[str]:
        """The content words: unknown words and, except for courtesies, the kind's topics."""
        strangers = words - self.words
        return strangers if self.reason in _COURTESIES else strangers | (words & self.topics)

    def fits(self, words: frozenset[str], text: str, is_question: bool) -> bool:
        """True for a request of this kind and of nothing else; the text is its words in a row."""
        if not words <= self.words or self.guards.search(text):
            return False
        about = not words.isdisjoint(self.topics)
        anchored = not self.anchors or not words.isdisjoint(self.anchors)
        # a courtesy that asks something has a phrase of its own for it
        asks = is_question or _FOLLOWS.search(text) or not words.isdisjoint(self.questions)
        if about and anchored and not (asks and self.reason in _COURTESIES):
            return True
        return bool(self.phrases.search(text) or self.sure_phrases.search(text))

    def surely_fits(self, words: frozenset[str], text: str) -> bool:
        """True for a request of this kind with a few unknown words."""
        if len(words - self.words) > MOST_STRANGERS or self.guards.search(text):
            return False
        return self.is_sure(words, text)

    def is_sure(self, words: Set[str], text: str) -> bool:
        """True for words that can hardly mean anything else."""
        anchored = not self.anchors or not self.anchors.isdisjoint(words)
        if anchored and not self.sure_topics.isdisjoint(words):
            return True
        return self.sure_phrases.search(text) is not None


@dataclass(frozen=True, slots=True)
class HanKind:
    """The same for Chinese, where words have no spaces: made up of known pieces, one a cue."""

    reason: str
    whole: re.Pattern[str]
    cue: re.Pattern[str]

    def content(self, words: frozenset[str]) -> frozenset[str]:
        """The content of the request; a courtesy has none."""
        return frozenset() if self.reason in _COURTESIES else words

    def fits(self, text: str) -> bool:
        """True for a request of this kind and of nothing else."""
        return bool(self.whole.fullmatch(text) and self.cue.search(text))


@dataclass(frozen=True, slots=True)
class RequestWords:
    """All word lists, folded."""

    veto: frozenset[str]
    affairs: frozenset[str]
    """Of these, the words for what someone owns or has at hand."""
    han_veto: re.Pattern[str]
    common_stems: frozenset[str]
    common_pairs: frozenset[str]
    fillers: frozenset[str]
    kinds: tuple[ChatKind, ...]
    kind_words: frozenset[str]
    """The words of all kinds."""
    han_kinds: tuple[HanKind, ...]


def folded_words(text: str) -> frozenset[str]:
    """The words of a list, folded."""
    return frozenset(fold(text).split())


def any_of(pieces: Iterable[str]) -> str:
    """A pattern for one of these texts, the longest first."""
    return "|".join(re.escape(piece) for piece in sorted(set(pieces), key=len, reverse=True))


def _patterns(phrases: Iterable[str]) -> re.Pattern[str]:
    joined = "|".join(fold(phrase) for phrase in phrases)
    return late_pattern(joined) if joined else _NEVER


def _kind(written: Mapping[str, Any], lists: Mapping[str, Any]) -> ChatKind:
    fillers, everyday, questions = (
        folded_words(lists[name][written["language"]])
        for name in ("filler", "everyday", "question")
    )
    topics = folded_words(written["topics"])
    anchors = folded_words(written.get("anchors", ""))
    closed = lists["veto"] if written["reason"] in _COURTESIES else ("verb",)
    around = (
        fillers
        | questions
        | everyday.difference(*(folded_words(lists["veto"][name]) for name in closed))
    )
    return ChatKind(
        written["reason"],
        around | folded_words(written["words"]) | topics | anchors,
        questions,
        anchors,
        topics,
        folded_words(written.get("sure_topics", "")),
        _patterns(written.get("phrases", ())),
        _patterns(written.get("sure_phrases", ())),
        _patterns(written.get("guards", ())),
    )


def _han_kinds(written: Mapping[str, Any]) -> Iterable[HanKind]:
    fillers = written["filler"].split()
    for reason, lists in written.items():
        if reason != "filler":
            cues = lists["cue"].split()
            pieces = any_of([*cues, *fillers, *lists["words"].split()])
            yield HanKind(reason, late_pattern(f"(?:{pieces})++"), late_pattern(any_of(cues)))


def _load() -> RequestWords:
    written = word_file("veridical.route", "request_words.toml")
    veto = {name: folded_words(words) for name, words in written["veto"].items()}
    fillers = frozenset[str]().union(
        *(
            folded_words(words)
            for name in ("filler", "question")
            for words in written[name].values()
        )
    )
    nothing = folded_words(written["common"]["words"]) | fillers
    kinds = tuple(_kind(each, written) for each in written["kind"])
    return RequestWords(
        veto=frozenset[str]().union(*veto.values()),
        affairs=veto["owner"] | veto["artefact"] | veto["company"],
        han_veto=late_pattern(any_of(written["han"]["veto"].split())),
        common_stems=frozenset(stem(word) for word in nothing) | nothing,
        common_pairs=frozenset(written["han"]["common"].split()),
        fillers=fillers,
        kinds=kinds,
        kind_words=frozenset[str]().union(*(kind.words for kind in kinds)),
        han_kinds=tuple(_han_kinds(written["chinese"])),
    )


REQUEST_WORDS = _load()
