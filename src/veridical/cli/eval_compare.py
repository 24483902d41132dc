"""Implementation of ``veridical eval compare``: two runs or modes, compared pair by pair."""

from dataclasses import dataclass
from pathlib import Path

from rich.table import Table

from veridical.cli.error_reporting import UsageError, out
from veridical.contracts.language import Language
from veridical.evals.comparison.compare import (
    Comparison,
    Measure,
    compare_together,
    modes_of,
    outcomes_of,
)
from veridical.evals.modes.mode import ModeName
from veridical.evals.scoring.record import RunRecord
from veridical.evals.storage.folder import RunFolder
from veridical.messages import message

_COLUMNS = (
    "mode",
    "measure",
    "candidate",
    "reference",
    "effect",
    "interval",
    "p",
    "p_holm",
    "pairs",
)


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison: a folder's runs, of one mode where one is named."""

    records: tuple[RunRecord, ...]
    mode: ModeName | None


def compare_runs(candidate: str, reference: str, language: Language, *, as_json: bool) -> None:
    """Print how the candidate did against the reference. Raises ``LoadError``, ``UsageError``."""
    found = _compared(_side(candidate, language), _side(reference, language))
    if not any(comparison.pairs for _, comparison in found):
        raise UsageError(message("evals.nothing_shared", language))
    if as_json:
        out.print_json(
            data=[
                {"modes": modes} | comparison.model_dump(mode="json", by_alias=True)
                for modes, comparison in found
            ]
        )
        return
    table = Table(box=None, padding=(0, 2, 0, 0))
    for name in _COLUMNS:
        table.add_column(message(f"evals.{name}", language), justify="right")
    for modes, comparison in found:
        table.add_row(modes, *_row(comparison, language))
    out.print(table)


def _compared(candidate: Side, reference: Side) -> list[tuple[str, Comparison]]:
    modes = _mode_pairs(candidate, reference)
    pairs = [
        (outcomes_of(candidate.records, ours), outcomes_of(reference.records, theirs))
        for ours, theirs in modes
    ]
    compared = {of: compare_together(pairs, of) for of in Measure}
    return [
        (str(ours) if ours is theirs else f"{ours} – {theirs}", compared[of][place])
        for place, (ours, theirs) in enumerate(modes)
        for of in Measure
    ]


def _mode_pairs(candidate: Side, reference: Side) -> list[tuple[ModeName, ModeName]]:
    if candidate.mode or reference.mode:
        ours = candidate.mode or reference.mode
        theirs = reference.mode or candidate.mode
        return [(ours, theirs)] if ours and theirs else []
    shared = modes_of(reference.records)
    return [(mode, mode) for mode in modes_of(candidate.records) if mode in shared]


def _side(argument: str, language: Language) -> Side:
    path, _, mode = argument.rpartition(":")
    if not path or Path(argument).is_dir():
        path, mode = argument, ""
    if mode and mode not in set(ModeName):
        known = ", ".join(ModeName)
        raise UsageError(message("evals.unknown_mode", language, name=mode, known=known))
    folder = RunFolder(Path(path))
    folder.setup()
    return Side(folder.results.read(), ModeName(mode) if mode else None)


def _row(found: Comparison, language: Language) -> tuple[str, ...]:
    measure = "correct" if found.of is Measure.CORRECT else "not_wrong"
    return (
        message(f"evals.{measure}", language),
        _percent(found.candidate),
        _percent(found.reference),
        _points(found.effect),
        f"{_points(found.low)} … {_points(found.high)}",
        _p(found.p),
        _p(found.p_adjusted),
        f"{found.pairs} ({found.won} : {found.lost})",
    )


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"


def _p(value: float | None) -> str:
    return "–" if value is None else f"{value:.2g}"


def _points(value: float | None) -> str:
    return "–" if value is None else f"{value * 100:+.1f}"
