"""Ticks for free text: ``python -m benchmarks.ticks --data FOLDER --json``."""

from pathlib import Path
from typing import Any

from benchmarks.command import command, show
from benchmarks.ticks.lies import passed, read_book_lies, read_must_mark
from benchmarks.ticks.stretches import Marked, figures, read_marked
from veridical import gate
from veridical.contracts.proof import Proof

_SET = Path("wild_answers") / "second.jsonl"


def main() -> None:
    """Prints the figures; a smoke run looks at the invented names alone."""
    parser = command(__doc__, smoke="only what is kept with the project")
    parser.add_argument("--data", type=Path, help="the folder that has wild_answers/second.jsonl")
    parser.add_argument("--lies", type=Path, help="lies over the sample books, JSON lines")
    chosen = parser.parse_args()
    found = _must_mark()
    if chosen.data and not chosen.smoke:
        for name, held_out in (("development", False), ("held_out", True)):
            found[name] = figures(read_marked(chosen.data / _SET, held_out=held_out), _check)
    if chosen.lies and not chosen.smoke:
        lies = list(read_book_lies(chosen.lies))
        found["book_lies"] = {"n": len(lies), "unmarked": passed(lies)[0]}
    show(found, chosen)


def _must_mark() -> dict[str, Any]:
    lies = read_must_mark()
    unmarked, names = passed(lies)
    told = sum(len(lie.names) for lie in lies)
    return {
        "must_mark": {"n": len(lies), "unmarked": unmarked, "names": told, "names_unmarked": names}
    }


def _check(item: Marked) -> Proof:
    return gate.check(item.answer, item.evidence, question=item.question)


if __name__ == "__main__":
    main()
