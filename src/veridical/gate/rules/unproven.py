"""What an answer may say without data: a closed list of forms, clause by clause."""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from veridical.arithmetic import ArithmeticRefusedError, compute
from veridical.gate.notions import Notion, said
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import HAN, has_han
from veridical.reading.punctuation import LIST_MARKS, marks, wide_marks
from veridical.word_file import word_file

_ENDS = late_pattern(
    rf"(?<=[{marks('!?;')}{wide_marks('.')}])\s*|(?<=[^\W\d]\.)\s+(?=\S)"
    rf"|(?<=[^\W\d][{marks(':')}])\s+(?=\S)|(?<=\d\.)\s+(?=[A-ZÄÖÜ])|(?<={wide_marks(':')})"
    r"|\n+|\s[—–]\s"
)
_MARK = late_pattern(r"^(?:[\s>#*•\-–_~`]|\d{1,2}[.)]\s|[^\w\s(\"'“„¿=+$€£])+")
_EMPHASIS = late_pattern(r"[*_`~]{1,3}")
_ITEM = late_pattern(rf"^\s*(?:[-*•]|\d{{1,2}}[.){LIST_MARKS}])\s*")
_NAME = late_pattern(
    rf"(?:[^\W\d_a-z][\w.'’-]*[ ,.!]*){{1,3}}|[{HAN}]{{1,6}}[{marks('!')}{wide_marks(',.')}]?"
)
_COMMAS = marks(",")
_BREAKS = " " + marks(",.!") + LIST_MARKS
_ASKED = tuple(marks("?"))
_OPENS = tuple(marks(":"))
_EQUATION = late_pattern(r"[\d.\s+\-*/×÷·^()%',]+=\s*[\d.\s\-',]+")
_CODE = late_pattern(rf"[\w./-]*\d[\w./-]*[{marks('.')}]?")
"""What a refusal names behind its colon; whether the question has it, others look at."""
_NOT_THERE = (Notion.UNKNOWN, Notion.FORBIDDEN)
_LANGUAGES = ("en", "de", "zh")


class Forms(NamedTuple):
    """The expressions, compiled."""

    interjections: re.Pattern[str]
    affirmations: re.Pattern[str]
    passing: re.Pattern[str]
    refusal: re.Pattern[str]
    questions: re.Pattern[str]
    absence: re.Pattern[str]
    negations: re.Pattern[str]
    complements: re.Pattern[str]
    requests: re.Pattern[str]
    explaining: re.Pattern[str]
    splits: re.Pattern[str]
    greetings: re.Pattern[str]
    reported: re.Pattern[str]


def unproven(text: str, *, found_nothing: bool = False) -> str | None:
    """The first clause that needs data; none where all of the answer may stand without any.

    ``found_nothing`` is for a search that succeeded and brought nothing: that there is none may
    then be said.
    """
    within_request = False
    for line in text.splitlines():
        item = _ITEM.match(line) is not None
        if within_request and item:
            continue
        for clause in _clauses(line):
            if not _may_stand(clause, found_nothing=found_nothing) and not (
                found_nothing and _follows(clause, text)
            ):
                return clause
            within_request = _opens_list(clause)
        if line.strip() and not item and not line.rstrip().endswith(_OPENS):
            within_request = False
    return None


def is_refusal(text: str) -> bool:
    """True where the answer says nothing but that it can't say. That there is nothing is an
    answer."""
    forms = _forms()
    if said(Notion.ABSENT, text) is not None:
        return False
    return unproven(text) is None and any(
        forms.refusal.match(_without_interjections(clause, forms)) is not None
        for line in text.splitlines()
        for clause in _clauses(line)
    )


def _follows(clause: str, text: str) -> bool:
    """What the absence of some implies about the others, where the answer tells that absence."""
    forms = _forms()
    return forms.complements.match(clause) is not None and any(
        forms.absence.match(each) is not None
        for line in text.splitlines()
        for each in _clauses(line)
        if each != clause
    )


def _opens_list(clause: str) -> bool:
    """A request or an offer that goes on as a list: what it lists is asked for."""
    return _forms().requests.match(clause) is not None


def _clauses(line: str) -> Iterator[str]:
    """Sentences and what but and however join; the tail of a request belongs to it."""
    told = _EMPHASIS.sub("", line)
    requested = refused = False
    for sentence in _ENDS.split(told):
        bare = _MARK.sub("", sentence).strip()
        if not any(character.isalnum() for character in bare):
            continue
        if requested or (refused and _CODE.fullmatch(bare)):
            requested = refused = False
            continue
        requested = bare.endswith(_OPENS) and (
            _opens_list(bare) or _forms().explaining.match(bare) is not None
        )
        refused = bare.endswith(_OPENS) and _forms().passing.match(bare) is not None
        for part in _forms().splits.split(bare):
            yield from _chinese_clauses(part) if has_han(part) else _told(part)


def _told(part: str) -> Iterator[str]:
    if any(character.isalnum() for character in part):
        yield part.strip(" " + _COMMAS)


def _chinese_clauses(part: str) -> Iterator[str]:
    """Between commas; what a word means, and what is only supposed, goes on behind them."""
    forms = _forms()
    if forms.explaining.match(part):
        yield part
        return
    ending = part[-1] if part.endswith(_ASKED) else ""
    for each in re.split(f"[{_COMMAS}]", part.rstrip("".join(_ASKED))):
        yield from _told(each + ending if ending else each)


def _may_stand(clause: str, *, found_nothing: bool) -> bool:
    forms = _forms()
    rest = _without_interjections(clause, forms)
    if not rest:
        return True
    affirmed = forms.affirmations.match(rest)
    if affirmed is not None:
        rest = rest[affirmed.end() :].lstrip(_BREAKS)
        if not rest:
            return False
    if _is_true_equation(rest):
        return True
    if rest.endswith(_ASKED) or clause.endswith(_ASKED):
        asked = forms.questions.match(rest) is not None or forms.passing.match(rest) is not None
        return asked and forms.reported.search(rest) is None
    if found_nothing and (forms.absence.match(clause) or forms.negations.search(rest)):
        return True
    if found_nothing and any(said(notion, clause) for notion in _NOT_THERE):
        return True
    return forms.passing.match(rest) is not None and forms.reported.search(rest) is None


def _without_interjections(clause: str, forms: Forms) -> str:
    rest = clause.strip()
    while True:
        found = forms.interjections.match(rest)
        if found is None or found.end() == 0:
            named = forms.greetings.match(clause) and _NAME.fullmatch(rest)
            return "" if named else rest
        rest = rest[found.end() :].lstrip(_BREAKS + "".join(_OPENS))


def _is_true_equation(clause: str) -> bool:
    """``2 + 2 = 4``, and nothing that is wrong."""
    if _EQUATION.fullmatch(clause.rstrip(". ")) is None:
        return False
    left, _, right = clause.rstrip(". ").replace("×", "*").replace("÷", "/").rpartition("=")
    try:
        return compute(left).value == compute(right).value
    except ArithmeticRefusedError:
        return False


@cache
def _forms() -> Forms:
    told = word_file("veridical.gate.rules", "unproven.toml")
    explaining = [
        expression.replace("{concept}", _either(told["concepts"][language]))
        for language in _LANGUAGES
        for expression in told["explaining"][language]
    ]
    return Forms(
        interjections=_compiled(_opening(told["interjections"])),
        affirmations=_compiled([f"{each}(?! )" for each in _opening(told["affirmations"])]),
        passing=_compiled([*_all(told["talk"]), *_all(told["refusal"]), *explaining]),
        refusal=_compiled(_all(told["refusal"])),
        questions=_compiled(_all(told["questions"])),
        absence=_compiled(_all(told["absence"])),
        negations=_compiled(_all(told["negations"])),
        complements=_compiled(_all(told["complements"])),
        requests=_compiled(_all(told["requests"])),
        explaining=_compiled(explaining),
        splits=_compiled(_all(told["splits"])),
        greetings=_compiled(_all(told["greetings"])),
        reported=_compiled(_all(told["reported"])),
    )


def _opening(told: dict[str, list[str]]) -> list[str]:
    """Words that open a clause; Chinese ones need no blank behind them."""
    latin = [rf"(?:{each})(?=[\s,.!:;]|$)" for each in (*told["en"], *told["de"])]
    behind = rf"{marks(',!:')}{wide_marks('.;')}{LIST_MARKS}\s"
    return [*latin, *(f"(?:{each})(?=[{behind}]|$)" for each in told["zh"])]


def _all(told: dict[str, list[str]]) -> list[str]:
    return [each for language in _LANGUAGES for each in told[language]]


def _either(words: list[str]) -> str:
    return f"(?:{'|'.join(words)})"


def _compiled(expressions: list[str]) -> re.Pattern[str]:
    return late_pattern("|".join(f"(?:{each})" for each in expressions), re.IGNORECASE)
