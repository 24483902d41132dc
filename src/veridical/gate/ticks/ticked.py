"""The claims of a text as they are ticked: green only where the binding is certain."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from veridical.contracts.input_budget import keep_time
from veridical.gate.prover.claim import Claim, Stand
from veridical.gate.prover.quoted import quoted
from veridical.gate.ticks.certain import is_certain
from veridical.gate.ticks.chance import is_by_chance
from veridical.gate.ticks.known_names import known_names
from veridical.gate.ticks.question_rank import misplaced
from veridical.gate.ticks.strangers import strangers
from veridical.gate.ticks.times import is_time_shown
from veridical.gate.ticks.unproven_words import governed_figures, open_words, own_words
from veridical.gate.ticks.word_claims import is_word_shown

if TYPE_CHECKING:
    from veridical.gate.prover.prover import Prover


def ticked(prover: "Prover", claims: Iterable[Claim]) -> list[Claim]:
    """The claims, green only where coincidence and other bindings are excluded, together with the
    rest of the text: unknown names, claim words, sentences without claims."""
    given = list(claims)
    unsettled = governed_figures(prover, given)
    figures = {
        each.start: _open(each) if each.start in unsettled else _sure(prover, each)
        for each in given
        if each.kind == "figure"
    }
    wrong = misplaced(prover, figures)
    if wrong is not None:
        inside = {at for at in figures if wrong[0] <= at < wrong[1]}
        figures |= {at: _open(figures[at]) for at in inside}
    found = [
        figures[each.start] if each.kind == "figure" else _shown(prover, each, figures)
        for each in given
    ]
    unknown = strangers(prover)
    found = [each for each in found if each.kind != "time" or not _is_within(each, unknown)]
    found += quoted(prover, open_words(prover, found))
    found += [*known_names(prover, found), *unknown]
    return [*found, *own_words(prover, found)]


def _is_within(claim: Claim, others: list[Claim]) -> bool:
    """True if it is part of another claim: Jan in Jan Keller."""
    return any(each.start <= claim.start and claim.end <= each.end for each in others)


def _sure(prover: "Prover", claim: Claim) -> Claim:
    """The claim of a figure, green only where its binding is certain."""
    keep_time()
    if claim.stand is not Stand.PROVEN:
        return claim
    sure = is_certain(prover, claim) and not is_by_chance(prover, claim)
    return claim if sure else _open(claim)


def _shown(prover: "Prover", claim: Claim, figures: dict[int, Claim]) -> Claim:
    """Any other claim, green where the figures beside it show it."""
    if claim.stand is not Stand.PROVEN:
        return claim
    if claim.kind == "time":
        shown = is_time_shown(prover, claim, figures)
    else:
        shown = is_word_shown(prover, claim)
    return claim if shown else _open(claim)


def _open(claim: Claim) -> Claim:
    return replace(claim, stand=Stand.UNPROVEN) if claim.stand is Stand.PROVEN else claim
