"""What a question names, and what a follow-up takes over from what was said before."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date

from veridical.answering.coverage.asked_code import AskedCode, identifiers
from veridical.answering.coverage.asked_period import AskedPeriod, asked_periods, names_time
from veridical.answering.coverage.call import Pick, call_facts, picks_of
from veridical.answering.coverage.call_subjects import as_text
from veridical.answering.coverage.kind import AskedKind, Kind
from veridical.answering.coverage.ontology_index import OntologyIndex
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
"""What is named then may be what is left out."""
_HOW_MANY = {language: late_pattern(_WORDS["how_many"][language]) for language in Language}


@dataclass(frozen=True, slots=True)
class Asked:
    """What must be spoken of by what an answer rests on."""

    periods: tuple[AskedPeriod, ...] = ()
    codes: tuple[AskedCode, ...] = ()
    currencies: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """Quoted texts and numbers of documents."""
    kinds: tuple[AskedKind, ...] = ()
    count: str = ""
    """The words that ask for a number of things."""


def read_question(
    question: Question, language: Language, today: date, index: OntologyIndex
) -> Asked:
    """What the question names, with the earlier turns' periods where it names none itself."""
    turns = (read_text(turn.question, language, today, index) for turn in question.thread[::-1])
    earlier = next((turn.periods for turn in turns if turn.periods), ())
    said = read_text(question.text, language, today, index, relative=not earlier)
    if said.periods or names_time(question.text, language, today):
        return said
    return replace(said, periods=tuple(replace(each, is_inherited=True) for each in earlier))


def read_text(
    text: str, language: Language, today: date, index: OntologyIndex, *, relative: bool = True
) -> Asked:
    """What one text names; times relative to today only where they can't mean anything else."""
    plain = " ".join(unicodedata.normalize("NFKC", text).split())
    quoted = tuple(match[1].strip() for match in _QUOTED.finditer(plain))
    plain = _QUOTED.sub(_blank, plain)
    numbers = identifiers(plain)
    codes: list[AskedCode] = []
    for reader in index.codes[language]:
        for begin, stop, found in reader.find(plain.lower()):
            codes += found
            plain = plain[:begin] + "\0" * (stop - begin) + plain[stop:]
    excluding = _EXCLUDING.search(plain.lower()) is not None
    return Asked(
        asked_periods(plain, language, today, relative=relative),
        () if excluding else tuple(dict.fromkeys(codes)),
        _currencies(plain),
        (*quoted, *numbers),
        () if excluding else tuple(index.kinds[language].find(plain.replace("\0", " "))),
        _count(plain, language),
    )


def known_kinds(
    match: PatternMatch, checker: Checker, index: OntologyIndex, language: Language
) -> Iterator[AskedKind]:
    """What the call of a canonical question picks, period and currency apart."""
    named = title(match, language)
    facts = call_facts(match.tool, match.arguments, checker)
    picks: dict[str, list[Pick]] = {}
    for pick in picks_of(facts) if facts else ():
        if not index.calendar.is_time(pick.column) and pick.column.name not in index.currencies:
            picks.setdefault(pick.column.name, []).append(pick)
    for column, found in picks.items():
        spans = spans_of(found, as_text)
        if spans:
            yield AskedKind(named, (Kind(column, spans),), is_known_question=True)


def _count(text: str, language: Language) -> str:
    found = _HOW_MANY[language].search(text.lower())
    return found[0] if found else ""


def _blank(match: re.Match[str]) -> str:
    return "\0" * len(match[0])


def _currencies(text: str) -> tuple[str, ...]:
    """The currencies that are asked for; one beside a figure says how much, unless it is of two."""
    found = [match for match in _CURRENCY.finditer(text) if match[0] not in _UNSURE]
    before, after = _BESIDE_FIGURE
    alone = any(
        not before.search(text[: match.start()]) and not after.match(text, match.end())
        for match in found
    )
    return tuple(dict.fromkeys(_CURRENCY_WORDS[match[0]] for match in found)) if alone else ()
