"""What of a recording can be replayed, and that a replay touches nothing."""

from pathlib import Path

import pytest

from tests.evals.gold_sample import case, gold
from tests.evals.records import HEADER, record
from tests.sample import PACK
from veridical.contracts.caller import Scope
from veridical.contracts.statement import Statement
from veridical.engines.limits import Limits
from veridical.evals.execution.replay import plan_replay
from veridical.evals.execution.sealed import (
    LiveCallInReplayError,
    SealedDatabase,
    sealed_environment,
)
from veridical.evals.modes.mode import ModeName
from veridical.evals.scoring.record import RunRecord
from veridical.evals.storage.folder import RunFolder
from veridical.evals.storage.setup import RunSetup

GOLD = gold(case("a"), case("b"))
MODES = (ModeName.BASELINE, ModeName.FULL)


def asked(name: str, mode: ModeName, repeat: int, question: str = "") -> RunRecord:
    made = record(name, mode=mode, repeat=repeat)
    return made.model_copy(update={"question": question or case(name).phrasing(repeat)})


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    """Two cases in two modes, twice each; one was asked in other words, one is gone."""
    made = RunFolder(tmp_path)
    setup = RunSetup(header=HEADER, gold=("x",), gold_hash="g", ontology_hash="o", settings={})
    made.write_setup(setup)
    for name in ("b", "a"):
        for mode in reversed(MODES):
            for repeat in range(2):
                changed = "How much was it?" if (name, mode, repeat) == ("b", MODES[0], 1) else ""
                made.results.append(asked(name, mode, repeat, changed))
    made.results.append(asked("gone", MODES[0], 0))
    return made


def test_what_is_asked_as_before_is_replayed_in_the_order_of_a_plan(folder: RunFolder) -> None:
    found = plan_replay(folder, (GOLD,))
    keys = [(each.key.mode, each.key.repeat, each.key.case) for each in found.planned]
    first, second = MODES
    assert keys == [
        *((first, 0, "a"), (first, 0, "b"), (first, 1, "a")),
        *((second, 0, "a"), (second, 0, "b"), (second, 1, "a"), (second, 1, "b")),
    ]
    assert found.left_out == 2


def test_a_part_can_be_replayed(folder: RunFolder) -> None:
    of_one = plan_replay(folder, (GOLD,), (ModeName.FULL,), limit=1)
    assert {(each.key.mode, each.key.case) for each in of_one.planned} == {(ModeName.FULL, "a")}
    assert of_one.left_out == 0


def test_neither_the_books_nor_their_owner_are_asked() -> None:
    database = SealedDatabase(PACK.schema)
    with pytest.raises(LiveCallInReplayError):
        database.fetch(Statement("SELECT 1", ()), Scope({}), 1, Limits())
    with pytest.raises(LiveCallInReplayError):
        sealed_environment(PACK, database).truth("SELECT 1")
