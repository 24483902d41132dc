"""The documents that answers quote: public sets outside of the project, or own small texts."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from pathlib import Path

from benchmarks.data import read_lines
from veridical.contracts.language import Language

OWN = Path(__file__).with_name("own")
_SETS = {
    Language.EN: ("xquad/corpus.en.jsonl", "scifact/corpus.jsonl"),
    Language.DE: ("xquad/corpus.de.jsonl",),
    Language.ZH: ("xquad/corpus.zh.jsonl", "cmrc2018/corpus.jsonl", "drcd/corpus.jsonl"),
}
_QUESTIONS = {
    Language.EN: (("xquad/queries.en.jsonl", "xquad/qrels.tsv"),),
    Language.DE: (("xquad/queries.de.jsonl", "xquad/qrels.tsv"),),
    Language.ZH: (
        ("xquad/queries.zh.jsonl", "xquad/qrels.tsv"),
        ("cmrc2018/queries.jsonl", "cmrc2018/qrels.tsv"),
        ("drcd/queries.jsonl", "drcd/qrels.tsv"),
    ),
}
_MOST_OF_A_SET = 400


class Half(StrEnum):
    """Which documents: those that rules were developed on, or the others."""

    DEVELOPMENT = "development"
    PUBLISHED = "published"


@dataclass(frozen=True, slots=True)
class Text:
    """One document with the answers that people found in it."""

    id: str
    language: Language
    text: str
    answers: tuple[str, ...] = ()


def half_of(name: str) -> Half:
    """By the hash of a document's name: translations of one document share their half."""
    return Half.PUBLISHED if sha256(name.encode()).digest()[0] % 2 else Half.DEVELOPMENT


def own_texts() -> list[Text]:
    """The project's own, for a run without data."""
    return [
        Text(f"{language}-{at}", language, paragraph)
        for language in Language
        for at, paragraph in enumerate(_paragraphs(language), start=1)
    ]


def public_texts(data: Path, half: Half) -> list[Text]:
    """Those of the sets, in their order; the first of each."""
    return [text for language in Language for text in _of_language(data, language, half)]


def _paragraphs(language: Language) -> list[str]:
    return (OWN / f"{language}.txt").read_text("utf-8").strip().split("\n\n")


def _of_language(data: Path, language: Language, half: Half) -> Iterator[Text]:
    answers = _answers(data, language)
    for name in _SETS[language]:
        folder = name.partition("/")[0]
        taken = 0
        for told in read_lines(data / name):
            key = f"{folder}/{told['_id']}"
            if half_of(key) is half and taken < _MOST_OF_A_SET:
                taken += 1
                found = tuple(dict.fromkeys(answers.get(key, ())))
                yield Text(key, language, told["text"], found)


def _answers(data: Path, language: Language) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for queries, judged in _QUESTIONS[language]:
        folder = queries.partition("/")[0]
        said = {told["_id"]: told.get("answer", "") for told in read_lines(data / queries)}
        for line in (data / judged).read_text("utf-8").splitlines():
            query, document, *_ = line.split("\t")
            answer = said.get(query, "")
            if answer:
                found.setdefault(f"{folder}/{document}", []).append(answer)
    return found
