"""The protocol over HTTP: every request stands alone, with the credential that it carries."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.requests import Request
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from veridical.answering.session import Emit
from veridical.contracts.language import Language
from veridical.contracts.question import Question
from veridical.server.answering import answered
from veridical.server.asking import Asking
from veridical.server.identity import Action, Identity
from veridical.server.mcp.direct import Direct
from veridical.server.mcp.server import mcp_server
from veridical.server.mcp.visitor import Context, Visitor
from veridical.server.problem import ProblemCode, ProblemError
from veridical.server.services import Services
from veridical.server.work import Outcome
from veridical.server.works import Works

PATH = "/mcp"
_METHOD = "POST"


class McpEndpoint:
    """What answers at ``/mcp``. It needs ``at_work`` around it while the application runs.

    No session is kept, so any server may answer any request.
    """

    def __init__(self, services: Services, asking: Asking, works: Works) -> None:
        self._services = services
        self._asking = asking
        self._works = works
        self._direct = Direct(keep=asking.keep)
        server = mcp_server(lambda: services.runtime, self._visitor, services.settings.language)
        self._manager = StreamableHTTPSessionManager(
            server, stateless=True, max_request_body_size=services.settings.body_bytes
        )

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
        """One request. Raises ``ProblemError`` for whoever is not known."""
        request = Request(scope)
        if request.method != _METHOD:
            raise ProblemError(ProblemCode.METHOD_NOT_ALLOWED, headers={"allow": _METHOD})
        identity: Identity = request.state.identity
        if Action.READ not in identity.actions:
            raise ProblemError(ProblemCode.NOT_ALLOWED)
        await self._manager.handle_request(scope, receive, send)

    def _visitor(self, context: Context) -> Visitor:
        request: Request = context.request  # pyright: ignore[reportAssignmentType]
        state = request.state
        identity: Identity = state.identity
        language: Language = state.language

        async def answer(question: Question, listen: Emit) -> Outcome:
            caller = callers[question.feature]
            return await answered(self._services, self._asking, identity, question, caller, listen)

        callers = {
            feature: self._asking.caller(identity, feature, language)
            for feature in self._asking.features(identity)
        }
        return Visitor(
            callers,
            language,
            answer,
            replace(
                self._direct,
                place=partial(self._asking.place, identity),
                probe=partial(self._works.probe, identity),
            ),
            identity.tenant,
            may_ask=Action.ASK in identity.actions,
        )
