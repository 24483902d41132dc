"""The figures, counted from what is in the database when all is over."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from benchmarks.durability.callers import GUARDED, PEOPLE, PLAIN, UNATTENDED, Ruled
from benchmarks.durability.records import Record
from benchmarks.durability.release import NEW_STEP
from benchmarks.durability.session import GUARDED_STEP, STEPS
from veridical.contracts.person import Decision
from veridical.runs.state import RunStatus

MUST_BE_ZERO = (
    "lost", "failed", "started_twice", "wrong_answers", "duplicated_effects", "missing_effects",
    "forbidden_effects", "decided_twice", "auto_approvals_missing", "deploy_stranded",
    "torn_traces",
)  # fmt: skip


@dataclass(frozen=True)
class Course:
    """What happened from outside: for what should be found."""

    started: Collection[str]
    """Every run that somebody was told of."""
    ruled: Sequence[Ruled]
    at_deployment: Collection[str]
    """Runs that waited for a person then."""
    first_after_deployment: int
    """Runs that wait for nobody, from this one on, were started with the new code alone."""
    workers_back_at: datetime


def count(records: Sequence[Record], effects: Counter[str], course: Course) -> dict[str, Any]:
    """All figures that must be as they should, whatever was done to the workers."""
    done = {each.run_id for each in records if each.status is RunStatus.DONE}
    return {
        "runs": len(records),
        "lost": len(set(course.started) - done),
        "failed": sum(each.status is RunStatus.FAILED for each in records),
        "started_twice": len({each.run_id for each in records} - set(course.started)),
        "wrong_answers": _wrong_answers(records),
        **_effects(records, effects, course),
        **_approvals(records, course),
        "deploy_waiting": len(course.at_deployment),
        "deploy_stranded": len(set(course.at_deployment) - done),
    }


def _effects(records: Iterable[Record], effects: Counter[str], course: Course) -> dict[str, int]:
    expected: set[str] = set()
    permitted: set[str] = set()
    for record in records:
        due = _due(record, course)
        expected |= {f"{record.run_id}:{step}" for step in due}
        permitted |= {f"{record.run_id}:{step}" for step in (*due, NEW_STEP)}
    return {
        "effects": effects.total(),
        "duplicated_effects": sum(times - 1 for times in effects.values()),
        "missing_effects": len(expected - effects.keys()),
        "forbidden_effects": len(effects.keys() - permitted),
    }


def _due(record: Record, course: Course) -> list[str]:
    """The steps of this run that must have had their effect."""
    due = [step for step in STEPS if not (_is_denied(record) and step == GUARDED_STEP)]
    is_new = record.kind == UNATTENDED or (
        record.kind == PLAIN and record.number >= course.first_after_deployment
    )
    return [*due, NEW_STEP] if is_new else due


def _approvals(records: Sequence[Record], course: Course) -> dict[str, Any]:
    by_run = {each.run_id: each for each in records}
    kept = [each for each in course.ruled if _is_kept(each, by_run[each.run_id])]
    alone = [each for each in records if each.kind == UNATTENDED]
    ends = [each.finished_at for each in alone if _approved_itself(each) and each.finished_at]
    waits = [(end - course.workers_back_at).total_seconds() for end in ends]
    late = [wait for wait in waits if wait > 0]
    return {
        "approvals": sum(each.kind == GUARDED for each in records),
        "approvals_kept": len(kept),
        "approvals_denied": sum(PEOPLE[each.accepted[0]] is False for each in kept),
        "decided_twice": sum(len(each.accepted) != 1 for each in course.ruled),
        "auto_approvals": len(late),
        "auto_approvals_missing": len(alone) - len(ends),
        "auto_approval_delay_s": round(max(late), 1) if late else None,
    }


def _is_kept(ruled: Ruled, record: Record) -> bool:
    """Whether the run went on with the decision of whoever was told that it was theirs."""
    decision = _decision(record)
    if decision is None or decision.automatic or record.status is not RunStatus.DONE:
        return False
    said = (decision.decided_by, decision.approved)
    return [said] == [(name, PEOPLE[name]) for name in ruled.accepted]


def _decision(record: Record) -> Decision | None:
    """What was decided about the call that needs it."""
    hitl = record.answer.hitl if record.answer else None
    for consulted in hitl.consulted if hitl else ():
        if consulted.name == f"call:{GUARDED_STEP}":
            return consulted.decision
    return None


def _is_denied(record: Record) -> bool:
    decision = _decision(record)
    return decision is not None and not decision.approved


def _approved_itself(record: Record) -> bool:
    hitl = record.answer.hitl if record.answer else None
    return hitl is not None and hitl.auto_approved


def _wrong_answers(records: Iterable[Record]) -> int:
    """Answers unlike the others': the question is the same for all. Whoever was denied a call has
    less to go by; and what stands below an answer says how it was approved."""
    texts: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    for each in records:
        if each.answer is not None and each.status is RunStatus.DONE:
            texts[_is_denied(each)][each.answer.text.partition("\n\n")[0]] += 1
    return sum(each.total() - max(each.values(), default=0) for each in texts.values())
