"""Whether an answer answers its question: the quantity, the unit and the kind of thing asked for.

Only the form of an answer can be checked, and only what has the form is written into a rewrite. An
answer that evades, hedges, asks back or gives another kind of thing leaves the question open.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from veridical.requirements.inspection import inspect
from veridical.requirements.language import LANGUAGES, own_words
from veridical.requirements.lexicon import word_file
from veridical.requirements.measure import RATE, SHARE, TIME, dimensions_of, measures
from veridical.requirements.quantity import Quantity, Unit, units
from veridical.requirements.relations.signature import concepts_of, generic, signature, stop_words
from veridical.requirements.rewrite.actor import first_clause, names_actor
from veridical.requirements.rewrite.question import BENEFIT, EVENT, RESULT, ROLE, STATE, Question
from veridical.requirements.rules.mark import names_standard, phrases
from veridical.requirements.rules.obligation import is_role
from veridical.requirements.tokens import Tokens, read

_EVASIVE = frozenset({"TBD", "ESC", "OPN"})
_VAGUE = _EVASIVE | {"VAG", "QNT", "TMP", "SUP"}
_NAME_WORDS = 10
"""The most words that a person or a thing is named with."""
_BEGINNING = 5
_NEAR = 3
_SYMBOL = 3
"""Letters of a unit that may be a word."""
_FREE = frozenset({BENEFIT, STATE, EVENT, "when"})
_YES_OR_NO = frozenset({"binding", "metric", "tolerance", "number", "unit", "open"})
"""Kinds whose answer may follow a yes: yes, 2 s."""


@dataclass(frozen=True)
class Answer:
    """An answer as it is read, beside the requirement and the question."""

    tokens: Tokens
    question: Question
    requirement: Tokens

    @cached_property
    def faults(self) -> frozenset[str]:
        """The rules that object to the answer itself."""
        found = inspect(self.tokens.text, self.tokens.language).findings
        return frozenset(finding.rule for finding in found)

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """The amounts above zero that it gives."""
        return tuple(
            each
            for each in self.tokens.quantities
            if each.value > 0 and not _is_minus(self.tokens, each.first)
        )

    @cached_property
    def exact(self) -> tuple[Quantity, ...]:
        """Those of the amounts that are not approximate."""
        rough = [range(hit.first, hit.end + 1) for hit in phrases(self.tokens, "APX")]
        return tuple(
            each for each in self.quantities if not any(each.first in place for place in rough)
        )

    @cached_property
    def unit_apart(self) -> Unit | None:
        """The unit, where it stands in a clause of its own."""
        lows = self.tokens.lows
        alone = (at for at, low in enumerate(lows) if low in units() and len(low) > _SYMBOL)
        at = next(alone, 0)
        return units()[lows[at]] if at and lows[at - 1] in {".", ",", ";"} else None

    @cached_property
    def content(self) -> tuple[str, ...]:
        """The words that name something: no stop words, numbers and units."""
        language = self.tokens.language
        small = stop_words(language) | self.tokens.words.sets["pronouns"]
        counted = {
            place for each in self.tokens.quantities for place in range(each.first, each.end)
        }
        return tuple(
            token.low
            for place, token in enumerate(self.tokens.all)
            if token.is_word and token.low not in small and place not in counted
        )

    @cached_property
    def words(self) -> int:
        """The number of words."""
        return sum(token.is_word for token in self.tokens.all)


def is_answered(question: Question, answer: str, requirement: Tokens) -> bool:
    """True if the answer gives what the question asks for."""
    tokens = read(answer, _language(answer, requirement.language))
    if not tokens.all or answer.rstrip().endswith("?") or _evades(tokens, question.kind):
        return False
    if question.kind not in _YES_OR_NO and _agrees(tokens):
        return False
    return _CHECKS[question.kind](Answer(tokens, question, requirement))


def _language(answer: str, language: str) -> str:
    """The requirement's language, unless more words of the answer are of another."""
    lows = read(answer, language).lows
    return max((language, *LANGUAGES), key=lambda each: sum(low in own_words(each) for low in lows))


def _evades(tokens: Tokens, kind: str) -> bool:
    """True for "no idea", "maybe" and the like, in any language. A long answer that tells a purpose
    or a circumstance may have such words behind its beginning."""
    lows = f" {' '.join(tokens.lows)} "
    begun = f" {' '.join(tokens.lows[:_BEGINNING])} "
    looked = begun if kind in _FREE else lows
    return any(
        f" {phrase} " in where if inside else where.startswith(f" {phrase} ")
        for language in LANGUAGES
        for name, where, inside in (
            ("no_answer", looked, True),
            ("hedges", looked, True),
            ("opening", lows, False),
        )
        for phrase in _phrases(language, name)
    )


def _agrees(tokens: Tokens) -> bool:
    """True for a yes without a condition: it repeats what was asked about, and tells nothing."""
    return not tokens.has("CONDITION") and _begins(tokens, "agreement")


def _begins(tokens: Tokens, name: str) -> bool:
    return any(tokens.low(0) in word_file(language)["answers"][name] for language in LANGUAGES)


@cache
def _phrases(language: str, name: str) -> tuple[str, ...]:
    return tuple(
        " ".join(read(phrase, language).lows) for phrase in word_file(language)["answers"][name]
    )


def _has(answer: Answer, name: str) -> bool:
    return any(
        low in word_file(language)["answers"][name]
        for language in LANGUAGES
        for low in answer.tokens.lows
    )


def _is_minus(tokens: Tokens, place: int) -> bool:
    """True if a number is below zero; not the end of a range."""
    return tokens.low(place - 1) in {"-", "−"} and (
        place < 2 or not tokens.all[place - 2].text[0].isalnum()
    )


def _metric(answer: Answer) -> bool:
    """A figure with a unit that the quality is measured in, a counted number, or a standard."""
    if answer.faults & _EVASIVE:
        return False
    fitting = _dimensions(answer)
    if any(_measures(answer, each, fitting) for each in answer.exact):
        return True
    if TIME in fitting and _is_frequency(answer.tokens):
        return True
    return TIME not in fitting and names_standard(answer.tokens, range(len(answer.tokens.all)))


def _measures(answer: Answer, each: Quantity, fitting: frozenset[str]) -> bool:
    counts = answer.tokens.low(each.end) in answer.content
    unit = answer.unit_apart
    if unit is not None and not each.unit:  # two and a half. Seconds, I mean
        return not fitting or unit.dimension in fitting
    return measures(each, fitting, counts=counts)


def _dimensions(answer: Answer) -> frozenset[str]:
    """The dimensions that the words asked about are measured in; nothing where all may be."""
    about = read(answer.question.words, answer.requirement.language)
    if about.has("TMP"):
        return frozenset({TIME, "frequency", RATE, SHARE})
    return dimensions_of(about.lows)


def _is_frequency(tokens: Tokens) -> bool:
    """each night, jede Stunde; daily, monatlich; at 18:00."""
    lows = tokens.lows
    each = any(tokens.is_in("how_often", place) for place in range(len(lows) - 1))
    clock = any(
        token.is_number and tokens.low(at + 1) == ":" for at, token in enumerate(tokens.all)
    )
    return each or clock or any(signature(tokens).concepts & {"day", "month", "year", "night"})


def _tolerance(answer: Answer) -> bool:
    """A bound, or a range in the unit of the value."""
    if answer.faults & (_EVASIVE | {"APX"}):
        return False
    wanted = read(answer.question.words, answer.requirement.language).quantities or (
        answer.requirement.quantities
    )
    known = {each.dimension for each in wanted} | {"", SHARE}
    if answer.quantities:
        return all(not wanted or each.dimension in known for each in answer.quantities)
    return any(answer.tokens.has(rule) for rule in ("LIMIT", "BOUND"))


def _number(answer: Answer) -> bool:
    """A count, or the list itself; no amount of something else."""
    if answer.faults & (_EVASIVE | {"QNT", "VAG"}):
        return False
    after = answer.requirement.low(_place_behind(answer))
    unit = units().get(after)
    if answer.quantities:
        wanted = {"", unit.dimension if unit else ""}
        return bool(answer.exact) and all(each.dimension in wanted for each in answer.exact)
    return len(_items(answer)) > 1


def _place_behind(answer: Answer) -> int:
    """The place of the token behind the words asked about."""
    end = answer.question.end
    return next(
        (at for at, each in enumerate(answer.requirement.all) if 0 <= end <= each.start), -1
    )


def _unit(answer: Answer) -> bool:
    """A unit, with the same number or none; or the thing that is counted."""
    if answer.faults & _VAGUE:
        return False
    number = read(answer.question.words, answer.requirement.language).quantities
    if answer.quantities:
        same = not number or any(each.value == number[0].value for each in answer.quantities)
        return same and any(each.unit or answer.content for each in answer.quantities)
    if any(token.low in units() for token in answer.tokens.all):
        return True
    return 0 < len(answer.content) <= 2


def _open(answer: Answer) -> bool:
    """A value; where a unit or a time limit stands beside the open point, a number for it."""
    if answer.faults & (_VAGUE | {"APX"}):
        return False
    behind = _place_behind(answer)
    after = answer.requirement.low(behind)
    if unit := units().get(after):
        return any(each.dimension in {"", unit.dimension} for each in answer.quantities)
    if answer.quantities and not answer.content:
        counted = _is_counted(answer.requirement, behind)
        return counted or any(each.unit for each in answer.quantities)
    named = bool(answer.content) and answer.words <= _NAME_WORDS
    return named or bool(answer.quantities)


def _is_counted(tokens: Tokens, place: int) -> bool:
    """True if a thing stands here that a bare number may count."""
    if tokens.language == "de":
        return tokens.is_noun(place)
    return tokens.low(place).endswith("s") and tokens.low(place) not in stop_words("en")


def _list(answer: Answer) -> bool:
    """Names of things, none of them open."""
    if answer.faults & _VAGUE or any(each.unit for each in answer.quantities):
        return False
    lows = f" {' '.join(answer.tokens.lows)} "
    if any(
        f" {phrase} " in lows for language in LANGUAGES for phrase in _phrases(language, "complete")
    ):
        return True
    return bool(_items(answer))


def _items(answer: Answer) -> list[str]:
    """The things of a list."""
    parts: list[list[str]] = [[]]
    for token in answer.tokens.all:
        if token.text in {",", ";", "/"} or token.low in answer.tokens.words.sets["joins"]:
            parts.append([])
        elif token.low in answer.content:
            parts[-1].append(token.low)
    return [" ".join(part) for part in parts if part]


def _circumstance(answer: Answer) -> bool:
    """A state, an event or a condition: more than a figure, and no bare name of a person."""
    if answer.faults & _VAGUE or not answer.content:
        return False
    return answer.words > 1 or not is_role(answer.tokens, answer.content[0])


def _actor(answer: Answer) -> bool:
    """Somebody or something that acts, named in the first clause; no amount, and not "somebody"."""
    tokens = answer.tokens
    for hit in tokens.hits.get("STOROLE", ()):
        if any(is_role(tokens, low) for low in tokens.lows[hit.end : hit.end + _NEAR]):
            return not answer.faults & _EVASIVE  # that is me as the caretaker
    clause = Answer(first_clause(tokens), answer.question, answer.requirement)
    if clause.faults & (_VAGUE | {"MAN"}) or not clause.content or _has(answer, "somebody"):
        return False
    condition = clause.tokens.has("CONDITION") or clause.tokens.has("IMP")
    counted = any(each.unit for each in clause.quantities)
    return not condition and not counted and names_actor(clause.tokens)


def _name(answer: Answer) -> bool:
    """A person or a thing by its name: no amount, no sentence about it, not "somebody"."""
    tokens = answer.tokens
    if answer.faults & (_VAGUE | {"MAN"}) or not answer.content or _has(answer, "somebody"):
        return False
    is_sentence = tokens.has("IMP") or tokens.has("STOWANT") or answer.words > _NAME_WORDS
    first = tokens.low(0) in tokens.words.sets["pronouns"] or tokens.has("CONDITION")
    return not is_sentence and not first and not any(each.unit for each in answer.quantities)


def _benefit(answer: Answer) -> bool:
    """A purpose: more than a word, and something that the requirement does not say itself."""
    if answer.faults & _EVASIVE or answer.words < 2:
        return False
    language = answer.tokens.language
    small = word_file(language)["answers"]["question_words"]
    known = signature(answer.requirement).concepts | generic()
    return any(
        word not in small and known.isdisjoint(concepts_of(word, language))
        for word in answer.content
    )


def _binding(answer: Answer) -> bool:
    return _has(answer, "binding")


def is_confirmed(answer: str, language: str) -> bool:
    """True if an answer says that something is binding."""
    tokens = read(answer, language)
    wished = any(
        low in word_file(each)["answers"]["wish"] for each in LANGUAGES for low in tokens.lows
    )
    return not wished


def _result(answer: Answer) -> bool:
    return not answer.faults & _VAGUE and len(answer.content) > 1


_CHECKS: Mapping[str, Callable[[Answer], bool]] = {
    "metric": _metric,
    "tolerance": _tolerance,
    "number": _number,
    "unit": _unit,
    "open": _open,
    "list": _list,
    "when": _circumstance,
    STATE: _circumstance,
    EVENT: _circumstance,
    "who": _actor,
    "which": _name,
    ROLE: _actor,
    BENEFIT: _benefit,
    "binding": _binding,
    RESULT: _result,
}


def answered(
    questions: Iterable[Question], answers: Mapping[str, str], requirement: Tokens
) -> dict[str, str]:
    """The answers that answer their questions, by key."""
    return {
        each.key: answers[each.key].strip()
        for each in questions
        if answers.get(each.key, "").strip() and is_answered(each, answers[each.key], requirement)
    }
