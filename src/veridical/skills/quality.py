"""The quality gate: whether the answer of a skill's run may be shown.

The answer gate judges what an answer says; this judges whether the skill did its work: its tools
ran, the proof holds under its settings, the answer is about its topic, the host's validators have
no objection. That an answer is off the skill's topic is a weak sign: alone it only warns,
together with anything else that went wrong it blocks.
"""

from collections.abc import Iterable

from veridical.contracts.answer import Source
from veridical.contracts.language import Language
from veridical.contracts.proof import (
    CheckResult,
    Finding,
    Outcome,
    Proof,
    QualityCheck,
    QualityReport,
    Verdict,
)
from veridical.contracts.result import ToolRun
from veridical.contracts.violation import Mode, weaker
from veridical.messages import message
from veridical.skills.keyword_match import TokenizedText, find, tokenized
from veridical.skills.skill import Skill, Strictness, words_in
from veridical.skills.validation import Submission, objections

_OUTCOMES = {
    Verdict.PASS: Outcome.PASSED,
    Verdict.WARN: Outcome.WARNED,
    Verdict.BLOCK: Outcome.FAILED,
}
_GRAVEST_LAST = (Outcome.PASSED, Outcome.WARNED, Outcome.FAILED)
_OF_MODE = {
    Mode.OFF: Outcome.PASSED,
    Mode.SHADOW: Outcome.PASSED,
    Mode.WARN: Outcome.WARNED,
    Mode.BLOCK: Outcome.FAILED,
}
_OWN_MATTER = 0.5
"""The least share of the words found that must be the skill's own."""


def run_quality_gate(
    output: str,
    skill: Skill,
    question: str,
    proof: Proof | None,
    runs: Iterable[ToolRun],
    *,
    sources: tuple[Source, ...] = (),
    rivals: Iterable[Skill] = (),
    language: Language = Language.EN,
) -> QualityReport:
    """The report on one answer of a skill. ``rivals`` are skills it could be taken for."""
    submission = Submission(question, output, sources, language)
    checks = (
        _required_tools(skill, tuple(runs), language),
        _proof(skill, proof, language),
        _skill_match(output, skill, tuple(rivals), language),
        *_validators(skill, submission),
    )
    return QualityReport(skill=skill.name, verdict=_verdict(checks), checks=checks)


def findings_under(skill: Skill, proof: Proof) -> tuple[Finding, ...]:
    """The proof's findings in the skill's modes, which can only soften what the gate found."""
    allowed = skill.gate.modes
    return tuple(
        finding.model_copy(
            update={"mode": weaker(finding.mode, allowed.get(finding.code, finding.mode))}
        )
        for finding in proof.findings
    )


def _required_tools(skill: Skill, runs: tuple[ToolRun, ...], language: Language) -> CheckResult:
    ran = {run.tool for run in runs}
    succeeded = {run.tool for run in runs if run.success}
    reasons = tuple(
        message("skills.tool_failed" if tool in ran else "skills.tool_not_run", language, tool=tool)
        for tool in skill.required_tools
        if tool not in succeeded
    )
    outcome = Outcome.FAILED if reasons else Outcome.PASSED
    if not skill.required_tools:
        outcome = Outcome.NOT_EVALUATED
    return CheckResult(check=QualityCheck.REQUIRED_TOOLS, outcome=outcome, reasons=reasons)


def _proof(skill: Skill, proof: Proof | None, language: Language) -> CheckResult:
    if proof is None:
        return CheckResult(
            check=QualityCheck.GATE,
            outcome=Outcome.NOT_EVALUATED,
            reasons=(message("skills.gate_not_run", language),),
        )
    findings = findings_under(skill, proof)
    outcome = _OUTCOMES[proof.verdict]
    if findings:
        outcome = max((_OF_MODE[each.mode] for each in findings), key=_GRAVEST_LAST.index)
    shown = (each for each in findings if _OF_MODE[each.mode] is not Outcome.PASSED)
    reasons = tuple(each.hint for each in shown)
    return CheckResult(check=QualityCheck.GATE, outcome=outcome, reasons=reasons)


def _skill_match(
    output: str, skill: Skill, rivals: tuple[Skill, ...], language: Language
) -> CheckResult:
    text = tokenized(output)
    check = QualityCheck.SKILL_MATCH
    if not _all_words(skill) or not text.words:
        return CheckResult(check=check, outcome=Outcome.NOT_EVALUATED)
    own = _hits(skill, text)
    strongest = max(rivals, key=lambda rival: _hits(rival, text), default=None)
    against = _hits(strongest, text) if strongest else 0
    score = round(own / (own + against), 3) if own else 0.0
    if strongest and against and score < _OWN_MATTER:
        reason = message("skills.rather_another", language, other=strongest.name)
    elif not own:
        reason = message("skills.not_of_the_skill", language, name=skill.name)
    else:
        return CheckResult(check=check, outcome=Outcome.PASSED, score=score)
    return CheckResult(check=check, outcome=Outcome.WARNED, reasons=(reason,), score=score)


def _all_words(skill: Skill) -> tuple[str, ...]:
    intent = skill.intent
    return (*words_in(intent.keywords), *words_in(intent.disambiguation_keywords))


def _hits(skill: Skill, text: TokenizedText) -> int:
    return len(find(_all_words(skill), text).words)


def _validators(skill: Skill, submission: Submission) -> Iterable[CheckResult]:
    for validator in skill.validators:
        against = objections(validator.path, submission)
        failed = Outcome.FAILED if validator.mode is Strictness.STRICT else Outcome.WARNED
        yield CheckResult(
            check=QualityCheck.VALIDATOR,
            outcome=failed if against else Outcome.PASSED,
            subject=validator.path,
            reasons=against,
        )


def _verdict(checks: tuple[CheckResult, ...]) -> Verdict:
    outcomes = {each.outcome for each in checks}
    warned = [each.check for each in checks if each.outcome is Outcome.WARNED]
    off_the_matter = QualityCheck.SKILL_MATCH in warned
    if Outcome.FAILED in outcomes or (off_the_matter and len(warned) > 1):
        return Verdict.BLOCK
    unproven = any(
        each.check is QualityCheck.GATE and each.outcome is Outcome.NOT_EVALUATED for each in checks
    )
    return Verdict.WARN if warned or unproven else Verdict.PASS
