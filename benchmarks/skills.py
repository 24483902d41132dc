"""Whether requests find their skill: how many do, which are missed, which are taken for another.

    python -m benchmarks.skills --data DIR --json

Own requests in three languages stand in ``skill_requests/``, each with its skill or ``none``. The
keywords were written with those in ``read`` in view; three rounds of fresh requests went there
after they had been counted once. Those in ``held_out`` were written last, in other words, and no
keyword was changed because of them. All are by one author, so the held-out figures are an upper
bound for what strangers' requests would show.

Requests that ask for no skill are run as well, and few should find one: the own requests and the
test parts of CLINC150 and BANKING77 of the routing benchmark, and the questions of the pattern
benchmark. Keywords were tightened on the other parts of the public sets and on the own ones. The
last line printed is one JSON object.
"""

import statistics
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.command import command, show
from benchmarks.patterns import read_cases
from benchmarks.routing import own_requests, public_requests
from veridical.contracts.language import Language
from veridical.ontology.pack import load_pack
from veridical.reading.language import language_of
from veridical.skills import Ambiguous, Skill, SkillMatch, load_skills, match_skill

REQUESTS = Path(__file__).parent / "skill_requests"
HALVES = ("read", "held_out")
_STEP = 7
"""A smoke run takes one of so many requests."""
PAIRS = (
    ("reflexion", "code-review"),
    ("react", "goal-driven"),
    ("rewoo", "competitor-analysis"),
    ("content", "geo-optimisation"),
)
NONE, OPEN = "none", "open"
_ROUNDS = 3


class Request(NamedTuple):
    """A request with the skill it asks for."""

    text: str
    skill: str
    language: Language
    half: str


class Matched(NamedTuple):
    """A request and the skill that it found."""

    request: Request
    found: str

    @property
    def fate(self) -> str:
        """Right, or in which way not."""
        if self.found == self.request.skill:
            return "right"
        if self.found in (NONE, OPEN):
            return "missed" if self.found == NONE else "open"
        return "false" if self.request.skill == NONE else "wrong"


def main() -> None:
    """Match all requests and print the figures."""
    parser = command(__doc__, smoke="a small part of everything")
    parser.add_argument("--data", type=Path, default=Path.home() / ".cache" / "veridical-bench")
    parser.add_argument("--misses", action="store_true", help="print what went wrong, read half")
    options = parser.parse_args()
    step = _STEP if options.smoke else 1
    skills = load_skills(packs=[load_pack("trustee")], sets=["examples"])
    asked = islice(requests(), 0, None, step)
    matched = [Matched(each, _found(each, skills)) for each in asked]
    if options.misses:
        for each in matched:
            if each.fate != "right" and each.request.half == "read":
                asked = f"{each.request.skill} → {each.found}"
                print(f"{each.request.language} {asked:44} {each.request.text}")
    own = list(islice(_plain(), 0, None, step))
    public = list(islice(public_requests(options.data, "test"), 0, None, step * step))
    figures = _figures(matched, skills, own, [each.text for each in public])
    show(figures, options)


def requests() -> Iterator[Request]:
    """The labelled requests beside this file."""
    for half in HALVES:
        for language in Language:
            path = REQUESTS / half / f"{language}.txt"
            for line in path.read_text("utf-8").splitlines():
                if not line.startswith("#"):
                    skill, _, text = line.partition(" | ")
                    yield Request(text, skill, language, half)


def _found(request: Request, skills: tuple[Skill, ...]) -> str:
    match match_skill(request.text, skills, request.language):
        case SkillMatch(skill=skill):
            return skill.name
        case Ambiguous():
            return OPEN
        case None:
            return NONE


def _figures(
    matched: list[Matched], skills: tuple[Skill, ...], own: list[str], public: list[str]
) -> dict[str, Any]:
    figures: dict[str, Any] = {"skills": len(skills)}
    for half in HALVES:
        part = [each for each in matched if each.request.half == half]
        figures |= {f"{half}_{name}": value for name, value in _of_half(part).items()}
    return figures | {
        "plain_requests": len(own),
        "plain_taken": _taken(own, skills),
        "public_plain_requests": len(public),
        "public_plain_taken": _taken(public, skills),
        "p50_us": _median_us([each.request for each in matched], skills),
    }


def _plain() -> Iterator[str]:
    yield from (each.text for each in own_requests())
    for name in ("seen", "held_out", "near_misses"):
        yield from (each.question for each in read_cases(name))


def _taken(plain: Iterable[str], skills: tuple[Skill, ...]) -> int:
    """How many of these found a skill though they ask for none."""
    return sum(
        match_skill(text, skills, language_of(text, Language.EN)) is not None for text in plain
    )


def _of_half(part: list[Matched]) -> dict[str, Any]:
    asking = [each for each in part if each.request.skill != NONE]
    call_outcomes = Counter(each.fate for each in part)
    return {
        "requests": len(part),
        "accuracy": _share(each.fate == "right" for each in part),
        "recall": _share(each.fate == "right" for each in asking),
        "precision": _share(
            each.fate == "right" for each in part if each.found not in (NONE, OPEN)
        ),
        **{fate: call_outcomes[fate] for fate in ("wrong", "false", "open", "missed")},
        "recall_by_language": {
            language.value: _share(
                each.fate == "right" for each in asking if each.request.language is language
            )
            for language in Language
        },
        "confusions": {f"{one}/{other}": _confused(part, one, other) for one, other in PAIRS},
    }


def _confused(part: Iterable[Matched], one: str, other: str) -> int:
    """How often the one was found where the other was asked for."""
    return sum({each.request.skill, each.found} == {one, other} for each in part)


def _share(rights: Iterable[bool]) -> float | None:
    found = list(rights)
    return round(sum(found) / len(found), 4) if found else None


def _median_us(asked: list[Request], skills: tuple[Skill, ...]) -> float:
    """The median over all requests of the best of a few matches each."""
    times: list[float] = []
    for request in asked:
        best = float("inf")
        for _ in range(_ROUNDS):
            start = time.perf_counter()
            match_skill(request.text, skills, request.language)
            best = min(best, time.perf_counter() - start)
        times.append(best)
    return round(statistics.median(times) * 1e6, 1)


if __name__ == "__main__":
    main()
