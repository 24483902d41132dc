"""What a model is told that writes references into a text: the form, the results, the text."""

import json
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files

from veridical.contracts.language import Language
from veridical.gate.evidence.exhibit import Exhibit
from veridical.gate.references.instruction import instruction
from veridical.gate.references.verdict import named_tables
from veridical.messages import message

_MOST_CHARACTERS = 24_000
"""Results that are longer are not annotated: a model that sees half of them guesses the rest."""


@cache
def annotation_instruction() -> str:
    """The stable part: how to annotate, and the language of references."""
    own = files("veridical.gate.annotation").joinpath("instruction.md").read_text("utf-8")
    return f"{own.strip()}\n\n{instruction().strip()}"


def annotation_task(
    text: str, exhibits: Sequence[Exhibit], question: str, language: Language
) -> str | None:
    """The results and the text; none where there is nothing to refer to, or too much."""
    results = "\n".join(_results(exhibits))
    if not results or len(results) > _MOST_CHARACTERS:
        return None
    return "\n\n".join(
        (
            message("annotation.task", language),
            message("annotation.question", language, question=question),
            f"{message('annotation.results', language)}\n{results}",
            f"{message('annotation.text', language)}\n{text}",
        )
    )


def _results(exhibits: Sequence[Exhibit]) -> Iterator[str]:
    for table in named_tables(exhibits):
        told = {
            "result": table.name,
            "columns": [column.name for column in table.columns],
            "rows": table.rows,
        }
        yield json.dumps(told, ensure_ascii=False, separators=(",", ":"), default=str)
