"""What a run may tell, for tests of whoever writes or reads it."""

from typing import Any

from tests.runs.conftest import TENANT
from tests.trace.runs import repaired_run
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.language import Language
from veridical.runs.journal import Entry
from veridical.runs.rows import Ending
from veridical.runs.state import RunStatus
from veridical.trace.batch import Written
from veridical.trace.event_json import to_stored_text

EVENTS = repaired_run("any", TENANT).events


def told(run_id: str, *sequences: int, **parts: Any) -> Entry:
    """These events of a run."""
    events = tuple(
        Written(run_id, sequence, EVENTS[sequence], to_stored_text(EVENTS[sequence]))
        for sequence in sequences
    )
    return Entry(run_id, run_id, events, **parts)


def ending(run_id: str, text: str = "42") -> Ending:
    """An answer, and the end."""
    answer = Answer(kind=AnswerKind.AGENT, text=text, language=Language.EN, trace_id=run_id)
    return Ending(run_id, RunStatus.DONE, answer)
