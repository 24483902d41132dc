"""How many requests the fast path takes that need data, and how many it leaves that don't.

    python -m benchmarks.routing --data DIR --json

Own requests in three languages stand in ``routing_requests/``: ``fast`` needs neither data nor
tools, ``data`` does, ``open`` may go either way and is not counted. Every second line was held out:
its misses were not read while the rules were written. CLINC150 and BANKING77 are read from DIR;
rules were written on their train and validation parts, and the figures are of their test parts. Of
the test parts the totals by intent were watched meanwhile, and two false fast routes were read.
A set that is not there is skipped with a line on standard error. The last line printed is one JSON
object.
"""

import csv
import json
import statistics
import sys
import time
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.command import command, show
from benchmarks.data import data_beside
from veridical.contracts.language import Language
from veridical.ontology.load import load_ontology
from veridical.packs.trustee import pack
from veridical.reading.language import language_of
from veridical.route.fast import FastRoute, fast_path
from veridical.route.vocabulary import Vocabulary, compile_vocabulary

REQUESTS = Path(__file__).parent / "routing_requests"
BANK = load_ontology(str(Path(__file__).with_name("routing_bank.yaml")))
_INTENTS = data_beside(__file__)
CLINC_FAST, CLINC_LEFT_OUT = (
    frozenset[str](_INTENTS[f"clinc_{each}"]) for each in ("fast", "left_out")
)
_ROUNDS = 5
_STEP = 7
"""A smoke run takes one of so many requests: odd, so that both halves have some."""


class Request(NamedTuple):
    """A request with what is known of it."""

    text: str
    is_fast: bool
    group: str


class Routed(NamedTuple):
    """A request and where it went."""

    request: Request
    route: FastRoute | None


def main() -> None:
    """Run all sets and print the figures."""
    parser = command(__doc__, smoke="a small part of everything")
    parser.add_argument("--data", type=Path, default=Path.home() / ".cache" / "veridical-bench")
    parser.add_argument("--part", choices=("train", "val", "test"), default="test")
    parser.add_argument("--misses", choices=("own", "public"), help="print what went wrong")
    options = parser.parse_args()
    step = _STEP if options.smoke else 1
    asked = public_requests(options.data, options.part)
    own = _route(islice(own_requests(), 0, None, step), compile_vocabulary(pack.ontology))
    public = _route(islice(asked, 0, None, step * step), compile_vocabulary(BANK))
    if options.misses:
        _print_misses(own if options.misses == "own" else public)
    figures = _figures(own, public, options.data, options.part)
    show(figures, options)


def own_requests() -> Iterator[Request]:
    """The labelled requests beside this file; the group is language and half."""
    for label in ("fast", "data"):
        for language in Language:
            path = REQUESTS / f"{label}.{language}.txt"
            for number, line in enumerate(path.read_text("utf-8").splitlines()):
                half = "held_out" if number % 2 else "read"
                yield Request(line, label == "fast", f"{language}.{half}")


def public_requests(data: Path, part: str) -> Iterator[Request]:
    """The requests of the public sets, as far as they are there."""
    clinc = data / "clinc150" / "data" / "data_full.json"
    if clinc.is_file():
        for text, intent in json.loads(clinc.read_text("utf-8"))[part]:
            if intent not in CLINC_LEFT_OUT:
                yield Request(text, intent in CLINC_FAST, f"clinc.{intent}")
    else:
        print("skipped clinc150: not in the data folder", file=sys.stderr)
    bank = data / "banking77" / "banking_data" / f"{'test' if part == 'test' else 'train'}.csv"
    if bank.is_file():
        with bank.open(encoding="utf-8", newline="") as rows:
            for row in csv.DictReader(rows):
                yield Request(row["text"], False, f"banking.{row['category']}")
    else:
        print("skipped banking77: not in the data folder", file=sys.stderr)


def _route(requests: Iterable[Request], vocabulary: Vocabulary) -> list[Routed]:
    return [
        Routed(each, fast_path(each.text, vocabulary, language_of(each.text, Language.EN)))
        for each in requests
    ]


def _print_misses(routed: Iterable[Routed]) -> None:
    for request, route in routed:
        if request.is_fast != (route is not None) and not request.group.endswith("held_out"):
            kind = f"false fast ({route.reason})" if route else "missed"
            print(f"{kind:24} {request.group:28} {request.text}")


def _figures(own: list[Routed], public: list[Routed], data: Path, part: str) -> dict[str, Any]:
    clinc = [each for each in public if each.request.group.startswith("clinc.")]
    banking = [each for each in public if each.request.group.startswith("banking.")]
    held_out = [each for each in own if each.request.group.endswith("held_out")]
    everything = [*own, *public]
    return {
        "false_fast": _false_fast(everything),
        "needs_data": sum(not each.request.is_fast for each in everything),
        "fast_recall": _recall(everything),
        "fast_recall_worst_set": min(_recall(own) or 0, _recall(clinc) or 1),
        "own_requests": len(own),
        "own_false_fast": _false_fast(own),
        "own_fast_recall": _recall(own),
        "own_held_out_false_fast": _false_fast(held_out),
        "own_held_out_fast_recall": _recall(held_out),
        "own_fast_recall_by_language": {
            language.value: _recall(
                [each for each in own if each.request.group.startswith(language.value)]
            )
            for language in Language
        },
        "own_language_told": _language_told(own),
        "own_left_open": _left_open(),
        "public_part": part,
        "clinc_requests": len(clinc),
        "clinc_left_out": _clinc_left_out(data, part),
        "clinc_false_fast": _false_fast(clinc),
        "clinc_fast_recall": _recall(clinc),
        "banking_requests": len(banking),
        "banking_false_fast": _false_fast(banking),
        "p50_us": _median_us([each.request for each in everything]),
    }


def _false_fast(routed: Iterable[Routed]) -> int:
    return sum(route is not None and not request.is_fast for request, route in routed)


def _recall(routed: Iterable[Routed]) -> float | None:
    found = [route is not None for request, route in routed if request.is_fast]
    return round(sum(found) / len(found), 4) if found else None


def _language_told(own: Iterable[Routed]) -> float:
    told = [
        language_of(request.text, _other(request.group[:2])) == request.group[:2]
        for request, _ in own
        if any(sign.isalpha() for sign in request.text)
    ]
    return round(sum(told) / len(told), 4)


def _other(language: str) -> Language:
    """A wrong fallback, so that nothing is right by chance."""
    return Language.EN if language == Language.DE else Language.DE


def _left_open() -> int:
    lines = (REQUESTS / "open.txt").read_text("utf-8").splitlines()
    return sum(not line.startswith("#") for line in lines)


def _clinc_left_out(data: Path, part: str) -> int:
    path = data / "clinc150" / "data" / "data_full.json"
    if not path.is_file():
        return 0
    sets = json.loads(path.read_text("utf-8"))
    return len(sets[f"oos_{part}"]) + sum(intent in CLINC_LEFT_OUT for _, intent in sets[part])


def _median_us(requests: list[Request]) -> float:
    """The median over all requests of the best of a few decisions each."""
    vocabulary = compile_vocabulary(pack.ontology)
    times: list[float] = []
    for request in requests:
        language = language_of(request.text, Language.EN)
        best = float("inf")
        for _ in range(_ROUNDS):
            start = time.perf_counter()
            fast_path(request.text, vocabulary, language)
            best = min(best, time.perf_counter() - start)
        times.append(best)
    return round(statistics.median(times) * 1e6, 1)


if __name__ == "__main__":
    main()
