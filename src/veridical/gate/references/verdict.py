"""The verdict on a referenced answer: what is shown, its proof, and what the run's rules say."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from veridical.contracts.chunk import Chunk
from veridical.contracts.input_budget import DEFAULT_BUDGET, OverBudgetError, time_limit
from veridical.contracts.language import Language
from veridical.contracts.proof import (
    Binding,
    ClaimKind,
    Finding,
    GateCode,
    Ground,
    Proof,
    ProvenClaim,
    Verdict,
)
from veridical.contracts.result import ToolRun
from veridical.contracts.violation import Mode
from veridical.evidence.table import Table
from veridical.gate.evidence.evidence import prepare
from veridical.gate.evidence.exhibit import Exhibit
from veridical.gate.log import note_interception
from veridical.gate.policy import Policy
from veridical.gate.prover.claim import STANDINGS, Stand
from veridical.gate.references.check import (
    Read,
    ReferencedAnswer,
    ReferencedClaim,
    check_tables,
    told,
)
from veridical.gate.references.cited import SetAside, set_aside
from veridical.gate.references.finding import CONTRADICTED, Problem
from veridical.gate.references.finding import Finding as Reason
from veridical.gate.references.template import read_template
from veridical.gate.rules import OF_EVALUATED
from veridical.gate.rules.gate_facts import GateFacts, conversation
from veridical.gate.rules.problem import Problem as RuleProblem
from veridical.gate.typed_evidence import typed_tables
from veridical.gate.verdict import judged, with_documents
from veridical.messages import message

_LOGGER = logging.getLogger("veridical.gate")


@dataclass(frozen=True, slots=True)
class JudgedReferences:
    """What the reader sees, and the proof of it."""

    shown: str
    proof: Proof


def check_references(
    text: str,
    exhibits: Sequence[Exhibit],
    *,
    question: str,
    earlier: str = "",
    language: Language,
    policy: Policy,
    runs: Sequence[ToolRun] = (),
    required_tools: Sequence[str] = (),
    also: Sequence[RuleProblem] = (),
    read: Read = read_template,
    chunks: Sequence[Chunk] = (),
) -> JudgedReferences:
    """Computes, checks and renders an answer that refers to its results as ``r1``, ``r2`` …

    ``read`` is for the form that it is written in. A template may also quote and cite ``chunks``,
    in sentences of their own.
    The results are numbered as the exhibits are. Never raises: what can't be judged is held back.
    """
    try:
        with time_limit(DEFAULT_BUDGET.seconds):
            DEFAULT_BUDGET.ensure_answer(text)
            said = conversation(earlier, question)
            cited = _cited(text, chunks, said, language, read)
            template = cited.template if cited else text
            referenced = check_tables(template, named_tables(exhibits), said, language, read)
            documents, computed = None, referenced.shown
            if cited:
                computed = cited.computed(computed)
                referenced, documents = cited.put_back(referenced)
            facts = GateFacts(
                text=computed,
                bounds=(),
                evidence=prepare(tuple(exhibits)),
                policy=policy,
                question=question,
                earlier=earlier,
                runs=tuple(runs),
                required_tools=tuple(required_tools),
            )
            known = judged(facts, also, language, OF_EVALUATED)
            if known.findings:
                note_interception(known, policy, language)
    except OverBudgetError:
        return JudgedReferences("", _unjudged(language))
    except Exception:
        _LOGGER.exception("a referenced answer could not be judged")
        return JudgedReferences("", _unjudged(language))
    proof = _merged(referenced, known, language)
    if documents:
        proof = with_documents(proof, documents, referenced.shown, policy, language)
    return JudgedReferences(referenced.shown, proof)


def _cited(
    text: str, chunks: Sequence[Chunk], question: str, language: Language, read: Read
) -> SetAside | None:
    """What a template says of documents; another form has no place for it."""
    if not chunks or read is not read_template:
        return None
    return set_aside(text, chunks, question, language)


def named_tables(exhibits: Sequence[Exhibit]) -> tuple[Table, ...]:
    """The tables of the exhibits, each under the number of its result."""
    found: list[Table] = []
    for at, exhibit in enumerate(exhibits, start=1):
        found += [replace(table, name=f"r{at}") for table in typed_tables(exhibit)[:1]]
    return tuple(found)


def _merged(referenced: ReferencedAnswer, known: Proof, language: Language) -> Proof:
    findings = (*known.findings, *_findings(referenced, language))
    blocked = any(finding.mode is Mode.BLOCK for finding in findings)
    verdict = Verdict.BLOCK if blocked else known.verdict
    return Proof(
        verdict=verdict,
        claims=tuple(map(_claim, referenced.claims)),
        findings=findings,
    )


def _findings(referenced: ReferencedAnswer, language: Language) -> Iterator[Finding]:
    for reason in referenced.findings:
        yield Finding(
            code=_code(reason),
            mode=Mode.BLOCK,
            hint=told(reason, language),
            claim=reason.said,
            start=reason.start,
        )


def _code(reason: Reason) -> GateCode:
    if reason.problem in CONTRADICTED:
        return GateCode.CONTRADICTED_CLAIM
    if reason.problem is Problem.NOT_ADDITIVE:
        return GateCode.ILLEGAL_DERIVATION
    return GateCode.UNGROUNDED_CLAIM


def _claim(claim: ReferencedClaim) -> ProvenClaim:
    stands = claim.stand is Stand.PROVEN
    return ProvenClaim(
        kind=ClaimKind.FACT,
        text=claim.text,
        start=claim.start,
        end=claim.end,
        standing=STANDINGS[claim.stand],
        binding=Binding(ground=Ground.DERIVATION, derivation=claim.words) if stands else None,
    )


def _unjudged(language: Language) -> Proof:
    finding = Finding(
        code=GateCode.TOO_COMPLEX, mode=Mode.BLOCK, hint=message("gate.TOO_COMPLEX", language)
    )
    return Proof(verdict=Verdict.BLOCK, claims=(), findings=(finding,))
