import json
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from benchmarks.durability.__main__ import figures, main
from benchmarks.durability.callers import GUARDED, PLAIN, UNATTENDED, Ruled
from benchmarks.durability.ground import FULL, SMOKE, Fault
from benchmarks.durability.records import Record
from benchmarks.durability.release import NEW_STEP
from benchmarks.durability.session import GUARDED_STEP, STEPS
from benchmarks.durability.statements import MUST_BE_ZERO as OF_STATEMENTS
from benchmarks.durability.tally import MUST_BE_ZERO, Course, count
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.language import Language
from veridical.contracts.person import Consulted, Decision, Hitl, ItemKind
from veridical.runs.state import RunStatus

BACK_AT = datetime(2026, 1, 1, tzinfo=UTC)


def record(key: str, status: RunStatus = RunStatus.DONE, hitl: Hitl | None = None) -> Record:
    answer = Answer(
        kind=AnswerKind.AGENT, text="It rose.", language=Language.EN, trace_id=key, hitl=hitl
    )
    return Record(key, key, status, answer, BACK_AT + timedelta(seconds=7))


def decided(by: str, *, approved: bool, automatic: bool = False) -> Hitl:
    decision = Decision(
        approved=approved, decided_by=by, automatic=automatic, evidence_hash="e", at=0.0
    )
    name = "evidence.1" if automatic else f"call:{GUARDED_STEP}"
    kind = ItemKind.EVIDENCE if automatic else ItemKind.CALL
    return Hitl(
        auto_approved=automatic, consulted=(Consulted(name=name, about=kind, decision=decision),)
    )


RECORDS = (
    record(f"{PLAIN}-0"),
    record(f"{PLAIN}-1"),
    record(f"{GUARDED}-0", hitl=decided("bea", approved=True)),
    record(f"{GUARDED}-1", hitl=decided("carlo", approved=False)),
    record(f"{UNATTENDED}-0", hitl=decided("nobody", approved=True, automatic=True)),
)
EFFECTS = Counter(
    f"{each.run_id}:{step}"
    for each in RECORDS
    for step in (*STEPS, NEW_STEP)
    if (each.key, step) not in {(f"{GUARDED}-1", GUARDED_STEP), (f"{PLAIN}-0", NEW_STEP)}
)


def counted(
    records: tuple[Record, ...] = RECORDS, effects: Counter[str] = EFFECTS, **course: Any
) -> dict[str, Any]:
    happened: dict[str, Any] = {
        "started": [each.run_id for each in RECORDS],
        "ruled": [Ruled(f"{GUARDED}-0", ("bea",)), Ruled(f"{GUARDED}-1", ("carlo",))],
        "at_deployment": [f"{GUARDED}-0"],
        "first_after_deployment": 1,
        "workers_back_at": BACK_AT,
        **course,
    }
    return count(records, effects, Course(**happened))


def test_a_course_without_a_fault_has_none() -> None:
    found = counted()
    assert {name: found[name] for name in MUST_BE_ZERO if found.get(name)} == {}
    assert (found["runs"], found["approvals_kept"], found["approvals_denied"]) == (5, 2, 1)
    assert (found["auto_approvals"], found["auto_approval_delay_s"]) == (1, 7.0)


def test_effects_are_missed_and_counted_twice() -> None:
    key = f"{PLAIN}-0:{STEPS[0]}"
    assert counted(effects=EFFECTS + Counter({key: 2}))["duplicated_effects"] == 2
    assert counted(effects=EFFECTS - Counter({key: 1}))["missing_effects"] == 1


def test_new_code_must_do_what_it_brings_for_new_runs_only() -> None:
    new = Counter({f"{PLAIN}-1:{NEW_STEP}": 1})
    assert counted(effects=EFFECTS - new)["missing_effects"] == 1
    assert counted(effects=EFFECTS - new, first_after_deployment=2)["missing_effects"] == 0


def test_the_effect_of_a_denied_call_is_forbidden() -> None:
    done = Counter({f"{GUARDED}-1:{GUARDED_STEP}": 1})
    assert counted(effects=EFFECTS + done)["forbidden_effects"] == 1


def test_runs_that_fail_or_are_gone_are_lost() -> None:
    failed = (record(f"{PLAIN}-0", RunStatus.FAILED), *RECORDS[1:])
    assert (counted(failed)["lost"], counted(failed)["failed"]) == (1, 1)
    assert counted(RECORDS[1:], started=[f"{PLAIN}-0"])["lost"] == 1
    assert counted(started=[each.run_id for each in RECORDS[1:]])["started_twice"] == 1


def test_a_decision_counts_for_whoever_was_told_so() -> None:
    twice = counted(ruled=[Ruled(f"{GUARDED}-0", ("bea", "carlo"))])
    assert (twice["decided_twice"], twice["approvals_kept"]) == (1, 0)
    assert counted(ruled=[Ruled(f"{GUARDED}-0", ("carlo",))])["approvals_kept"] == 0
    waiting = record(f"{GUARDED}-0", RunStatus.WAITING)
    stranded = counted((waiting, *RECORDS[:2], *RECORDS[3:]))
    assert (stranded["deploy_stranded"], stranded["approvals_kept"]) == (1, 1)


def test_the_full_size_is_what_is_asked_for() -> None:
    assert FULL.runs >= 1000
    assert FULL.approvals >= 100
    assert FULL.kills >= 20
    assert min(FULL.crashes, FULL.freezes) >= 5


@pytest.mark.slow
@pytest.mark.postgres
def test_runs_survive_a_few_disturbances(tmp_path: Path) -> None:
    found = figures(SMOKE, seed=1, folder=tmp_path, parts=("runs",))
    assert {name: found[name] for name in MUST_BE_ZERO if found[name]} == {}
    assert found["runs"] >= SMOKE.runs + SMOKE.approvals + SMOKE.unattended
    assert found["approvals_kept"] == SMOKE.approvals
    assert found["worker_kills"] >= SMOKE.kills
    assert found["auto_approval_delay_s"] <= 60


@pytest.mark.slow
@pytest.mark.postgres
def test_runs_of_dead_workers_are_lost_without_a_reaper(tmp_path: Path) -> None:
    impatient = SMOKE._replace(runs=20, crashes=0, freezes=0, patience_seconds=12.0)
    found = figures(impatient, 1, Fault.NO_REAPER, tmp_path, ("runs",))
    assert found["lost"] > 0


@pytest.mark.slow
@pytest.mark.postgres
def test_long_statements_of_killed_workers_leave_nothing_behind(tmp_path: Path) -> None:
    found = figures(SMOKE, seed=1, folder=tmp_path, parts=("statements",))
    assert [found[name] for name in OF_STATEMENTS] == [0] * len(OF_STATEMENTS)
    assert found["statement_kills"] == SMOKE.statement_kills
    assert found["statements_started"] >= found["statements_needed"] > 0


def test_what_was_lost_fails_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = dict.fromkeys(MUST_BE_ZERO, 0)
    monkeypatch.setattr("sys.argv", ["durability", "--json"])
    monkeypatch.setattr("benchmarks.durability.__main__.figures", Mock(return_value=found))
    main()
    found["lost"] = 1
    with pytest.raises(SystemExit, match="not zero: lost"):
        main()
    assert json.loads(capsys.readouterr().out.splitlines()[-1]) == found
