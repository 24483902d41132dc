"""Requirements review: ``python -m benchmarks.requirements --data DIR --json``.

Without options, the figures of the own set: its held-out half, its pairs, and how two labellings
agree. ``--data``: the public sets in this folder, of their published half (``--developed``: of
the other one). ``--set``: JSON lines with ``text``, ``lang`` and ``labels`` (``rule``, ``span``):
precision and recall of the findings by rule and language, and requirements a second. A finding
counts where it overlaps the label's span, each label once. ``--pairs``: JSON lines with ``a``,
``b`` and ``kind``: the confusion of kinds, and how many conflicts were called duplicates.
A set whose lines have ``testable``, or labels without a span, is labelled in plain words.
``--dialogues``: ``requirement``, ``question`` (or its kind, ``asks``, and ``about`` what),
``answer`` and ``expected`` (accepted or open).
"""

from pathlib import Path
from typing import Any

from benchmarks.command import command, show
from benchmarks.data import read_lines
from benchmarks.requirements.dialogues import measure_dialogues
from benchmarks.requirements.labelled import (
    guide_rules,
    labels_of,
    measure_agreement,
    measure_pairs,
    measure_set,
)
from benchmarks.requirements.public import relations, sentences
from benchmarks.requirements.public.score import Half
from benchmarks.requirements.reviewed import measure_reviewed
from benchmarks.search.embedded import EMBEDDERS, kept_embedder
from veridical.requirements.relations.meaning import Meaning, tried

OWN = Path(__file__).parent / "own"
_PUBLIC = {
    "pronouns": sentences.pronouns,
    "stories": relations.stories,
    "backlogs": relations.backlogs,
    "conflicts": relations.conflicts,
    "alarms": sentences.alarms,
    "classes": sentences.obliging,
}


def main() -> None:
    """Prints the figures."""
    parser = command(__doc__)
    parser.add_argument("--set", type=Path, nargs="*", default=[], help="labelled requirements")
    parser.add_argument("--pairs", type=Path, nargs="*", default=[], help="labelled pairs")
    parser.add_argument("--data", type=Path, help="folder of the public sets")
    parser.add_argument("--developed", action="store_true", help="the half to develop with")
    parser.add_argument("--misses", action="store_true", help="print what differs from the labels")
    parser.add_argument("--dialogues", type=Path, nargs="*", default=[], help="questions, answers")
    parser.add_argument(
        "--embedder", choices=EMBEDDERS, help="compare pairs by the vectors of this model too"
    )
    chosen = parser.parse_args()
    found: dict[str, Any] = {}
    if chosen.set:
        items = _lines(chosen.set)
        is_reviewed = any("testable" in item or _is_plain(item) for item in items)
        found["set"] = (measure_reviewed if is_reviewed else measure_set)(
            items, misses=chosen.misses
        )
    if chosen.pairs:
        found["pairs"] = measure_pairs(
            _lines(chosen.pairs), misses=chosen.misses, meaning=_meaning(chosen.embedder)
        )
    if chosen.dialogues:
        found["dialogues"] = measure_dialogues(_lines(chosen.dialogues), misses=chosen.misses)
    if not found:
        found = own_figures()
    if chosen.data:
        half = Half.DEVELOPED if chosen.developed else Half.PUBLISHED
        found["public"] = {"half": half.value} | {
            name: measure(chosen.data, half) for name, measure in _PUBLIC.items()
        }
    show(found, chosen)


def _is_plain(item: dict[str, Any]) -> bool:
    """True for labels without a place in the text."""
    return any(isinstance(each, str) or "span" not in each for each in item["labels"])


def _meaning(name: str | None) -> Meaning | None:
    return (
        tried(kept_embedder(Path.home() / ".cache" / "veridical-bench", name).embedder.embed)
        if name
        else None
    )


def own_figures() -> dict[str, Any]:
    """The held-out half of the own set, all of its pairs, and the agreement of its labellings."""
    halves = [OWN / "read", OWN / "held_out"]
    author = labels_of(_lines([half / "requirements.jsonl" for half in halves]))
    rules = guide_rules(OWN / "labelling.md")
    return {
        "held_out": measure_set(_lines([OWN / "held_out" / "requirements.jsonl"]), misses=False),
        "pairs": measure_pairs(_lines([half / "pairs.jsonl" for half in halves]), misses=False),
        "agreement": {
            name: measure_agreement(author, labels_of(_lines([OWN / file])), rules)
            for name, file in (
                ("author_again", "twice_again.jsonl"),
                ("second_labeller", "twice_second.jsonl"),
            )
        },
    }


def _lines(paths: list[Path]) -> list[dict[str, Any]]:
    return [line for path in paths for line in read_lines(path)]


if __name__ == "__main__":
    main()
