"""``POST /v1/files/ask``: asks a question about files that come with it."""

from typing import Annotated

from fastapi import APIRouter, Body, Request, Response

from veridical.contracts.answer import Answer
from veridical.server.auth import AskAccess
from veridical.server.body_types import written
from veridical.server.brought_files import BroughtFiles
from veridical.server.files_request import FilesRequest
from veridical.server.language import adopt_question_language
from veridical.server.openapi import examples, problems

router = APIRouter(prefix="/v1/files", tags=["ask"])

FilesBody = Annotated[FilesRequest, Body(openapi_examples=examples("files"))]


@router.post(
    "/ask",
    summary="Ask about files",
    response_model=Answer,
    response_description="The answer, or an honest reason why there is none.",
    responses=problems(body=True),
)
async def ask_about_files(request: Request, body: FilesBody, identity: AskAccess) -> Response:
    """CSV, Excel and Parquet files are read for this question and kept nowhere. An answer with data
    needs both ``inspectFile`` and ``analyzeDataframe``."""
    brought: BroughtFiles = request.app.state.brought_files
    question = body.as_question()
    language = adopt_question_language(request, question)
    files = [(each.name, each.data) for each in body.files]
    given = await brought.answer(identity, files, question, language)
    return Response(written(given), media_type="application/json")
