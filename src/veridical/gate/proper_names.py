"""Names of people, companies and things, where their form leaves little doubt."""

import re
from collections.abc import Iterator

from veridical.contracts.language import Language
from veridical.late_pattern import late_pattern
from veridical.reading.language import language_of
from veridical.reading.punctuation import wide_marks
from veridical.reading.units import CURRENCIES
from veridical.word_file import word_file

Span = tuple[int, int]
HAN = late_pattern(r"[\u4e00-\u9fff]")
_CAPITAL = r"[A-ZÄÖÜÀÉÈ][\w’'-]*"
_LEGAL = late_pattern(
    r"[AGSKOLICNBPV](?<![\w-].)(?:G|mbH(?: & Co\. KG)?|A|E|\.A\.|àrl|agl|\.r\.l\.|pA|\.p\.A\.|HG"
    r"|td\b\.?|imited|LC|nc\b\.?|orp\b\.?|orporation|lc|V|\.V\.)(?![\w-])"
)
_WORDS = word_file("veridical.gate")["names"]
_HONORED, _QUOTED, _RUN, _CUED = (
    late_pattern(_WORDS[name].replace("<CAPITAL>", _CAPITAL))
    for name in ("honored", "quoted", "run", "cued")
)
_HAN_NAMES = tuple(
    late_pattern(form.replace("<LEAD>", _WORDS["han_lead"]).replace("<SIGN>", _WORDS["han_sign"]))
    for form in _WORDS["han"]
)
NO_NAME, _PARTICLES, _GENERIC = (
    frozenset(_WORDS[name].split()) for name in ("no_name", "particles", "generic")
)
_OWNERS = late_pattern("['’]s?$")
_DIGIT = late_pattern("[0-9]")
_LONGEST_HAN_NAME, _MOST_WORDS = 16, 5
_REACH = 40
_SENTENCE_STARTS = frozenset(".!?:\n*#|•-")


def names(text: str, language: Language | None) -> Iterator[Span]:
    """Every name recognised by legal form, title, quotation marks or capitals."""
    yield from _companies(text)
    for match in _HONORED.finditer(text):
        yield _named(match, "name")
    if '"' in text or not text.isascii():
        for match in _QUOTED.finditer(text):
            if _is_title(match[1]):
                yield _named(match, 1)
    if (language or language_of(text, Language.EN)) is Language.DE:
        for match in _CUED.finditer(text):
            if match["name"].split()[0] not in NO_NAME:
                yield _named(match, "name")
    else:
        yield from _runs(text)
    if not text.isascii() and HAN.search(text):
        for form in _HAN_NAMES:
            for match in form.finditer(text):
                yield _named(match, "name")


def _is_title(quoted: str) -> bool:
    """True for a quoted text that names: every word in capitals, or a few Chinese characters."""
    if HAN.match(quoted):
        return quoted[-1] not in wide_marks(".!?") and len(quoted) <= _LONGEST_HAN_NAME
    words = quoted.split(" ")
    return len(words) <= _MOST_WORDS and all(
        word[:1].isupper() or word in _PARTICLES or (word[:1].isdigit() and at > 0)
        for at, word in enumerate(words)
    )


def _named(match: re.Match[str], group: str | int) -> Span:
    return match.span(group)


def _companies(text: str) -> Iterator[Span]:
    """A legal form with the capitalised words before it."""
    for match in _LEGAL.finditer(text):
        begin = match.start()
        if text[begin - 1 : begin] != " ":
            continue
        words = text[max(0, begin - 60) : begin - 1].split(" ")
        while words and (own := _own_part(words[-1])) and _belongs(own):
            begin -= len(own) + 1
            if own != words.pop():
                break
        begin += opening(text[begin : match.start()])
        if begin < match.start():
            yield begin, match.end()


def _own_part(word: str) -> str:
    """The part of a word behind Chinese signs and stops, which need no blank before a name."""
    return word if word.isalnum() and word.isascii() else _FOREIGN.split(word)[-1]


_FOREIGN = late_pattern(r"[\n\t|*•()\u2e80-\u9fff\uff00-\uffef:;]+")
_LONG_NUMBER = late_pattern(r"\d{3}")


def _belongs(word: str) -> bool:
    """True for a word that can be part of a company's name."""
    if word in _PARTICLES:
        return True
    if not (word[0].isupper() or word[0].isdigit()) or word in NO_NAME or word[-1] in ".,":
        return False
    if not word.isalpha() and _LONG_NUMBER.search(word):
        return False
    return _LEGAL.fullmatch(word) is None


def opening(name: str) -> int:
    """How long the words are that cannot open a name: "Die Kunden" of "Die Kunden Alpha AG"."""
    length = 0
    for word in name.split(" ")[:-1]:
        if word not in _PARTICLES and word not in _GENERIC and word not in NO_NAME:
            break
        length += len(word) + 1
    return length


def _runs(text: str) -> Iterator[Span]:
    """Two and more capitalised words in a row that do not open a sentence."""
    for match in _RUN.finditer(text):
        start, words = match.start(), match[0].split(" ", 1)
        opens = (
            start == 0
            or text[max(0, start - _REACH) : start].rstrip(" \"'(*_")[-1:] in _SENTENCE_STARTS
        )
        end = match.start() + len(_OWNERS.sub("", match[0]))
        if opens and (match[0].count(" ") < 2 or words[0] in NO_NAME):
            start += len(words[0]) + 1
        start += opening(text[start:end])
        words = text[start:end].split(" ")
        while words and words[-1] in CURRENCIES:  # it belongs to the amount that follows
            end -= len(words.pop()) + 1
        if len(words) < 2 or any(word in NO_NAME for word in words):
            continue
        if all(word.isupper() for word in words) or _DIGIT.search(text, start, end):
            continue
        yield start, end
