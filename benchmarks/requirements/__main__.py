"""Requirements review: ``python -m benchmarks.requirements --data DIR --json``.

Without options, the figures of the own set: its held-out half, its pairs, and how two labellings
agree. ``--data``: the public sets in this folder, of their published half (``--developed``: of
the other one). ``--set``: JSON lines with ``text``, ``lang`` and ``labels`` (``rule``, ``span``):
precision and recall of the findings by rule and language, and requirements a second. A finding
counts where it overlaps the label's span, each label once. ``--pairs``: JSON lines with ``a``,
``b`` and ``kind``: the confusion of kinds, and how many conflicts were called duplicates.
"""

from pathlib import Path
from typing import Any

from benchmarks.command import command, show
from benchmarks.data import read_lines
from benchmarks.requirements.labelled import (
    guide_rules,
    labels_of,
    measure_agreement,
    measure_pairs,
    measure_set,
)
from benchmarks.requirements.public import relations, sentences
from benchmarks.requirements.public.score import Half

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
    chosen = parser.parse_args()
    found: dict[str, Any] = {}
    if chosen.set:
        found |= measure_set(_lines(chosen.set), misses=chosen.misses)
    if chosen.pairs:
        found |= measure_pairs(_lines(chosen.pairs), misses=chosen.misses)
    if not chosen.set and not chosen.pairs:
        found = own_figures()
    if chosen.data:
        half = Half.DEVELOPED if chosen.developed else Half.PUBLISHED
        found["public"] = {"half": half.value} | {
            name: measure(chosen.data, half) for name, measure in _PUBLIC.items()
        }
    show(found, chosen)


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
