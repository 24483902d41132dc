"""The parts of a client that don't wait: whose data is meant, verdicts on queries and answers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from veridical import gate
from veridical.answering.fact_tables import alone, fact_tables, numbered
from veridical.answering.feature import Feature
from veridical.answering.grounds import exhibits_of
from veridical.answering.session import Session
from veridical.contracts.answer import Answer, Source
from veridical.contracts.call import Call
from veridical.contracts.caller import WHOLE, Caller, scope_of
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.facts_answer import StatedAnswer
from veridical.contracts.language import Language
from veridical.contracts.proof import Proof
from veridical.contracts.question import Question
from veridical.contracts.result import ToolResult, ToolRun
from veridical.contracts.step import Progress
from veridical.contracts.trace import Event
from veridical.contracts.violation import Refusal
from veridical.evidence.read import read_tables
from veridical.facts.compose import composed
from veridical.facts.record import report, report_answer
from veridical.gate.evidence.source import Meaning
from veridical.host.errors import SetupError, SetupProblem
from veridical.host.runtime import Runtime
from veridical.reading.language import language_of
from veridical.tools.toolbox import Toolbox

OnEvent = Callable[[Event | Progress], None]
"""Called with each event on the way to an answer."""


class Access:
    """A runtime, and the default callers for calls that name none."""

    def __init__(self, runtime: Runtime, callers: Mapping[str, Caller]) -> None:
        """Made by ``veridical.open``.

        The callers are by feature.
        """
        self._runtime = runtime
        self._callers = callers

    @property
    def features(self) -> tuple[str, ...]:
        """The names of the features."""
        return tuple(sorted(self._runtime.features))

    def check(
        self,
        call: Call | str | Mapping[str, Any],
        *,
        feature: str = "",
        caller: Caller | None = None,
        question: str = "",
    ) -> CheckedQuery | Refusal:
        """The verdict on a query before it runs: SQL as text, a call, or a call as JSON has it.

        A query that passed is ``ok``, and ``run`` takes it; a refusal says what to change.
        """
        session = self._session(feature, caller)
        return session.feature.checker.check(call, session.caller, question)

    def gate(
        self,
        answer: str,
        evidence: Any,
        *,
        question: str = "",
        feature: str = "",
        language: Language | None = None,
        runs: Sequence[ToolRun] = (),
    ) -> Proof:
        """The verdict on an answer before it is shown: ``ok`` where its evidence supports it.

        What ``run`` gave, and an answer of ``ask``, are read with what the ontology knows of their
        columns; beside them, evidence has any shape that ``veridical.gate.check`` takes.
        """
        meaning = self._feature(feature).meaning
        return gate.check(
            answer,
            _read(evidence, question, meaning),
            question=question,
            language=language,
            policy=self._runtime.policy_of(self._named(feature)),
            runs=runs,
        )

    def state(
        self,
        answer: Any,
        evidence: Any,
        *,
        question: str = "",
        feature: str = "",
        language: Language | None = None,
    ) -> StatedAnswer:
        """An answer in facts, computed and filled in; or why not, with what to write instead.

        ``answer`` is what a model wrote by ``veridical.facts.instruction``; for ``None`` the host
        composes one of its own from the results, with no text where there are none. What ``run``
        gave, and an answer of ``ask``, are ``r1``, ``r2`` … with what the ontology knows of their
        columns; other evidence has any shape that holds rows.
        """
        sources = _sources(evidence)
        if sources is None:
            tables = read_tables(evidence.data if isinstance(evidence, ToolResult) else evidence)
        else:
            named = numbered(sources, self._feature(feature).meaning)
            tables = fact_tables(alone(named, question))
        used_language = language or language_of(question, Language.EN)
        if answer is None:
            return report(composed(tables, question, used_language))
        return report_answer(answer, tables, question, used_language)

    def context(
        self, question: str = "", *, feature: str = "", caller: Caller | None = None
    ) -> str:
        """The meaning of the data for a model's instructions: tables, fields, what is forbidden.

        A question picks what it needs where not all has room.
        """
        session = self._session(feature, caller)
        return session.feature.context(session.caller, question, session.settings.prompt_tokens)

    def toolbox(self, *, feature: str = "", caller: Caller | None = None) -> Toolbox:
        """The checked tools of a caller, for an agent of one's own."""
        return self._session(feature, caller).toolbox

    def _feature(self, name: str) -> Feature:
        return self._runtime.feature(self._named(name))

    def _named(self, feature: str) -> str:
        """The feature that was named, else the only one. Raises ``SetupError``."""
        if feature or len(self.features) == 1:
            return feature or self.features[0]
        raise SetupError(SetupProblem.WHICH_FEATURE, known=", ".join(self.features))

    def _session(
        self, feature: str, caller: Caller | None, on_event: OnEvent | None = None
    ) -> Session:
        """The session for this caller. Raises ``SetupError``."""
        name = self._named(feature)
        self._runtime.feature(name)
        who = caller or self._callers.get(name) or Caller()
        shared = self._runtime.shared_tables.get(name, WHOLE)
        if not who.scope.allowed and not shared >= WHOLE:
            raise SetupError(SetupProblem.NO_TENANT, feature=name)
        who = replace(who, scope=scope_of(who.scope.allowed, who.scope.shared | shared))
        return self._runtime.session(name, who, on_event or _ignore)


def _ignore(event: Event | Progress) -> None:
    """Ignores the event."""


def _sources(evidence: Any) -> Sequence[Source] | None:
    """Results of the engine; none for evidence of any other shape."""
    sources: Any = evidence.sources if isinstance(evidence, Answer) else evidence
    if isinstance(sources, Source):
        return (sources,)
    if isinstance(sources, list | tuple) and all(isinstance(each, Source) for each in sources):
        return sources
    return None


def _read(evidence: Any, question: str, meaning: Meaning) -> Any:
    """Results of the engine with the meaning of their columns; all else as it is."""
    sources = _sources(evidence)
    if sources is None:
        return evidence
    return exhibits_of(sources, Question(text=question), meaning)
