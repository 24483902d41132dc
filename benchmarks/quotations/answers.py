"""Answers that quote and cite: right ones, and wrong ones that one edit each made."""

import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.quotations import edits
from benchmarks.quotations.texts import Text
from benchmarks.quotations.variants import marked, varied
from veridical.contracts.chunk import Chunk
from veridical.contracts.language import Language

_AROUND = 4
_SENTENCE = re.compile(
    r"(?:(?<=\s)|^)[^\s.!?。！？][^.!?。！？\n]+[.!?](?=\s|$)|[^。！？\n]+[。！？]"
)
_LEAST = {Language.EN: 40, Language.DE: 40, Language.ZH: 14}


@dataclass(frozen=True, slots=True)
class Item:
    """One answer over a few chunks."""

    language: Language
    kind: str
    is_right: bool
    answer: str
    chunks: tuple[Chunk, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """What an answer is made from: a document among others, and one of its sentences."""

    text: Text
    sentence: str
    others: tuple[Text, ...]
    random: Random

    @property
    def words(self) -> dict[str, Any]:
        """How the language writes around quotations."""
        return _words()[self.text.language]


Made = tuple[str, str] | None
"""A quotation or a whole answer, and the id of what it cites."""


def make_answers(texts: Sequence[Text], each: int, seed: int) -> Iterator[Item]:
    """Up to so many answers of each kind in each language."""
    for language in Language:
        known = [text for text in texts if text.language is language]
        for kind, (is_right, make) in KINDS.items():
            random = Random(f"{seed}/{language}/{kind}")
            made = 0
            for _ in range(20 * each):
                if made == each:
                    break
                draft = _draft(known, random)
                answer = make(draft) if draft is not None else None
                if draft is None or answer is None:
                    continue
                made += 1
                yield Item(language, kind, is_right, answer, _chunks(draft))


def _draft(known: Sequence[Text], random: Random) -> Draft | None:
    text, *others = random.sample(list(known), min(len(known), _AROUND + 1))
    sentences = sentences_of(text)
    if not sentences:
        return None
    return Draft(text, random.choice(sentences), tuple(others), random)


def sentences_of(text: Text) -> list[str]:
    """The sentences of a document that are long enough to be quoted."""
    found = (match[0].strip() for match in _SENTENCE.finditer(text.text))
    return [each for each in found if len(each) >= _LEAST[text.language]]


def _chunks(draft: Draft) -> tuple[Chunk, ...]:
    """In an order that has nothing to do with which is quoted."""
    together = sorted((draft.text, *draft.others), key=lambda each: each.text)
    return tuple(Chunk(id=each.id, text=each.text, language=each.language) for each in together)


def _cited(draft: Draft, text: Text) -> str:
    """One of the forms of a citation."""
    number = [chunk.id for chunk in _chunks(draft)].index(text.id) + 1
    forms = (f"[{text.id}]", f"[{text.id}]", f"[{number}]", draft.words["naming"])
    return draft.random.choice(forms).format(id=text.id)


def _answer(draft: Draft, quoted: str, text: Text | None = None) -> str:
    pair = draft.random.choice(draft.words["marks"])
    template: str = draft.random.choice(draft.words["quoting"])
    return template.format(q=marked(quoted, pair), c=_cited(draft, text or draft.text))


def _whole(draft: Draft) -> str:
    return _answer(draft, varied(draft.sentence, draft.random))


def _part(draft: Draft) -> str | None:
    part = edits.part(draft.sentence, draft.text.language, draft.random)
    return _answer(draft, varied(part, draft.random)) if part else None


def _shortened(draft: Draft) -> str | None:
    """Two parts of a document with an ellipsis between them."""
    sentences = sentences_of(draft.text)
    at = sentences.index(draft.sentence)
    if at + 1 >= len(sentences):
        return None
    one, other = draft.sentence.rstrip(".。"), draft.random.choice(sentences[at + 1 :])
    joint = draft.random.choice((" … ", " […] ", " ... ", " [...] "))
    return _answer(draft, f"{one}{joint}{other}")


def _block(draft: Draft) -> str:
    sentences = sentences_of(draft.text)
    at = sentences.index(draft.sentence)
    start = draft.text.text.index(draft.sentence)
    last = sentences[min(at + 1, len(sentences) - 1)]
    end = draft.text.text.index(last, start) + len(last)
    quoted = draft.text.text[start:end].replace("\n", " ")
    broken = re.sub(r"(.{60}\S*) ", r"\1\n> ", quoted)
    return f"{draft.words['leading']}\n\n> {broken}\n\n{_cited(draft, draft.text)}"


def _said(draft: Draft) -> str | None:
    if not draft.text.answers:
        return None
    template: str = draft.random.choice(draft.words["answering"])
    said = draft.random.choice(draft.text.answers)
    return template.format(a=said, c=_cited(draft, draft.text))


def _term(draft: Draft) -> str:
    return draft.random.choice(draft.words["terms"])


def _altered(edit: edits.Edit) -> Callable[[Draft], str | None]:
    def make(draft: Draft) -> str | None:
        pool = " ".join(other.text for other in draft.others)
        changed = edit(draft.sentence, pool, draft.words["negations"], draft.random)
        if changed is None or edits.bare(changed) in edits.bare(draft.text.text):
            return None
        return _answer(draft, changed)

    return make


def _spliced(draft: Draft) -> str | None:
    """The beginning of one sentence and the end of one of another document."""
    other = draft.random.choice(draft.others)
    sentences = sentences_of(other)
    if not sentences:
        return None
    joined = edits.joined(draft.sentence, draft.random.choice(sentences), draft.text.language)
    return _unless_in(joined, draft)


def _spliced_within(draft: Draft) -> str | None:
    """The same with a sentence far away in the same document."""
    sentences = sentences_of(draft.text)
    far = [
        each for at, each in enumerate(sentences) if abs(at - sentences.index(draft.sentence)) > 1
    ]
    if not far:
        return None
    joined = edits.joined(draft.sentence, draft.random.choice(far), draft.text.language)
    return _unless_in(joined, draft)


def _spliced_openly(draft: Draft) -> str | None:
    """Two sentences of two documents with an ellipsis between them."""
    sentences = sentences_of(draft.random.choice(draft.others))
    if not sentences:
        return None
    return _unless_in(f"{draft.sentence} […] {draft.random.choice(sentences)}", draft)


def _unless_in(quoted: str, draft: Draft) -> str | None:
    return None if edits.bare(quoted) in edits.bare(draft.text.text) else _answer(draft, quoted)


def _miscited(draft: Draft) -> str | None:
    other = draft.random.choice(draft.others)
    if edits.bare(draft.sentence) in edits.bare(other.text):
        return None
    return _answer(draft, varied(draft.sentence, draft.random), other)


def _wrong_figure(draft: Draft) -> str | None:
    """A figure that the document does not have, in a sentence that cites it."""
    figures = [each for each in draft.text.answers if any(map(str.isdecimal, each))]
    if not figures:
        return None
    changed = edits.number(draft.random.choice(figures), "", (), draft.random)
    digits = re.findall(r"\d+", changed or "")
    if changed is None or all(each in re.findall(r"\d+", draft.text.text) for each in digits):
        return None
    template: str = draft.random.choice(draft.words["answering"])
    return template.format(a=changed, c=_cited(draft, draft.text))


@cache
def _words() -> dict[str, dict[str, Any]]:
    return tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))


KINDS: dict[str, tuple[bool, Callable[[Draft], str | None]]] = {
    "whole sentence": (True, _whole),
    "part of a sentence": (True, _part),
    "with an ellipsis": (True, _shortened),
    "block": (True, _block),
    "cited answer": (True, _said),
    "term in marks": (True, _term),
    "word changed": (False, _altered(edits.word)),
    "number changed": (False, _altered(edits.number)),
    "negation added": (False, _altered(edits.negation)),
    "word left out": (False, _altered(edits.omission)),
    "words swapped": (False, _altered(edits.order)),
    "spliced": (False, _spliced),
    "spliced within one": (False, _spliced_within),
    "spliced with an ellipsis": (False, _spliced_openly),
    "mis-cited": (False, _miscited),
    "figure not in its source": (False, _wrong_figure),
}
"""Every kind of answer: whether it is right, and how it is made."""
