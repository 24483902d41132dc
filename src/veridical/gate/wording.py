"""Problems to findings: the hint in the answer's language, at most 160 characters."""

from typing import Any

from veridical.contracts.language import Language
from veridical.contracts.proof import Finding, GateCode, Proof, Standing, Verdict
from veridical.contracts.violation import Mode
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.evidence.sheet import Place
from veridical.gate.held_value import first_place, has_value, value_of
from veridical.gate.proving import proven, shown_binding
from veridical.gate.rules.problem import Problem
from veridical.messages import message

HINT_LENGTH = 160
_LONGEST_CLAIM = 60
_WEIGHTIEST_FIRST = tuple(GateCode)


def worded(problem: Problem, mode: Mode, evidence: Evidence, language: Language) -> Finding:
    """The finding that a person or a model reads."""
    bound = problem.bound
    claim = problem.claim or (bound.claim.text if bound else "")
    held = _held(problem, evidence, language)
    cell = problem.instead or held or _nearest(problem, evidence, language)
    told = "gate.instead" if bound and bound.standing is Standing.CONTRADICTED else "gate.nearest"
    variant = "elsewhere" if held else problem.message or _kind_of_message(problem)
    hint = message(
        f"gate.{problem.code}{variant and f'_{variant}'}",
        language,
        claim=_cut(" ".join(claim.split()), _LONGEST_CLAIM),
        nearest=message(told, language, cell=cell) if cell else "",
        found=cell,
        **dict(problem.values),
    )
    return Finding(
        code=problem.code,
        mode=mode,
        hint=_cut(hint.strip(), HINT_LENGTH),
        claim=claim,
        start=bound.claim.start if bound and not problem.claim else problem.start,
        nearest=cell,
    )


def friendly(proof: Proof, language: Language) -> str:
    """What a user reads instead of a blocked answer: what happened and what to do next."""
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
"""The reasons that a user understands better with what was found instead."""


def _held(problem: Problem, evidence: Evidence, language: Language) -> str:
    """The cell that has the very value of a claim that does not stand: it is told of, since no one
    is to read that no result has it, or that it contradicts itself."""
    bound = problem.bound
    if bound is None or problem.message or problem.code not in _OF_VALUES:
        return ""
    value, place = value_of(bound.claim), bound.place
    if problem.code is GateCode.UNGROUNDED_CLAIM:
        found = first_place(value, (sheet.rows for sheet in evidence.sheets))
        place = Place(*found) if found else None
    elif bound.derivation or (place and not has_value(_cell(place, evidence), value)):
        return ""
    if place is None or not value.fits(evidence.unit(place)):
        return ""
    there = bound._replace(standing=Standing.UNGROUNDED, place=place, reason="", derivation="")
    nearest = proven(there, evidence).nearest
    return shown_binding(nearest, language) if nearest else ""


_OF_VALUES = frozenset({GateCode.UNGROUNDED_CLAIM, GateCode.CONTRADICTED_CLAIM})


def _cell(place: Place, evidence: Evidence) -> Any:
    return evidence.sheets[place.sheet].rows[place.row][place.column]


def _kind_of_message(problem: Problem) -> str:
    """For arithmetic that does not agree, which the results may not have; and for a word that is no
    value, so that none need have it."""
    bound = problem.bound
    if bound is None:
        return ""
    if problem.code is GateCode.CONTRADICTED_CLAIM:
        return "arithmetic" if bound.derivation else ""
    unvalued = not value_of(bound.claim).is_value
    return "word" if unvalued and problem.code is GateCode.UNGROUNDED_CLAIM else ""


def _nearest(problem: Problem, evidence: Evidence, language: Language) -> str:
    if problem.bound is None or problem.bound.standing is Standing.GROUNDED:
        return ""
    claim = proven(problem.bound, evidence)
    binding = claim.nearest or claim.binding
    return shown_binding(binding, language) if binding else ""


def _cut(text: str, length: int) -> str:
    if len(text) <= length:
        return text
    kept = text[: length - 1]
    return (kept.rsplit(" ", 1)[0] if " " in kept[length // 2 :] else kept) + "…"
