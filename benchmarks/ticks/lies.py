"""Lies as free text: those over the sample books, each with its call, and lists of invented names.

A lie passes where it is shown unmarked: every claim green, and nothing else marked.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.data import read_lines
from veridical import gate
from veridical.answering.feature import open_feature
from veridical.contracts.proof import Proof
from veridical.ontology.pack import load_pack
from veridical.sample.books import load_sample
from veridical.sample.caller import sample_caller
from veridical.sample.postgres import local_postgres

MUST_MARK = Path(__file__).parent / "must_mark.jsonl"
_PACK = load_pack("trustee")
_CLIENT = ("m-001", "m-001-a")


@dataclass(frozen=True, slots=True)
class Lie:
    """A text that is not true of its evidence."""

    kind: str
    question: str
    text: str
    evidence: Any
    names: tuple[str, ...] = ()
    """What must be marked itself."""


def read_must_mark(path: Path = MUST_MARK) -> list[Lie]:
    """The texts with invented names that are kept beside this file."""
    return [
        Lie(raw["kind"], raw["question"], raw["text"], raw["evidence"], tuple(raw["names"]))
        for raw in read_lines(path)
    ]


def read_book_lies(path: Path) -> Iterator[Lie]:
    """The lies of a file, each with what its call brings from the sample books."""
    with local_postgres() as server:
        feature = open_feature(_PACK, load_sample(_PACK, server).database())
        toolbox = feature.toolbox(sample_caller(_PACK, *_CLIENT))
        try:
            for raw in read_lines(path):
                tool, arguments = raw["tool"], raw["arguments"]
                result = toolbox.call(tool, arguments).model_dump(by_alias=True, mode="json")
                brought = {**result, "tool": tool, "arguments": arguments}
                yield Lie(raw["kind"], raw["question"], raw["lie"], brought)
        finally:
            feature.engine.database.close()


def passed(lies: list[Lie]) -> tuple[list[str], list[str]]:
    """The lies that are shown unmarked, and the invented names that carry no mark of their own."""
    unmarked: list[str] = []
    names: list[str] = []
    for lie in lies:
        proof = gate.check(lie.text, lie.evidence, question=lie.question)
        if proof.ok and not proof.is_marked:
            unmarked.append(f"{lie.kind}: {lie.text}")
        names += [name for name in lie.names if not _is_marked(name, lie.text, proof)]
    return unmarked, names


def _is_marked(name: str, text: str, proof: Proof) -> bool:
    start = text.index(name)
    end = start + len(name)
    return any(
        claim.start < end and start < claim.end and claim.tick is not claim.tick.PROVEN
        for claim in proof.claims
    )
