"""A conversation on the command line: each question with those before it, each run saved."""

from dataclasses import dataclass, field, replace
from uuid import uuid4

from veridical.answering.flow import answer
from veridical.answering.routing import spoken_language
from veridical.cli.error_reporting import UsageError
from veridical.cli.progress import ProgressView
from veridical.contracts.answer import Answer
from veridical.contracts.caller import Caller
from veridical.contracts.language import Language
from veridical.contracts.question import Question, Turn, with_turn
from veridical.contracts.trace import AgentTrace, Answered, Event, RunStarted
from veridical.host.runtime import Runtime
from veridical.messages import message
from veridical.trace.otel import SpanWriter
from veridical.trace.recorder import Recorder
from veridical.trace.store import TraceStore

_LOOKED_THROUGH = 20


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation: its feature, its thread so far, and where runs are saved."""

    feature: str
    language: Language | None
    """That of all answers; without one, each answer speaks its question's."""
    store: TraceStore
    quiet: bool = False
    thread: tuple[Turn, ...] = ()
    events: tuple[Event, ...] = field(default=(), repr=False)
    """Those of the last question's run."""

    def question(self, text: str) -> Question:
        """This text as the next question."""
        return Question(text=text, feature=self.feature, language=self.language, thread=self.thread)

    def spoken(self, text: str, fallback: Language = Language.EN) -> Language:
        """The language of this question, its answer and the output around it."""
        return spoken_language(self.question(text), fallback)

    async def ask(
        self, text: str, runtime: Runtime, caller: Caller
    ) -> tuple[Answer, "Conversation"]:
        """The answer, and the conversation continued with it."""
        asked = self.question(text)
        view = ProgressView(quiet=self.quiet, language=self.spoken(text, caller.language))
        trace_id = str(uuid4())
        spans = SpanWriter(trace_id)
        recorder = Recorder(trace_id, (self.store,), (view.see, spans.write))
        session = runtime.session(self.feature, caller, recorder.emit)
        given = await answer(asked, session, trace_id=trace_id)
        spans.close()
        recorder.flush()
        thread = with_turn(self.thread, text, given.text)
        return given, replace(self, thread=thread, events=recorder.trace.events)


def earlier_turns(
    store: TraceStore, feature: str, trace_id: str, language: Language
) -> tuple[Turn, ...]:
    """The conversation of this run; without an id, the latest one about the feature.

    Raises ``UsageError`` where there is none.
    """
    if trace_id:
        found = store.load(trace_id)
        traces = () if found is None else (found,)
    else:
        traces = store.recent(_LOOKED_THROUGH)
    for trace in traces:
        asked = _asked(trace)
        if asked is not None and asked.feature == feature:
            return with_turn(asked.thread, asked.text, _told(trace))
    raise UsageError(message("cli.no_conversation", language, feature=feature))


def _asked(trace: AgentTrace) -> Question | None:
    return next((each.question for each in trace.events if isinstance(each, RunStarted)), None)


def _told(trace: AgentTrace) -> str:
    given = (each.answer.text for each in trace.events if isinstance(each, Answered))
    return next(given, "")
