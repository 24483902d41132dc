"""OpenTelemetry spans by the GenAI conventions, which Langfuse and others read.

A run is an ``invoke_agent`` span; each model request is a ``chat`` span and each tool call an
``execute_tool`` span below it. Tokens and cost stand on the ``chat`` spans alone, so that a sum
over a trace counts nothing twice. Names that the conventions lack are ``veridical.*``.
Texts, arguments and results are left out unless enabled: they may be personal.
"""

import json
from typing import Any

from opentelemetry import trace as telemetry
from opentelemetry.trace import Span, SpanKind, Status, StatusCode, Tracer, set_span_in_context
from opentelemetry.util.types import AttributeValue

from veridical.contracts.answer import AnswerKind
from veridical.contracts.proof import QualityCheck, QualityReport
from veridical.contracts.search_ingest import VectorOutcome
from veridical.contracts.step import Progress
from veridical.contracts.trace import (
    AgentTrace,
    Answered,
    BudgetSpent,
    Event,
    Gated,
    Ingested,
    ModelCalled,
    PersonAsked,
    PersonDecided,
    Reviewed,
    Routed,
    RunStarted,
    ToolCalled,
)
from veridical.trace.counters import counters
from veridical.trace.timestamps import ended

AGENT = "veridical"
_NS_PER_S = 1_000_000_000
_LAST_NS = 2.0**63 - 2**10
"""The last point in time that fits the wire."""
_PROVIDERS = {
    "azure": "azure.ai.openai",
    "bedrock": "aws.bedrock",
    "google": "gcp.gemini",
    "google-gla": "gcp.gemini",
    "google-vertex": "gcp.vertex_ai",
    "grok": "x_ai",
    "mistral": "mistral_ai",
    "moonshotai": "moonshot_ai",
    "xai": "x_ai",
}
"""Providers with another name in the conventions than in model names."""

Attributes = dict[str, AttributeValue]


class SpanWriter:
    """Turns one run's events into spans as they come; ``write`` listens to a recorder."""

    def __init__(
        self, trace_id: str, tracer: Tracer | None = None, *, with_content: bool = False
    ) -> None:
        self._tracer = tracer or telemetry.get_tracer(AGENT)
        self._with_content = with_content
        self._trace_id = trace_id
        self._events: list[Event] = []
        self._root: Span | None = None
        self._closed = False

    def write(self, event: Event | Progress) -> None:
        """Write an event. The run's span opens with the first and ends with the answer."""
        if self._closed or isinstance(event, Progress):
            return
        root = self._root or self._opened(event)
        self._events.append(event)
        match event:
            case RunStarted():
                pass
            case Routed():
                given = _known({"veridical.route": event.route, "veridical.intent": event.intent})
                root.set_attributes(given)
                root.add_event("veridical.routed", {"reason": event.reason}, _ns(event.at))
            case ModelCalled():
                self._chat(root, event)
            case ToolCalled():
                self._tool(root, event)
            case BudgetSpent():
                given = {"veridical.limit": event.limit, "veridical.value": event.value}
                root.add_event("veridical.budget_spent", given, _ns(event.at))
            case PersonAsked():
                given = {"veridical.about": event.about.value, "veridical.name": event.name}
                root.add_event("veridical.person_asked", given, _ns(event.at))
            case PersonDecided():
                given = {
                    "veridical.about": event.about.value,
                    "veridical.name": event.name,
                    "veridical.approved": event.decision.approved,
                    "veridical.automatic": event.decision.automatic,
                }
                root.add_event("veridical.person_decided", given, _ns(event.at))
            case Gated():
                codes = [finding.code.value for finding in event.findings]
                given: Attributes = {
                    "veridical.verdict": event.verdict.value,
                    "veridical.codes": codes,
                    **_skill_match(event.quality),
                }
                root.add_event("veridical.gated", given, _ns(event.at))
            case Ingested() | Reviewed():
                self._batch(root, event)
            case Answered():
                self._answer(root, event)

    def _batch(self, root: Span, event: Ingested | Reviewed) -> None:
        """The progress of a run that works in batches."""
        if isinstance(event, Ingested):
            given = {
                "veridical.ingested_count": event.summary.ingested_count,
                "veridical.failed_count": event.summary.failed_count,
                "veridical.pending_count": event.summary.pending_count,
                **_vectors(event.vectors),
            }
        else:
            given = {
                "veridical.evaluated": event.evaluated,
                "veridical.requirements": event.requirements,
            }
        root.add_event(f"veridical.{event.kind}", given, _ns(event.at))

    def close(self) -> None:
        """End the run's span; for a run that never got to its answer."""
        if self._root is not None and not self._closed:
            self._closed = True
            seen = AgentTrace(trace_id=self._trace_id, events=tuple(self._events))
            found = counters(seen).model_dump(exclude_none=True)
            self._root.set_attributes({f"veridical.{name}": value for name, value in found.items()})
            self._root.end(_ns(max(map(ended, self._events))))

    def _opened(self, event: Event) -> Span:
        attributes: Attributes = {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": AGENT,
            "veridical.trace_id": self._trace_id,
        }
        if isinstance(event, RunStarted):
            attributes |= _model(event.model) | _known(
                {
                    "veridical.tenant": event.tenant or None,
                    "veridical.caller": event.caller,
                    "veridical.ontology_hash": event.ontology_hash or None,
                }
            )
            attributes |= self._content(**{"gen_ai.input.messages": _messages(event.question.text)})
        self._root = self._tracer.start_span(
            f"invoke_agent {AGENT}", attributes=attributes, start_time=_ns(event.at)
        )
        return self._root

    def _chat(self, root: Span, call: ModelCalled) -> None:
        model = _model(call.model)
        attributes: Attributes = {
            "gen_ai.operation.name": "chat",
            "gen_ai.usage.input_tokens": call.input_tokens,
            "gen_ai.usage.output_tokens": call.output_tokens,
            "veridical.round": call.round,
            **model,
            **_known({"gen_ai.usage.cost": call.cost}),
            **self._content(**{"gen_ai.output.messages": _answered(call)}),
        }
        name = f"chat {model.get('gen_ai.request.model', '')}".strip()
        error = call.error.partition(":")[0].strip() if call.error else None
        self._child(root, name, SpanKind.CLIENT, attributes, call, error)

    def _tool(self, root: Span, call: ToolCalled) -> None:
        attributes: Attributes = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": call.tool,
            "gen_ai.tool.type": "function",
            "veridical.round": call.round,
            **_known({"veridical.validation_failure_code": call.validation_failure_code}),
            **self._content(**{"gen_ai.tool.call.arguments": call.arguments}),
        }
        if call.error_details is not None:
            attributes |= self._content(**{"gen_ai.tool.call.result": call.error_details})
        if call.receipt is not None:
            attributes |= {
                "veridical.receipt.call_id": call.receipt.call_id,
                "veridical.query_hash": call.receipt.query_hash,
                "veridical.ontology_hash": call.receipt.ontology_hash,
                "veridical.row_count": call.receipt.row_count,
            }
        code = (call.error_details or {}).get("code")
        error = None if call.success else call.validation_failure_code or str(code or "_OTHER")
        self._child(root, f"execute_tool {call.tool}", SpanKind.INTERNAL, attributes, call, error)

    def _child(
        self,
        root: Span,
        name: str,
        kind: SpanKind,
        attributes: Attributes,
        call: ModelCalled | ToolCalled,
        error: str | None,
    ) -> None:
        span = self._tracer.start_span(
            name,
            context=set_span_in_context(root),
            kind=kind,
            attributes=attributes,
            start_time=_ns(call.at),
        )
        if error is not None:
            _fail(span, error)
        span.end(_ns(ended(call)))

    def _answer(self, root: Span, event: Answered) -> None:
        root.set_attribute("veridical.answer_kind", event.answer.kind.value)
        messages = _messages(event.answer.text, "assistant")
        root.set_attributes(self._content(**{"gen_ai.output.messages": messages}))
        if event.answer.kind is AnswerKind.FAILED:
            _fail(root, event.answer.kind.value)
        self.close()

    def _content(self, **given: Any) -> Attributes:
        if not self._with_content:
            return {}
        return {name: json.dumps(value, ensure_ascii=False) for name, value in given.items()}


def export(trace: AgentTrace, tracer: Tracer | None = None, *, with_content: bool = False) -> None:
    """Write a finished run's spans, at the times when they happened."""
    writer = SpanWriter(trace.trace_id, tracer, with_content=with_content)
    for event in trace.events:
        writer.write(event)
    writer.close()


def _ns(at: float) -> int:
    return int(min(max(at * _NS_PER_S, 0.0), _LAST_NS))


def _fail(span: Span, error: str) -> None:
    span.set_attribute("error.type", error)
    span.set_status(Status(StatusCode.ERROR, error))


def _skill_match(quality: QualityReport | None) -> Attributes:
    """Whether the answer fits the skill, where a skill was followed."""
    checks = quality.checks if quality else ()
    found = next((each for each in checks if each.check is QualityCheck.SKILL_MATCH), None)
    if quality is None or found is None:
        return {}
    attributes = {"veridical.skill": quality.skill, "veridical.skill_match": found.outcome.value}
    return _known({**attributes, "veridical.skill_match.score": found.score})


def _vectors(vectors: VectorOutcome | None) -> Attributes:
    if vectors is None:
        return {}
    return {
        "veridical.vector_count": vectors.vector_count,
        "veridical.missing_vector_count": vectors.missing_count,
    }


def _known(given: dict[str, Any]) -> Attributes:
    return {name: value for name, value in given.items() if value is not None}


def _model(name: str) -> Attributes:
    """The model and its provider, from a name such as ``openai:gpt-x``."""
    provider, colon, model = name.partition(":")
    if not name:
        return {}
    if not colon:
        return {"gen_ai.request.model": name}
    return {
        "gen_ai.provider.name": _PROVIDERS.get(provider, provider),
        "gen_ai.request.model": model,
    }


def _messages(text: str, role: str = "user") -> list[dict[str, Any]]:
    return [{"role": role, "parts": [{"type": "text", "content": text}]}]


def _answered(call: ModelCalled) -> list[dict[str, Any]]:
    text = [{"type": "text", "content": call.text}] if call.text else []
    calls = [{"type": "tool_call", "name": name} for name in call.tool_names]
    reason = "error" if call.error else "tool_call" if calls else "stop"
    return [{"role": "assistant", "parts": [*text, *calls], "finish_reason": reason}]
