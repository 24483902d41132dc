"""MCP over HTTP: stateless, each request with its own credential."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.requests import Request
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from veridical.answering.session import Emit
from veridical.contracts.answer import Answer
from veridical.contracts.language import Language
from veridical.contracts.question import Question
from veridical.runs.state import RunState
from veridical.server.answerer import Answerer, dispatch_question
from veridical.server.brought_files import BroughtFiles
from veridical.server.evidence_request import CollectRequest, CollectState
from veridical.server.files_request import FilesRequest
from veridical.server.identity import Action, Identity
from veridical.server.mcp.answer_panel import PANEL_EXTENSION, Panels
from veridical.server.mcp.client import Context, McpClient
from veridical.server.mcp.direct_calls import DirectCalls
from veridical.server.mcp.server import mcp_server
from veridical.server.pending_answer import Outcome
from veridical.server.problem import ProblemCode, ProblemError
from veridical.server.routes.search_runs import (
    collected,
    start_collecting,
)
from veridical.server.services import Services
from veridical.server.verification import Verification

PATH = "/mcp"
_METHOD = "POST"


@dataclass(frozen=True)
class _Collecting:
    """The runs of one identity that collect evidence."""

    services: Services
    answerer: Answerer
    identity: Identity
    language: Language

    async def start(self, request: CollectRequest) -> RunState:
        """Start one. Raises ``ProblemError``."""
        caller = self.answerer.caller(self.identity, request.feature, self.language)
        return await start_collecting(self.services, self.identity, request, caller)

    async def show(self, run_id: str) -> CollectState:
        """How one stands, verified now. Raises ``RunNotFoundError``."""
        return await collected(self.services, self.identity, run_id)


class McpEndpoint:
    """The endpoint ``/mcp``. Runs within ``at_work`` while the application runs.

    It keeps no sessions, so any server may answer any request.
    """

    def __init__(
        self,
        services: Services,
        answerer: Answerer,
        verification: Verification,
        files: BroughtFiles,
    ) -> None:
        self._services = services
        self._answerer = answerer
        self._verification = verification
        self._files = files
        self._direct = DirectCalls(keep=answerer.keep)
        self._panels: Panels | None = None
        self._server = mcp_server(
            lambda: services.runtime, self._client, services.settings.language
        )
        self._manager = StreamableHTTPSessionManager(
            self._server, stateless=True, max_request_body_size=services.settings.body_bytes
        )

    def show_panels(self, panels: Panels) -> None:
        """Draw answers for programs that show panels."""
        self._panels = panels
        self._server.extensions = PANEL_EXTENSION

    @asynccontextmanager
    async def at_work(self) -> AsyncGenerator[None]:
        """Serves while the block runs, and ends what is on its way."""
        async with self._manager.run():
            yield
        await self._direct.ended()

    @property
    def route(self) -> Route:
        """The place in an application."""
        return Route(PATH, endpoint=self, include_in_schema=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request. Raises ``ProblemError`` for an identity without the permission to read."""
        request = Request(scope)
        if request.method != _METHOD:
            raise ProblemError(ProblemCode.METHOD_NOT_ALLOWED, headers={"allow": _METHOD})
        identity: Identity = request.state.identity
        if Action.READ not in identity.actions:
            raise ProblemError(ProblemCode.NOT_ALLOWED)
        await self._answerer.refresh(identity)
        await self._manager.handle_request(scope, receive, send)

    def _client(self, context: Context) -> McpClient:
        request: Request = context.request  # pyright: ignore[reportAssignmentType]
        state = request.state
        identity: Identity = state.identity
        language: Language = state.language

        async def answer(question: Question, listen: Emit) -> Outcome:
            caller = callers[question.feature]
            return await dispatch_question(
                self._services, self._answerer, identity, question, caller, listen
            )

        async def about_files(given: FilesRequest, listen: Emit) -> Answer:
            files = [(each.name, each.data) for each in given.files]
            return await self._files.answer(
                identity, files, given.as_question(), given.language or language, listen
            )

        callers = {
            feature: self._answerer.caller(identity, feature, language)
            for feature in self._answerer.features(identity)
        }
        return McpClient(
            callers,
            language,
            answer,
            replace(
                self._direct,
                place=partial(self._answerer.place, identity),
                probe=partial(self._verification.probe, identity),
            ),
            state=partial(self._verification.state, identity),
            files=about_files,
            collecting=_Collecting(self._services, self._answerer, identity, language),
            tenant=identity.tenant,
            panels=self._panels,
            may_ask=Action.ASK in identity.actions,
        )
