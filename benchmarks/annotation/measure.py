"""One annotated text: is the true one proven, and which wrong ones does a cheat prove?"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any, Self

from benchmarks.annotation.cheat import cheated
from benchmarks.annotation.expressions import Repertoire, repertoire
from benchmarks.annotation.wrong_texts import wrong_texts
from veridical.contracts.language import Language
from veridical.gate.annotation.check import CheckedAnnotation, check_annotation
from veridical.gate.evidence.exhibit import Exhibit
from veridical.gate.policy import DEFAULT
from veridical.gate.references.host import Host
from veridical.gate.references.template import read_template
from veridical.gate.references.verdict import named_tables
from veridical.gate.shapes import read_material


@dataclass(frozen=True, slots=True)
class AnnotatedItem:
    """A true text with its evidence and an honest annotation."""

    id: str
    language: Language
    question: str
    evidence: Any
    text: str
    annotation: str

    @classmethod
    def read(cls, raw: dict[str, Any]) -> Self:
        """From a line of a file."""
        return cls(
            raw["id"], Language(raw["lang"]), raw["question"], raw["evidence"], raw["answer"],
            raw["annotation"],
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Survivor:
    """A wrong text that a cheat has proven."""

    kind: str
    before: str
    after: str
    annotation: str


@dataclass(frozen=True, slots=True)
class Measured:
    """What came of one item."""

    id: str
    accepted: bool
    reasons: tuple[str, ...]
    tried: int
    made: tuple[str, ...] = ()
    """The kinds of the wrong texts."""
    proven: tuple[Survivor, ...] = ()


def measure(items: Iterable[AnnotatedItem]) -> Iterator[Measured]:
    """Each item in turn; neighbours over the same evidence share what a cheat may try."""
    for _, alike in groupby(items, lambda each: (each.evidence, each.language)):
        known: Repertoire | None = None
        for item in alike:
            exhibits = read_material(item.evidence).exhibits
            known = known or repertoire(named_tables(exhibits), item.language)
            yield _measured(item, exhibits, known)


def _measured(item: AnnotatedItem, exhibits: tuple[Exhibit, ...], known: Repertoire) -> Measured:
    """The item's true text, and its wrong ones."""
    honest = _checked(item.text, item.annotation, exhibits=exhibits, item=item)
    if honest.proof is None:
        return Measured(item.id, accepted=False, reasons=honest.reasons, tried=0)
    tables = named_tables(exhibits)
    template = read_template(item.annotation)
    shown = Host(tables, item.question, item.language).show(template)
    accepts = partial(_accepts, exhibits=exhibits, item=item)
    wrong = list(wrong_texts(shown, known, item.language))
    found = [(each, cheated(each, template, shown, known, accepts)) for each in wrong]
    proven = tuple(
        Survivor(each.kind, each.before, each.after, by) for each, by in found if by is not None
    )
    return Measured(item.id, True, (), known.tried, tuple(each.kind for each in wrong), proven)


def _accepts(
    text: str, annotation: str, *, exhibits: tuple[Exhibit, ...], item: AnnotatedItem
) -> bool:
    return _checked(text, annotation, exhibits=exhibits, item=item).proof is not None


def _checked(
    text: str, annotation: str, *, exhibits: tuple[Exhibit, ...], item: AnnotatedItem
) -> CheckedAnnotation:
    return check_annotation(
        text,
        annotation,
        exhibits,
        question=item.question,
        language=item.language,
        policy=DEFAULT,
    )
