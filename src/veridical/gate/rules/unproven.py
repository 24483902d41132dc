"""Answers that need no data: a closed list of forms, clause by clause."""

import re
from collections.abc import Iterator
from functools import cache

from veridical.arithmetic import ArithmeticRefusedError, compute
from veridical.gate.notions import Notion, find_notion
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
_QUESTION_MARKS = tuple(marks("?"))
_OPENS = tuple(marks(":"))
_EQUATION = late_pattern(r"[\d.\s+\-*/×÷·^()%',]+=\s*[\d.\s\-',]+")
_CODE = late_pattern(rf"[\w./-]*\d[\w./-]*[{marks('.')}]?")
"""A code that a refusal names behind its colon; other rules check that the question has it."""
_NOT_THERE = (Notion.UNKNOWN, Notion.FORBIDDEN)
_LANGUAGES = ("en", "de", "zh")


def unproven(text: str, *, found_nothing: bool = False) -> str | None:
    """The first clause that needs data; none if the whole answer may stand without.

    ``found_nothing`` is for a search that succeeded and brought nothing: the answer may then
    state that there is none.
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
    """True if the answer only states that it can't answer. "There is none" is an answer."""
    if find_notion(Notion.ABSENT, text) is not None:
        return False
    return unproven(text) is None and any(
        _form("refusal").match(_without_interjections(clause)) is not None
        for line in text.splitlines()
        for clause in _clauses(line)
    )


def _follows(clause: str, text: str) -> bool:
    """True for what the absence of some implies about the others, if the answer states it."""
    return _form("complements").match(clause) is not None and any(
        _form("absence").match(each) is not None
        for line in text.splitlines()
        for each in _clauses(line)
        if each != clause
    )


def _opens_list(clause: str) -> bool:
    """True for a request or an offer that goes on as a list."""
    return _form("requests").match(clause) is not None


def _clauses(line: str) -> Iterator[str]:
    """Sentences, and their parts around but and however; the tail of a request belongs to it."""
    plain = _EMPHASIS.sub("", line)
    requested = refused = False
    for sentence in _ENDS.split(plain):
        bare = _MARK.sub("", sentence).strip()
        if not any(character.isalnum() for character in bare):
            continue
        if requested or (refused and _CODE.fullmatch(bare)):
            requested = refused = False
            continue
        requested = bare.endswith(_OPENS) and (
            _opens_list(bare) or _form("explaining").match(bare) is not None
        )
        refused = bare.endswith(_OPENS) and _form("passing").match(bare) is not None
        for part in _form("splits").split(bare):
            yield from _chinese_clauses(part) if has_han(part) else _clause(part)


def _clause(part: str) -> Iterator[str]:
    if any(character.isalnum() for character in part):
        yield part.strip(" " + _COMMAS)


def _chinese_clauses(part: str) -> Iterator[str]:
    """The parts between commas; definitions and suppositions are not split."""
    if _form("explaining").match(part):
        yield part
        return
    ending = part[-1] if part.endswith(_QUESTION_MARKS) else ""
    for each in re.split(f"[{_COMMAS}]", part.rstrip("".join(_QUESTION_MARKS))):
        yield from _clause(each + ending if ending else each)


def _may_stand(clause: str, *, found_nothing: bool) -> bool:
    rest = _without_interjections(clause)
    if not rest:
        return True
    affirmed = _form("affirmations").match(rest)
    if affirmed is not None:
        rest = rest[affirmed.end() :].lstrip(_BREAKS)
        if not rest:
            return False
    if _is_true_equation(rest):
        return True
    if rest.endswith(_QUESTION_MARKS) or clause.endswith(_QUESTION_MARKS):
        is_question = (
            _form("questions").match(rest) is not None or _form("passing").match(rest) is not None
        )
        return is_question and _form("reported").search(rest) is None
    if found_nothing and (_form("absence").match(clause) or _form("negations").search(rest)):
        return True
    if found_nothing and any(find_notion(notion, clause) for notion in _NOT_THERE):
        return True
    return _form("passing").match(rest) is not None and _form("reported").search(rest) is None


def _without_interjections(clause: str) -> str:
    rest = clause.strip()
    while True:
        found = _form("interjections").match(rest)
        if found is None or found.end() == 0:
            named = _form("greetings").match(clause) and _NAME.fullmatch(rest)
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
def _form(name: str) -> re.Pattern[str]:
    """The expressions of one kind, in all languages."""
    words = word_file("veridical.gate.rules", "unproven.toml")
    match name:
        case "interjections":
            found = _opening(words[name])
        case "affirmations":
            found = [f"{each}(?! )" for each in _opening(words[name])]
        case "explaining":
            found = _explaining(words)
        case "passing":
            found = [*_all(words["talk"]), *_all(words["refusal"]), *_explaining(words)]
        case _:
            found = _all(words[name])
    return late_pattern("|".join(f"(?:{each})" for each in found), re.IGNORECASE)


def _explaining(words: dict[str, dict[str, list[str]]]) -> list[str]:
    """Definitions, with the concepts that each language may define."""
    return [
        expression.replace("{concept}", f"(?:{'|'.join(words['concepts'][language])})")
        for language in _LANGUAGES
        for expression in words["explaining"][language]
    ]


def _opening(words: dict[str, list[str]]) -> list[str]:
    """Words that open a clause; Chinese ones need no blank behind them."""
    latin = [rf"(?:{each})(?=[\s,.!:;]|$)" for each in (*words["en"], *words["de"])]
    behind = rf"{marks(',!:')}{wide_marks('.;')}{LIST_MARKS}\s"
    return [*latin, *(f"(?:{each})(?=[{behind}]|$)" for each in words["zh"])]


def _all(words: dict[str, list[str]]) -> list[str]:
    return [each for language in _LANGUAGES for each in words[language]]
