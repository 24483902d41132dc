"""The refusal shown in place of an answer that is held back, without anything the block protects.

A skill's required tools and validators protect the data itself, and so does a block on the plain
rows. Then no row leaves the flow, nor any word that quotes one: no sources, no claims, and of the
reasons only their codes. They are in the trace.
"""

from dataclasses import replace

from veridical import gate
from veridical.answering.judgement import Assured
from veridical.contracts.answer import AnswerKind
from veridical.contracts.language import Language
from veridical.contracts.proof import (
    CheckResult,
    Finding,
    GateCode,
    Outcome,
    Proof,
    QualityCheck,
    QualityReport,
    Verdict,
)
from veridical.gate.rules.unproven import is_refusal
from veridical.messages import message

_QUOTING = frozenset({QualityCheck.GATE, QualityCheck.VALIDATOR})
"""Checks whose reasons quote the answer or the data."""


def refused(blocked: Assured, rows: Assured | None, language: Language) -> Assured:
    """The refusal. ``rows`` is the verdict on the plain rows, where they were tried and blocked."""
    by_skill = any(each is not None and _by_skill(each) for each in (blocked, rows))
    proofs = (each.proof for each in (blocked, rows) if each is not None)
    why = next((proof for proof in proofs if proof and proof.verdict is Verdict.BLOCK), None)
    text = message("flow.held_back", language)
    if why is not None and not by_skill:
        text = gate.friendly(why, language)
    if why is not None:
        why = why.model_copy(update={"claims": ()})  # of a text that is not shown
    outcome = replace(blocked.outcome, kind=AnswerKind.UNKNOWN, text=text)
    if rows is None and not by_skill:
        return replace(blocked, outcome=outcome, proof=why, facts=None)
    return Assured(
        outcome=replace(outcome, sources=(), suggested_answers=()),
        proof=_bare_proof(why, language) if why else None,
        quality=_bare_report(blocked.quality) if blocked.quality else None,
    )


def admitted(shown: Assured) -> Assured:
    """The outcome that may be shown; an agent that only says that it can't say gave no answer."""
    outcome, proof = shown.outcome, shown.proof
    if outcome.kind is not AnswerKind.AGENT or proof is None or proof.proves:
        return shown
    if not is_refusal(outcome.text):
        return shown
    return replace(shown, outcome=replace(outcome, kind=AnswerKind.UNKNOWN))


def _by_skill(judged: Assured) -> bool:
    """True where the skill's own checks block, independent of the answer gate."""
    report = judged.quality
    if report is None or report.verdict is not Verdict.BLOCK:
        return False
    failed = {each.check for each in report.checks if each.outcome is Outcome.FAILED}
    return failed != {QualityCheck.GATE}


def _bare_proof(proof: Proof, language: Language) -> Proof:
    findings = tuple(_bare_finding(each, language) for each in proof.findings)
    return proof.model_copy(update={"findings": findings})


def _bare_finding(finding: Finding, language: Language) -> Finding:
    of_question = finding.code is GateCode.QUESTION_NOT_COVERED
    bare = Finding(code=finding.code, hint="", claim=finding.claim if of_question else "")
    hint = gate.friendly(Proof(verdict=Verdict.BLOCK, findings=(bare,)), language)
    return bare.model_copy(update={"mode": finding.mode, "hint": hint})


def _bare_report(report: QualityReport) -> QualityReport:
    return report.model_copy(update={"checks": tuple(map(_bare_check, report.checks))})


def _bare_check(check: CheckResult) -> CheckResult:
    return check.model_copy(update={"reasons": ()}) if check.check in _QUOTING else check
