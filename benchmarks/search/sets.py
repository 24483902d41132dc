"""Public retrieval sets: documents, questions, and which documents answer them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.data import read_lines
from veridical.contracts.language import Language


@dataclass(frozen=True, slots=True)
class RetrievalSet:
    """One set; questions without a relevant document are left out."""

    name: str
    language: Language
    """Of the documents."""
    documents: Mapping[str, str]
    questions: Mapping[str, str]
    relevant: Mapping[str, Mapping[str, float]]


def retrieval_sets(data: Path) -> Iterator[RetrievalSet]:
    """The sets whose folders are there."""
    if (data / "cranfield").is_dir():
        yield _cranfield(data / "cranfield")
    if (data / "scifact").is_dir():
        yield _beir("scifact", Language.EN, data / "scifact")
    for language in Language:
        if (data / "xquad").is_dir():
            yield _beir(f"xquad_{language}", language, data / "xquad", f".{language}")
    for asked in (Language.DE, Language.ZH):
        if (data / "xquad").is_dir():
            name = f"xquad_{asked}_to_en"
            yield _beir(name, Language.EN, data / "xquad", ".en", f".{asked}")
    for name in ("cmrc2018", "drcd"):
        if (data / name).is_dir():
            yield _beir(name, Language.ZH, data / name)
    for language in (Language.EN, Language.DE):
        if (data / "covid_faq").is_dir():
            folder = data / "covid_faq"
            yield _beir(f"covid_faq_{language}", language, folder, f".{language}")
    if (data / "req_de_bsi").is_dir():
        yield _requirements(data / "req_de_bsi")


def _beir(
    name: str, language: Language, folder: Path, part: str = "", asked: str | None = None
) -> RetrievalSet:
    judged = folder / f"qrels{part}.tsv"
    documents = {
        each["_id"]: f"{each.get('title', '')} {each['text']}".strip()
        for each in read_lines(folder / f"corpus{part}.jsonl")
    }
    questions = {
        each["_id"]: each["text"]
        for each in read_lines(folder / f"queries{part if asked is None else asked}.jsonl")
    }
    return _set(
        name,
        language,
        documents,
        questions,
        _judgements(judged if judged.exists() else folder / "qrels.tsv"),
    )


def _requirements(folder: Path) -> RetrievalSet:
    documents = {
        each["id"]: f"{each['title']} {each['statement']} {each['guidance'] or ''}"
        for each in read_lines(folder / "requirements.jsonl")
    }
    questions = {
        each["_id"]: f"{each['title_de']} {each['text_de']}"
        for each in read_lines(folder / "iso_controls.jsonl")
    }
    return _set(
        "req_de_bsi", Language.DE, documents, questions, _judgements(folder / "iso_links.tsv")
    )


def _cranfield(folder: Path) -> RetrievalSet:
    """The questions are numbered by their place in the file, which is how the judgements count."""
    text = (folder / "cran.all.1400.xml").read_text("utf-8")
    documents = {
        _tag("docno", doc).strip(): f"{_tag('title', doc)} {_tag('text', doc)}"
        for doc in re.findall(r"<doc>(.*?)</doc>", text, re.S)
    }
    asked = (folder / "cran.qry.xml").read_text("utf-8")
    titles = re.findall(r"<title>(.*?)</title>", asked, re.S)
    questions = {str(number): title.strip() for number, title in enumerate(titles, 1)}
    relevant: dict[str, dict[str, float]] = {}
    for line in (folder / "cranqrel.trec.txt").read_text("utf-8").splitlines():
        question, _, document, grade = line.split()
        relevant.setdefault(question, {})[document] = max(float(grade), 0.0)
    return _set("cranfield", Language.EN, documents, questions, relevant)


def _tag(name: str, text: str) -> str:
    found = re.search(f"<{name}>(.*?)</{name}>", text, re.S)
    return found[1] if found else ""


def _judgements(path: Path) -> dict[str, dict[str, float]]:
    relevant: dict[str, dict[str, float]] = {}
    for line in path.read_text("utf-8").splitlines()[1:]:
        question, document, grade = line.split("\t")[:3]
        relevant.setdefault(question, {})[document] = float(grade)
    return relevant


def _set(
    name: str,
    language: Language,
    documents: Mapping[str, str],
    questions: Mapping[str, str],
    relevant: Mapping[str, Mapping[str, float]],
) -> RetrievalSet:
    answered = {key: text for key, text in questions.items() if any(relevant.get(key, {}).values())}
    return RetrievalSet(name, language, documents, answered, relevant)
