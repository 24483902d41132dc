"""What a question names, and what a follow-up takes over from what was said before."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date

from veridical.contracts.language import Language
from veridical.contracts.question import Question
from veridical.coverage.asked_code import AskedCode, identifiers
from veridical.coverage.asked_period import AskedPeriod, asked_periods, names_time
from veridical.coverage.lexicon import Lexicon
from veridical.reading.units import CURRENCIES, CURRENCY_SIGNS, HAN_CURRENCIES

_QUOTED = re.compile(r"[\"“„«「『]([^\"“”„«»「」『』]{2,80})[\"”“»」』]")
_UNSURE = frozenset({"Fr", "Fr.", "元", "块", "块钱", "$", "¥", "￥"})
_CURRENCY_WORDS = {**CURRENCIES, **CURRENCY_SIGNS, **HAN_CURRENCIES}
_CURRENCY = re.compile(
    "|".join(
        rf"\b{re.escape(word)}\b" if word.isascii() and word.isalpha() else re.escape(word)
        for word in sorted(_CURRENCY_WORDS, key=len, reverse=True)
    )
)
_BESIDE_FIGURE = (re.compile(r"\d[\d.,'’]*\s*(?:mio\.?|k|tsd\.?)?\s*$", re.I), re.compile(r"\s*\d"))


@dataclass(frozen=True, slots=True)
class Asked:
    """What must be spoken of by what an answer rests on."""

    periods: tuple[AskedPeriod, ...] = ()
    codes: tuple[AskedCode, ...] = ()
    currencies: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """Quoted texts and numbers of documents."""


def read_question(question: Question, language: Language, today: date, lexicon: Lexicon) -> Asked:
    """What the question names, with the earlier turns' periods where it names none itself."""
    turns = (read_text(turn.question, language, today, lexicon) for turn in question.thread[::-1])
    earlier = next((turn.periods for turn in turns if turn.periods), ())
    said = read_text(question.text, language, today, lexicon, relative=not earlier)
    if said.periods or names_time(question.text, language, today):
        return said
    return replace(said, periods=tuple(replace(each, is_inherited=True) for each in earlier))


def read_text(
    text: str, language: Language, today: date, lexicon: Lexicon, *, relative: bool = True
) -> Asked:
    """What one text names; times relative to today only where they can't mean anything else."""
    plain = " ".join(unicodedata.normalize("NFKC", text).split())
    quoted = tuple(match[1].strip() for match in _QUOTED.finditer(plain))
    plain = _QUOTED.sub(_blank, plain)
    numbers = identifiers(plain)
    codes: list[AskedCode] = []
    for reader in lexicon.codes[language]:
        for begin, stop, found in reader.find(plain.lower()):
            codes += found
            plain = plain[:begin] + "\0" * (stop - begin) + plain[stop:]
    return Asked(
        asked_periods(plain, language, today, relative=relative),
        tuple(dict.fromkeys(codes)),
        tuple(dict.fromkeys(_currencies(plain))),
        (*quoted, *numbers),
    )


def _blank(match: re.Match[str]) -> str:
    return "\0" * len(match[0])


def _currencies(text: str) -> Iterator[str]:
    """Currencies by themselves; one beside a figure says how much, not what is asked for."""
    for match in _CURRENCY.finditer(text):
        before, after = _BESIDE_FIGURE
        beside = before.search(text[: match.start()]) or after.match(text, match.end())
        if not beside and match[0] not in _UNSURE:
            yield _CURRENCY_WORDS[match[0]]
