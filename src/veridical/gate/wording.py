"""Problems to findings: the hint in the answer's language, at most 160 characters."""

from veridical.contracts.language import Language
from veridical.contracts.proof import Finding, GateCode, Proof, Standing, Verdict
from veridical.contracts.violation import Mode
from veridical.gate.proving import shown_binding
from veridical.gate.rules.problem import Problem
from veridical.messages import message

HINT_LENGTH = 160
_LONGEST_CLAIM = 60
_WEIGHTIEST_FIRST = tuple(GateCode)


def worded(problem: Problem, language: Language) -> Finding:
    """The finding that a person or a model reads, in the strictest mode that it may have."""
    bound = problem.bound
    claim = problem.claim or (bound.text if bound else "")
    cell = problem.instead or _nearest(problem, language)
    key = "gate.instead" if bound and bound.standing is Standing.CONTRADICTED else "gate.nearest"
    hint = message(
        f"gate.{problem.code}{problem.message and f'_{problem.message}'}",
        language,
        claim=_cut(" ".join(claim.split()), _LONGEST_CLAIM),
        nearest=message(key, language, cell=cell) if cell else "",
        found=cell,
        **dict(problem.values),
    )
    return Finding(
        code=problem.code,
        mode=problem.at_most,
        hint=_cut(hint.strip(), HINT_LENGTH),
        claim=claim,
        start=bound.start if bound and not problem.claim else problem.start,
        nearest=cell,
    )


def friendly(proof: Proof, language: Language) -> str:
    """The text shown instead of a blocked answer: what happened and what to do next."""
    weighty = Mode.BLOCK if proof.verdict is Verdict.BLOCK else Mode.WARN
    weighed = [finding for finding in proof.findings if finding.mode is weighty]
    if not weighed:
        return message("gate.friendly_PASS" if proof.proves else "gate.no_claims", language)
    leading = min(weighed, key=lambda finding: _WEIGHTIEST_FIRST.index(finding.code))
    variant = "_instead" if leading.code in _SAY_INSTEAD and leading.nearest else ""
    return message(
        f"gate.friendly_{leading.code}{variant}",
        language,
        asked=leading.claim,
        found=leading.nearest,
    )


_SAY_INSTEAD = frozenset({GateCode.QUESTION_NOT_COVERED})
"""The codes whose message shows the value that was found instead."""


def _nearest(problem: Problem, language: Language) -> str:
    bound = problem.bound
    if bound is None or bound.binding is None or bound.standing is Standing.GROUNDED:
        return ""
    return shown_binding(bound.binding, language)


def _cut(text: str, length: int) -> str:
    if len(text) <= length:
        return text
    kept = text[: length - 1]
    return (kept.rsplit(" ", 1)[0] if " " in kept[length // 2 :] else kept) + "…"
