"""Counts what a gate does with the items: by language and by kind of corruption."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from statistics import quantiles
from time import perf_counter
from typing import Any

from benchmarks.wild_answers.items import Item
from veridical.contracts.proof import Proof, Verdict

Gate = Callable[[Item], Proof]
Judged = tuple[Item, Proof, float]


def judge(items: Sequence[Item], gate: Gate) -> list[Judged]:
    """Each item with its proof and the milliseconds that it took."""
    found: list[Judged] = []
    for item in items:
        begun = perf_counter()
        proof = gate(item)
        found.append((item, proof, (perf_counter() - begun) * 1000))
    return found


def figures(strict: Sequence[Judged], mark: Sequence[Judged]) -> dict[str, Any]:
    """All figures of one run under both policies."""
    good = [(item, proof) for item, proof, _ in strict if item.is_good]
    wrong = [(item, proof) for item, proof, _ in strict if not item.is_good]
    twins = {item.pair: _findings(proof) for item, proof in good}
    caught = {item.id: _is_attributed(item, proof, twins) for item, proof in wrong}
    hidden = [proof.verdict is Verdict.BLOCK for item, proof, _ in mark if item.is_good]
    by_language: dict[str, Any] = {}
    for language in sorted({item.language for item, _ in good}):
        mine = [proof for item, proof in good if item.language == language]
        its = [caught[item.id] for item, _ in wrong if item.language == language]
        by_language[language] = {
            "good_blocked": _share(_blocked(mine)), "attributed": _share(its),
        }  # fmt: skip
    kinds: dict[str, list[bool]] = defaultdict(list)
    for item, _ in wrong:
        kinds[item.kind].append(caught[item.id])
    times = sorted(took for _, _, took in strict)
    return {
        "good": len(good),
        "corrupted": len(wrong),
        "good_blocked": _share(_blocked(proof for _, proof in good)),
        "attributed": _share(caught.values()),
        "good_hidden": _share(hidden),
        "languages": by_language,
        "kinds": {
            kind: {"n": len(its), "attributed": _share(its)} for kind, its in sorted(kinds.items())
        },
        "p50_ms": round(times[len(times) // 2], 1),
        "p95_ms": round(quantiles(times, n=20)[-1], 1),
    }


def _blocked(proofs: Iterable[Proof]) -> list[bool]:
    return [proof.verdict is Verdict.BLOCK for proof in proofs]


def _findings(proof: Proof) -> Counter[tuple[str, str]]:
    return Counter((finding.code, finding.claim) for finding in proof.findings)


def _is_attributed(item: Item, proof: Proof, twins: dict[str, Counter[tuple[str, str]]]) -> bool:
    """Blocked with a finding that the good twin lacks: blocking everything catches nothing."""
    own = _findings(proof) - twins.get(item.pair, Counter())
    return proof.verdict is Verdict.BLOCK and bool(own)


def _share(values: Iterable[bool]) -> float:
    listed = list(values)
    return round(sum(listed) / len(listed), 4) if listed else 0.0
