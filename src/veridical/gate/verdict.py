"""The gate: claims, ticks, rules about the run, verdict. Deterministic; calls no model."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from veridical.contracts.input_budget import (
    DEFAULT_BUDGET,
    InputBudget,
    Limit,
    OverBudgetError,
    keep_time,
    time_limit,
)
from veridical.contracts.language import Language
from veridical.contracts.proof import Finding, GateCode, Proof, ProvenClaim, Verdict
from veridical.contracts.result import ToolRun
from veridical.contracts.source_kind import SourceKind
from veridical.contracts.violation import Mode, weaker
from veridical.evidence.exhibit import Exhibit
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.log import note_interception
from veridical.gate.policy import DEFAULT, Policy, ProofPolicy, read_name
from veridical.gate.quotations.documents import Documented, check_documents
from veridical.gate.quotations.evidence import is_nothing, parted
from veridical.gate.quotations.library import Library, shelve
from veridical.gate.quotations.proving import claims_of, problems_of
from veridical.gate.rules import OF_RUN, Rule, no_evidence
from veridical.gate.rules.gate_facts import GateFacts, conversation
from veridical.gate.rules.problem import Problem
from veridical.gate.shapes import read_material
from veridical.gate.typed_verdict import check_typed
from veridical.gate.wording import worded
from veridical.reading.language import language_of
from veridical.reading.plain_text import PlainText, plain_text

_LOGGER = logging.getLogger("veridical.gate")
_LANGUAGE_SAMPLE = 2_000
"""The number of characters that decide an answer's language."""


def check(
    answer: str,
    evidence: Any,
    *,
    question: str = "",
    earlier: str = "",
    language: Language | None = None,
    policy: Policy | str = DEFAULT,
    runs: Sequence[ToolRun] = (),
    required_tools: Sequence[str] = (),
    source: SourceKind | None = None,
    also: Sequence[Problem] = (),
    budget: InputBudget = DEFAULT_BUDGET,
) -> Proof:
    """The verdict on an answer, with the basis of each of its claims.

    The evidence is what ``prepare`` gave, exhibits, or results as agents have them: rows as
    dictionaries, ``{"columns", "rows"}``, a tool's result, any JSON, a text, or several of these.
    Chunks of documents among it prove only sentences that quote or cite them.
    ``earlier`` are the user's questions before: they complete the current one, and do not decide
    how it is to be answered.
    ``source`` declares what the data comes from: the policy's tools for it must have succeeded.
    Findings are logged where the policy or the environment names a log. ``also`` are problems
    that the host found by itself; they are judged and worded like those of the rules. Never raises:
    an answer beyond the budget, or one that can't be judged, is held back.

    Each claim carries its ``tick``: proven, unproven or contradicted. With the policy ``marked``
    no answer is held back for its claims; a claim is proven only where its binding is certain, and
    unknown names, claim words without a binding and sentences without claims are unproven claims.
    The rules about the run apply: failed calls and required tools, no evidence, emptiness,
    truncation and age. With ``off`` nothing is held back.
    """
    if isinstance(policy, str):
        policy = read_name(policy)  # a misspelt name raises
    read_language = language or language_of(answer[:_LANGUAGE_SAMPLE], Language.EN)
    try:
        with time_limit(budget.seconds):
            budget.ensure_answer(answer)
            whole = conversation(earlier, question)
            budget.ensure_text(Limit.QUESTION, whole)
            documents, evidence = _documents(answer, evidence, whole, language, budget)
            # sentences that documents decide are checked against nothing else
            left = documents.left if documents else answer
            plain = plain_text(left)
            ready, evidence_runs = _read(evidence, budget)
            facts = GateFacts(
                text=plain.text,
                exhibits=ready.exhibits,
                policy=policy,
                question=plain_text(question).text,
                earlier=plain_text(earlier).text,
                runs=tuple(runs) or evidence_runs,
                required_tools=tuple(required_tools),
                source=source,
            )
            proof = _as_shown(_by_types(facts, ready, also, language), plain, left)
            if documents:
                proof = _with_documents(proof, documents, answer, policy, read_language)
            return noted(proof, policy, read_language)
    except OverBudgetError as over:
        unjudged = Problem(GateCode.TOO_COMPLEX, over.limit, values=(("most", f"{over.most:,}"),))
    except Exception:
        # an answer that was not judged must not be shown, whatever went wrong
        _LOGGER.exception("an answer could not be judged")
        unjudged = Problem(GateCode.TOO_COMPLEX)
    nothing = GateFacts(text="", exhibits=(), policy=policy)
    return noted(judged(nothing, (unjudged, *also), read_language, ()), policy, read_language)


def _documents(
    answer: str, evidence: Any, question: str, language: Language | None, budget: InputBudget
) -> tuple[Documented | None, Any]:
    """The part of the answer about documents, if there are any, and the rest of the evidence."""
    if isinstance(evidence, Evidence):
        if not evidence.chunks or evidence.over is not None:
            return None, evidence
        library = evidence.derived.setdefault(Library, shelve(evidence.chunks))
        rest, alone = evidence, is_nothing(evidence.exhibits)
    else:
        chunks, rest = parted(evidence)
        if not chunks:
            return None, evidence
        budget.ensure_evidence(chunks)
        library, alone = shelve(chunks), is_nothing(rest)
    found = check_documents(answer, library, question, language, alone=alone)
    keep_time(now=True)
    return found, rest


def _with_documents(
    proof: Proof, found: Documented, answer: str, policy: Policy, language: Language
) -> Proof:
    """The proof of all other claims, with the quotations and cited sentences added."""
    claims = sorted((*proof.claims, *claims_of(found, answer, language)), key=lambda c: c.start)
    findings = proof.findings
    if policy.policy is not ProofPolicy.OFF:
        facts = GateFacts(text=answer, exhibits=(), policy=policy)
        findings = (*findings, *_findings(problems_of(found, answer), facts, language))
    update = {"claims": tuple(claims), "findings": findings, "verdict": verdict_of(findings)}
    return proof.model_copy(update=update)


def _by_types(
    facts: GateFacts, ready: Evidence, also: Sequence[Problem], language: Language | None
) -> Proof:
    """The verdict of the prover, with the problems of the run and the host."""
    typed = check_typed(facts.text, ready, facts.question, language, facts.earlier)
    if facts.policy.policy is ProofPolicy.OFF:
        return Proof(verdict=Verdict.PASS, claims=typed.claims)
    facts = replace(facts, bounds=typed.bounds)
    problems = [*also, *(problem for rule in OF_RUN for problem in rule(facts))]
    if not facts.exhibits:  # its claims are open, and marked, whatever the text is about
        problems += [replace(each, at_most=Mode.WARN) for each in no_evidence.find(facts)]
    read_language = language or language_of(facts.text[:_LANGUAGE_SAMPLE], Language.EN)
    marked = (each for found in typed.findings if (each := _in_mode(found, facts)) is not None)
    findings = (*_findings(problems, facts, read_language), *marked)
    return Proof(verdict=verdict_of(findings), claims=typed.claims, findings=findings)


def judged(
    facts: GateFacts, also: Sequence[Problem], language: Language, rules: Sequence[Rule]
) -> Proof:
    """The verdict of the rules on bound claims, without logging."""
    problems = list(also)
    for rule in rules:
        problems.extend(rule(facts))
        keep_time(now=True)
    findings = tuple(_findings(problems, facts, language))
    return Proof(verdict=verdict_of(findings), findings=findings)


def verdict_of(findings: Sequence[Finding]) -> Verdict:
    """The verdict of findings: one that blocks holds the answer back."""
    modes = {finding.mode for finding in findings}
    if Mode.BLOCK in modes:
        return Verdict.BLOCK
    return Verdict.WARN if Mode.WARN in modes else Verdict.PASS


def noted(proof: Proof, policy: Policy, language: Language) -> Proof:
    """The proof, after its findings were logged."""
    if proof.findings:
        note_interception(proof, policy, language)
    return proof


def _as_shown(proof: Proof, plain: PlainText, answer: str) -> Proof:
    """The proof with its places and words as they are in the answer itself."""
    if plain.text is answer:
        return proof
    claims: list[ProvenClaim] = []
    for claim in proof.claims:
        start, end = plain.span(claim.start, claim.end)
        place = {"start": start, "end": end, "text": answer[start:end]}
        claims.append(claim.model_copy(update=place))
    findings = tuple(
        each
        if each.start is None
        else each.model_copy(update={"start": plain.span(each.start, each.start + 1)[0]})
        for each in proof.findings
    )
    return proof.model_copy(update={"claims": tuple(claims), "findings": findings})


def prepare(evidence: Any, budget: InputBudget = DEFAULT_BUDGET) -> Evidence:
    """The evidence, read once for several answers.

    Failed calls are no evidence; give them to ``check`` as ``runs``. Evidence beyond the budget is
    not read: every answer that is checked against it is held back.
    """
    try:
        with time_limit(budget.seconds):
            chunks, rest = parted(evidence)
            if chunks:
                budget.ensure_evidence(chunks)
            ready = _read(rest, budget)[0]
            if chunks:
                ready.chunks = chunks
            return ready
    except OverBudgetError as over:
        return Evidence(over=over)


def _read(evidence: Any, budget: InputBudget) -> tuple[Evidence, tuple[ToolRun, ...]]:
    if isinstance(evidence, Evidence):
        if evidence.over is not None:
            raise evidence.over
        return evidence, ()
    budget.ensure_evidence(evidence)
    if isinstance(evidence, tuple) and all(isinstance(each, Exhibit) for each in evidence):
        return Evidence(evidence), ()
    material = read_material(evidence)
    keep_time(now=True)
    return Evidence(material.exhibits), material.runs


def _findings(
    problems: Iterable[Problem], facts: GateFacts, language: Language
) -> Iterator[Finding]:
    for problem in problems:
        keep_time()
        finding = _in_mode(worded(problem, language), facts)
        if finding is not None:
            yield finding


def _in_mode(finding: Finding, facts: GateFacts) -> Finding | None:
    """A finding in the policy's mode, at most its own; none for what the policy never flags."""
    mode, allowed = weaker(facts.policy.mode_of(finding.code), finding.mode), facts.policy.allowed
    start = finding.start
    if mode is Mode.OFF or (
        allowed is not None
        and start is not None
        and any(
            found.start() <= start and start + len(finding.claim) <= found.end()
            for found in allowed.finditer(facts.text)
        )
    ):
        return None
    return finding.model_copy(update={"mode": mode})
