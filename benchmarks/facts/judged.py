"""What readers said of answers, recorded: preferred or not, how readable, what is not supported.

    python -m benchmarks.facts.judged --json

``preference``: of pairs in random order, an answer in facts and a free text of the same question
over the same data, judged by readers who did not know which is which; the second reading is that of
other readers, after what the first complained of was mended. ``composed``: answers that the host
gave alone, over results of right queries, and over plain tables where the question asks for
something that must be computed from them.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.command import command, show
from benchmarks.data import read_lines

RECORDED = Path(__file__).parent / "recorded"


def preference(lines: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Choices by language, mean readability of either side, unsupported statements of either."""
    found: dict[str, Any] = {}
    for language in ("en", "de", "zh", ""):
        own = [each for each in lines if str(each["id"]).startswith(language)]
        choices = Counter(str(each["choice"]) for each in own)
        found[language or "all"] = {
            **{name: choices[name] for name in ("facts", "free", "tie")},
            "readability_facts": _mean(own, "readability_facts"),
            "readability_free": _mean(own, "readability_free"),
            "unsupported_facts": sum(int(each["unsupported_facts"]) for each in own),
            "unsupported_free": sum(int(each["unsupported_free"]) for each in own),
        }
    return found


def composed(lines: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Mean readability by what the answers were composed from."""
    kinds = sorted({str(each["over"]) for each in lines})
    groups = {kind: [each for each in lines if each["over"] == kind] for kind in kinds}
    return {kind: {"answers": len(own), "readability": _mean(own, "readability")}
            for kind, own in groups.items()}  # fmt: skip


def _mean(lines: Sequence[Mapping[str, Any]], key: str) -> float:
    return round(sum(float(each[key]) for each in lines) / max(1, len(lines)), 2)


def main() -> None:
    """Print the figures."""
    options = command(__doc__).parse_args()
    lines = list(read_lines(RECORDED / "preference.jsonl"))
    found = {
        "preference": {
            str(reading): preference([each for each in lines if each["reading"] == reading])
            for reading in sorted({each["reading"] for each in lines})
        },
        "composed": composed(list(read_lines(RECORDED / "composed.jsonl"))),
    }
    show(found, options)


if __name__ == "__main__":
    main()
