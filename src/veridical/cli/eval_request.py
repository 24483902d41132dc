"""The parsed options of ``veridical eval run``."""

from dataclasses import dataclass
from pathlib import Path

from veridical.contracts.language import Language


@dataclass(frozen=True, slots=True)
class RunRequest:
    """The runs to make, and the baseline to compare with."""

    gold: tuple[str, ...]
    modes: str
    repeats: int
    seeds: bool
    model: str
    out: Path
    database: str
    ontology: str
    timeout_factor: float
    concurrency: int
    limit: int | None
    cache: Path | None
    baseline: Path | None
    max_drop: float
    exact: bool
    save_baseline: Path | None
    language: Language
