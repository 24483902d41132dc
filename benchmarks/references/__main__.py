"""Referenced answers: ``python -m benchmarks.references --set FILE... --json``.

Prints how many answers are accepted at once and after one message back, and which share of
machine-made corruptions of the accepted ones pass, by kind; ``corruptions`` says which edits count.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.references.corruptions import Corruption, corruptions
from benchmarks.references.items import Item, read_items
from veridical.gate.references.check import ReferencedAnswer, check_referenced


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(prog="references", description=__doc__)
    parser.add_argument("--set", type=Path, nargs="+", required=True, help="JSON lines")
    parser.add_argument("--evidence", type=Path, nargs="*", default=[], help="items by their id")
    parser.add_argument("--misses", action="store_true", help="what is held back, what passes")
    parser.add_argument("--messages", type=Path, help="write the messages back, as JSON lines")
    parser.add_argument("--json", action="store_true", help="print the JSON object only")
    chosen = parser.parse_args()
    items = read_items(chosen.set, chosen.evidence)
    answers = [(item, _checked(item, item.text)) for item in items]
    passed = list(_passed(answers, told=chosen.misses))
    found = {**_acceptance(answers), **_caught(passed)}
    if chosen.misses:
        for item, answer in answers:
            if not answer.ok:
                print(item.id, [(each.problem.value, each.said) for each in answer.findings])
    if chosen.messages:
        _write_messages(chosen.messages, answers)
    print(json.dumps(found) if chosen.json else json.dumps(found, indent=2))


def _checked(item: Item, text: str) -> ReferencedAnswer:
    return check_referenced(text, item.evidence, item.question, item.language)


def _acceptance(answers: Sequence[tuple[Item, ReferencedAnswer]]) -> dict[str, Any]:
    at_once = [item.id for item, answer in answers if answer.ok]
    again = [
        item.id
        for item, answer in answers
        if not answer.ok and item.second is not None and _checked(item, item.second).ok
    ]
    begun = perf_counter()
    for item, _ in answers:
        _checked(item, item.text)
    spent = (perf_counter() - begun) / max(1, len(answers))
    held = Counter(
        problem
        for _, answer in answers
        for problem in {each.problem.value for each in answer.findings}
    )
    by_language = Counter((item.language.value, answer.ok) for item, answer in answers)
    return {
        "answers": len(answers),
        "accepted at once": len(at_once) / max(1, len(answers)),
        "accepted after one message": (len(at_once) + len(again)) / max(1, len(answers)),
        "with a second text": sum(item.second is not None for item, _ in answers),
        "by language": {
            name: by_language[name, True] / total
            for name in ("en", "de", "zh")
            if (total := by_language[name, True] + by_language[name, False])
        },
        "held back by": dict(held.most_common()),
        "milliseconds each": round(1000 * spent, 1),
    }


def _passed(
    answers: Sequence[tuple[Item, ReferencedAnswer]], *, told: bool
) -> Iterator[tuple[str, bool]]:
    """Each corruption that counts: its kind, and whether it passed."""
    for item, answer in answers:
        if not answer.ok:
            continue
        for each in corruptions(item):
            corrupted = _checked(item, each.text)
            if not _counts(each, answer, corrupted):
                continue
            if told and corrupted.ok:
                print(f"PASSED {each.kind} | {item.id} | {each.before} -> {each.after}")
                print(_difference(answer.shown, corrupted.shown))
            yield each.kind, corrupted.ok


def _counts(each: Corruption, answer: ReferencedAnswer, corrupted: ReferencedAnswer) -> bool:
    """Whether what is shown became something else; a list must have become shorter."""
    if each.kind == "list cut":
        return len(corrupted.shown) < len(answer.shown)
    return _plain(corrupted.shown) != _plain(answer.shown)


def _plain(shown: str) -> str:
    """Without spaces: a unit that was printed already may be typed."""
    return "".join(shown.split())


def _difference(one: str, other: str) -> str:
    start = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    return f"   …{other[max(0, start - 60) : start + 60]!r}"


def _caught(passed: Sequence[tuple[str, bool]]) -> dict[str, Any]:
    made = Counter(kind for kind, _ in passed)
    through = Counter(kind for kind, ok in passed if ok)
    return {
        "corruptions": len(passed),
        "corruptions passed": sum(through.values()) / max(1, len(passed)),
        "passed by kind": {
            kind: {"made": made[kind], "passed": through[kind]} for kind in sorted(made)
        },
    }


def _write_messages(path: Path, answers: Sequence[tuple[Item, ReferencedAnswer]]) -> None:
    """What each writer of a held answer gets back."""
    lines = [
        json.dumps({"id": item.id, "message": answer.message(item.language)}, ensure_ascii=False)
        for item, answer in answers
        if not answer.ok
    ]
    path.write_text("\n".join([*lines, ""]), "utf-8")


if __name__ == "__main__":
    main()
