"""Judged runs made by hand, and runs drawn at random."""

from collections.abc import Iterable
from typing import Any

from hypothesis import strategies as st

from veridical.contracts.answer import AnswerKind
from veridical.contracts.language import Language
from veridical.evals.gold.case import Difficulty, Expected
from veridical.evals.modes.mode import ModeName
from veridical.evals.scoring.record import Outcome, RunKey, RunRecord, Score
from veridical.evals.storage.setup import RunHeader
from veridical.trace.counters import Counters

OUTCOMES = {"c": Outcome.CORRECT, "r": Outcome.REFUSED, "w": Outcome.WRONG}
HEADER = RunHeader(
    gold="trustee core",
    cases=2,
    repeats=3,
    model="local:small",
    settings={"temperature": 0.7, "seed": 1},
    version="0.1.0",
)


def record(
    case: str = "q1",
    outcome: Outcome = Outcome.CORRECT,
    mode: ModeName = ModeName.FULL,
    repeat: int = 0,
    score: dict[str, Any] | None = None,
    counters: Counters | None = None,
    **changed: Any,
) -> RunRecord:
    """One run that ended so, with whatever else matters."""
    usual: dict[str, Any] = {
        "question": f"What about {case}?",
        "language": Language.EN,
        "difficulty": Difficulty.EASY,
        "expected": Expected.ANSWER,
        "kind": AnswerKind.AGENT,
        "text": "It was CHF 12.50.",
    }
    return RunRecord(
        key=RunKey(case=case, mode=mode, repeat=repeat),
        score=Score(outcome=outcome, **(score or {})),
        counters=counters or Counters(),
        **(usual | changed),
    )


def runs(mode: ModeName, **cases: str) -> list[RunRecord]:
    """The runs of a mode: a letter for each repeat of a case, a blank where there was none."""
    return [
        record(case, OUTCOMES[letter], mode, repeat)
        for case, letters in cases.items()
        for repeat, letter in enumerate(letters)
        if letter in OUTCOMES
    ]


def numbered(mode: ModeName, letters: Iterable[str]) -> list[RunRecord]:
    """The runs of a mode, a case for each of the texts."""
    return runs(mode, **{f"q{number:03}": each for number, each in enumerate(letters)})


_letters = st.text("crw ", min_size=1, max_size=3)
modes = st.sampled_from([ModeName.BASELINE, ModeName.VALIDATOR, ModeName.FULL])
record_lists = st.dictionaries(modes, st.lists(_letters, max_size=6), max_size=3).map(
    lambda by_mode: [run for mode, letters in by_mode.items() for run in numbered(mode, letters)]
)
