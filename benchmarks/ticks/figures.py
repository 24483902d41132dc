"""Counts how stretches that are known to be true or wrong are ticked."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from benchmarks.ticks.stretches import Marked, Span
from veridical.contracts.proof import Proof, Tick

Gate = Callable[[Marked], Proof]
UNSEEN = "unseen"
_WORST = (Tick.CONTRADICTED, Tick.UNPROVEN, Tick.PROVEN)


def tick_of(span: Span, proof: Proof) -> str:
    """How a stretch is ticked: as the worst of the claims that touch it."""
    found = {claim.tick for claim in proof.claims if claim.start < span[1] and span[0] < claim.end}
    return next((tick for tick in _WORST if tick in found), UNSEEN)


def figures(items: Sequence[Marked], gate: Gate) -> dict[str, Any]:
    """All figures of one half of the domains."""
    true: Counter[str] = Counter()
    wrong: dict[str, Counter[str]] = defaultdict(Counter)
    own: Counter[str] = Counter()
    unmarked = 0
    for item in items:
        proof = gate(item)
        ticks = [tick_of(span, proof) for span in item.stretches]
        if item.is_good:
            true.update(ticks)
            own.update(claim.tick for claim in proof.claims)
        else:
            wrong[item.kind].update(ticks)
            unmarked += not proof.is_marked
    return {
        "true_claims": _shares(true),
        "ticks_of_good_answers": _shares(own),
        "wrong_stretches": _shares(sum(wrong.values(), Counter[str]())),
        "corrupted_unmarked": unmarked,
        "kinds": {kind: _shares(found) for kind, found in sorted(wrong.items())},
    }


def _shares(found: Counter[str]) -> dict[str, Any]:
    """How many there are, and which part of them is ticked how."""
    total = found.total()
    shares = {each: round(found[each] / total, 4) if total else 0.0 for each in _order()}
    return {"n": total, **shares}


def _order() -> Iterable[str]:
    return (*map(str, reversed(_WORST)), UNSEEN)
