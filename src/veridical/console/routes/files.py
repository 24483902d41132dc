"""``/console/ask/files``: a conversation about a file, which comes with each question."""

from fastapi import APIRouter, Request, Response
from starlette.responses import RedirectResponse

from veridical.answering.file_feature import FILES
from veridical.console.ask_page import LONGEST_QUESTION
from veridical.console.conversation import ASK, Conversation, conversation
from veridical.console.form import field, parse_upload
from veridical.console.page import language_of, page
from veridical.console.routes.ask import Thread
from veridical.console.seal import handed_over
from veridical.console.turns import TurnView, past_turn, turns_of
from veridical.contracts.question import MOST_TURNS, Question
from veridical.engines.data_file import FORMATS
from veridical.server.auth import AskAccess
from veridical.server.brought_files import BroughtFiles
from veridical.server.problem import ProblemCode, ProblemError
from veridical.server.services import Services, ServicesDep

router = APIRouter(prefix=f"{ASK}/files")
ADDRESS = f"{ASK}/files"


@router.get("")
async def show(
    request: Request, identity: AskAccess, services: ServicesDep, t: Thread = (), q: str = ""
) -> Response:
    """The conversation of the address, and the form for the next question."""
    turns = await turns_of(request, services, identity, t[-MOST_TURNS:])
    question = q[:LONGEST_QUESTION] or handed_over(request).get("question", "")
    return _page(request, turns, question)


@router.post("")
async def ask(request: Request, identity: AskAccess, services: ServicesDep) -> Response:
    """Asks about the uploaded file, which is read for this question and kept nowhere."""
    fields, upload = await parse_upload(request.headers, await request.body())
    text = field(fields, "question", LONGEST_QUESTION)
    before = conversation(FILES, fields.get("t", ()))
    turns = await turns_of(request, services, identity, before.thread)
    if not text or not upload.name:
        return _page(request, turns, text, needs_file=not upload.name)
    language = language_of(request)
    past = tuple(past_turn(turn) for turn in turns if turn.view is not None)
    question = Question(text=text, feature=FILES, language=language, thread=past)
    brought: BroughtFiles = request.app.state.brought_files
    try:
        given = await brought.answer(identity, [(upload.name, upload.content)], question, language)
    except ProblemError as error:
        if error.code is not ProblemCode.INVALID:
            raise
        return _page(request, turns, text, problem=error.detail)
    return RedirectResponse(_address(before.with_turn(given.trace_id)), 303)


def _address(now: Conversation) -> str:
    return f"{ADDRESS}?{now.query}#t-{now.thread[-1]}"


def _page(
    request: Request,
    turns: tuple[TurnView, ...],
    question: str,
    *,
    problem: str = "",
    needs_file: bool = False,
) -> Response:
    services: Services = request.app.state.services
    return page(
        request,
        "files.html",
        typed_in="about-file",
        turns=turns,
        question=question,
        problem=problem,
        needs_file=needs_file,
        formats=FORMATS,
        conversation=conversation(FILES, (turn.trace_id for turn in turns)),
        asked_at=ADDRESS,
        kilobytes=services.settings.body_bytes // 1024,
        agent_is_off=services.runtime.model is None,
    )
