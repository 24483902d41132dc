"""The sets: where each has its data, how it is read, and which of its figures have a name.

A set either gives samples that every judge decides about, or measures claim by claim itself.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from benchmarks.answer_gate.figures import Figures, Outcome, rates
from benchmarks.answer_gate.judges import OURS, Check
from benchmarks.answer_gate.sample import Sample

Samples = Callable[[Path], Iterator[Sample]]
Measure = Callable[[Path | int, Check], Figures]
"""From the data folder, or from a number of rounds where there is no data."""


@dataclass(frozen=True, slots=True)
class Name:
    """A named figure: which rate over which kinds of answers."""

    figure: str
    rate: str
    kinds: tuple[str, ...] = ()
    """Only these; all where empty."""
    without: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """One set."""

    module: str
    folder: str = ""
    """Below the data folder; empty for a set that needs no data."""
    names: tuple[Name, ...] = ()
    function: str = "samples"
    smoke: str = ""
    """What is run instead where a small part is enough."""

    @property
    def gives_samples(self) -> bool:
        """False for a set that measures claim by claim itself."""
        return self.function == "samples"

    def load(self, *, smoke: bool = False) -> Samples | Measure:
        """The function of the set's module."""
        module = import_module(f"benchmarks.answer_gate.{self.module}")
        return getattr(module, self.smoke if smoke and self.smoke else self.function)


PARTS: Mapping[str, Part] = {
    "tatqa": Part(
        "tatqa",
        "tatqa",
        (
            Name("tatqa_false_block", "false_block", ("shown",)),
            Name("tatqa_fabricated_pass", "fabricated_pass", ("shown",)),
            Name("tatqa_bare_false_block", "false_block", ("bare",)),
            Name("tatqa_bare_fabricated_pass", "fabricated_pass", ("bare",)),
        ),
    ),
    "financebench": Part(
        "financebench",
        "financebench",
        (
            Name("fb_false_block", "false_block", without=("incorrect",)),
            Name("fb_fabricated_pass", "fabricated_pass", without=("incorrect",)),
            Name("fb_incorrect_blocked", "caught", ("incorrect",)),
        ),
    ),
    "ragtruth": Part(
        "ragtruth",
        "ragtruth_faithjudge",
        (
            Name("ragtruth_precision", "precision"),
            Name("ragtruth_recall", "recall"),
            Name("ragtruth_f1", "f1"),
            Name("ragtruth_false_block", "false_block"),
        ),
    ),
    "quintd": Part("claim_level", "quintd", function="quintd"),
    "rotowire": Part("claim_level", "rotowire_accuracy", function="rotowire"),
    "tau": Part("claim_level", "tau_bench", function="tau"),
    "own": Part(
        "own",
        names=(Name("own_false_block", "false_block"), Name("own_caught", "caught")),
        smoke="few",
    ),
    "speed": Part("claim_level", function="speed"),
}
"""In the order in which they run."""


def named(part: Part, outcomes: Sequence[Outcome]) -> Figures:
    """The named figures of a set over these outcomes, every judge's beside the gate's."""
    figures: Figures = {}
    for name in part.names:
        counted = [
            each
            for each in outcomes
            if (not name.kinds or each.kind in name.kinds) and each.kind not in name.without
        ]
        for judge in counted[0].judgements if counted else ():
            suffix = "" if judge == OURS else f"_{judge}"
            figures[name.figure + suffix] = rates(counted, judge)[name.rate]
    return figures
