"""TAT-QA: questions over a table of a financial report and its paragraphs, with gold derivations.

Taken are all questions of the type ``arithmetic`` of the files ``dev`` and ``test_gold``. How a
gold answer becomes the text of an answer:

- the gold figure is written with thousands commas and as many decimals as the gold has, followed
  by the gold scale: `` thousand``, `` million``, `` billion``, ``%``, or nothing;
- ``shown``: ``DERIVATION = FIGURE.``, the derivation word for word as in the gold, so
  ``44.1-56.7 = -12.6 million.``;
- ``bare``: ``The answer is FIGURE.``

The fabricated twin of each has another figure (``shift``, seeded with the question's uid); its
derivation stays as it is. A gold of zero has no twin, since no share of it is another figure.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from benchmarks.answer_gate.sample import Sample
from benchmarks.answer_gate.shift import FIGURE, shifted
from veridical.gate.evidence.exhibit import Exhibit

FILES = ("tatqa_dataset_dev.json", "tatqa_dataset_test_gold.json")
_SCALES = {
    "": "",
    "thousand": " thousand",
    "million": " million",
    "billion": " billion",
    "percent": "%",
}

Variant = Literal["shown", "bare"]
VARIANTS: tuple[Variant, ...] = ("shown", "bare")


def samples(data: Path) -> Iterator[Sample]:
    """Every arithmetic question four times: shown and bare, true and fabricated."""
    for name in FILES:
        path = data / "tatqa" / "dataset_raw" / name
        for context in json.loads(path.read_text(encoding="utf-8")):
            evidence = _exhibits(context)
            rows = _rows(context)
            for question in context["questions"]:
                if question["answer_type"] == "arithmetic":
                    yield from _of(question, context["table"]["uid"], evidence, rows)


def _of(
    question: dict[str, Any], group: str, exhibits: tuple[Exhibit, ...], rows: Any
) -> Iterator[Sample]:
    gold = _written(question["answer"])
    sign, digits = ("-", gold[1:]) if gold.startswith("-") else ("", gold)
    false = shifted(digits, question["uid"])
    for variant in VARIANTS:
        for written in (gold, None if false is None else sign + false):
            if written is None:
                continue
            yield Sample(
                id=f"{question['uid']}:{variant}{'' if written is gold else ':fabricated'}",
                group=group,
                answer=_answer(question, written, variant),
                exhibits=exhibits,
                rows=rows,
                good=written is gold,
                question=question["question"],
                kind=variant,
            )


def _answer(question: dict[str, Any], written: str, variant: Variant) -> str:
    figure = written + _SCALES[question["scale"]]
    if variant == "shown":
        return f"{question['derivation'].strip()} = {figure}."
    return f"The answer is {figure}."


def _written(gold: float) -> str:
    decimals = len(repr(gold).partition(".")[2]) if isinstance(gold, float) else 0
    return f"{gold:,.{decimals}f}"


def _exhibits(context: dict[str, Any]) -> tuple[Exhibit, ...]:
    grid = context["table"]["table"]
    paragraphs = "\n".join(
        paragraph["text"] for paragraph in sorted(context["paragraphs"], key=_order)
    )
    width = max(len(row) for row in grid)
    table = Exhibit(
        name="table",
        columns=("",) * width,
        rows=tuple(tuple(row) + ("",) * (width - len(row)) for row in grid),
    )
    return table, Exhibit(name="paragraphs", text=paragraphs)


def _order(paragraph: dict[str, Any]) -> int:
    return paragraph["order"]


def _rows(context: dict[str, Any]) -> list[dict[str, Any]]:
    """The table under its first row that fills most columns, and one row for each paragraph."""
    grid: list[list[str]] = context["table"]["table"]
    widest = max(sum(1 for cell in row if cell.strip()) for row in grid[:3])
    head = next(row for row in grid[:3] if sum(1 for cell in row if cell.strip()) == widest)
    names = [cell.strip() or f"column {number}" for number, cell in enumerate(head)]
    names = [name if names.index(name) == at else f"{name} {at}" for at, name in enumerate(names)]
    table = [
        {name: cell_value(cell) for name, cell in zip(names, row, strict=False)} for row in grid
    ]
    texts = [{"text": text} | line_figures(text) for text in _texts(context)]
    return [*table, *texts]


def _texts(context: dict[str, Any]) -> list[str]:
    return [paragraph["text"] for paragraph in context["paragraphs"]]


def cell_value(cell: str) -> float | str:
    """The number that a cell holds, or its text."""
    bare = cell.strip().strip("$%€£ ")
    negative = bare.startswith(("(", "-", "−", "–"))
    found = FIGURE.fullmatch(bare.strip("()-−– $%"))
    if found is None:
        return cell
    value = float(found.group().replace(",", ""))
    return -value if negative else value


def line_figures(text: str) -> dict[str, float]:
    """Each figure of a line under a name of its own."""
    return {
        f"figure {number}": float(found.group().replace(",", ""))
        for number, found in enumerate(FIGURE.finditer(text), 1)
    }
