"""Checks a referenced answer: computes, prints, and proves every claim or says why not."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from veridical.contracts.language import Language
from veridical.evidence.read import read_tables
from veridical.evidence.table import Table
from veridical.gate.kernel import expression as ex
from veridical.gate.kernel.evaluate import Evaluator
from veridical.gate.kernel.parse import is_scalar
from veridical.gate.kernel.value import EvaluationError, Place, Reason
from veridical.gate.prover.claim import Stand
from veridical.gate.references.bind import Binder
from veridical.gate.references.bind_claims import ClaimBinder
from veridical.gate.references.claimed_words import ClaimedWords
from veridical.gate.references.finding import CONTRADICTED, Finding, Problem
from veridical.gate.references.host import Host
from veridical.gate.references.labelled import LabelledText
from veridical.gate.references.leaves import leaves
from veridical.gate.references.measures import MeasureChecker
from veridical.gate.references.operations import OperationChecker
from veridical.gate.references.periods import period_findings
from veridical.gate.references.residue import Residue
from veridical.gate.references.scope import Scope
from veridical.gate.references.sentences import sentences
from veridical.gate.references.shown import Part, Shown
from veridical.gate.references.spoken import spoken
from veridical.gate.references.spoken_of import SpokenOf
from veridical.gate.references.template import Template, read_template
from veridical.gate.references.typed import TypedNames
from veridical.gate.references.unit_words import UnitChecker
from veridical.gate.references.words import words
from veridical.messages import message

_LONGEST = 20_000
_BY_REASON = {
    Reason.SYNTAX: Problem.SYNTAX,
    Reason.DIMENSIONS: Problem.DIMENSIONS,
    Reason.NOT_ADDITIVE: Problem.NOT_ADDITIVE,
    Reason.BUDGET: Problem.BUDGET,
}


@dataclass(frozen=True, slots=True)
class ReferencedClaim:
    """One figure, name or assertion of the shown text, and how it stands."""

    start: int
    end: int
    text: str
    expression: str
    """As it was written."""
    words: str
    """In words of the reader's language."""
    cells: tuple[Place, ...]
    stand: Stand


@dataclass(frozen=True, slots=True)
class ReferencedAnswer:
    """What the reader sees, with the proof of each claim."""

    shown: str
    claims: tuple[ReferencedClaim, ...]
    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        """Whether everything is proven."""
        return not self.findings

    def message(self, language: Language) -> str:
        """What goes back to the model: each problem once, and who must do what about it."""
        lines = dict.fromkeys(told(each, language) for each in self.findings)
        return "\n".join(f"- {line}" for line in lines)


def check_referenced(
    text: str, evidence: Any, question: str, language: Language | str
) -> ReferencedAnswer:
    """Computes and checks an answer that refers to its evidence; never raises for its text."""
    tables = read_tables(evidence)
    return check_tables(text, tables, question, Language(language))


Read = Callable[[str], Template]
"""Reads the form that a model writes."""


def check_tables(
    text: str,
    tables: Sequence[Table],
    question: str,
    language: Language,
    read: Read = read_template,
) -> ReferencedAnswer:
    """The same over typed tables, for any form that comes to a template."""
    host = Host(tables, question, language)
    shown = host.show(read(text[:_LONGEST]))
    vocabulary = words(language)
    typed = list(TypedNames(tables).find(shown))
    found = sentences(shown)
    evaluator = host.evaluator
    scope = Scope(tables, evaluator, found, typed, question, vocabulary)
    labelled = LabelledText(host, found, question, vocabulary)
    findings = [
        *_failures(shown),
        *ClaimedWords(shown, evaluator, vocabulary, host.label_cues).findings(),
        *Binder(scope).findings(),
        *ClaimBinder(scope).findings(),
        *period_findings(found, evaluator),
        *MeasureChecker(labelled).findings(),
        *SpokenOf(labelled).findings(),
        *OperationChecker(labelled).findings(),
        *UnitChecker(labelled).findings(),
        *Residue(tables, shown, found, typed, question, vocabulary, host.label_cues).findings(),
    ]
    ordered = tuple(sorted(dict.fromkeys(findings), key=lambda each: (each.start, each.problem)))
    claims = tuple(_proved(shown, ordered, evaluator, language))
    return ReferencedAnswer(shown.text, claims, ordered)


def told(finding: Finding, language: Language) -> str:
    """A finding as a sentence."""
    key = f"reference.{finding.problem.value}"
    return message(key, language.value, said=finding.said, wanted=finding.wanted)


def _failures(shown: Shown) -> Iterator[Finding]:
    for each in shown.failures:
        problem = _BY_REASON.get(each.reason, Problem.NO_VALUE)
        yield Finding(problem, each.start, each.start, each.source, each.subject)
    for claim in shown.claims:
        if claim.error is not None:
            problem = _BY_REASON.get(claim.error.reason, Problem.NO_VALUE)
            yield Finding(problem, claim.start, claim.end, claim.source, claim.error.subject)
        elif claim.holds is False:
            yield Finding(Problem.FALSE, claim.start, claim.end, claim.source)


def _proved(
    shown: Shown, findings: Sequence[Finding], evaluator: Evaluator, language: Language
) -> Iterator[ReferencedClaim]:
    for piece in shown.pieces:
        if piece.expression is not None and piece.part is not Part.PROSE:
            yield ReferencedClaim(
                piece.start, piece.end, piece.text, piece.source,
                spoken(piece.expression, language), _cells(piece.expression, evaluator),
                _stand(piece.start, piece.end, findings),
            )  # fmt: skip
    for claim in shown.claims:
        text = shown.text[claim.start : claim.end]
        said = spoken(claim.expression, language) if claim.expression is not None else ""
        cells = _cells(claim.expression, evaluator) if claim.expression is not None else ()
        stand = _stand(claim.start, claim.end, findings)
        yield ReferencedClaim(claim.start, claim.end, text, claim.source, said, cells, stand)


def _stand(start: int, end: int, findings: Sequence[Finding]) -> Stand:
    met = [each for each in findings if each.start < end and start < max(each.end, each.start + 1)]
    if any(each.problem in CONTRADICTED for each in met):
        return Stand.CONTRADICTED
    return Stand.UNPROVEN if met else Stand.PROVEN


def _cells(expression: ex.Expression, evaluator: Evaluator) -> tuple[Place, ...]:
    """The cells that an expression reads."""
    found: set[Place] = set()
    if is_scalar(expression):
        try:
            found |= evaluator.value(expression).places
        except EvaluationError:
            return ()
    for leaf in leaves(expression, evaluator):
        table = leaf.rows.table
        columns = [at for name in leaf.columns if (at := table.column(name)) is not None]
        found |= {Place(table.name, row, at) for row in leaf.rows.rows for at in columns}
    return tuple(sorted(found))
