"""A form with a file: its fields, and the file as it was sent."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

from starlette.datastructures import Headers, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser

from veridical.console.form import Form

MULTIPART = "multipart/form-data"
_MOST_FIELDS = 20


@dataclass(frozen=True, slots=True)
class Upload:
    """An uploaded file; empty where none was chosen."""

    name: str = ""
    content: bytes = b""


async def parse_upload(headers: Headers, body: bytes) -> tuple[Form, Upload]:
    """The fields and the one file of a form; neither for other content."""
    parser = MultiPartParser(headers, _once(body), max_files=1, max_fields=_MOST_FIELDS)
    try:
        parsed = await parser.parse()
    except (MultiPartException, KeyError, ValueError):
        return {}, Upload()
    fields: dict[str, list[str]] = {}
    upload = Upload()
    for name, value in parsed.multi_items():
        if isinstance(value, UploadFile):
            upload = Upload(value.filename or "", await value.read())
        else:
            fields.setdefault(name, []).append(value)
    await parsed.close()
    return fields, upload


async def _once(body: bytes) -> AsyncGenerator[bytes]:
    yield body
