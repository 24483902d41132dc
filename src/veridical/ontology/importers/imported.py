"""The result of an import: the ontology, and the fidelity of each part."""

from dataclasses import dataclass, field
from enum import StrEnum

from veridical.contracts.language import Language
from veridical.messages import message
from veridical.ontology.model import (
    CanonicalQueryPattern,
    Constraint,
    Entity,
    Metric,
    OntologyDescriptor,
    Relation,
)


class Fidelity(StrEnum):
    """The share of a source's meaning that the ontology keeps."""

    KEPT = "kept"
    APPROXIMATED = "approximated"
    DROPPED = "dropped"
    UNPROTECTED = "unprotected"
    """guarded by the source, or added up although it should not be, and not checked here"""


@dataclass(frozen=True, slots=True)
class FidelityNote:
    """The outcome of one part of the source: ``claim.measures.total`` and a sentence."""

    status: Fidelity
    path: str
    text: str


@dataclass(frozen=True, slots=True)
class QuestionSql:
    """A question with the SQL that answers it according to its owner."""

    question: str
    sql: str


@dataclass(frozen=True, slots=True)
class Imported:
    """An ontology read from another tool's files, with notes for its owner."""

    ontology: OntologyDescriptor
    notes: tuple[FidelityNote, ...]
    pairs: tuple[QuestionSql, ...] = ()
    """Drafts of gold questions, still unchecked."""
    dialect: str = ""
    """The SQL dialect of the source, if it declares one."""
    bare: bool = False
    """True if it only has names and words, so that the data itself has to be profiled."""


class ImportFailed(ValueError):  # noqa: N818 (says what happened, as its message does)
    """Nothing could be imported; the message lists the formats and places that were tried."""


@dataclass(slots=True)
class Draft:
    """An ontology in the making: importers add to it, ``finish`` closes it."""

    language: Language = Language.EN
    entities: list[Entity] = field(default_factory=list[Entity])
    relations: list[Relation] = field(default_factory=list[Relation])
    constraints: list[Constraint] = field(default_factory=list[Constraint])
    metrics: list[Metric] = field(default_factory=list[Metric])
    patterns: list[CanonicalQueryPattern] = field(default_factory=list[CanonicalQueryPattern])
    time_grains: list[str] = field(default_factory=list[str])
    domain_hints: list[str] = field(default_factory=list[str])
    notes: list[FidelityNote] = field(default_factory=list[FidelityNote])
    pairs: list[QuestionSql] = field(default_factory=list[QuestionSql])
    dialect: str = ""
    bare: bool = False
    guarded: set[str] = field(default_factory=set[str])
    """The fields whose sums are guarded already."""
    whole: OntologyDescriptor | None = None
    """The ontology itself, where the source has all of it."""
    warned: set[str] = field(default_factory=set[str])
    """The fields whose sums already give a warning."""

    def kept(self, path: str, key: str, **values: object) -> None:
        """Note a part whose meaning is kept in full."""
        self._note(Fidelity.KEPT, path, key, values)

    def approximated(self, path: str, key: str, **values: object) -> None:
        """Note a part that the ontology keeps more coarsely than the source."""
        self._note(Fidelity.APPROXIMATED, path, key, values)

    def dropped(self, path: str, key: str, **values: object) -> None:
        """Note a part that is lost."""
        self._note(Fidelity.DROPPED, path, key, values)

    def unprotected(self, path: str, key: str, **values: object) -> None:
        """Note a part that the source guards, or gets wrong, and nothing here checks."""
        self._note(Fidelity.UNPROTECTED, path, key, values)

    def finish(self, feature_code: str, description: str = "") -> Imported:
        """The import's result. Raises ``ImportFailed`` when the parts contradict each other."""
        if self.whole is not None:
            return Imported(self.whole, tuple(self.notes))
        try:
            ontology = OntologyDescriptor(
                feature_code=feature_code,
                description=description,
                entities=tuple(self.entities),
                relations=tuple(self.relations),
                constraints=tuple(self.constraints),
                metrics=tuple(self.metrics),
                canonical_patterns=tuple(self.patterns),
                time_grains=tuple(self.time_grains),
                domain_hints="\n".join(self.domain_hints),
            )
        except ValueError as error:
            names = [entity.name for entity in self.entities]
            doubled = sorted({name for name in names if names.count(name) > 1})
            key, reason = ("doubled", ", ".join(doubled)) if doubled else ("contradiction", error)
            raise ImportFailed(message(f"import.{key}", self.language, reason=reason)) from error
        if self.entities:
            self.approximated("entities", "kinds_guessed")
        pairs = tuple(dict.fromkeys(self.pairs))
        return Imported(ontology, tuple(self.notes), pairs, self.dialect, self.bare)

    def _note(self, status: Fidelity, path: str, key: str, values: dict[str, object]) -> None:
        text = message(f"import.{key}", self.language, **values)
        self.notes.append(FidelityNote(status, path, text))
