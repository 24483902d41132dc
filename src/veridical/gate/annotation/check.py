"""Checks an annotation: it renders to the text, and stands as any referenced answer has to."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from veridical.contracts.input_budget import DEFAULT_BUDGET, OverBudgetError, time_limit
from veridical.contracts.language import Language
from veridical.contracts.proof import GateCode, Proof, Verdict
from veridical.contracts.result import ToolRun
from veridical.contracts.violation import Mode
from veridical.evidence.moment import find_moments
from veridical.gate.annotation.alignment import Alignment, Difference, align
from veridical.gate.annotation.claims import unlike
from veridical.gate.annotation.figures import reached
from veridical.gate.annotation.spoken import unspoken
from veridical.gate.evidence.exhibit import Exhibit
from veridical.gate.policy import Policy
from veridical.gate.references.host import Host
from veridical.gate.references.shown import Part, Shown
from veridical.gate.references.template import read_template
from veridical.gate.references.verdict import check_references, named_tables
from veridical.gate.references.words import words
from veridical.gate.rules.gate_facts import conversation
from veridical.gate.rules.problem import Problem as RuleProblem
from veridical.late_pattern import late_pattern
from veridical.messages import message

_LOGGER = logging.getLogger("veridical.gate")
_LIFTED = frozenset({GateCode.UNGROUNDED_CLAIM, GateCode.UNKNOWN_NAME})
"""What only means that nobody has found a proof yet."""
_FIGURE = late_pattern(r"(?<![^\W\d])\d[\d.,'’]*")
_LIST_NUMBER = late_pattern(r"(?m)^\s*\d+[.)] ")


@dataclass(frozen=True, slots=True)
class CheckedAnnotation:
    """The proof of the text, or why the annotation proves nothing."""

    proof: Proof | None
    reasons: tuple[str, ...] = ()


def is_unproven_only(proof: Proof) -> bool:
    """Whether a proof lacks nothing but proofs: nothing speaks against the answer."""
    return bool(proof.findings) and all(each.code in _LIFTED for each in proof.findings)


def check_annotation(
    text: str,
    annotation: str,
    exhibits: Sequence[Exhibit],
    *,
    question: str,
    earlier: str = "",
    language: Language,
    policy: Policy,
    runs: Sequence[ToolRun] = (),
    required_tools: Sequence[str] = (),
    also: Sequence[RuleProblem] = (),
) -> CheckedAnnotation:
    """The proof of a text by somebody's annotation of it; never raises.

    Whoever annotates is not trusted: what does not render to the text, or does not stand by
    the rules of referenced answers, proves nothing and says nothing against the text.
    """
    try:
        with time_limit(DEFAULT_BUDGET.seconds):
            DEFAULT_BUDGET.ensure_answer(text)
            DEFAULT_BUDGET.ensure_answer(annotation)
            said = conversation(earlier, question)
            host = Host(named_tables(exhibits), said, language)
            shown = host.show(read_template(annotation.strip()))
            aligned = align(shown, text, language)
            reasons = [
                *_unlike(aligned, language),
                *_borrowed(shown, language),
                *_unspoken(shown, host, said, language),
                *_unlike_their_words(shown, host, language),
                *_reached(shown, host, language),
            ]
    except OverBudgetError:
        return _refused(message("gate.TOO_COMPLEX", language))
    except Exception:
        _LOGGER.exception("an annotation could not be laid over its text")
        return _refused(message("gate.TOO_COMPLEX", language))
    judged = check_references(
        annotation.strip(),
        exhibits,
        question=question,
        earlier=earlier,
        language=language,
        policy=policy,
        runs=runs,
        required_tools=required_tools,
        also=also,
    ).proof
    reasons += [each.hint for each in judged.findings if each.mode is Mode.BLOCK]
    if reasons or isinstance(aligned, Difference) or judged.verdict is Verdict.BLOCK:
        return _refused(*dict.fromkeys(reasons))
    return CheckedAnnotation(_moved(judged, aligned, text))


def _refused(*reasons: str) -> CheckedAnnotation:
    return CheckedAnnotation(None, reasons)


def _unlike(aligned: Alignment | Difference, language: Language) -> Iterator[str]:
    if isinstance(aligned, Difference):
        rendered, original = aligned.rendered.strip(), aligned.original.strip()
        yield message("annotation.differs", language, rendered=rendered, original=original)


def _borrowed(shown: Shown, language: Language) -> Iterator[str]:
    """Figures that stand because the question has them: the asker's figure proves no answer."""
    for piece in shown.pieces:
        if piece.part is Part.QUOTE or (piece.part is Part.PROSE and piece.claim is None):
            times = [(each.start, each.end) for each in find_moments(piece.text)]
            text = _LIST_NUMBER.sub(lambda found: " " * len(found[0]), piece.text)
            for found in _FIGURE.finditer(text):
                if not any(start <= found.start() < end for start, end in times):
                    yield message("annotation.borrowed", language, said=found[0])


def _unspoken(shown: Shown, host: Host, question: str, language: Language) -> Iterator[str]:
    for claim in unspoken(shown, host, question):
        said = shown.text[claim.start : claim.end]
        yield message("annotation.unspoken", language, said=said, condition=claim.source)


def _unlike_their_words(shown: Shown, host: Host, language: Language) -> Iterator[str]:
    for claim in unlike(shown, host, words(language)):
        said = shown.text[claim.start : claim.end]
        yield message("annotation.unlike", language, said=said, condition=claim.source)


def _reached(shown: Shown, host: Host, language: Language) -> Iterator[str]:
    for piece in reached(shown, host, words(language)):
        yield message("annotation.reached", language, said=piece.source)


def _moved(proof: Proof, aligned: Alignment, text: str) -> Proof:
    """The proof with its places and words as they are in the text itself."""
    claims = [
        claim.model_copy(
            update={"start": start, "end": end, "text": text[start:end]},
        )
        for claim in proof.claims
        for start, end in [aligned.span(claim.start, claim.end)]
    ]
    return proof.model_copy(update={"claims": tuple(claims)})
