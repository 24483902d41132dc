"""Quotations: ``python -m benchmarks.quotations --data DIR --json``; without data, own texts.

Prints which share of right answers is held back and how many wrong ones pass, by kind and language;
how often runs of words stand in two documents by chance; and what a large set costs.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from time import thread_time
from typing import Any

from benchmarks.command import command, show
from benchmarks.quotations import edits
from benchmarks.quotations.answers import Item, make_answers, sentences_of
from benchmarks.quotations.texts import Half, Text, own_texts, public_texts
from benchmarks.quotations.variants import marked
from veridical import gate
from veridical.contracts.chunk import Chunk
from veridical.contracts.language import Language
from veridical.contracts.proof import Proof

EACH = 60
"""Answers by kind and language."""
_RUNS = 400
_LONGEST_RUN = 8


def main() -> None:
    """Prints the figures; with ``--misses``, what was held back or passed wrongly."""
    parser = command(__doc__, smoke="a few answers over own texts")
    parser.add_argument("--data", type=Path, help="the folder of the public sets")
    parser.add_argument("--half", type=Half, choices=list(Half), default=Half.PUBLISHED)
    parser.add_argument("--each", type=int, default=EACH, help="answers by kind and language")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--misses", action="store_true", help="of the development half only")
    chosen = parser.parse_args()
    data: Path | None = None if chosen.smoke else chosen.data
    texts = own_texts() if data is None else public_texts(data, chosen.half)
    misses = chosen.misses and (chosen.half is Half.DEVELOPMENT or data is None)
    found: dict[str, Any] = {
        "half": "own" if data is None else chosen.half.value,
        **measure(texts, 5 if chosen.smoke else chosen.each, chosen.seed, misses=misses),
    }
    if not chosen.smoke:
        found["runs by chance"] = _by_chance(texts)
    show(found, chosen)


def measure(
    texts: Sequence[Text], each: int = EACH, seed: int = 1, *, misses: bool = False
) -> dict[str, Any]:
    """Answers over the texts, judged, and what a large set costs."""
    items = list(make_answers(texts, each, seed))
    proofs = [gate.check(x.answer, x.chunks, language=x.language) for x in items]
    if misses:
        _print_misses(items, proofs)
    return {
        "documents": len(texts),
        **figures(items, proofs),
        "cost": _cost(texts),
    }


def figures(items: Sequence[Item], proofs: Sequence[Proof]) -> dict[str, Any]:
    """Right answers with a mark and wrong ones without any: in all, by language, by kind."""
    right, wrong, marked, passed = (Counter[str]() for _ in range(4))
    for item, proof in zip(items, proofs, strict=True):
        for key in ("all", str(item.language), item.kind, f"{item.kind}/{item.language}"):
            (right if item.is_right else wrong)[key] += 1
            if item.is_right:
                marked[key] += proof.is_marked
            else:
                passed[key] += not proof.is_marked
    return {
        "answers": len(items),
        "right": right["all"],
        "wrong": wrong["all"],
        "right marked": marked["all"] / max(1, right["all"]),
        "wrong unmarked": passed["all"],
        "by language": {
            each: {"marked": marked[each] / max(1, right[each]), "unmarked": passed[each]}
            for each in map(str, Language)
        },
        "right by kind": {
            kind: {"made": right[kind], "marked": marked[kind]}
            for kind in dict.fromkeys(item.kind for item in items if item.is_right)
        },
        "wrong by kind": {
            kind: {"made": wrong[kind], "unmarked": passed[kind]}
            for kind in dict.fromkeys(item.kind for item in items if not item.is_right)
        },
    }


def _print_misses(items: Sequence[Item], proofs: Sequence[Proof]) -> None:
    for item, proof in zip(items, proofs, strict=True):
        if item.is_right is proof.is_marked:
            told = [
                (finding.code.value, finding.claim, finding.nearest) for finding in proof.findings
            ]
            print(f"{item.kind} {item.language}: {item.answer!r} {told}")


def _cost(texts: Sequence[Text]) -> dict[str, Any]:
    """An answer of 10,000 signs over chunks of 100,000: milliseconds of the processor, where all
    of its quotations are right, and where all are altered."""
    return {str(language): _cost_in(language, texts) for language in Language}


def _cost_in(language: Language, texts: Sequence[Text]) -> dict[str, float]:
    known = [text for text in texts if text.language is language]
    chunks: list[Chunk] = []
    while sum(len(chunk.text) for chunk in chunks) < 100_000:
        text = known[len(chunks) % len(known)]
        chunks.append(Chunk(id=f"c{len(chunks)}", text=text.text, language=language))
    right, wrong = (
        [
            f"{marked(changed, '“”')} [c{at}]."
            for at, text in enumerate(known[: len(chunks)])
            for sentence in sentences_of(text)[:3]
            if (changed := sentence if edit is None else edit(sentence, text.text, (), Random(at)))
        ]
        for edit in (None, edits.word)
    )
    return {"right": _milliseconds(right, chunks), "altered": _milliseconds(wrong, chunks)}


def _milliseconds(quoting: Sequence[str], chunks: Sequence[Chunk]) -> float:
    answer, at = "", 0
    while len(answer) < 10_000:
        answer += f"{quoting[at % len(quoting)]}\n"
        at += 1
    spent: list[float] = []
    for _ in range(5):
        begun = thread_time()
        gate.check(answer, tuple(chunks))
        spent.append(1000 * (thread_time() - begun))
    return round(sorted(spent)[2], 1)


def _by_chance(texts: Sequence[Text]) -> dict[str, dict[str, float]]:
    """Which share of runs of so many words (in Chinese of twice as many signs) of one document
    stands in some other one."""
    found: dict[str, dict[str, float]] = {}
    for language in Language:
        known = [text for text in texts if text.language is language]
        random = Random(str(language))
        found[str(language)] = {}
        for length in range(2, _LONGEST_RUN + 1):
            hits = sum(_stands_elsewhere(known, language, length, random) for _ in range(_RUNS))
            found[str(language)][str(length)] = hits / _RUNS
    return found


def _stands_elsewhere(
    known: Sequence[Text], language: Language, length: int, random: Random
) -> bool:
    text = random.choice(known)
    if language is Language.ZH:
        at = random.randrange(max(1, len(text.text) - 2 * length))
        run = text.text[at : at + 2 * length]
    else:
        words = text.text.split()
        at = random.randrange(max(1, len(words) - length))
        run = " ".join(words[at : at + length])
    return any(run in other.text for other in known if other is not text)


if __name__ == "__main__":
    main()
