import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode, Tracer

from tests.trace.runs import NOON, called, model_called, repaired_run, traces
from veridical.contracts.answer import AnswerKind
from veridical.contracts.trace import AgentTrace, Answered, BudgetSpent
from veridical.trace.otel import SpanWriter, export
from veridical.trace.recorder import Recorder

NS = 1_000_000_000
ROOT = Path(__file__).parents[2]


class Telemetry:
    def __init__(self) -> None:
        self.memory = InMemorySpanExporter()
        provider = TracerProvider(shutdown_on_exit=False)
        provider.add_span_processor(SimpleSpanProcessor(self.memory))
        self.tracer: Tracer = provider.get_tracer("test")

    def spans(self) -> Sequence[ReadableSpan]:
        return self.memory.get_finished_spans()

    def span(self, name: str) -> ReadableSpan:
        return next(span for span in self.spans() if span.name == name)


@pytest.fixture
def telemetry() -> Telemetry:
    return Telemetry()


def test_a_run_is_an_agent_with_chats_and_tools(telemetry: Telemetry) -> None:
    export(repaired_run(), telemetry.tracer)
    root = telemetry.span("invoke_agent veridical")
    assert [span.name for span in telemetry.spans()] == [
        "chat gpt-test",
        "execute_tool aggregateTable",
        "chat gpt-test",
        "execute_tool aggregateTable",
        "invoke_agent veridical",
    ]
    assert root.parent is None
    assert root.context is not None
    children = [span for span in telemetry.spans() if span is not root]
    assert {span.parent and span.parent.span_id for span in children} == {root.context.span_id}


def test_the_agent_span(telemetry: Telemetry) -> None:
    export(repaired_run(), telemetry.tracer)
    root = telemetry.span("invoke_agent veridical")
    assert root.kind is SpanKind.INTERNAL
    assert root.start_time == int(NOON) * NS
    assert root.end_time == int(NOON + 3) * NS
    assert dict(root.attributes or {}) == {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "veridical",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "gpt-test",
        "veridical.trace_id": "run-1",
        "veridical.tenant": "acme",
        "veridical.caller": "Ada",
        "veridical.ontology_hash": "0" * 16,
        "veridical.route": "agent",
        "veridical.answer_kind": "agent",
        "veridical.validation_failures": 1,
        "veridical.repair_attempts": 1,
        "veridical.success_after_repair": 1,
        "veridical.deflections": 0,
        "veridical.answers_blocked": 0,
        "veridical.tool_calls": 2,
        "veridical.model_calls": 2,
        "veridical.input_tokens": 2000,
        "veridical.output_tokens": 100,
        "veridical.cost": 0.004,
        "veridical.elapsed_ms": 3000.0,
    }
    assert root.status.status_code is StatusCode.UNSET
    assert [event.name for event in root.events] == ["veridical.routed"]


def test_a_chat_span(telemetry: Telemetry) -> None:
    export(repaired_run(), telemetry.tracer)
    chat = telemetry.span("chat gpt-test")
    assert chat.kind is SpanKind.CLIENT
    assert dict(chat.attributes or {}) == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "gpt-test",
        "gen_ai.usage.input_tokens": 1000,
        "gen_ai.usage.output_tokens": 50,
        "gen_ai.usage.cost": 0.002,
        "veridical.round": 1,
    }
    assert chat.start_time == int(NOON + 1) * NS
    assert chat.end_time == int(NOON + 1) * NS + NS * 4 // 5


def test_a_refused_and_a_repaired_tool_call(telemetry: Telemetry) -> None:
    export(repaired_run(), telemetry.tracer)
    refused, worked = (span for span in telemetry.spans() if span.name.startswith("execute_tool"))
    assert dict(refused.attributes or {}) == {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "aggregateTable",
        "gen_ai.tool.type": "function",
        "veridical.round": 1,
        "veridical.validation_failure_code": "INVALID_AGGREGATE_TARGET",
        "error.type": "INVALID_AGGREGATE_TARGET",
    }
    assert refused.status.status_code is StatusCode.ERROR
    assert worked.status.status_code is StatusCode.UNSET
    attributes = dict(worked.attributes or {})
    assert attributes["veridical.ontology_hash"] == "0" * 16
    assert attributes["veridical.row_count"] == 1
    assert "error.type" not in attributes


def test_content_is_left_out_unless_asked_for(telemetry: Telemetry) -> None:
    export(repaired_run(), telemetry.tracer)
    told = " ".join(span.to_json() for span in telemetry.spans())
    assert "Bank" not in told
    assert "tableName" not in told


def test_content_follows_the_conventions(telemetry: Telemetry) -> None:
    export(repaired_run(), telemetry.tracer, with_content=True)
    root = dict(telemetry.span("invoke_agent veridical").attributes or {})
    assert json.loads(str(root["gen_ai.input.messages"])) == [
        {"role": "user", "parts": [{"type": "text", "content": "Wie viel lag auf der Bank?"}]}
    ]
    chat = dict(telemetry.span("chat gpt-test").attributes or {})
    assert json.loads(str(chat["gen_ai.output.messages"])) == [
        {
            "role": "assistant",
            "parts": [{"type": "tool_call", "name": "aggregateTable"}],
            "finish_reason": "tool_call",
        }
    ]
    tool = dict(telemetry.span("execute_tool aggregateTable").attributes or {})
    assert json.loads(str(tool["gen_ai.tool.call.arguments"])) == {"tableName": "Balance"}
    assert json.loads(str(tool["gen_ai.tool.call.result"]))["hint"] == "No."


def test_failures_are_errors(telemetry: Telemetry) -> None:
    run = repaired_run()
    last = run.events[-1]
    assert isinstance(last, Answered)
    answer = last.answer.model_copy(update={"kind": AnswerKind.FAILED})
    events = (
        run.events[0],
        model_called(NOON + 1, 1).model_copy(update={"error": "TimeoutError: after 60 s"}),
        called(1, success=False),
        BudgetSpent(at=NOON + 2, limit="rounds", value=8),
        last.model_copy(update={"answer": answer}),
    )
    export(run.model_copy(update={"events": events}), telemetry.tracer)
    chat, tool, root = telemetry.spans()
    errors = [dict(span.attributes or {})["error.type"] for span in (chat, tool, root)]
    assert errors == ["TimeoutError", "_OTHER", "failed"]
    assert {span.status.status_code for span in (chat, tool, root)} == {StatusCode.ERROR}
    assert [event.name for event in root.events] == ["veridical.budget_spent"]


@pytest.mark.parametrize(
    ("model", "provider", "name"),
    [
        ("anthropic:claude", "anthropic", "claude"),
        ("google-vertex:gemini", "gcp.vertex_ai", "gemini"),
        ("ollama:qwen:7b", "ollama", "qwen:7b"),
        ("local", None, "local"),
    ],
)
def test_providers_by_their_conventional_names(
    telemetry: Telemetry, model: str, provider: str | None, name: str
) -> None:
    call = model_called(NOON, 1).model_copy(update={"model": model})
    export(AgentTrace(trace_id="t", events=(call,)), telemetry.tracer)
    attributes = dict(telemetry.span(f"chat {name}").attributes or {})
    assert attributes["gen_ai.request.model"] == name
    assert attributes.get("gen_ai.provider.name") == provider


def test_spans_can_be_written_while_a_run_goes_on(telemetry: Telemetry) -> None:
    writer = SpanWriter("run-1", telemetry.tracer)
    recorder = Recorder("run-1", listeners=[writer.write])
    with telemetry.tracer.start_as_current_span("request"):
        for event in repaired_run().events[:4]:
            recorder.emit(event)
        assert len(telemetry.spans()) == 2
    writer.close()
    writer.close()
    root = telemetry.span("invoke_agent veridical")
    assert root.parent is not None
    assert root.end_time == int(NOON + 1) * NS + NS * 4 // 5
    assert len(telemetry.spans()) == 4


@given(traces)
def test_every_trace_can_be_exported(trace: AgentTrace) -> None:
    telemetry = Telemetry()
    export(trace, telemetry.tracer, with_content=True)
    assert [span.name for span in telemetry.spans()].count("invoke_agent veridical") == 1


def test_without_an_sdk_nothing_happens() -> None:
    code = (
        "import sys; from tests.trace.runs import repaired_run;"
        "from veridical.trace.otel import export; export(repaired_run());"
        "print('opentelemetry.sdk' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"
