"""How long many requirements take: ``python -m benchmarks.requirements.speed --count N --json``.

The requirements are drawn from a few sentences with other names and figures, always the same for
one count, so that thousands of them share words as those of a real project do. Growth is the
exponent of the time from a quarter of them to all: 1 is linear, 2 would be every pair.
"""

import random
import resource
from math import log
from time import process_time

from benchmarks.command import command, show
from veridical.requirements.inspection import inspect
from veridical.requirements.relations.pairs import detect_duplicates
from veridical.requirements.relations.signature import signature

_PATTERNS = (
    "The {thing} shall {verb} the {object} within {figure} s.",
    "When the {role} closes the {object}, the {thing} shall {verb} the {other} after {figure} min.",
    "Das Modul {thing} muss jede Meldung zu {object} nach {figure} s an die Rolle {role} senden.",
    "As a {role}, I want to {verb} the {object} so that the {other} stays below {figure} %.",
)
_PART = 4
_VERBS = ("store", "delete", "display", "print", "export", "lock", "verify", "forward")


def main() -> None:
    """Prints the seconds."""
    parser = command(__doc__)
    parser.add_argument("--count", type=int, default=100_000)
    chosen = parser.parse_args()
    texts = list(_texts(chosen.count))
    for text in texts[:20]:  # the word lists are loaded once
        signature(inspect(text).tokens)
    begun = process_time()
    for text in texts:
        inspect(text)
    inspected = process_time()
    pairs = detect_duplicates(texts)
    done = process_time()
    detect_duplicates(texts[: len(texts) // _PART])
    part = process_time() - done
    seconds = done - inspected
    found = {
        "requirements": len(texts),
        "rules_seconds": round(inspected - begun, 2),
        "rules_per_core_second": round(len(texts) / (inspected - begun)),
        "relations_seconds": round(seconds, 2),
        "relations_growth": round(log(seconds / part) / log(_PART), 2),
        "related_pairs": len(pairs),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }
    show(found, chosen)


def _texts(count: int) -> list[str]:
    drawn = random.Random(count)
    names = [f"{head}{tail}" for head in _syllables(drawn, 60) for tail in _syllables(drawn, 40)]

    def name() -> str:
        return drawn.choice(names)

    return [
        drawn.choice(_PATTERNS).format(
            thing=name(),
            role=name(),
            object=name(),
            other=name(),
            verb=drawn.choice(_VERBS),
            figure=drawn.randint(1, 90),
        )
        for _ in range(count)
    ]


def _syllables(drawn: random.Random, count: int) -> list[str]:
    def syllable() -> str:
        return drawn.choice("bdfklmnprst") + drawn.choice("aeiou")

    return [syllable() + syllable() for _ in range(count)]


if __name__ == "__main__":
    main()
