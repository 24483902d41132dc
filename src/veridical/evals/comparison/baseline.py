"""Baseline file: the outcome of every attempt of a run, for later runs to be compared with."""

import json
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from pydantic import ValidationError, field_validator

from veridical.contracts.wire import Wire
from veridical.evals.comparison.compare import Attempt
from veridical.evals.modes.mode import ModeName
from veridical.evals.scoring.record import Outcome, RunRecord
from veridical.evals.storage.setup import RunHeader

_LETTERS = {Outcome.CORRECT: "c", Outcome.REFUSED: "r", Outcome.WRONG: "w"}
_OUTCOMES = {letter: outcome for outcome, letter in _LETTERS.items()}
_NOT_RUN = "-"


class BaselineError(Exception):
    """A file that is no baseline; the text says what is wrong with it."""


class Baseline(Wire):
    """A run's outcomes by mode and case: a letter for each repeat, ``-`` where it was not run.

    ``{"full": {"q01": "ccw"}}``: correct, correct, wrong. ``r`` stands for refused.
    """

    version: Literal[1] = 1
    header: RunHeader
    outcomes: dict[ModeName, dict[str, str]]

    @field_validator("outcomes")
    @classmethod
    def _letters_are_known(
        cls, outcomes: dict[ModeName, dict[str, str]]
    ) -> dict[ModeName, dict[str, str]]:
        for mode, cases in outcomes.items():
            for case, letters in cases.items():
                if set(letters) - _OUTCOMES.keys() - {_NOT_RUN}:
                    raise ValueError(
                        f"{mode} {case}: {letters!r} has other letters than c, r, w, -"
                    )
        return outcomes

    def of_mode(self, mode: ModeName) -> dict[Attempt, Outcome]:
        """The outcome of each attempt of a mode."""
        return {
            (case, repeat): _OUTCOMES[letter]
            for case, letters in self.outcomes.get(mode, {}).items()
            for repeat, letter in enumerate(letters)
            if letter != _NOT_RUN
        }


def as_baseline(header: RunHeader, records: Iterable[RunRecord]) -> Baseline:
    """The baseline for later runs."""
    by_mode: defaultdict[ModeName, defaultdict[str, dict[int, Outcome]]]
    by_mode = defaultdict(lambda: defaultdict(dict))
    for record in records:
        by_mode[record.key.mode][record.key.case][record.key.repeat] = record.score.outcome
    return Baseline(
        header=header,
        outcomes={
            mode: {case: _letters(by_mode[mode][case]) for case in sorted(by_mode[mode])}
            for mode in ModeName
            if mode in by_mode
        },
    )


def _letters(by_repeat: dict[int, Outcome]) -> str:
    return "".join(
        _LETTERS[by_repeat[repeat]] if repeat in by_repeat else _NOT_RUN
        for repeat in range(max(by_repeat) + 1)
    )


def write_baseline(path: Path, baseline: Baseline) -> None:
    """Write the file; the same outcomes give the same bytes."""
    payload = baseline.model_dump(mode="json", by_alias=True)
    text = json.dumps(payload, ensure_ascii=False, indent=1, sort_keys=True)
    path.write_text(f"{text}\n", "utf-8", newline="\n")


def read_baseline(path: Path) -> Baseline:
    """Read the file. Raises ``BaselineError``."""
    try:
        return Baseline.model_validate_json(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise BaselineError(f"can't read the baseline {path.name}: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise BaselineError(f"{path.name} is no baseline: {where}: {first['msg']}") from error
