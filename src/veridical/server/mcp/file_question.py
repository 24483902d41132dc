"""A question about files that another agent hands over with it."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from veridical.contracts.language import Language
from veridical.contracts.tool import JsonSchema
from veridical.contracts.violation import Refusal, malformed
from veridical.engines.data_file import FORMATS
from veridical.messages import message
from veridical.server.files_request import FilesRequest
from veridical.tools.argument_schemas import list_of, one_object

ASK_ABOUT_FILES = "askAboutFiles"
_LONGEST_PLACE = 60


def file_question_schema(language: Language) -> dict[str, Any]:
    """The tool as a function."""
    text: JsonSchema = {"type": "string"}
    file = one_object(
        {"name": text, "content": text, "encoding": {"enum": ["text", "base64"]}},
        "name",
        "content",
    )
    properties: dict[str, JsonSchema] = {
        "question": {**text, "description": message("host.arg_question", language)},
        "files": {**list_of(file), "description": message("mcp.arg_files", language)},
    }
    formats = ", ".join(FORMATS)
    return {
        "name": ASK_ABOUT_FILES,
        "description": message("mcp.ask_about_files", language, formats=formats),
        "parameters": one_object(properties, "question", "files"),
    }


def file_question(arguments: Mapping[str, Any]) -> FilesRequest | Refusal:
    """The request of these arguments, or what is wrong with them."""
    try:
        return FilesRequest.model_validate(arguments)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))[:_LONGEST_PLACE]
        return malformed(place or "files", first["msg"])
