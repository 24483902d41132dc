"""Everything a question names, with the periods that a follow-up takes over from earlier turns."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date

from veridical.answering.coverage.call import Pick, call_facts, picks_of
from veridical.answering.coverage.call_subjects import KindMention, RowKind, as_text
from veridical.answering.coverage.code_mention import CodeMention, identifiers
from veridical.answering.coverage.ontology_index import OntologyIndex
from veridical.answering.coverage.period_mention import PeriodMention, names_time, period_mentions
from veridical.answering.coverage.span import spans_of
from veridical.check.checker import Checker
from veridical.contracts.language import Language
from veridical.contracts.question import Question
from veridical.late_pattern import late_pattern
from veridical.reading.punctuation import QUOTED_NAME
from veridical.reading.units import CURRENCIES, CURRENCY_SIGNS, HAN_CURRENCIES
from veridical.route.patterns import PatternMatch
from veridical.route.render import title
from veridical.word_file import word_file

_WORDS = word_file("veridical.answering.coverage")
_QUOTED = late_pattern(QUOTED_NAME)
_UNSURE = frozenset(_WORDS["currency"]["unsure"].split())
_CURRENCY_WORDS = {**CURRENCIES, **CURRENCY_SIGNS, **HAN_CURRENCIES}
_CURRENCY = late_pattern(
    "|".join(
        rf"\b{re.escape(word)}\b" if word.isascii() and word.isalpha() else re.escape(word)
        for word in sorted(_CURRENCY_WORDS, key=len, reverse=True)
    )
)
_BESIDE_FIGURE = (
    late_pattern(_WORDS["currency"]["beside"], re.I),
    late_pattern(r"\s*\d"),
)

_EXCLUDING = late_pattern(_WORDS["excluding"]["form"])
"""Words after which a named thing may be the one to leave out."""
_HOW_MANY = {language: late_pattern(_WORDS["how_many"][language]) for language in Language}


@dataclass(frozen=True, slots=True)
class Mentions:
    """The things a question names, which the evidence for its answer must cover."""

    periods: tuple[PeriodMention, ...] = ()
    codes: tuple[CodeMention, ...] = ()
    currencies: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """Quoted texts and numbers of documents."""
    kinds: tuple[KindMention, ...] = ()
    count: str = ""
    """The words that ask for a number of things."""


def read_question(
    question: Question, language: Language, today: date, index: OntologyIndex
) -> Mentions:
    """The mentions of a question; without a period of its own, those of the earlier turns."""
    turns = (read_text(turn.question, language, today, index) for turn in question.thread[::-1])
    earlier = next((turn.periods for turn in turns if turn.periods), ())
    mentions = read_text(question.text, language, today, index, relative=not earlier)
    if mentions.periods or names_time(question.text, language, today):
        return mentions
    return replace(mentions, periods=tuple(replace(each, is_inherited=True) for each in earlier))


def read_text(
    text: str, language: Language, today: date, index: OntologyIndex, *, relative: bool = True
) -> Mentions:
    """The mentions in one text; relative times only where they can't mean anything else."""
    plain = " ".join(unicodedata.normalize("NFKC", text).split())
    quoted = tuple(match[1].strip() for match in _QUOTED.finditer(plain))
    plain = _QUOTED.sub(_blank, plain)
    numbers = identifiers(plain)
    codes: list[CodeMention] = []
    for reader in index.codes[language]:
        for begin, stop, found in reader.find(plain.lower()):
            codes += found
            plain = plain[:begin] + "\0" * (stop - begin) + plain[stop:]
    excluding = _EXCLUDING.search(plain.lower()) is not None
    return Mentions(
        period_mentions(plain, language, today, relative=relative),
        () if excluding else tuple(dict.fromkeys(codes)),
        _currencies(plain),
        (*quoted, *numbers),
        () if excluding else tuple(index.kinds[language].find(plain.replace("\0", " "))),
        _count(plain, language),
    )


def known_kinds(
    match: PatternMatch, checker: Checker, index: OntologyIndex, language: Language
) -> Iterator[KindMention]:
    """The kinds that a canonical question's call filters by, without period and currency."""
    named = title(match, language)
    facts = call_facts(match.tool, match.arguments, checker)
    picks: dict[str, list[Pick]] = {}
    for pick in picks_of(facts) if facts else ():
        if not index.calendar.is_time(pick.column) and pick.column.name not in index.currencies:
            picks.setdefault(pick.column.name, []).append(pick)
    for column, found in picks.items():
        spans = spans_of(found, as_text)
        if spans:
            yield KindMention(named, (RowKind(column, spans),), is_known_question=True)


def _count(text: str, language: Language) -> str:
    found = _HOW_MANY[language].search(text.lower())
    return found[0] if found else ""


def _blank(match: re.Match[str]) -> str:
    return "\0" * len(match[0])


def _currencies(text: str) -> tuple[str, ...]:
    """The requested currencies; one beside a figure is an amount, unless a second stands alone."""
    found = [match for match in _CURRENCY.finditer(text) if match[0] not in _UNSURE]
    before, after = _BESIDE_FIGURE
    alone = any(
        not before.search(text[: match.start()]) and not after.match(text, match.end())
        for match in found
    )
    return tuple(dict.fromkeys(_CURRENCY_WORDS[match[0]] for match in found)) if alone else ()
