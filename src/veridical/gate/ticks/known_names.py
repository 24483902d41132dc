"""Names of the evidence: proven where the figure beside one belongs to its rows."""

from bisect import bisect_left
from collections.abc import Iterator
from typing import TYPE_CHECKING

from veridical.contracts.input_budget import keep_time
from veridical.gate.prover.claim import Claim, Stand
from veridical.gate.prover.figures import Figure
from veridical.gate.prover.names import NameMention
from veridical.gate.prover.passage import Passage, PassageKind
from veridical.gate.ticks.touched import is_of

if TYPE_CHECKING:
    from veridical.gate.prover.prover import Prover


def _start(mention: NameMention | Figure) -> int:
    return mention.start


def known_names(prover: "Prover", claims: list[Claim]) -> list[Claim]:
    """Each name with a figure beside it, green where the figure is of its rows; a name without a
    figure claims nothing that could be looked up."""
    taken = bytearray(len(prover.answer.text))
    for each in claims:
        taken[each.start : each.end] = b"\1" * (each.end - each.start)
    by_start = {each.start: each for each in claims if each.kind == "figure"}
    found: dict[tuple[int, int], Claim] = {}
    for passage in prover.answer.passages:
        if passage.kind is PassageKind.HEADING:
            continue
        for name, figure in _named_figures(prover, passage):
            keep_time()
            claim = by_start.get(figure.start)
            span = name.start, name.end
            if claim is None or claim.stand is not Stand.PROVEN or claim.basis is None:
                continue  # the figure is marked already
            if any(taken[slice(*span)]):
                continue
            shown = is_of(claim.basis, name)
            stand = Stand.PROVEN if shown else Stand.UNPROVEN
            if span not in found or shown:
                found[span] = Claim(*span, "name", stand, "name", claim.basis if shown else None)
    return list(found.values())


def _named_figures(prover: "Prover", passage: Passage) -> Iterator[tuple[NameMention, Figure]]:
    """The names of a passage, each with the figures that may belong to it: those up to the next
    name, or the last before it; in a table's row all of them."""
    names = [
        each
        for each in prover.answer.within(prover.answer.names, passage.start, passage.end)
        if each.is_key and each.column >= 0
    ]
    figures = prover.answer.within(prover.answer.figures, passage.start, passage.end)
    for name in names:
        keep_time()
        after = bisect_left(names, name.end, key=_start)
        stop = names[after].start if after < len(names) else passage.end
        first = bisect_left(figures, name.end, key=_start)
        behind = list(figures[first : bisect_left(figures, stop, key=_start)])
        if passage.kind is PassageKind.ROW:
            behind = figures
        earlier = figures[: bisect_left(figures, name.start, key=_start)]
        before = [each for each in earlier[-2:] if each.end <= name.start][-1:]
        yield from ((name, figure) for figure in behind[:1] or before)
        if passage.kind is PassageKind.ROW:
            yield from ((name, figure) for figure in behind[1:])
