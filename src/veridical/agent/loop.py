"""The tool loop: calls the model, runs its tool calls, returns the results, until there is an
answer.

Everything that reads a clock, calls a model or runs a tool is a step; all code between two steps
follows from their results. So a run that is replayed, or resumed after a crash, does the same.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import Model

from veridical.agent.answer_form import AnswerForm
from veridical.agent.approval import Permit, Review, always_permitted, unreviewed
from veridical.agent.budget import Spent, cost_of, counted, seconds_left, spent
from veridical.agent.conversation import (
    calls_made,
    calls_of,
    ended,
    final_text,
    opening_messages,
    read_arguments,
    read_message,
    text_of,
)
from veridical.agent.failure import Attempt, FailureCode, failed, out_of_budget, refused_too_often
from veridical.agent.model_call import ModelCall, Reply, call_model
from veridical.agent.prompt import in_form, moment, request_parameters
from veridical.agent.refusals import (
    ANSWER_TOO_EARLY,
    HOST_MUST_ACT,
    MALFORMED_ARGUMENTS,
    NO_ANSWER_TEXT,
    REPEATED_CALL,
    call_identity,
    refuse,
    refused_repeat,
)
from veridical.agent.request import LoopOutcome, LoopRequest
from veridical.agent.results import as_prompt, as_source, names_of
from veridical.agent.selection import ENDINGS, SHOW_RESULT
from veridical.agent.tool_call import CallTool, ToolCall, run_tool, tool_called
from veridical.contracts.answer import AnswerKind, Source, Usage
from veridical.contracts.result import ToolResult, ToolRun
from veridical.contracts.step import Progress, Step, directly
from veridical.contracts.trace import BudgetSpent, ModelCalled, ToolCalled
from veridical.messages import message

Emit = Callable[[ModelCalled | ToolCalled | BudgetSpent | Progress], None]

MOST_REFUSALS = 3
"""Rounds in a row that are refused for the same reason, after which the run ends."""
_MOST_EMPTY = 2


def _unheard(event: object) -> None:
    """Event listener that does nothing."""


async def run_loop(
    request: LoopRequest,
    model: Model,
    tools: CallTool,
    schemas: Sequence[dict[str, Any]],
    step: Step = directly,
    emit: Emit = _unheard,
    permit: Permit = always_permitted,
    review: Review = unreviewed,
) -> LoopOutcome:
    """One question, from the first request to an answer, an "I can't say", or a failure."""
    return await _Run(request, model, tools, schemas, step, emit, permit, review).play()


class _Run:
    """The state of one run: all of it follows from the request and from what the steps gave."""

    def __init__(
        self,
        request: LoopRequest,
        model: Model,
        tools: CallTool,
        schemas: Iterable[dict[str, Any]],
        step: Step,
        emit: Emit,
        permit: Permit,
        review: Review,
    ) -> None:
        self._request = request
        self._language = request.language
        self._tools = tools
        self._step = step
        self._emit = emit
        self._permit = permit
        self._review = review
        self._by_tool = by_tool = request.tool_choice_required
        self._asking = ModelCall(
            model,
            request_parameters(request, schemas),
            request.timeout_seconds,
            self._hear if request.stream else None,
        )
        self._first_asking = self._asking
        if by_tool and request.evidence_first and self._asking.parameters.function_tools:
            without_end = replace(self._asking.parameters, output_tools=[])
            self._first_asking = replace(self._asking, parameters=without_end)
        before = request.resumes
        self._messages: list[ModelMessage] = opening_messages(request)
        self._usage = before.usage if before else Usage(cost=0.0 if request.price else None)
        self._now = request.at
        made = calls_made(self._messages) if request.anew else ()
        self._made = [call_identity(*each) for each in made]
        self._attempts: list[Attempt] = []
        self._sources: list[Source] = list(before.sources) if before else []
        self._runs: list[ToolRun] = list(before.runs) if before else []
        self._past = len(self._runs) if request.anew else 0
        self._shown: Source | None = None
        self._refusals: Counter[str] = Counter()
        self._resting: set[str] = set()
        self._empty = 0

    async def play(self) -> LoopOutcome:
        while (limit := spent(self._request.budget, self._usage)) is None:
            remaining = seconds_left(self._request.budget, self._usage)
            reply, message = await self._ask(remaining)
            if reply.failure is not None:
                if reply.failure.code is FailureCode.TIMEOUT and self._ran_out(remaining):
                    limit = Spent("wallSeconds", self._usage.elapsed_ms / 1000)
                    break
                return self._failed(reply.failure.code)
            outcome = await self._follow(message)
            if outcome is not None:
                return outcome
        self._emit(BudgetSpent(at=self._now, limit=limit.limit, value=limit.value))
        text = out_of_budget(limit, self._attempts, self._language)
        return self._ended(AnswerKind.UNKNOWN, text, limit.limit)

    async def _ask(self, remaining: float) -> tuple[Reply, ModelResponse]:
        number = self._usage.rounds + 1
        self._emit(Progress(stage="asking", round=number))
        call = self._now_asking()
        recorded = await self._step(
            f"{self._request.label}.model.{number}",
            lambda: call_model(call, self._messages, remaining),
        )
        reply = Reply.model_validate(recorded)
        message = read_message(reply.message, moment(reply.at))
        self._count(reply, message)
        return reply, message

    def _now_asking(self) -> ModelCall:
        """The model with the tools that it may call now, without one that it only repeats."""
        call = self._asking if self._has_found else self._first_asking
        parameters = in_form(call.parameters, self._request, self._sources)
        call = replace(call, parameters=parameters)
        offered = call.parameters.function_tools
        fresh = [tool for tool in offered if self._may_call(tool.name)]
        if not self._by_tool or not fresh or len(fresh) == len(offered):
            return call
        return replace(call, parameters=replace(parameters, function_tools=fresh))

    def _may_call(self, tool: str) -> bool:
        first = self._request.first_tools
        if first and not self._attempts:
            return tool in first
        return tool not in self._resting

    def _count(self, reply: Reply, message: ModelResponse) -> None:
        """Adds the request to the usage, and emits its event."""
        used = message.usage
        cost = cost_of(
            self._request.price, used.input_tokens, used.output_tokens, used.cache_read_tokens
        )
        self._passes(reply.at, reply.elapsed_ms)
        self._usage = counted(self._usage, used.input_tokens, used.output_tokens, cost)
        self._emit(
            ModelCalled(
                at=reply.at,
                round=self._usage.rounds,
                model=self._asking.model.model_name,
                input_tokens=used.input_tokens,
                output_tokens=used.output_tokens,
                cost=cost,
                elapsed_ms=reply.elapsed_ms,
                text=text_of(message) or reply.heard,
                tool_names=tuple(call.tool_name for call in calls_of(message)),
                error=reply.failure.text if reply.failure else None,
            )
        )

    async def _follow(self, message: ModelResponse) -> LoopOutcome | None:
        """Handles the model's message: an answer, calls, or nothing."""
        calls = calls_of(message)
        if not calls:
            return self._take(text_of(message))
        finals = [call for call in calls if call.tool_name in ENDINGS]
        if len(finals) == len(calls):
            shows = finals[0].tool_name == SHOW_RESULT
            answer = "" if shows else final_text(finals[0])
            if answer or (shows and self._shown):
                self._messages.append(message)
                return self._answered(answer) if answer else self._in_rows(self._shown)
        self._messages.append(message)
        return await self._act(calls)

    def _take(self, text: str) -> LoopOutcome | None:
        if text and self._request.answer_form is not AnswerForm.ROWS:
            return self._answered(text)
        self._empty += 1
        if self._empty == _MOST_EMPTY:
            return self._failed(FailureCode.UNREADABLE)
        nudge = UserPromptPart(message("agent.nudge", self._language), timestamp=moment(self._now))
        self._messages.append(ModelRequest([nudge]))
        return None

    async def _act(self, calls: Sequence[ToolCallPart]) -> LoopOutcome | None:
        """Makes all calls of one message in their order and hands all results back at once."""
        alone = all(call.tool_name in ENDINGS for call in calls)
        known = len(self._sources)
        attempts = [
            await self._attempt(call, place, alone=alone) for place, call in enumerate(calls, 1)
        ]
        names = self._names(attempts)
        self._messages.append(
            ModelRequest(
                [
                    ToolReturnPart(
                        call.tool_name,
                        as_prompt(attempt.result, self._language, self._then(attempt.result), name),
                        call.tool_call_id,
                        timestamp=moment(self._now),
                    )
                    for call, attempt, name in zip(calls, attempts, names, strict=True)
                ]
            )
        )
        self._attempts += attempts
        self._resting = {each.tool for each in attempts if each.code == REPEATED_CALL}
        if self._request.answer_form is AnswerForm.ROWS and len(self._sources) > known:
            return self._in_rows()
        return self._given_up(attempts)

    def _names(self, attempts: Sequence[Attempt]) -> list[str]:
        """The names of results in the answer, by the number of their source; empty for others."""
        if self._request.answer_form is AnswerForm.TEXT:
            return [""] * len(attempts)
        return names_of([each.result for each in attempts], len(self._sources))

    def _given_up(self, attempts: Sequence[Attempt]) -> LoopOutcome | None:
        """The end of a run whose calls can't succeed; None while they can."""
        for attempt in attempts:
            if attempt.code == FailureCode.TOOL_BROKE:
                return self._failed(FailureCode.TOOL_BROKE)
            if (attempt.result.error_details or {}).get("actor") == HOST_MUST_ACT:
                return self._failed(FailureCode.DATA_UNAVAILABLE)
        if any(attempt.code is None for attempt in attempts):
            self._refusals.clear()
            return None
        self._refusals.update({attempt.code or "" for attempt in attempts})
        code, count = self._refusals.most_common(1)[0]
        if count < MOST_REFUSALS:
            return None
        if code == MALFORMED_ARGUMENTS:
            return self._failed(FailureCode.UNREADABLE)
        text = refused_too_often(count, self._attempts, self._language)
        return self._ended(AnswerKind.UNKNOWN, text, code)

    async def _attempt(self, call: ToolCallPart, place: int, *, alone: bool) -> Attempt:
        if call.tool_name in ENDINGS:
            return Attempt(call.tool_name, call.args_as_dict(), self._not_final(alone=alone))
        arguments = read_arguments(call)
        if arguments is None:
            hint = message("tools.not_an_object", self._language)
            result: ToolResult | None = refuse(MALFORMED_ARGUMENTS, hint)
        else:
            identity = call_identity(call.tool_name, arguments)
            result = refused_repeat(identity, self._made, self._language, instead=self._instead())
            self._made.append(identity)
        at, elapsed_ms = self._now, 0.0
        if result is None:
            result, at, elapsed_ms = await self._call(call.tool_name, arguments or {}, place)
        attempt = Attempt(call.tool_name, call.args_as_dict(), result)
        self._tell(attempt, at, elapsed_ms)
        return attempt

    def _then(self, result: ToolResult | None = None) -> str:
        """The reminder to end, for a model that must always call something and forgets it."""
        if not self._by_tool or self._request.answer_form is AnswerForm.ROWS:
            return ""
        in_words = self._request.results_in_words and result is not None and result.answer
        return message("agent.then_show" if in_words else "agent.then_answer", self._language)

    @property
    def _has_found(self) -> bool:
        """True once there is a result for an answer."""
        return any(run.success for run in self._runs[self._past :])

    def _instead(self) -> str:
        """The instruction in place of a repeated call."""
        if self._has_found:
            return self._then()
        if self._request.anew:
            return message("agent.not_again", self._language, hint=self._request.hint).strip()
        return self._request.hint

    def _not_final(self, *, alone: bool) -> ToolResult:
        """The reason why a final answer is refused: it is empty, or came before the results."""
        if alone:
            return refuse(NO_ANSWER_TEXT, message("agent.no_answer_text", self._language))
        return refuse(ANSWER_TOO_EARLY, message("agent.answer_too_early", self._language))

    async def _call(
        self, name: str, arguments: dict[str, Any], place: int
    ) -> tuple[ToolResult, float, float]:
        """A tool's result, with the time and duration of the call."""
        number = self._usage.rounds
        named = f"{self._request.label}.tool.{number}.{place}"
        refusal = await self._permit(named, name, arguments, self._now)
        if refusal is not None:
            return refusal, self._now, 0.0
        self._emit(Progress(stage="calling", round=number, text=name))
        recorded = await self._step(named, lambda: run_tool(self._tools, name, arguments))
        at, elapsed_ms = float(recorded["at"]), float(recorded["elapsedMs"])
        self._passes(at, elapsed_ms)
        self._usage = self._usage.model_copy(update={"tool_calls": self._usage.tool_calls + 1})
        result = ToolResult.model_validate(recorded["result"])
        return await self._review(named, name, result, self._now), at, elapsed_ms

    def _tell(self, attempt: Attempt, at: float, elapsed_ms: float) -> None:
        result = attempt.result
        source = as_source(attempt.tool, attempt.arguments, result)
        if source is not None:
            self._sources.append(source)
        if result.answer:
            self._shown = source
        ran = (attempt.tool, *([result.ran_as.tool] if result.ran_as else []))
        tools = () if result.only_explains else ran
        self._runs += (
            ToolRun(tool=tool, success=result.success, error=attempt.code or "") for tool in tools
        )
        call = ToolCall(at=at, elapsed_ms=elapsed_ms, arguments=attempt.arguments, result=result)
        self._emit(tool_called(attempt.tool, call, self._usage.rounds))

    def _hear(self, text: str) -> None:
        self._emit(Progress(stage="writing", round=self._usage.rounds + 1, text=text))

    def _passes(self, at: float, elapsed_ms: float) -> None:
        self._now = at + elapsed_ms / 1000
        total = round(self._usage.elapsed_ms + elapsed_ms, 3)
        self._usage = self._usage.model_copy(update={"elapsed_ms": total})

    def _ran_out(self, remaining: float) -> bool:
        """True if the run's own time ended the request, rather than the provider's."""
        return remaining <= self._request.timeout_seconds or (
            seconds_left(self._request.budget, self._usage) <= 0
        )

    def _answered(self, text: str) -> LoopOutcome:
        return replace(self._ended(AnswerKind.AGENT, text), form=self._request.answer_form)

    def _in_rows(self, shown: Source | None = None) -> LoopOutcome:
        """The end of a run whose answer the host composes from its results, or from this one."""
        ended = replace(self._ended(AnswerKind.AGENT, ""), messages=tuple(self._messages))
        return replace(ended, form=AnswerForm.FACTS, composed=True, shown=shown)

    def _failed(self, code: FailureCode) -> LoopOutcome:
        return self._ended(AnswerKind.FAILED, failed(code, self._language), code.value)

    def _ended(self, kind: AnswerKind, text: str, reason: str = "") -> LoopOutcome:
        return LoopOutcome(
            kind,
            text,
            tuple(self._sources),
            self._usage,
            reason,
            runs=tuple(self._runs),
            messages=ended(self._messages, text, self._now),
        )
