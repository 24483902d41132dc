"""The texts of the cases, each with its evidence and an honest annotation."""

import tomllib
from pathlib import Path

from benchmarks.annotation.measure import AnnotatedItem
from veridical.contracts.language import Language


def annotated_texts() -> list[AnnotatedItem]:
    """All of them."""
    raw = tomllib.loads(Path(__file__).parent.joinpath("cases/texts.toml").read_text("utf-8"))
    return [
        AnnotatedItem(
            f"{table['lang']}-{number}",
            Language(table["lang"]),
            table["question"],
            table["evidence"],
            case["text"],
            case["annotation"],
        )
        for table in raw["tables"]
        for number, case in enumerate(table["texts"], start=1)
    ]
