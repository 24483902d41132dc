"""Claims that stand in a text of the evidence."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from veridical.gate.prover.basis import Basis
from veridical.gate.prover.claim import Claim, Stand
from veridical.gate.prover.how import How
from veridical.gate.prover.prover import Prover
from veridical.reading.language import small_words

_QUOTED = frozenset({"figure", "time", "rank", "proportion", "cause", "compare", "word"})


def quoted(prover: Prover, claims: Iterable[Claim]) -> Iterator[Claim]:
    """The claims; those that stand in a text of the evidence are proven by it."""
    texts = prover.ready.texts
    small = small_words(prover.answer.words.language)
    for claim in claims:
        if not texts or claim.stand is not Stand.UNPROVEN or claim.kind not in _QUOTED:
            yield claim
            continue
        passages = prover.answer.passages
        here = (each for each in passages if each.start <= claim.start < each.end)
        around = "".join(prover.answer.text[each.start : each.end] for each in here)
        if texts.has(claim, prover.answer.text, around, small):
            yield replace(claim, stand=Stand.PROVEN, reason=How.TEXT, basis=Basis(How.TEXT))
        else:
            yield claim
