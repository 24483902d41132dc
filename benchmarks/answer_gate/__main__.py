"""What the answer gate blocks wrongly and what it lets pass, beside the package ``figured``.

    python -m benchmarks.answer_gate --data DIR --json

DIR holds the public data sets as ``benchmarks/README.md`` describes them; a set that is not there
is skipped with a line on standard error. Every set is split in two by document, record or template:
the named figures are those of the half ``held_out``, of which nobody read the misses while the
rules were written; the half ``read`` stands beside, as do both together. The gate is given the
words of the sets' domains (``lexicons/``); ``--without-lexicons`` measures it as it comes. With
``--policy strict`` or ``mark`` the gate by typed evidence is measured, which has no lexicons. The
last line printed is one JSON object.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import cast

from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.answer_gate import lexicons
from benchmarks.answer_gate.figures import Figures, Outcome, by_rule, of_set, outcome_of
from benchmarks.answer_gate.judges import OURS, Check, Judge, Judgement, judges, ours
from benchmarks.answer_gate.parts import PARTS, Measure, Part, Samples, named
from benchmarks.answer_gate.sample import Sample
from veridical import gate
from veridical.gate.policy import ProofPolicy

_ERR = Console(stderr=True)
_ROUNDS, _FEW_ROUNDS = 400, 40
_SHOWN = ("false_block", "caught", "precision", "f1", "p50_us")


def main() -> None:
    """Run the chosen sets and print their figures."""
    options = _options()
    if options.misses:
        _print_misses(options)
        return
    judging = judges(options.check)
    if len(judging) == 1:
        _tell("figured is not installed: its columns are missing")
    figures: Figures = {}
    details: Figures = {}
    pooled: list[Outcome] = []
    for name in options.sets:
        part = PARTS[name]
        if not _is_there(name, part, options.data):
            continue
        if not part.gives_samples:
            details[name] = _measured(name, part, options)
            figures |= details[name].get("named", details[name])
            continue
        outcomes = list(_judged(_samples(part, options), judging, name))
        details[name] = of_set(outcomes)
        pooled += (each for each in outcomes if each.half == "held_out")
        figures |= _named(part, outcomes)
    if not options.json:
        _print_tables(details)
    rules = by_rule(pooled)
    print(json.dumps({**figures, "rules_held_out": rules, "sets": details}, ensure_ascii=False))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path(), help="folder of the public data sets")
    parser.add_argument("--json", action="store_true", help="print the JSON object only")
    parser.add_argument("--sets", help="only these, with commas between")
    parser.add_argument("--half", choices=("read", "held_out", "all"), default="all")
    parser.add_argument("--misses", metavar="SET", help="show the misses of the half that is read")
    parser.add_argument("--kind", help="only misses of this kind")
    parser.add_argument(
        "--without-lexicons",
        action="store_true",
        help="as the product is by itself: without the words of the sets' domains",
    )
    parser.add_argument(
        "--policy",
        type=ProofPolicy,
        choices=(ProofPolicy.STRICT, ProofPolicy.MARK, ProofPolicy.WORDINGS),
        default=ProofPolicy.WORDINGS,
        help="which gate: by typed evidence (strict, mark), or by wordings",
    )
    parser.add_argument("--smoke", action="store_true", help="a small part, without any data")
    options = parser.parse_args()
    options.check = _check(options.policy, with_lexicons=not options.without_lexicons)
    options.sets = options.sets.split(",") if options.sets else list(PARTS)
    if options.smoke:
        options.sets = [name for name in options.sets if not PARTS[name].folder]
    unknown = sorted({*options.sets, *filter(None, [options.misses])} - PARTS.keys())
    if unknown:
        parser.error(f"no such set: {', '.join(unknown)}; there are {', '.join(PARTS)}")
    return options


def _check(policy: ProofPolicy, *, with_lexicons: bool) -> Check:
    if policy is not ProofPolicy.WORDINGS:
        return partial(gate.check, policy=gate.Policy(policy=policy))
    return lexicons.check if with_lexicons else gate.check


def _tell(text: str) -> None:
    print(text, file=sys.stderr)


def _is_there(name: str, part: Part, data: Path) -> bool:
    if part.folder and not (data / part.folder).is_dir():
        _tell(f"{name}: skipped, there is no folder {part.folder} in the data folder")
        return False
    return True


def _samples(part: Part, options: argparse.Namespace) -> Iterator[Sample]:
    load = cast("Samples", part.load(smoke=options.smoke))
    for sample in load(options.data):
        if options.half in ("all", sample.half):
            yield sample


def _judged(samples: Iterable[Sample], judging: dict[str, Judge], name: str) -> Iterator[Outcome]:
    for sample in track(list(samples), name, console=_ERR, transient=True):
        yield outcome_of(sample, {who: judge(sample) for who, judge in judging.items()})


def _measured(name: str, part: Part, options: argparse.Namespace) -> Figures:
    _tell(f"{name}: measuring")
    measure = cast("Measure", part.load())
    rounds = _FEW_ROUNDS if options.smoke else _ROUNDS
    return measure(options.data if part.folder else rounds, options.check)


def _named(part: Part, outcomes: list[Outcome]) -> Figures:
    held_out = named(part, [each for each in outcomes if each.half == "held_out"])
    read = named(part, [each for each in outcomes if each.half == "read"])
    both = named(part, outcomes) if held_out and read else {}
    return (
        held_out
        | {f"{name}_read": value for name, value in read.items()}
        | {f"{name}_both": value for name, value in both.items()}
    )


def _print_misses(options: argparse.Namespace) -> None:
    """Every wrong verdict of the gate on the half that may be read."""
    part = PARTS[options.misses]
    options.half = "read"
    count = 0
    for sample in _samples(part, options):
        judgement = ours(sample, options.check)
        if judgement.blocked != sample.good or options.kind not in (None, sample.kind):
            continue
        count += 1
        print(_miss(sample, judgement))
    print(f"{count} misses")


def _miss(sample: Sample, judgement: Judgement) -> str:
    head = "blocked though right" if sample.good else "passed though wrong"
    lines = [f"=== {head}: {sample.id} [{sample.kind}]"]
    lines += [f"Q: {sample.question}"] if sample.question else []
    lines += [sample.answer, *(f"  ! {each}" for each in judgement.details)]
    return "\n".join(lines)


def _print_tables(details: Figures) -> None:
    console = Console()
    for name, halves in details.items():
        if not PARTS[name].gives_samples:
            console.print(name, halves)
            continue
        table = Table("half", "kind", "judge", *_SHOWN, title=name)
        for half, held in halves.items():
            groups = {"all": held["judges"]} | held["by_kind"]
            for kind, judged in groups.items():
                for judge, rate in judged.items():
                    if judge == OURS or kind == "all":
                        table.add_row(half, kind, judge, *(str(rate[each]) for each in _SHOWN))
        console.print(table)


if __name__ == "__main__":
    main()
